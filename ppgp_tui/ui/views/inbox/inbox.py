"""View 3: what waits for a person, the whole of one request, and what is decided already."""

from __future__ import annotations

from ppgp_tui.ppgp.reading import Item
from ppgp_tui.session.model import Origin, Request, SessionSnapshot
from ppgp_tui.ui.looks.look import Role, Sign
from ppgp_tui.ui.looks.words import plain
from ppgp_tui.ui.rows.layout import Frame, Layout, Pane
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.agents.loop_asks import ASKS, asking_rows
from ppgp_tui.ui.views.inbox.request_card import request_detail
from ppgp_tui.ui.views.inbox.requests import age_width, decided, decided_row, listed_rows, waiting
from ppgp_tui.ui.views.past import untold
from ppgp_tui.ui.views.prose import labelled, paragraph
from ppgp_tui.ui.views.room import found, list_and_detail, opens, under_cursor


class InboxView:
    """Requests for authority: waiting, decided, and the limits that stand."""

    name = "inbox"

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        """Return the list, and the request or permission under the cursor in full."""
        rows = found(_list(snapshot, frame), frame.filter)
        key = under_cursor(frame, "inbox.list", rows)

        def panes(width: int) -> tuple[Pane, ...]:
            return (Pane("inbox.list", rows, width, urgent_first=True),)

        def detail(width: int) -> Pane:
            return Pane("inbox.detail", _detail(snapshot, frame, key, width), width, about=key)

        return list_and_detail(frame, panes, detail, share=0.45, detail_share=0.6, below=0)


def _list(snapshot: SessionSnapshot, frame: Frame) -> list[Row]:
    listed = waiting(snapshot, frame.order)
    over = decided(snapshot, listed)
    rows = _waiting(listed, asking_rows(snapshot, frame, opens(frame)), frame)
    if over:
        ages = age_width(over, frame.now_ms)
        rows += [blank(), heading("Answered")]
        rows += [decided_row(request, frame, ages, opens=opens(frame)) for request in over]
    if snapshot.moment is not None:
        return [*rows, blank(), untold("Standing limits, and what the document alone asks")]
    authority = snapshot.goal.value.authority
    rows += _items("Granted", authority.granted, "granted", "done", "ok", snapshot, frame)
    rows += _items(
        "Standing limits", authority.standing, "standing", "open", "soft", snapshot, frame
    )
    return rows


def _waiting(requests: list[Request], asking: list[Row], frame: Frame) -> list[Row]:
    if not requests and not asking:
        nothing = Row("", (Line((Span("nothing waits for you", "soft"),), indent=1),))
        return [heading("For you"), nothing]
    order = "frees most first" if any(request.frees for request in requests) else ""
    return [
        heading("For you", right=(Span(order, "soft"),)),
        *(listed_rows(requests, frame, first=True, opens=opens(frame)) if requests else ()),
        *asking,
    ]


def _items(
    title: str,
    items: tuple[Item, ...],
    kind: str,
    sign: Sign,
    role: Role,
    snapshot: SessionSnapshot,
    frame: Frame,
) -> list[Row]:
    """Entries of the authority field that ask nothing."""
    path = snapshot.goal.value.path
    rows = [
        Row(
            f"{kind}:{number}",
            (Line((Span(plain(item.text), "text"),), (Span(f"{item.line}", "soft"),), sign, role),),
            Origin(path, item.line),
            item.text,
            opens(frame),
        )
        for number, item in enumerate(items)
    ]
    return [blank(), heading(title, right=(Span(str(len(rows)), "soft"),)), *rows] if rows else []


def _detail(snapshot: SessionSnapshot, frame: Frame, key: str, width: int) -> list[Row]:
    for request in snapshot.inbox.value:
        if key == f"req:{request.id}":
            changed = frame.changed == request.id
            return request_detail(request, width, frame.now_ms, changed=changed)
    goal = snapshot.goal.value
    kind, _, number = key.partition(":")
    if key.startswith(ASKS):
        from ppgp_tui.ui.views.agents.loop_card import loop_card  # a first picture seldom has any

        return loop_card(snapshot, f"loop:{number}", width, frame)
    authority = goal.authority
    items = {"granted": authority.granted, "standing": authority.standing}.get(kind, ())
    for at, item in enumerate(items):
        if str(at) == number:
            origin = Origin(goal.path, item.line)
            said = "granted already" if kind == "granted" else "a limit that stands"
            return [
                paragraph(plain(item.text), width, "ink", key=key, bold=True, origin=origin),
                labelled("this is", said, width),
                labelled("said in", f"{goal.path}:{item.line}", width, origin=origin),
            ]
    return []
