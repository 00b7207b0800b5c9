"""Panes stand side by side and stacked, and fill the body exactly."""

from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.ui.looks.look import ROLES, Look
from ppgp_tui.ui.rows.layout import GAP, Layout, Pane
from ppgp_tui.ui.rows.row import Line, Row, Span
from ppgp_tui.ui.rows.row_list import RowList
from ppgp_tui.ui.screen.body import body_lines, pane_lines, places
from tests.ui.stand_in import look

HARBOR = look()


def pane(name: str, width: int, height: int | None = None, rows: int = 3) -> Pane:
    content = tuple(Row(f"{name}{at}", (Line((Span(f"{name}{at}"),)),)) for at in range(rows))
    return Pane(name, content, width, height)


def drawn(layout: Layout, width: int, height: int, focus: str = "") -> list[str]:
    placed = places(layout, width, height)
    lists = {}
    for place in placed:
        lists[place.pane.id] = RowList()
        lists[place.pane.id].show(place.pane, place.height)
        lists[place.pane.id].visit()
    return [line.text for line in body_lines(placed, lists, focus, width, height, HARBOR)]


def test_columns_stand_three_blanks_apart_and_panes_below_each_other() -> None:
    layout = ((pane("a", 10, 2), pane("b", 10)), (pane("c", 12),))
    assert drawn(layout, 26, 5) == [
        "   a0           c0        ",
        "   a1           c1        ",
        "   b0           c2        ",
        "   b1                     ",
        "   b2                     ",
    ]


def test_panes_without_a_height_share_what_the_others_leave() -> None:
    layout = ((pane("a", 10), pane("b", 10, 1), pane("c", 10)),)
    assert [place.height for place in places(layout, 10, 8)] == [4, 1, 3]


def test_what_does_not_fit_is_cut_off_at_the_bottom_and_the_right() -> None:
    layout = ((pane("a", 10, 6), pane("b", 10, 6)), (pane("c", 10, 6),))
    assert [(place.pane.id, place.width, place.height) for place in places(layout, 18, 8)] == [
        ("a", 10, 6),
        ("b", 10, 2),
        ("c", 5, 6),
    ]


panes = st.builds(
    pane,
    st.uuids().map(str),
    st.integers(1, 70),
    st.one_of(st.none(), st.integers(0, 12)),
    st.integers(0, 30),
)
layouts = st.lists(st.lists(panes, max_size=3).map(tuple), max_size=3).map(tuple)


@given(layouts, st.integers(1, 120), st.integers(1, 30))
def test_every_body_has_exactly_its_lines_and_every_line_its_cells(
    layout: Layout, width: int, height: int
) -> None:
    placed = places(layout, width, height)
    lists = {place.pane.id: RowList() for place in placed}
    for place in placed:
        lists[place.pane.id].show(place.pane, place.height)
    lines = body_lines(placed, lists, "", width, height, HARBOR)
    assert [line.cell_length for line in lines] == [width] * height
    assert [sum(segment.cell_length for segment in line) for line in lines] == [width] * height
    assert all(place.x + place.width <= width for place in placed)
    if len(placed) > 1 and all(pane.width + GAP < width for column in layout for pane in column):
        assert not any(a is not b and b.holds(a.x, a.y) for a in placed for b in placed if a.height)


def styles_of_cursor_row(with_look: Look, focused: bool) -> tuple[bool, set[str | None]]:
    rows = RowList()
    rows.show(pane("a", 20), 3)
    rows.visit()
    line = pane_lines(rows, 20, with_look, focused)[0]
    segments = list(line)
    assert segments[0].style is not None
    grounds = {
        segment.style.bgcolor.name if segment.style and segment.style.bgcolor else None
        for segment in segments
    }
    return bool(segments[0].style.reverse), grounds


def test_the_focused_pane_has_the_bar_the_others_only_the_tint() -> None:
    assert styles_of_cursor_row(HARBOR, True) == (True, {HARBOR.colours["field"]})
    assert styles_of_cursor_row(HARBOR, False) == (False, {HARBOR.colours["field"]})


def test_without_colours_the_bar_is_still_there() -> None:
    grey = Look(dict.fromkeys(ROLES, "default"), ascii=True, ansi=True)
    assert styles_of_cursor_row(grey, True) == (True, {None})


def test_a_longer_pane_shows_a_bar_in_its_last_column() -> None:
    rows = RowList()
    rows.show(pane("a", 10, rows=20), 5)
    bars = [bool(list(line)[-1].style.reverse) for line in pane_lines(rows, 10, HARBOR, True)]  # type: ignore[union-attr]
    assert bars == [True, False, False, False, False]
    ascii_look = look("ansi16", ascii=True)
    assert pane_lines(rows, 10, ascii_look, True)[0].text.endswith("|")
