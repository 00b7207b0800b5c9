"""Only the words that differ are painted again."""

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ppgp_tui.ui.widgets.canvas import difference

words = st.sampled_from(["a", "bc", "漢字", "  ", "12s", "✓"])
strips = st.lists(st.tuples(words, st.booleans()), max_size=8).map(
    lambda parts: Strip([Segment(text, Style(bold=bold)) for text, bold in parts])
)


def cells(strip: Strip) -> list[tuple[str, Style | None]]:
    """What stands in every cell; the second cell of a wide character is empty."""
    found: list[tuple[str, Style | None]] = []
    for segment in strip:
        for character in segment.text:
            found.append((character, segment.style))
            if Segment(character).cell_length == 2:
                found.append(("", segment.style))
    return found


@given(strips, strips)
def test_repainting_the_difference_gives_the_new_line(old: Strip, new: Strip) -> None:
    width = max(old.cell_length, new.cell_length)
    old, new = old.extend_cell_length(width), new.extend_cell_length(width)
    painted, wanted = cells(old), cells(new)
    for start, end in difference(old, new):
        painted[start:end] = wanted[start:end]
    assert painted == wanted


def test_a_line_that_is_the_same_is_not_painted() -> None:
    line = Strip([Segment("12s", Style(bold=True)), Segment("  ")])
    assert difference(line, Strip([Segment("12s", Style(bold=True)), Segment("  ")])) == []
    assert difference(line, line) == []


def test_of_a_growing_age_only_the_age_is_painted() -> None:
    before = Strip([Segment("working"), Segment(" "), Segment("12s"), Segment(" live")])
    after = Strip([Segment("working"), Segment(" "), Segment("13s"), Segment(" live")])
    assert difference(before, after) == [(8, 11)]


def test_a_line_of_another_width_is_painted_whole() -> None:
    assert difference(Strip([Segment("abc")]), Strip([Segment("abcd")])) == [(0, 4)]
    assert difference(None, Strip([Segment("abc")])) == [(0, 3)]
