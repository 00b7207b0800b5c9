"""A terminal tells how wide it draws: at once, late, in pieces, or never."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.ui.terminal.probe import PATIENCE_S, QUESTION, SAMPLE, WidthProbe


@pytest.mark.parametrize(
    ("column", "is_wide"),
    [(4, False), (7, True), (5, True), (10, True)],
    ids=["one cell each", "two cells each", "one of them wide", "bytes instead of characters"],
)
def test_the_column_of_the_cursor_says_how_wide_the_sample_was(column: int, is_wide: bool) -> None:
    probe = WidthProbe()
    assert probe.clean(b"\x1b[1;%dR" % column) == b""
    assert probe.is_wide is is_wide
    assert probe.is_over


def test_without_an_answer_nothing_is_known_and_keys_are_keys() -> None:
    probe = WidthProbe()
    assert probe.clean(b"jj") == b"jj"
    assert probe.is_wide is None
    assert not probe.is_over


def test_keys_around_the_answer_are_kept_in_their_order() -> None:
    probe = WidthProbe()
    assert probe.clean(b"j\x1b[A\x1b[1;7Rk") == b"j\x1b[Ak"
    assert probe.is_wide


def test_after_a_while_the_same_bytes_are_a_key() -> None:
    probe = WidthProbe(asked_at=-PATIENCE_S)
    assert probe.is_over
    assert probe.clean(b"\x1b[1;2R") == b"\x1b[1;2R"
    assert probe.is_wide is None


def test_only_the_first_answer_is_taken() -> None:
    probe = WidthProbe()
    assert probe.clean(b"\x1b[1;4R\x1b[1;7R") == b"\x1b[1;7R"
    assert probe.is_wide is False


def test_an_escape_that_begins_no_answer_is_a_key() -> None:
    probe = WidthProbe()
    assert probe.clean(b"\x1b") == b""
    assert probe.holding
    assert probe.rest() == b"\x1b"
    assert not probe.holding


@given(st.lists(st.integers(1, 12), max_size=12), st.sampled_from([b"", b"j", b"\x1b[B"]))
def test_pieces_say_the_same_as_the_whole(cuts: list[int], key: bytes) -> None:
    data, probe, seen = key + b"\x1b[1;7R" + key, WidthProbe(), b""
    for cut in cuts:
        seen += probe.clean(data[:cut])
        data = data[cut:]
    seen += probe.clean(data) + probe.rest()
    assert probe.is_wide
    assert seen == key + key


def test_the_sample_is_wiped_out_as_soon_as_it_was_asked_about() -> None:
    before, _, after = QUESTION.partition("\x1b[6n")
    assert before.endswith(SAMPLE)
    assert after == "\x1b[1;1H\x1b[2K"
