"""The states of a loop and the ways between them (persist reference section 4)."""

from __future__ import annotations

from typing import Final, Literal

State = Literal["SPAWNED", "ITERATING", "PAUSED", "SUCCESS", "BUDGET_EXHAUSTED", "ABANDONED"]

TERMINAL: Final = frozenset({"SUCCESS", "BUDGET_EXHAUSTED", "ABANDONED"})
"""A loop in one of these is over for good; a restart is a new loop with a new id (I5)."""

_WAYS: Final[dict[str, frozenset[str]]] = {
    "SPAWNED": frozenset({"ITERATING", "ABANDONED"}),
    "ITERATING": frozenset({"ITERATING", "PAUSED", *TERMINAL}),
    # The clock may run out during a wait, so this end is legal here (section 4, second gap).
    "PAUSED": frozenset({"ITERATING", "BUDGET_EXHAUSTED", "ABANDONED"}),
}

_FROM_UNKNOWN: Final = frozenset({"ABANDONED"})
"""A state of a later program: nobody here knows its ways, but every open loop can be given up."""


class IllegalTransitionError(Exception):
    """A row that no loop may write; nothing was written. The program ends with 99."""

    def __init__(self, from_state: str, to_state: str) -> None:
        super().__init__(f"Illegal loop state transition: {from_state} → {to_state}")


def is_open(state: str) -> bool:
    """Whether a loop in `state` may go on; a state that nobody knows counts as open."""
    return state not in TERMINAL


def may_go(from_state: str, to_state: str) -> bool:
    """Whether a loop may go from the one state to the other."""
    if from_state in TERMINAL:
        return False
    return to_state in _WAYS.get(from_state, _FROM_UNKNOWN)


def check(from_state: str, to_state: str) -> None:
    """Raise `IllegalTransitionError` unless the way is a legal one."""
    if not may_go(from_state, to_state):
        raise IllegalTransitionError(from_state, to_state)
