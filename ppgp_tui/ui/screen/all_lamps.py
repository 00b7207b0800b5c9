"""The lines above the list of all sessions: the same places, but of all of them together."""

from __future__ import annotations

from collections import Counter

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.sessions.row import AllSessions, Group, SessionRow
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.look import Look, Role, Sign
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.columns import at, cells, in_band, joined
from ppgp_tui.ui.rows.row import Line, Span

_NEEDS_COLUMN = ((100, 35), (60, 30), (0, 21))
"""As in a session."""
_LAMPS: tuple[tuple[Group, Sign, Role, str], ...] = (
    ("broken", "failed", "stop", "wrong"),
    ("working", "running", "run", "working"),
    ("waiting", "for_you", "needs", "waiting"),
    ("held", "held", "held", "held"),
    ("idle", "unknown", "text", "idle"),
)
"""The worst first, as in a session."""


def lamp_lines(every: AllSessions, width: int, look: Look, now_ms: int) -> tuple[Line, Line]:
    """How many sessions there are, and how they stand."""
    return _title(every, width), _state(every, width, look, now_ms)


def _title(every: AllSessions, width: int) -> Line:
    number = count(len(every.rows), "session")
    said = "looking for sessions" if every.reading and not every.rows else number
    left = (Span("ALL SESSIONS", "ink", bold=True, underline=True), Span(f"  {said}", "text"))
    right = (Span("still reading", "wait"),) if every.reading and every.rows else ()
    return Line(left, right if width >= 60 else (), indent=1)


def _state(every: AllSessions, width: int, look: Look, now_ms: int) -> Line:
    column = next(column for least, column in _NEEDS_COLUMN if width >= least)
    blockers = sum(row.glance.blockers for row in every.rows if row.glance)
    words = count(blockers, "blocker") if width >= 60 else str(blockers)
    gap = " " if width >= 60 else ""
    right = Span(f"{look.sign('blocked')}{gap}{words}" if blockers else "", "stop")
    room = column - 2
    shown = (run_lamp(every, look),)
    if cells(*shown) > room:
        shown = (shown[0]._replace(text=shown[0].text[:room]),)
    return Line(at(column - 1, shown, needs_lamp(every, look, now_ms)), (right,), indent=1)


def run_lamp(every: AllSessions, look: Look) -> Span:
    """`▸ 2 working`: the worst that any agent does, and in how many sessions."""
    groups = Counter(_run_group(row) for row in every.rows)
    for group, sign, role, word in _LAMPS:
        if groups[group]:
            return Span(f"{look.sign(sign)} {groups[group]} {word}", role, bold=True)
    return Span(f"{look.sign('unknown')} no agent", "soft")


def _run_group(row: SessionRow) -> Group:
    """What its agents do, also where it needs a person."""
    if row.glance is None or row.group != "needs_you":
        return row.group
    return row._replace(glance=row.glance._replace(needs=0)).group


def needs_lamp(every: AllSessions, look: Look, now_ms: int) -> Span:
    """`? 4 for you 12m`: how much waits in all of them, and how old the oldest is."""
    waits = [row.glance for row in every.rows if row.glance and row.glance.needs]
    number = sum(one.needs for one in waits)
    if not number:
        return Span("nothing for you", "soft")
    oldest = min((one.needs_oldest_ms for one in waits if one.needs_oldest_ms), default=None)
    text = f"{look.sign('for_you')} {number} for you {age(oldest, now_ms)}".rstrip()
    return in_band(Span(text, "needs"))


def third_line(every: AllSessions, width: int, look: Look) -> Line:
    """Which of them cannot be read; else what keys do with the row under the cursor."""
    wrong = [row for row in every.rows if row.problem]
    if not every.rows:
        return Line()
    if not wrong:
        words = "Enter opens a session, 1-6 one of its views, Tab goes to what waits"
        return Line(
            (Span(words if width >= 60 else "1-6 open a view, Tab what waits", "soft"),), indent=1
        )
    more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    mark = Span(look.sign("finding") + " ", "stop", bold=True)
    return Line((mark, Span(f"{wrong[0].name} is not read{more}", "stop", bold=True)), indent=1)


def one_line(snapshot: SessionSnapshot, look: Look, now_ms: int) -> Line:
    """All of it in one line, for a screen too small for more."""
    every = snapshot.sessions or AllSessions()
    parts = (needs_lamp(every, look, now_ms), run_lamp(every, look))
    plain = (part._replace(text=part.text.strip(), band=False) for part in parts)
    return Line(joined(plain, 2), indent=1)


def source_spans(every: AllSessions) -> tuple[Span, ...]:
    """How the list is kept fresh."""
    return (Span("reading", "wait") if every.reading else Span("poll", "wait", bold=True),)
