"""Sessions as rows: which one, what it is for, what it needs, and how old that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppgp_tui.session.picture.glance import Glance
from ppgp_tui.session.sessions.row import SessionRow, names
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.looks.look import Role, Sign
from ppgp_tui.ui.looks.words import plain
from ppgp_tui.ui.rows.columns import state_and_age
from ppgp_tui.ui.rows.layout import Frame
from ppgp_tui.ui.rows.row import Line, Row, Span, blank

ROOMY = 60
"""From this width the second line says of its agents what they do, from `WIDE` its last event."""
WIDE = 88

_RUN: dict[str, tuple[Sign, Role, str]] = {
    "violated": ("failed", "stop", "violated"),
    "lost": ("failed", "stop", "pause lost"),
    "limited": ("failed", "stop", "model error"),
    "not_seen": ("held", "held", "pause not seen"),
    "pause_asked": ("held", "held", "pause asked"),
    "seen": ("held", "held", "pause seen"),
    "held": ("held", "held", "held"),
    "frozen": ("held", "held", "frozen"),
    "stopping": ("held", "held", "stopping"),
    "waiting_for_you": ("for_you", "needs", "waits for you"),
    "working": ("running", "run", "working"),
    "quiet": ("unknown", "soft", "no evidence"),
    "idle": ("unknown", "text", "idle"),
    "none": ("unknown", "soft", "no agent"),
}
"""Sign, role and word of each run state, as a row of this list says it."""


def session_rows(rows: Sequence[SessionRow], width: int, frame: Frame) -> Iterator[Row]:
    """Two lines for each session."""
    for at, (row, name) in enumerate(zip(rows, names(rows), strict=True)):
        if at and frame.density == "roomy":
            yield blank()
        yield _session(row, name, width, frame)


def _session(row: SessionRow, name: str, width: int, frame: Frame) -> Row:
    branch = f"  {row.branch}" if row.branch and row.branch != name else ""
    words = (Span(name, "ink", bold=row.group == "needs_you"), Span(branch, "soft"))
    sign, role, right = _state(row, frame.now_ms)
    first = Line(words, right, sign, role, cut="middle")
    return Row(f"session:{row.key}", (first, _about(row, width, frame)), None, row.root, "open")


def _state(row: SessionRow, now_ms: int) -> tuple[Sign, Role, tuple[Span, ...]]:
    """What is to be known first: not readable, for you, else what its agents do."""
    if row.problem:
        age = Span(when(row.since_ms, now_ms), "soft")
        return "finding", "stop", state_and_age(Span("not read", "stop", bold=True), age)
    seen = row.glance
    if seen is None:
        return "unknown", "soft", state_and_age(Span("reading", "soft"), Span(""))
    if seen.needs:
        age = Span(when(seen.needs_oldest_ms, now_ms), "needs", bold=True)
        words = Span(f"{seen.needs} for you", "needs", bold=True)
        return "for_you", "needs", state_and_age(words, age)
    sign, role, text = _run(seen)
    since = seen.run_since_ms if seen.run != "none" else seen.last_event_ms
    return sign, role, state_and_age(Span(text, role), Span(when(since, now_ms), "soft"))


def _run(seen: Glance) -> tuple[Sign, Role, str]:
    sign, role, text = _RUN[seen.run]
    if seen.run == "violated":
        text = f"violated, {seen.run_count:,}"
    return sign, role, text


def _about(row: SessionRow, width: int, frame: Frame) -> Line:
    """The goal at the left; phase, agents and blockers at the right."""
    if row.problem:
        return Line((Span(row.problem, "stop"),), cut="middle")
    goal = (Span(plain(row.objective), "text") if row.objective else Span("no goal", "soft"),)
    seen = row.glance
    if seen is None:
        return Line((Span(row.root, "soft"),), cut="middle")
    parts: list[Span] = []
    if seen.needs and seen.run != "none":
        sign, role, text = _run(seen)
        old = f" {when(seen.run_since_ms, frame.now_ms)}".rstrip() if width >= ROOMY else ""
        word = f" {text}{old}" if width >= ROOMY else ""
        parts.append(Span(frame.look.sign(sign) + word, role))
    if seen.blockers:
        parts.append(Span(f"{frame.look.sign('blocked')}{seen.blockers}", "stop"))
    if seen.phase:
        known = f" {seen.done}/{seen.total}" if seen.total else ""
        after = ", inferred" if seen.phase_inferred else known
        parts.append(Span(f"{seen.phase}{after}", "soft"))
    if width >= WIDE and (last := when(seen.last_event_ms, frame.now_ms)):
        parts.append(Span(f"last event {last}", "soft"))
    right = [span for part in parts for span in (Span("  "), part)][1:]
    return Line(goal, tuple(right), cut="middle")
