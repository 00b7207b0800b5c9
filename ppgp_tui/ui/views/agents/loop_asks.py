"""Restart loops that rest for what only a person can decide, among what waits for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.rows.layout import Frame
from ppgp_tui.ui.rows.row import Line, Row, Span

if TYPE_CHECKING:
    from ppgp_tui.session.picture.loop import Loop

ASKS = "asks:"


def asking_rows(snapshot: SessionSnapshot, frame: Frame, opens: str = "read") -> list[Row]:
    """Those of this repository: which one, since when, and what is to be decided."""
    return [_asks(loop, frame, opens) for loop in snapshot.loops.value.here if loop.needs_you]


def _asks(loop: Loop, frame: Frame, opens: str) -> Row:
    pause = loop.pause
    assert pause is not None
    old = Span(when(pause.at_ms, frame.now_ms), "needs", bold=True)
    words = (Span(loop.name, "ink", bold=True), Span(" rests and needs you"))
    why = one_line(pause.reason)
    lines = (Line(words, (old,), "for_you", "needs"), Line((Span(why),)))
    return Row(f"{ASKS}{loop.id}", lines, loop.origin, why, opens, edits=loop.prompt)
