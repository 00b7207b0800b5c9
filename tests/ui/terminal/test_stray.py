"""Old mouse reports are taken out of the input and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.ui.terminal.stray import StrayReports

REPORT = b"\x1b[M\x20\xff\xfe"


def through(pieces: list[bytes]) -> bytes:
    reports = StrayReports()
    return b"".join([*(reports.clean(piece) for piece in pieces), reports.rest()])


@pytest.mark.parametrize(
    ("data", "left"),
    [
        (b"jk" + REPORT + b"q", b"jkq"),
        (REPORT * 3, b""),
        (b"\x1b[M\x20\xc3\xa9q", b"q"),
        (b"\x1b[<0;10;5M", b"\x1b[<0;10;5M"),
        (b"\x1b[A\x1b[B", b"\x1b[A\x1b[B"),
        (b"\x1b", b"\x1b"),
        (b"\x1b[", b"\x1b["),
        (b"\x1b[M!", b""),
    ],
)
def test_only_whole_reports_are_taken_out(data: bytes, left: bytes) -> None:
    assert through([data]) == left


keys = st.lists(st.sampled_from([b"j", b"q", b"\x1b[A", b"\x1b[<0;9;9M", b"\xc3\xa9"]), max_size=5)
streams = st.lists(st.one_of(keys.map(b"".join), st.just(REPORT)), max_size=6)


@given(streams, st.lists(st.integers(1, 5), max_size=40))
def test_it_does_not_matter_how_the_bytes_arrive(parts: list[bytes], sizes: list[int]) -> None:
    data = b"".join(parts)
    pieces, at = [], 0
    for size in sizes:
        pieces.append(data[at : at + size])
        at += size
    pieces.append(data[at:])
    assert through(pieces) == b"".join(part for part in parts if part != REPORT)


def test_reports_are_counted_so_that_the_right_mode_can_be_set_again() -> None:
    reports = StrayReports()
    reports.clean(b"j" + REPORT + REPORT)
    assert reports.seen == 2
