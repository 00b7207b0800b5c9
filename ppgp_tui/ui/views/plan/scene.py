"""What one layout of the plan is made of: the plan, which tasks are listed, the one at hand."""

from __future__ import annotations

from typing import NamedTuple

from ppgp_tui.session.model import Plan, SessionSnapshot, Task
from ppgp_tui.ui.rows.layout import Frame
from ppgp_tui.ui.rows.row import Row
from ppgp_tui.ui.seat.plan_choice import FOLD
from ppgp_tui.ui.views.plan.dependencies import graph_of
from ppgp_tui.ui.views.plan.detail import brief_rows, detail_rows, fold_brief, fold_detail
from ppgp_tui.ui.views.plan.figures import figures
from ppgp_tui.ui.views.plan.graph import kin_of, parts_done
from ppgp_tui.ui.views.plan.list import FOLD_FROM, Asked, Listed, Lists, PlanRows, matches
from ppgp_tui.ui.views.plan.nodes import Looked
from ppgp_tui.ui.views.room import TWO_COLUMNS

LIST = "plan.list"


class Scene(NamedTuple):
    """A plan in a room, as a person looks at it."""

    snapshot: SessionSnapshot
    looked: Looked
    frame: Frame
    shown: Listed
    key: str
    """Key of the task at hand; empty where none is."""

    @property
    def plan(self) -> Plan:
        """The tasks, wherever they come from."""
        return self.looked.plan

    @property
    def task(self) -> Task | None:
        """The task at hand."""
        at = graph_of(self.plan).place.get(self.key)
        return None if at is None else self.plan.tasks[at]

    @property
    def on_fold(self) -> bool:
        """The cursor is on the row that stands for finished tasks."""
        card = self.frame.opened and self.frame.width < TWO_COLUMNS
        return self.frame.cursor.get(LIST) == FOLD and not card

    @property
    def folds(self) -> bool:
        """Finished parts are folded away."""
        return self.shown.folded > 0 and not self.shown.open

    def rows(self, width: int) -> PlanRows:
        """The list, in a pane of that width."""
        frame = self.frame
        opens = "" if frame.width >= TWO_COLUMNS else "read"
        origin = self.snapshot.plan.origin
        return PlanRows(
            self.snapshot, self.looked, self.shown, width, frame.look, frame.now_ms, opens, origin
        )

    def detail(self, width: int) -> list[Row]:
        """All that is known of the task at hand."""
        task, frame = self.task, self.frame
        if task is None:
            return fold_detail(self.shown.folded, self.shown.open, width) if self.on_fold else []
        look, now, keys = frame.look, frame.now_ms, frame.keys
        return detail_rows(
            self.snapshot, self.looked, task, width, look, now, keys, source=bool(frame.opened)
        )

    def brief(self) -> list[Row]:
        """Two lines of it, where there is no room for more."""
        task, frame, shown = self.task, self.frame, self.shown
        if task is None:
            return fold_brief(shown.folded, shown.open, frame.keys) if self.on_fold else []
        return brief_rows(self.snapshot, self.plan, task, frame.look, frame.keys)

    @property
    def chain(self) -> tuple[str, ...]:
        """Keys of the longest chain of what is left, while the person goes along it."""
        if not self.frame.plan.chain:
            return ()
        chain = figures(self.plan).chain
        return chain if self.key in chain else ()

    def unlike(self) -> frozenset[str]:
        """Keys of the tasks that are not among those looked for."""
        words, states = self.frame.filter, self.frame.plan.states
        if not words and states == "all":
            return frozenset()
        tasks = self.plan.tasks
        return frozenset(task.key for task in tasks if not matches(task, words, states))


def scene_of(
    lists: Lists, snapshot: SessionSnapshot, looked: Looked, frame: Frame, tree: bool
) -> Scene:
    """The scene of a picture in a room, its tasks in plan order or as a `tree`."""
    plan, asked = looked.plan, frame.plan
    kin = kin_of(plan, asked.family) if asked.family else None
    may_fold = len(plan.tasks) >= FOLD_FROM and kin is None
    folded = parts_done(plan) if may_fold else ()
    unfolded = FOLD in frame.turned
    wanted = Asked(frame.filter, asked.states, kin, folded, unfolded, tree)
    shown = lists.of(plan, wanted)
    return Scene(snapshot, looked, frame, shown, _at_hand(plan, shown, frame))


def _at_hand(plan: Plan, shown: Listed, frame: Frame) -> str:
    """Key of the task that was opened, or is under the cursor, or else of the first one listed.

    Where the details stand beside the list they follow the cursor, whatever was opened.
    """
    opened = frame.opened if frame.width < TWO_COLUMNS else ""
    under = opened or frame.cursor.get(LIST, "")
    kind, _, rest = under.partition(":")
    if kind == "ref":
        return rest.partition(">")[2]
    if kind == "task":
        return rest
    if under == FOLD or not len(shown.lines):
        return ""
    return graph_of(plan).names[shown.lines[0].at]
