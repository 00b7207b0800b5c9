"""The tasks of the plan as rows: in plan order or as a tree, filtered, finished parts folded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ppgp_tui.session.model import Plan, SessionSnapshot, Task, TaskState
from ppgp_tui.session.picture.origin import Origin
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.looks.words import task_word
from ppgp_tui.ui.rows.columns import cut, to_left
from ppgp_tui.ui.rows.row import Line, Row, RowsOnDemand, Span
from ppgp_tui.ui.seat.plan_choice import FOLD, States
from ppgp_tui.ui.views.plan.dependencies import graph_of
from ppgp_tui.ui.views.plan.nodes import Looked
from ppgp_tui.ui.views.plan.stop import asked_of
from ppgp_tui.ui.views.plan.tasks import task_line
from ppgp_tui.ui.views.plan.tree import Branch, tree_of

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


@dataclass(frozen=True)
class Listed:
    """Which lines a list has."""

    names: tuple[str, ...]
    """What the tasks of the plan are called, by position."""
    lines: Sequence[Branch]
    folded: int = 0
    """Finished tasks that the first row stands for; 0: there is no such row."""
    open: bool = False
    """They are listed all the same."""
    tree: bool = False

    def key(self, branch: Branch) -> str:
        """Key of the row of `branch`."""
        name = self.names[branch.at]
        return f"ref:{branch.above}>{name}" if branch.again else f"task:{name}"

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each row is, by its key."""
        first = bool(self.folded)
        return {self.key(branch): at for at, branch in enumerate(self.lines, first)}

    @cached_property
    def tasks(self) -> int:
        """How many tasks are listed, each once."""
        return sum(not branch.again for branch in self.lines)


def matches(task: Task, words: str, states: States) -> bool:
    """Whether `task` says `words` (letter case ignored) and is in one of `states`."""
    said = not words or words.casefold() in f"{task.key} {task.subject}".casefold()
    return said and task.state in _IN[states]


class Asked(NamedTuple):
    """What a list is to hold."""

    words: str = ""
    states: States = "all"
    family: frozenset[str] | None = None
    folded: tuple[str, ...] = ()
    """Keys of finished tasks that one row stands for unless they are `unfolded` or looked for."""
    unfolded: bool = False
    tree: bool = False


class Lists:
    """Remembers the last lists: they are asked for with every picture."""

    def __init__(self) -> None:
        self._kept: list[tuple[Plan, Asked, Listed]] = []

    def of(self, plan: Plan, asked: Asked) -> Listed:
        """The lines for the tasks of `plan` that are asked for."""
        for known, wanted, found in self._kept:
            if known is plan and wanted == asked:
                return found
        made = listed(plan, asked)
        self._kept = [*self._kept[-2:], (plan, asked, made)]
        return made


def listed(plan: Plan, asked: Asked) -> Listed:
    """The lines for the tasks of `plan` that are asked for."""
    looked_for = bool(asked.words) or asked.states != "all"
    hidden = frozenset() if looked_for or asked.unfolded else frozenset(asked.folded)
    kin, tasks = asked.family, plan.tasks
    lines: Sequence[Branch] = tree_of(plan) if asked.tree else _Straight(len(tasks))
    if looked_for or kin is not None or hidden:
        lines = [
            branch
            for branch in lines
            if matches(tasks[branch.at], asked.words, asked.states)
            and (kin is None or tasks[branch.at].key in kin)
            and tasks[branch.at].key not in hidden
            and not (looked_for and branch.again)
        ]
    count = 0 if looked_for else len(asked.folded)
    return Listed(graph_of(plan).names, lines, count, asked.unfolded, asked.tree)


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
        looked: Looked,
        shown: Listed,
        width: int,
        look: Look,
        now_ms: int,
        opens: str,
        origin: Origin | None,
    ) -> None:
        """`opens` is what Enter does with a task that no request stops."""
        self._snapshot = snapshot
        self._looked = looked
        self._plan = looked.plan
        self._graph = graph_of(looked.plan)
        self._shown = shown
        self._first = bool(shown.folded)
        self._width = width
        self._look = look
        self._now_ms = now_ms
        self._opens = opens
        self._origin = origin

    def __len__(self) -> int:
        return len(self._shown.lines) + self._first

    def row(self, index: int) -> Row:
        """See `RowsOnDemand`."""
        if self._first and range(len(self))[index] == 0:
            return fold_row(self._shown)
        branch = self._shown.lines[range(len(self))[index] - self._first]
        task = self._plan.tasks[branch.at]
        words, thing = f"{task.key} {task.subject}", self._looked.thing(task.key)
        key = self._shown.key(branch)
        if branch.again:
            line = self._reference(branch, task)
            return Row(key, (line,), self._origin, words, "see it", thing)
        opens = "answer it" if asked_of(self._snapshot, task) else self._opens
        return Row(key, (self._line(branch, task),), self._origin, words, opens, thing)

    def place(self, key: str) -> int | None:
        """The index of the row with that key, or None."""
        if key == FOLD:
            return 0 if self._first else None
        if isinstance(self._shown.lines, _Straight):
            at = self._graph.place.get(key.removeprefix("task:")) if key[:5] == "task:" else None
            return None if at is None else at + self._first
        return self._shown.places.get(key)

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
