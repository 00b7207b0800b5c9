"""The fold for acting: what the log says, as far as an action needs to know it.

Only events written by this program carry our lifecycle; foreign ones give causes and nothing else.
Lines that Git cut out of the log are folded after it, and restored ones stand behind later acts; so
the folds go by revisions, attempts and ids where they can, and by the order of lines only where
nothing else is known.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Final

from ppgp_tui.session.engine import folds, request_folds
from ppgp_tui.session.engine.folds import Json

__all__ = ["FOLDED_KINDS", "Json", "Ledger"]


class Ledger:
    """Current goal, plan, blockers, requests and open runs. Plain JSON inside, for a checkpoint."""

    def __init__(self, state: Json | None = None) -> None:
        """Start empty, or from what `as_json` gave."""
        self._state: Json = copy.deepcopy(state) if state is not None else _empty()

    def as_json(self) -> Json:
        """Everything folded so far."""
        return copy.deepcopy(self._state)

    def copy(self) -> Ledger:
        """An independent ledger in the same state."""
        return Ledger(self._state)

    def apply(self, event: Mapping[str, Any]) -> None:
        """Take one log event in; an unknown kind or an odd payload changes nothing."""
        fold = _FOLDS.get(event.get("kind", ""))
        if fold is None or not isinstance(event.get("payload"), dict):
            return
        try:
            fold(self._state, event)
        except (KeyError, TypeError, AttributeError, ValueError):
            return  # somebody else's event of the same name and another shape

    # What is known -----------------------------------------------------------------------------

    @property
    def goal(self) -> Json | None:
        """The goal under way: `{id, event, objective, revision, pi, …}`; None without one."""
        goal: Json | None = self._state["goal"]
        return goal

    @property
    def settled(self) -> Json | None:
        """The goal that ended last, while no other has begun: `{id, status}`."""
        settled: Json | None = self._state["settled"]
        return settled

    @property
    def pi_revision(self) -> int:
        """Revision of Pi's goal state; never restarts."""
        revision: int = self._state["pi_revision"]
        return revision

    @property
    def todo(self) -> Json:
        """The recorded plan `{schemaVersion, revision, tasks}`; revision 0 before the first."""
        todo: Json = self._state["todo"]
        return todo

    def was_plan(self, todo: Any) -> bool:
        """Whether `todo` is one of the newest recorded plans. Raises `UnserialisableError`."""
        return folds.short_digest(todo) in self._state["plans"]

    @property
    def tasks_on_record(self) -> list[str]:
        """Keys of the plan's tasks that have a node in the graph."""
        keys: list[str] = self._state["tasks"]
        return keys

    @property
    def blockers(self) -> Json:
        """Open blockers by id: payload of `blocker.raised` and the `event` that raised it."""
        blockers: Json = self._state["blockers"]
        return blockers

    @property
    def requests(self) -> Json:
        """Requests by id, oldest first: `{event, digest, request, by, state, attempt, answer?, …}`.

        `state` is `waiting`, `answered`, `delivered`, `acted_on` or `withdrawn`. A closed one keeps
        of its `request` only what it is called.
        """
        requests: Json = self._state["requests"]
        return requests

    @property
    def claims(self) -> list[Json]:
        """Claims of completion, oldest first: `{id, event, by, kind, goal_id, bound, summary, …}`.

        `kind` is that of the actor. One that disputes a verdict has `dispute` and `disputes`.
        """
        claims: list[Json] = self._state["claims"]
        return claims

    @property
    def audits(self) -> list[Json]:
        """Audits, oldest first: `{id, event, claim, goal, verdict, stale, bound}`."""
        audits: list[Json] = self._state["audits"]
        return audits

    def verdict_on(self, goal_id: str | None) -> Json | None:
        """The newest audit of that goal; None stands for a goal that only a document has."""
        return next((one for one in reversed(self.audits) if one["goal"] == goal_id), None)

    @property
    def overrides(self) -> list[Json]:
        """What a person let count as done without a verdict: `{goal, event}`, oldest first."""
        overrides: list[Json] = self._state["overrides"]
        return overrides

    @property
    def phase(self) -> Json | None:
        """The newest recorded phase: payload of `goal.phase_changed`."""
        phase: Json | None = self._state["phase"]
        return phase

    def hold(self, hold_id: str) -> Json | None:
        """What is recorded of a hold: the events `paused` and `resumed`, and `paused_goal`."""
        hold: Json | None = self._state["holds"].get(hold_id)
        return hold

    def open_run(self, actor_id: str) -> Json | None:
        """The acting session's open run: `{run_id, event, loop?, audits?}`; None without one."""
        run: Json | None = self._state["runs"].get(actor_id)
        return run

    @property
    def open_runs(self) -> Json:
        """All open runs by the actor that began them, as `open_run` gives them.

        `loop` is the restart loop that a run belongs to; of an iteration, `audits` says that the
        loop has claims audited after it.
        """
        runs: Json = self._state["runs"]
        return runs

    def causes(self, actor_id: str, *, inside_run: bool = True) -> list[str]:
        """Candidates for the default cause D of an act: open run, goal, newest session start.

        `inside_run=False` leaves out the run, as `run.started` itself must.
        """
        run = self.open_run(actor_id) if inside_run else None
        candidates = [
            run["event"] if run else None,
            self.goal["event"] if self.goal else None,
            self._state["session_started"],
        ]
        return [event for event in candidates if event is not None]

    def correlation(self, actor_id: str) -> str | None:
        """The open run's id, else the goal's id, else None."""
        run = self.open_run(actor_id)
        if run is not None:
            return str(run["run_id"])
        return str(self.goal["id"]) if self.goal is not None else None


def _empty() -> Json:
    return {**folds.nothing(), **request_folds.nothing()}


_FOLDS: Final = {**folds.FOLDS, **request_folds.FOLDS}

FOLDED_KINDS: Final = tuple(_FOLDS)
"""Kinds of events that say something to an action."""
