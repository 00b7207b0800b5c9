"""Whatever a plan holds, it is drawn within its cells and nothing fails."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from ppgp_tui.ui.graph import Drawing, Node, Zoom, draw
from ppgp_tui.ui.rows.row import shown
from tests.ui.graph.made import anything, node
from tests.ui.graph.shown import ASCII, UNICODE, text

ZOOMS = st.sampled_from(["cards", "keys", "dots"])
DIRECTIONS = st.sampled_from(["right", "down", "auto"])


def _widths(drawing: Drawing) -> set[int]:
    return {sum(cell_len(shown(span)) for span in line) for line in drawing.lines}


@settings(max_examples=150, deadline=None)
@given(anything(), ZOOMS, DIRECTIONS, st.integers(1, 160), st.sampled_from([UNICODE, ASCII]))
def test_every_line_is_exactly_as_wide_as_the_drawing(nodes, zoom, direction, width, look) -> None:
    drawing = draw(nodes, zoom, direction, width, look, nodes[0].key)
    assert _widths(drawing) == {drawing.width}
    assert len(drawing.lines) == drawing.height
    assert set(drawing.boxes) == {one.key for one in nodes}


@settings(max_examples=80, deadline=None)
@given(anything(), ZOOMS, DIRECTIONS, st.integers(0, 60), st.integers(0, 9), st.integers(0, 40))
def test_a_window_shows_what_the_drawing_has_there(nodes, zoom, direction, x, y, width) -> None:
    drawing = draw(nodes, zoom, direction, 80, UNICODE)
    window = drawing.crop(x, y, width, 4)
    assert len(window) == 4
    for row, line in enumerate(window):
        assert sum(cell_len(shown(span)) for span in line) == width
        whole = drawing.lines[y + row] if y + row < drawing.height else ()
        cells = "".join(span.text for span in whole)
        if cells.isascii():
            seen = "".join(span.text for span in line)
            assert seen.rstrip() == cells[x : x + width].rstrip()


@settings(max_examples=60, deadline=None)
@given(anything(), ZOOMS, DIRECTIONS)
def test_no_node_covers_another(nodes, zoom, direction) -> None:
    taken: set[tuple[int, int]] = set()
    for box in draw(nodes, zoom, direction, 80, UNICODE).boxes.values():
        cells = {
            (x, y)
            for x in range(box.x, box.x + box.width)
            for y in range(box.y, box.y + box.height)
        }
        assert not cells & taken
        taken |= cells


def test_nothing_is_drawn_of_nothing() -> None:
    drawing = draw((), "cards", "auto", 80, UNICODE)
    assert drawing.lines == ()
    assert drawing.boxes == {}


def test_one_task_is_one_card() -> None:
    drawing = draw((node("T1"),), "cards", "auto", 80, UNICODE)
    assert text(drawing).split() == ["▌⋯", "T1", "▌some", "words", "▌", "▌"]


def test_the_edge_that_closes_a_circle_is_drawn_in_the_colour_of_stop() -> None:
    nodes = (node("A", "C"), node("B", "A"), node("C", "B"), node("D", "C"))
    drawing = draw(nodes, "keys", "right", 40, UNICODE)
    assert drawing.cycle == (("C", "A"),)
    assert any(span.role == "stop" for line in drawing.lines for span in line)
    sound = draw((node("A"), *nodes[1:]), "keys", "right", 40, UNICODE)
    assert not any(span.role == "stop" for line in sound.lines for span in line)


def test_a_task_that_needs_itself_or_something_unknown_is_drawn_without_that() -> None:
    drawing = draw((node("A", "A", "X"), node("B", "A")), "keys", "right", 12, UNICODE)
    assert text(drawing) == " ⋯A───── ⋯B"
    assert drawing.cycle == ()


def test_a_key_that_stands_twice_is_drawn_once() -> None:
    drawing = draw((node("A"), node("A", "B"), node("B", "A")), "keys", "right", 12, UNICODE)
    assert text(drawing) == " ⋯A───── ⋯B"


def test_wide_characters_take_two_cells() -> None:
    nodes = (Node("一", "一二"), Node("B", "🚀🚀", needs=("一",)))
    drawing = draw(nodes, "keys", "right", 16, UNICODE)
    assert text(drawing) == " ⋯一二─── ⋯🚀🚀"
    assert drawing.boxes["B"].width == 5


def test_tasks_without_edges_fill_the_rows_below() -> None:
    nodes = (node("A"), node("B", "A"), *(node(f"L{at}") for at in range(4)))
    drawing = draw(nodes, "keys", "right", 16, UNICODE)
    assert text(drawing) == " ⋯A───── ⋯B\n\n ⋯L0  ⋯L1  ⋯L2\n ⋯L3"


@pytest.mark.parametrize("zoom", ["cards", "keys"])
def test_a_long_key_loses_its_middle(zoom: Zoom) -> None:
    drawing = draw((node("A" * 30 + "end"),), zoom, "auto", 80, UNICODE)
    assert "AAAAAAAAAA…AAAAAAend" in text(drawing)


def test_a_removed_task_is_struck_and_its_edges_are_dashed() -> None:
    gone = node("B", "A")._replace(mark="removed")
    drawing = draw((node("A"), gone), "keys", "right", 12, UNICODE)
    assert text(drawing) == " ⋯A╌╌╌╌╌ /B"
    assert drawing.lines[0][-2].strike


def test_what_a_task_needs_no_longer_is_dashed_and_hides_nothing() -> None:
    nodes = (
        node("A"), node("B", "A"), node("C", "A")._replace(needs_no_longer=("B",), mark="rewired"),
    )  # fmt: skip
    drawing = draw(nodes, "keys", "right", 30, UNICODE)
    assert drawing.implied == 0
    assert text(drawing) == " ⋯A──┬───────┬── ↳C\n     ╰── ⋯B╌╌╯"


def test_outside_the_family_edges_and_words_lose_their_weight() -> None:
    nodes = (node("A"), node("B", "A"), node("C", "A")._replace(faint=True))
    drawing = draw(nodes, "keys", "right", 30, UNICODE, "A")
    roles = [span.role for line in drawing.lines for span in line if "─" in span.text]
    assert roles == ["ink", "edge"]
