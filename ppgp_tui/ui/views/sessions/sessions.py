"""All sessions: a row for each, what needs a person on top, and the requests of all in one list."""

from __future__ import annotations

from ppgp_tui.session.model import Request, SessionSnapshot
from ppgp_tui.session.sessions.row import AllSessions
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.layout import Frame, Layout, Pane
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.inbox.request_card import request_detail
from ppgp_tui.ui.views.inbox.requests import age_width, asking_row, decided_row, waiting
from ppgp_tui.ui.views.room import TWO_COLUMNS, found, split, tall, under_cursor
from ppgp_tui.ui.views.sessions.session_rows import session_rows

LIST, INBOX, DETAIL = "sessions.list", "sessions.inbox", "sessions.detail"
_LEAST_INBOX = 6


class SessionsView:
    """Every session that was found, and everything that waits for a person."""

    name = "sessions"

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        """Return the list and the joint inbox: side by side, or one above the other."""
        every = snapshot.sessions or AllSessions()
        early = every.early
        if frame.width < TWO_COLUMNS:
            rows = _standing(_listed(every, frame, frame.width), early)
            asked = _standing(_inbox(snapshot, frame), early)
            most = max(_LEAST_INBOX, frame.height - max(_LEAST_INBOX, frame.height * 2 // 5))
            height = min(tall(rows), max(most, frame.height - tall(asked) - 1))
            inbox = Pane(INBOX, [blank(), *asked], frame.width, urgent_first=True)
            return ((Pane(LIST, rows, frame.width, height, urgent_first=True), inbox),)
        left, right = split(frame.width, 0.55)
        rows = _standing(_listed(every, frame, left), early)
        first = Pane(LIST, rows, left, urgent_first=True)
        asked = _standing(_inbox(snapshot, frame), early)
        key = under_cursor(frame, INBOX, asked)
        detail = _detail(snapshot, frame, key, right)
        inbox = Pane(INBOX, asked, right, min(tall(asked), frame.height // 2), urgent_first=True)
        return ((first,), (inbox, Pane(DETAIL, [blank(), *detail], right, about=key)))


def _standing(rows: list[Row], early: bool) -> list[Row]:
    """The rows; so early that their order means nothing yet, the cursor can stand on none."""
    return [row._replace(key="") for row in rows] if early else rows


def _listed(every: AllSessions, frame: Frame, width: int) -> list[Row]:
    rows = found(list(session_rows(every.rows, width, frame)), frame.filter)
    if not every.rows:
        rows = [_soft(text) for text in (_LOOKING if every.reading else _NONE)]
    note = "still reading" if every.reading and every.rows else ""
    head = heading("Sessions", note, (Span(str(len(every.rows)), "soft"),))
    wrong = [_problem(text) for text in every.problems]
    return [head, *rows, *([blank(), *wrong] if wrong else [])]


_LOOKING = ("looking for sessions",)
_NONE = (
    "no session was found",
    "ppgp-tui init makes one in a repository,",
    "sessions.paths in your config.toml names more",
)


def _soft(text: str) -> Row:
    return Row("", (Line((Span(text, "soft"),), indent=1),))


def _problem(text: str) -> Row:
    return Row("", (Line((Span(text, "stop"),), sign="finding", sign_role="stop"),))


def _inbox(snapshot: SessionSnapshot, frame: Frame) -> list[Row]:
    """What waits in any session; an answered one stays until the cursor leaves it."""
    requests = waiting(snapshot, frame.order)
    if not requests:
        return [Row("", (Line((Span("nothing waits for you", "soft"),), indent=1),))]
    sessions = len({request.of for request in requests if request.is_open})
    where = f"in {count(sessions, 'session')}" if sessions else ""
    under = frame.cursor.get(INBOX, "")
    keys = [f"req:{request.id}" for request in requests]
    expanded = under if under in keys else keys[0]
    rows = [
        _request(request, frame, expanded=key == expanded)
        for key, request in zip(keys, requests, strict=True)
    ]
    return [heading("For you", right=(Span(where, "soft"),)), *found(rows, frame.filter)]


def _request(request: Request, frame: Frame, *, expanded: bool) -> Row:
    if not request.is_open:
        return decided_row(request, frame, age_width((request,), frame.now_ms), opens="read")
    asked = asking_row(request, frame, expanded=expanded)
    if expanded:
        return asked
    where = Line((Span(request.of, "soft"),))
    return asked._replace(lines=(*asked.lines, where))


def _detail(snapshot: SessionSnapshot, frame: Frame, key: str, width: int) -> list[Row]:
    """The whole of the request under the cursor."""
    for request in snapshot.inbox.value:
        if key == f"req:{request.id}":
            changed = frame.changed == request.id
            return request_detail(request, width, frame.now_ms, changed=changed)
    return []
