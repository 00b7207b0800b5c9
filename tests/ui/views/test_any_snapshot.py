"""Whatever a session is made of, every view draws it, and no line leaves its width."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.rows.layout import Frame, Layout
from ppgp_tui.ui.screen.lamps import lamp_lines, notice_line, one_line, source_spans, tab_line
from ppgp_tui.ui.screen.notices import notices
from ppgp_tui.ui.views import VIEWS
from tests.ui.picture import NOW
from tests.ui.views.drawn import ASCII, PLAIN, composed, frame, text_of
from tests.ui.views.made import snapshots
from tests.ui.views.made_words import HOSTILE

BYTES = [b"", b"# one\r\n\x00\xff\n", "\n".join(HOSTILE).encode("utf-8", "replace")]
BARE = Frame(80, 20, PLAIN, NOW)


def row_keys(layout: Layout) -> list[str]:
    return [
        pane.rows[at].key
        for panes in layout
        for pane in panes
        for at in range(min(len(pane.rows), 40))
        if pane.rows[at].key
    ]


@settings(max_examples=120)
@given(
    snapshot=snapshots,
    width=st.sampled_from([40, 48, 60, 80, 99, 100, 120, 150, 160, 220]),
    height=st.integers(12, 60),
    document=st.sampled_from(BYTES),
    words=st.sampled_from(["", "", "T1", "\x1b", "x"]),
    shown=st.integers(0, len(VIEWS) - 1),
    data=st.data(),
)
def test_every_view_draws_every_snapshot_and_names_no_row_twice(
    snapshot: SessionSnapshot,
    width: int,
    height: int,
    document: bytes,
    words: str,
    shown: int,
    data: st.DataObject,
) -> None:
    view, room = VIEWS[shown], frame(width, height, document=document, filter=words)
    layout = view.layout(snapshot, room)
    composed(layout, room)
    for pane in (pane for panes in layout for pane in panes):
        named = [row.key for row in (pane.rows[at] for at in range(len(pane.rows))) if row.key]
        assert len(named) == len(set(named)), named
    keys = row_keys(layout)
    if not keys:
        return
    key = data.draw(st.sampled_from(keys), label="key")
    first = layout[0][0].id
    moved = frame(width, height, document=document, cursor={first: key, f"{view.name}.list": key})
    composed(view.layout(snapshot, moved), moved)
    opened = frame(width, height, document=document, opened=key, look=ASCII)
    composed(view.layout(snapshot, opened), opened)


@settings(max_examples=40)
@given(snapshot=snapshots, width=st.integers(1, 200))
def test_the_frame_lines_draw_every_snapshot(snapshot: SessionSnapshot, width: int) -> None:
    for line in lamp_lines(snapshot, width, PLAIN, NOW):
        text_of(line, width)
    names = [view.name for view in VIEWS]
    text_of(tab_line(names, "plan", snapshot, width, PLAIN), width)
    text_of(one_line(snapshot, width, PLAIN, NOW), width)
    source_spans(snapshot, width, NOW)
    notice = notice_line(snapshot, width, PLAIN, NOW)
    assert (notice is None) == (not notices(snapshot, NOW))
    if notice is not None:
        text_of(notice, width)
