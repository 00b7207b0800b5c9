"""The tasks of the plan as rows: in plan order or as a tree, filtered, finished parts folded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ppgp_tui.session.model import Plan, SessionSnapshot, Task, TaskState
from ppgp_tui.session.origin import Origin
from ppgp_tui.ui.ages import age
from ppgp_tui.ui.columns import cells, cut, to_left
from ppgp_tui.ui.look import Look
from ppgp_tui.ui.plan_choice import States
from ppgp_tui.ui.rows import Line, Row, RowsOnDemand, Span
from ppgp_tui.ui.views.graph import graph_of
from ppgp_tui.ui.views.plan_stop import asked_of
from ppgp_tui.ui.views.plan_tree import Branch, tree_of
from ppgp_tui.ui.views.tasks import task_line
from ppgp_tui.ui.words import task_word

FOLD = "fold:done"
"""Key of the row that stands for the finished tasks that are folded away."""
FOLD_FROM = 24
"""Tasks a plan has at least before finished parts of it are folded."""
MOST_INDENT = 0.4
"""Part of a pane's width that the indent of a tree takes at most."""

_IN: dict[States, frozenset[TaskState]] = {
    "all": frozenset(("done", "running", "ready", "waits", "blocked", "for_you")),
    "ready": frozenset(("ready",)),
    "stopped": frozenset(("blocked", "for_you")),
    "running": frozenset(("running",)),
    "open": frozenset(("running", "ready", "waits", "blocked", "for_you")),
    "done": frozenset(("done",)),
}
STATE_WORDS: dict[States, str] = {
    "all": "all",
    "ready": "ready",
    "stopped": "blocked or for you",
    "running": "running",
    "open": "not done",
    "done": "done",
}
"""How the heading names what is listed."""


class Listed(NamedTuple):
    """Which lines a list has."""

    lines: Sequence[Branch]
    folded: int = 0
    """Finished tasks that the first row stands for; 0: there is no such row."""
    open: bool = False
    """They are listed all the same."""
    tree: bool = False


def matches(task: Task, words: str, states: States) -> bool:
    """Whether `task` says `words` (letter case ignored) and is in one of `states`."""
    said = not words or words.casefold() in f"{task.key} {task.subject}".casefold()
    return said and task.state in _IN[states]


def listed(
    plan: Plan,
    *,
    words: str = "",
    states: States = "all",
    family: Collection[str] | None = None,
    folded: Collection[str] = (),
    unfolded: bool = False,
    tree: bool = False,
) -> Listed:
    """The lines for the tasks of `plan` that say `words`, are in `states` and in the `family`.

    `folded` are keys of finished tasks that one row stands for unless they are `unfolded` or looked
    for.
    """
    looked_for = bool(words) or states != "all"
    hidden = frozenset(folded) if not (looked_for or unfolded) else frozenset()
    lines: Sequence[Branch] = tree_of(plan) if tree else _in_order(plan)
    tasks = plan.tasks
    if looked_for or family is not None or hidden:
        lines = [
            branch
            for branch in lines
            if matches(tasks[branch.at], words, states)
            and (family is None or tasks[branch.at].key in family)
            and tasks[branch.at].key not in hidden
            and not (looked_for and branch.again)
        ]
    count = 0 if looked_for else len(folded)
    return Listed(lines, count, unfolded, tree)


def _in_order(plan: Plan) -> Sequence[Branch]:
    return _Straight(len(plan.tasks))


class _Straight(Sequence[Branch]):
    """Every task once, none under another, made when it is looked at."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, at):  # type: ignore[no-untyped-def]
        return Branch(range(self._count)[at], 0)


class PlanRows(RowsOnDemand):
    """The rows of a list, each made when it is asked for."""

    def __init__(
        self,
        snapshot: SessionSnapshot,
        plan: Plan,
        shown: Listed,
        width: int,
        look: Look,
        now_ms: int,
        opens: str,
        origin: Origin | None,
    ) -> None:
        """`opens` is what Enter does with a task that no request stops."""
        self._snapshot = snapshot
        self._plan = plan
        self._graph = graph_of(plan)
        self._shown = shown
        self._first = bool(shown.folded)
        self._width = width
        self._look = look
        self._now_ms = now_ms
        self._opens = opens
        self._origin = origin
        self._places: dict[str, int] | None = None

    def __len__(self) -> int:
        return len(self._shown.lines) + self._first

    def row(self, index: int) -> Row:
        """See `RowsOnDemand`."""
        if self._first and range(len(self))[index] == 0:
            return fold_row(self._shown)
        branch = self._shown.lines[range(len(self))[index] - self._first]
        task, graph = self._plan.tasks[branch.at], self._graph
        words, thing = f"{task.key} {task.subject}", f"node:todo:{task.key}"
        if branch.again:
            key = f"ref:{branch.above}>{graph.names[branch.at]}"
            line = self._reference(branch, task)
            return Row(key, (line,), self._origin, words, "see it", thing)
        opens = "answer it" if asked_of(self._snapshot, task) else self._opens
        line = self._line(branch, task)
        return Row(f"task:{graph.names[branch.at]}", (line,), self._origin, words, opens, thing)

    def place(self, key: str) -> int | None:
        """The index of the row with that key, or None."""
        if key == FOLD:
            return 0 if self._first else None
        if isinstance(self._shown.lines, _Straight):
            at = self._graph.place.get(key.removeprefix("task:")) if key[:5] == "task:" else None
            return None if at is None else at + self._first
        if self._places is None:
            names = self._graph.names
            self._places = {
                f"ref:{branch.above}>{names[branch.at]}" if branch.again
                else f"task:{names[branch.at]}": at
                for at, branch in enumerate(self._shown.lines, self._first)
            }  # fmt: skip
        return self._places.get(key)

    def _line(self, branch: Branch, task: Task) -> Line:
        width, key_width, look = self._width, self._graph.key_width, self._look
        if not self._shown.tree:
            roomy = width >= 72
            return task_line(task, key_width, look, self._now_ms, roomy=roomy)
        word = task_word(task)
        left = (
            Span(" " * self._indent(branch)),
            Span(look.sign(word.sign), word.role, bold=True),
            Span(" "),
            *to_left(Span(task.key, "soft"), min(key_width, 3)),
            Span(" "),
            Span(task.subject, "soft" if task.state == "done" else "text"),
        )
        state = Span(cut(word.text, 12, look.sign("cut")), word.role)
        since = age(task.changed_ms, self._now_ms) if width >= 60 else ""
        right = (state, *((Span(f"  {since:>4}", "soft"),) if width >= 60 else ()))
        return Line(left, right, indent=1, cut="end")

    def _reference(self, branch: Branch, task: Task) -> Line:
        sign = self._look.sign("elsewhere")
        left = (Span(" " * self._indent(branch)), Span(f"{sign} {task.key}", "soft"))
        return Line(left, indent=1)

    def _indent(self, branch: Branch) -> int:
        return min(2 * branch.depth, int(self._width * MOST_INDENT))


def fold_row(shown: Listed) -> Row:
    """The row that stands for the finished tasks."""
    words = f"{shown.folded} done"
    hint = "listed below" if shown.open else "folded"
    line = Line((Span(words, "soft"),), (Span(hint, "soft"),), "done", "ok")
    opens = "fold" if shown.open else "unfold"
    return Row(FOLD, (line,), copy=words, opens=opens, family=True)


def room_for(spans: Sequence[Span], width: int) -> bool:
    """Whether `spans` fit a heading of that width beside a short title."""
    return cells(*spans) + 20 <= width
