"""Waiting: an active goal that sleeps until a time or until a run begins for another reason.

Later versions of Pi Goal know it. The state stays active; the wait is an entry of its own, of which
the newest counts, and null as its time means that it is over (Pi reference section 2.16).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ppgp_tui.pi.goal import ID_MOST, TIMESTAMP_MOST, GoalState
from ppgp_tui.pi.goal_acts import GoalRefusedError, bounded, current_goal
from ppgp_tui.pi.javascript import is_number, iso_time, length, trim
from ppgp_tui.pi.receipt import Receipt

LEAST_SECONDS = 60
MOST_SECONDS = 3600
WAITING_FOR_MOST = 600


@dataclass(frozen=True, slots=True)
class Wake:
    """When the goal goes on by itself, as ISO text; None when no wait is on."""

    goal_id: str
    wake_at: str | None


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait that begins: until when, its receipt, and what the tool says."""

    wake: Wake
    receipt: Receipt

    @property
    def text(self) -> str:
        """What the tool says."""
        return self.receipt.tui_message


def wait(state: GoalState, seconds: float, waiting_for: str, *, now_ms: int) -> Wait:
    """The active goal waits `seconds` for what `waiting_for` names.

    Raises:
        GoalRefusedError: there is no active goal, or one of the two is out of its bounds.
    """
    goal = current_goal(state, "active")
    condition = bounded(waiting_for, "Goal wait condition", WAITING_FOR_MOST)
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise GoalRefusedError(f"A Goal waits {LEAST_SECONDS} to {MOST_SECONDS} seconds.")
    minutes = -int(-seconds // 60)
    until = f"up to {minutes}m: {condition}"
    receipt = Receipt(
        "goal_waiting",
        "info",
        f"Goal waiting {until}",
        iso_time(now_ms),
        goal.auto_continue,
        goal.id,
        goal.objective,
        message=f"Waiting {until}",
        reason=condition,
    )
    return Wait(Wake(goal.id, iso_time(now_ms + int(seconds * 1000))), receipt)


def wake_json(wake: Wake) -> dict[str, Any]:
    """`wake` as Pi writes it."""
    return {"schemaVersion": 1, "goalId": wake.goal_id, "wakeAt": wake.wake_at}


def read_wake(raw: object) -> Wake | None:
    """The wait in the JSON value `raw`; None where it is not one."""
    if not isinstance(raw, Mapping) or not set(raw) <= {"schemaVersion", "goalId", "wakeAt"}:
        return None
    version, goal_id, wake_at = (raw.get(name) for name in ("schemaVersion", "goalId", "wakeAt"))
    if not is_number(version) or version != 1 or "wakeAt" not in raw:
        return None
    if not isinstance(goal_id, str) or not trim(goal_id) or length(goal_id) > ID_MOST:
        return None
    if wake_at is not None and not isinstance(wake_at, str):
        return None
    if wake_at is not None and (not trim(wake_at) or length(wake_at) > TIMESTAMP_MOST):
        return None
    return Wake(goal_id, wake_at)
