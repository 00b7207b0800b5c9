"""Lines that fit a terminal."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ppgp_tui.cli.gasp.paper import line, moment, padded, wrapped

words = st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1), min_size=1)


def test_what_is_too_wide_ends_with_dots() -> None:
    assert line("a long line", 6) == "a lon…\n"
    assert line("a long line", 11) == "a long line\n"
    assert line("a long line", None) == "a long line\n"


def test_a_sentence_goes_on_indented() -> None:
    assert wrapped("  12:00  one two three", 14, 4) == "  12:00  one\n    two three\n"
    assert wrapped("  12:00  one two three", None, 4) == "  12:00  one two three\n"


@given(words, st.integers(8, 40))
def test_no_line_is_wider_than_the_terminal_and_short_words_all_stand(
    some: list[str], columns: int
) -> None:
    lines = wrapped(" ".join(some), columns, 2).splitlines()
    assert all(cell_len(one) <= columns for one in lines)
    if all(cell_len(word) <= columns - 2 for word in some):
        assert [word for one in lines for word in one.split()] == " ".join(some).split()


def test_columns_line_up_whatever_stands_in_them() -> None:
    assert {cell_len(padded(name, 10)) for name in ("yoyo", "日本", "", "a\tb")} == {10}


def test_times_that_are_none_are_dashes() -> None:
    assert moment(None) == moment(10**30) == "---------- --:--:--"
