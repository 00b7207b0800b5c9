"""Short ways to read one field on its own."""

from __future__ import annotations

from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.ppgp.reading import GoalReading

PATH = "docs/ACTIVE_GOAL.md"


def read(text: str) -> GoalReading:
    return read_goal(text.encode(), PATH)


def read_field(name: str, body: str, *others: str) -> GoalReading:
    """Read a document with a goal, the field `name` with `body`, and `others` as they stand."""
    return read("\n\n".join(["# ACTIVE_GOAL", "## GOAL\nShip it.", f"## {name}\n{body}", *others]))


def codes(reading: GoalReading) -> list[str]:
    return [reason.code for reason in reading.reasons]
