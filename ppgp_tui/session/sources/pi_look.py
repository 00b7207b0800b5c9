"""What is known of the Pi session of a root, as values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.pi.todo import TodoReading
from ppgp_tui.session.picture.goal_state import Lifecycle
from ppgp_tui.session.plan_history.history import PlanHistory

AUTHOR: Final = "pi"
"""Who revised a plan that a Pi session holds."""


class PiPlan(NamedTuple):
    """The newest plan of the session."""

    reading: TodoReading
    digest: str | None
    changed_ms: int | None
    task_changed: Mapping[str, int]
    """By key: when the task as it is now was first written so."""
    valid: bool = True


class PiLook(NamedTuple):
    """The session after a look."""

    path: str = ""
    """Of the session file; empty where there is none."""
    plan: PiPlan | None = None
    history: PlanHistory = PlanHistory()
    lifecycle: Lifecycle | None = None
    """The goal; None where this session never had one."""
    invalid_goal: bool = False
    """Pi would not take the newest goal, and it never falls back to an older one."""
    state: Literal["absent", "found", "unread"] = "absent"
    why: str = ""
    seen_ms: int | None = None
    changed_ms: int | None = None


NO_SESSION: Final = PiLook()
