"""What of a goal document outlives its goal, and in which document it belongs.

PPGP reference section 10: authority and invariants go to CONSTITUTION, current or future direction
to ROADMAP, durable reusable lessons to MEMORY; the rest is temporary and stays with Git. Whether it
was carried over nobody can tell by rule, so this only says what there is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from ppgp_tui.ppgp.prose import is_none
from ppgp_tui.ppgp.reading import GoalReading

Role = Literal["CONSTITUTION", "ROADMAP", "MEMORY"]
_HOMES: Final[tuple[tuple[Role, tuple[str, ...]], ...]] = (
    ("CONSTITUTION", ("INVARIANTS", "HUMAN_AUTHORITY_REQUIRED")),
    ("ROADMAP", ("REMAINING", "BLOCKERS")),
    ("MEMORY", ("FROZEN_DECISIONS",)),
)


class Lasting(NamedTuple):
    """A field of the document whose facts may outlive the goal."""

    role: Role
    field: str
    items: int
    """0 for a field of plain words."""
    line: int


def lasting(reading: GoalReading) -> tuple[Lasting, ...]:
    """The fields that hold something which belongs elsewhere, by the role it belongs to."""
    return tuple(_lasting(reading))


def _lasting(reading: GoalReading) -> Iterator[Lasting]:
    for role, names in _HOMES:
        for name in names:
            field = reading.field_named(name)
            if field is None or field.empty:
                continue
            items = [item for item in field.items if not is_none(item.text)]
            if items or not field.items:
                yield Lasting(role, name, len(items), field.line)
