"""The end of an agent's output, as a person reads it."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.sources.loop_output import BYTES, clean_lines


def test_colours_titles_and_moves_leave_only_words() -> None:
    data = b"\x1b]0;title\x07\x1b[1;32mok\x1b[0m\x1b[2K done\n\x1b]8;;https://e.x\x1b\\link\x1b]8;;\x1b\\\n"
    assert clean_lines(data) == ("ok done", "link")


def test_of_a_line_written_over_again_the_last_state_counts() -> None:
    assert clean_lines(b"1 %\r20 %\r100 %\nnext\r\n") == ("100 %", "next")


def test_the_first_line_of_a_cut_piece_is_no_whole_one() -> None:
    data = (b"x" * 50 + b"\n") * (BYTES // 51 + 1)
    assert set(clean_lines(data[-BYTES:])) == {"x" * 50}


@given(st.binary(max_size=600) | st.text(max_size=300).map(str.encode))
def test_whatever_is_printed_no_control_character_comes_through(data: bytes) -> None:
    lines = clean_lines(data)
    assert len(lines) <= 12
    for line in lines:
        assert len(line) <= 400
        assert all(unicodedata.category(one) not in ("Cc", "Cs") for one in line)
