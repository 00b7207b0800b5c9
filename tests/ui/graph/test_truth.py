"""The picture does not lie: what its characters say is what the plan says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.ui.graph import Direction, Node, Zoom, draw
from ppgp_tui.ui.looks.look import Look
from tests.ui.graph.made import dags, node, shown_edges
from tests.ui.graph.plans import compared, importer
from tests.ui.graph.reading import read
from tests.ui.graph.shown import ASCII, UNICODE, text

LOOKS = (UNICODE, ASCII)
ZOOMS: tuple[Zoom, ...] = ("cards", "keys", "dots")
DIRECTIONS: tuple[Direction, ...] = ("right", "down")


@pytest.mark.parametrize("look", LOOKS, ids=["unicode", "ascii"])
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("zoom", ZOOMS)
@settings(max_examples=60, deadline=None)
@given(nodes=dags())
def test_following_the_lines_finds_exactly_the_edges(
    zoom: Zoom, direction: Direction, look: Look, nodes: tuple[Node, ...]
) -> None:
    drawing = draw(nodes, zoom, direction, 80, look)
    assert read(drawing, zoom == "keys") == shown_edges(nodes)
    assert set(drawing.edges) == shown_edges(nodes)
    assert drawing.implied == sum(len(one.needs) for one in nodes) - len(shown_edges(nodes))


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("zoom", ZOOMS)
@settings(max_examples=20, deadline=None)
@given(nodes=dags(28), width=st.integers(20, 200))
def test_so_it_does_in_larger_plans_at_any_width(
    zoom: Zoom, direction: Direction, nodes: tuple[Node, ...], width: int
) -> None:
    for look in LOOKS:
        drawing = draw(nodes, zoom, direction, width, look)
        assert read(drawing, zoom == "keys") == set(drawing.edges)


@settings(max_examples=60, deadline=None)
@given(nodes=dags(9), more=dags(9), direction=st.sampled_from(DIRECTIONS))
def test_and_so_it_does_in_the_order_of_an_older_drawing(
    nodes: tuple[Node, ...], more: tuple[Node, ...], direction: Direction
) -> None:
    before = draw(nodes, "keys", direction, 80, UNICODE).order
    drawing = draw(more, "keys", direction, 80, UNICODE, before=before)
    assert read(drawing, True) == shown_edges(more)


@pytest.mark.parametrize("look", LOOKS, ids=["unicode", "ascii"])
@pytest.mark.parametrize("zoom", ZOOMS)
def test_the_importer_plan_is_read_as_it_is(zoom: Zoom, look: Look) -> None:
    for nodes in (importer(), compared()):
        drawing = draw(nodes, zoom, "auto", 120, look)
        assert read(drawing, zoom == "keys") == shown_edges(nodes)


def test_two_tasks_that_both_need_the_same_two() -> None:
    nodes = (node("A"), node("B"), node("C", "A", "B"), node("D", "A", "B"))
    drawing = draw(nodes, "keys", "right", 20, UNICODE)
    assert read(drawing, True) == {("A", "C"), ("A", "D"), ("B", "C"), ("B", "D")}


def test_a_straight_edge_is_not_joined_by_one_that_leads_elsewhere_too() -> None:
    """Else A and B, C and D could as well be joined the other way round."""
    nodes = (node("A"), node("B"), node("C", "A"), node("D", "A", "B"))
    drawing = draw(nodes, "keys", "right", 16, UNICODE)
    assert text(drawing) == " ⋯A───┬── ⋯C\n ⋯B──╮│\n     ╰┴── ⋯D"


def test_edges_that_cross_leave_a_gap_in_the_level_one() -> None:
    nodes = (node("A"), node("B"), node("C", "A", "B"), node("D", "A", "B"))
    drawing = draw(nodes, "keys", "right", 16, UNICODE)
    assert text(drawing) == " ⋯A──┬┬── ⋯C\n ⋯B──│┤\n     ╰┴── ⋯D"
    assert drawing.crossings == 1
