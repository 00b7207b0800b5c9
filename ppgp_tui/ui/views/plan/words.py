"""What is said over and under the graph: which plan, which part of it, what is wrong with it."""

from __future__ import annotations

from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.look import Role, Sign
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.columns import joined
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.plan.dependencies import Graph, graph_of
from ppgp_tui.ui.views.plan.graph import GraphRows
from ppgp_tui.ui.views.plan.list import STATE_WORDS
from ppgp_tui.ui.views.plan.scene import Scene
from ppgp_tui.ui.views.plan.tasks import plan_counts
from ppgp_tui.ui.views.prose import wrapped
from ppgp_tui.ui.views.room import ROWS_BELOW, TWO_COLUMNS


def head_rows(scene: Scene, graph: GraphRows | None) -> list[Row]:
    """Revision, age and author; then whatever is wrong with the plan."""
    plan, width = scene.plan, scene.frame.width
    title = "Plan" if plan.revision is None else f"Plan r{plan.revision}"
    drawn_as = graph.zoom if graph is not None else "tree" if scene.shown.tree else "list"
    part = part_of(scene) or scene.chain
    newest = "" if width < ROWS_BELOW and part else "newest"
    words = [Span(newest, "soft"), Span(drawn_as, "soft")]
    left = (Span(title, "ink", bold=True), Span(f"  {_note(scene)}", "soft"))
    head = Row("", (Line(left, joined(words, 3), indent=1),))
    return [head, *_troubles(scene, graph_of(plan), width)]


def _note(scene: Scene) -> str:
    """What part of the plan is shown, else when and by whom it was changed, and what was."""
    plan, frame = scene.plan, scene.frame
    if part := part_of(scene):
        return part
    if scene.chain:
        return f"longest chain, {count(len(scene.chain), 'task')}"
    if scene.looked.nodes:
        more = f", {scene.looked.left_out:,} more" if scene.looked.left_out else ""
        return f"{len(plan.tasks):,} task nodes of the log{more}"
    since = age(plan.changed_ms, frame.now_ms)
    note = ", ".join(filter(None, (f"{since} ago" if since else "", plan.changed_by or "")))
    revisions = scene.snapshot.history.value.revisions
    if frame.width >= ROWS_BELOW and len(revisions) and revisions[-1].brief:
        note = ": ".join(filter(None, (note, revisions[-1].brief)))
    return note


def part_of(scene: Scene) -> str:
    """Which part of the plan is listed; empty for all of it."""
    frame, total = scene.frame, len(scene.plan.tasks)
    parts = []
    if frame.plan.states != "all":
        parts.append(STATE_WORDS[frame.plan.states])
    if frame.plan.family:
        parts.append(f"in the family of {frame.plan.family}")
    if frame.filter:
        parts.append(f'with "{frame.filter}"')
    if not parts:
        return ""
    return f"{scene.shown.tasks:,} of {total:,} {', '.join(parts)}"


def none_left(scene: Scene) -> Row:
    """What is said where no task is of the kind that is listed, and how to come to others."""
    keys, asked = scene.frame.keys, scene.frame.plan
    next_kind = keys.get("plan.states", "") if asked.states != "all" else ""
    ways = [f"{next_kind} lists others" if next_kind else "", f"{keys.get('back', 'Esc')} all"]
    said = f"none: {', '.join(filter(None, ways))}"
    return Row("", (Line((Span(said, "soft"),), indent=1),))


def list_heading(scene: Scene) -> Row:
    """The heading of the list where it stands beside something."""
    total = len(scene.plan.tasks)
    part = f"{scene.shown.tasks:,} of {total:,}" if part_of(scene) else count(total, "task")
    return heading("Plan", part, plan_counts(graph_of(scene.plan), scene.frame.look))


def below_graph(scene: Scene, graph: GraphRows, near: bool) -> list[Row]:
    """A blank line, or one that says what the graph does not show and how to see it."""
    frame, drawing = scene.frame, graph.drawing
    wide = frame.width >= TWO_COLUMNS
    notes = []
    if near:
        whom = scene.key or "what is done"
        whole = scene.shown.tasks if frame.plan.family else len(scene.plan.tasks)
        notes.append(f"near {whom}, of {count(whole, 'task')}")
    if drawing.implied and wide:
        notes.append(f"{count(drawing.implied, 'implied edge')} hidden")
    pan = " ".join(
        filter(None, (frame.keys.get("plan.pan_left"), frame.keys.get("plan.pan_right")))
    )
    right = (Span(pan, "ink", bold=True), Span(" pan", "soft")) if graph.wider and pan else ()
    if not notes and not right:
        return [blank()]
    said = Row("", (Line((Span(", ".join(notes), "soft"),), right, indent=1),))
    return [said, blank()] if wide else [said]


def _troubles(scene: Scene, graph: Graph, width: int) -> list[Row]:
    plan, origin = scene.plan, scene.snapshot.plan.origin
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
