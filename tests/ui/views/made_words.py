"""Words, times and places as no friendly file would hold them."""

from __future__ import annotations

from hypothesis import strategies as st

from ppgp_tui.session.model import Origin
from tests.ui.picture import NOW

HOSTILE = [
    "",
    "[/]",
    "[@click=app.quit]x[/]",
    "\x1b[2J\x1b]0;title\x07",
    "\x9b31m",
    "a\u202eb\u2066c",
    "x" * 10_000,
    "漢字" * 200,
    "e\u0301\u0301\u0301\u0301" * 30,
    "👩‍👩‍👧‍👦🏳️‍🌈🇩🇪",
    "one\ntwo\r\nthree\tfour",
    "\ud800",
    "-- '; rm -rf / #",
]
words = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=60))
some_words = st.one_of(st.none(), words)
times = st.one_of(st.none(), st.integers(NOW - 400_000_000, NOW + 60_000))
lines = st.integers(1, 5_000)
origins = st.one_of(st.none(), st.builds(Origin, words, st.one_of(st.none(), lines)))
