"""View 2: the plan as it stands, in its own order, and what hangs on the task under the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from ppgp_tui.session.model import Plan, SessionSnapshot
from ppgp_tui.ui.ages import age
from ppgp_tui.ui.layout import Frame, Layout, Pane
from ppgp_tui.ui.look import Role, Sign
from ppgp_tui.ui.rows import Line, Row, Span, heading
from ppgp_tui.ui.views.graph import Graph, graph_of
from ppgp_tui.ui.views.prose import wrapped
from ppgp_tui.ui.views.room import list_and_detail, opens, tall, under_cursor
from ppgp_tui.ui.views.tasks import TaskRows, plan_counts, task_brief, task_detail


class PlanView:
    """Tasks with state, dependencies and age."""

    name = "plan"

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        """Return the tasks in plan order, and the one under the cursor with all that is known."""
        plan, graph = snapshot.plan.value, graph_of(snapshot.plan.value)
        if not plan.tasks:
            return ((Pane("plan.list", no_tasks(snapshot), frame.width),),)
        positions = _matching(plan, frame.filter)

        def rows(width: int) -> TaskRows:
            roomy = 60 <= width == frame.width
            look, now_ms = frame.look, frame.now_ms
            return TaskRows(snapshot, positions, look, now_ms, roomy=roomy, opens=opens(frame))

        def panes(width: int) -> tuple[Pane, ...]:
            head = [*_heading(snapshot, graph, frame, len(positions), width)]
            return (
                Pane("plan.head", head, width, height=tall(head)),
                Pane("plan.list", rows(width), width, uniform=True),
            )

        key = under_cursor(frame, "plan.list", rows(frame.width)).removeprefix("task:")
        at = graph.place.get(key)
        task = None if at is None else plan.tasks[at]

        def detail(width: int) -> Pane:
            known = task_detail(snapshot, task, width, frame.look, frame.now_ms) if task else []
            title = [heading("Under the cursor")] if frame.width >= 100 and task else []
            return Pane("plan.detail", title + known, width, about=key)

        def brief(_width: int) -> Sequence[Row]:
            return [task_brief(plan, task, frame.look)] if task else []

        return list_and_detail(frame, panes, detail, share=0.5, brief=brief)


def _matching(plan: Plan, words: str) -> Sequence[int]:
    """Positions of the tasks that say `words` in key or subject."""
    if not words:
        return range(len(plan.tasks))
    wanted = words.casefold()
    return [
        at
        for at, task in enumerate(plan.tasks)
        if wanted in f"{task.key} {task.subject}".casefold()
    ]


def _heading(
    snapshot: SessionSnapshot, graph: Graph, frame: Frame, shown: int, width: int
) -> list[Row]:
    """Revision, age and author; then whatever is wrong with the plan."""
    plan = snapshot.plan.value
    title = "Plan" if plan.revision is None else f"Plan r{plan.revision}"
    since = age(plan.changed_ms, frame.now_ms)
    note = ", ".join(filter(None, (f"{since} ago" if since else "", plan.changed_by or "")))
    if frame.filter:
        note = f'{shown} of {len(plan.tasks)} with "{frame.filter}"'
    right = plan_counts(graph, frame.look) if width >= 56 else ()
    return [heading(title, note, right), *_troubles(snapshot, graph, width)]


def _troubles(snapshot: SessionSnapshot, graph: Graph, width: int) -> list[Row]:
    plan = snapshot.plan.value
    origin = snapshot.plan.origin
    rows = []

    def trouble(text: str, sign: Sign = "finding", role: Role = "stop") -> None:
        lines = wrapped(text, width - 4)
        first = Line((Span(lines[0], "text"),), sign=sign, sign_role=role)
        rest = tuple(Line((Span(line, "text"),)) for line in lines[1:])
        rows.append(Row("", (first, *rest), origin))

    if plan.hand_edit:
        trouble("todo.json was edited by hand and differs from the log", "changed", "wait")
    if graph.cycle:
        circle = [*graph.cycle[:6], "…"] if len(graph.cycle) > 6 else [*graph.cycle]
        trouble(f"wait for each other: {', '.join(circle)}")
    shown = graph.missing[:3]
    for key, needed in shown:
        trouble(f"{key} needs {needed}, which is not in the plan")
    if more := len(graph.missing) - len(shown):
        trouble(f"{more} more need tasks that are not in the plan")
    return rows


def no_tasks(snapshot: SessionSnapshot) -> list[Row]:
    """What is said instead of a plan: an empty one, or where one was looked for."""
    plan = snapshot.plan.value
    if plan.source != "none":
        revision = "" if plan.revision is None else f" r{plan.revision}"
        said = "the plan has no tasks"
    else:
        revision, said = "", "no plan yet: looked for .ppgp/todo.json"
    return [heading(f"Plan{revision}"), Row("", (Line((Span(said, "soft"),), indent=1),))]
