"""Why a loop cannot be bound to a goal."""

from __future__ import annotations


class NoGoalError(Exception):
    """`--goal` where there is nothing to be bound to; the message says what to do."""
