"""The lines that an audit is made of: one criterion with its evidence and outcome, durations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.looks.words import Word, plain
from ppgp_tui.ui.rows.columns import to_left
from ppgp_tui.ui.rows.linked import target_of
from ppgp_tui.ui.rows.row import Line, Span
from ppgp_tui.ui.views.prose import wrapped

EVIDENCE_FROM = 72
"""Cells from which evidence stands in a column of its own."""
_STATE = 12
"""Cells of the widest outcome, `cannot check`."""
_KINDS = {"invariant": "INVARIANTS", "frozen": "FROZEN_DECISIONS"}
TITLES: Mapping[str, str] = {"invariant": "Invariants", "frozen": "Frozen decisions"}
"""Headings of the criteria that are no conditions of done."""


class Asked(NamedTuple):
    """One criterion as the goal has it now."""

    id: str
    text: str
    line: int | None

    @property
    def kind(self) -> str:
        """`dod`, `invariant`, `frozen` or `objective`."""
        return self.id.partition(":")[0]


def asked(snapshot: SessionSnapshot) -> Iterator[Asked]:
    """Every criterion of the goal, by the ids that an audit gives them, in their order."""
    goal = snapshot.goal.value
    for one in goal.dod:
        yield Asked(f"dod:{one.number}", one.text, one.line)
    for kind, name in _KINDS.items():
        field = goal.field_named(name)
        for number, item in enumerate(field.items if field else (), 1):
            yield Asked(f"{kind}:{number}", item.text, item.line)
    if not goal.dod and (text := goal.goal or snapshot.lifecycle.value.objective):
        yield Asked("objective:1", text, goal.goal_line)


def criterion_lines(
    text: str, word: Word, evidence: str, width: int, *, why: str = ""
) -> tuple[Line, ...]:
    """A criterion on one line; where that has no room for evidence, `why` on the lines below."""
    words = (Span(plain(text), "soft" if word.text == "queued" else "text"),)
    state = Span(word.text, word.role)
    if width >= EVIDENCE_FROM:
        column = Span(evidence, "soft", link=target_of(evidence))
        tab = 43 + max(0, width - 80) // 2
        right = to_left(state, _STATE)
        return (Line(words, right, word.sign, word.role, tab=tab, columns=(column,)),)
    first = Line(words, (state,), word.sign, word.role)
    below = wrapped(why, width - 4) if why else ()
    return (first, *(Line((Span(one, "soft"),)) for one in below))


def lasted(seconds: int) -> str:
    """`8s`, `1m10`, `10m`, `1h02`."""
    seconds = max(0, seconds)
    minutes, rest = divmod(seconds, 60)
    if minutes < 1:
        return f"{seconds}s"
    if minutes < 60:
        return f"{minutes}m{rest:02d}" if rest else f"{minutes}m"
    return f"{minutes // 60}h{minutes % 60:02d}"
