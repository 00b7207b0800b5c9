"""What is there keeps its place while the plan changes around it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.ui.graph import Drawing, Node, draw
from tests.ui.graph.made import dags, node
from tests.ui.graph.plans import importer, task
from tests.ui.graph.shown import UNICODE


def _drawn(nodes: tuple[Node, ...], before: Drawing | None = None, cursor: str = "") -> Drawing:
    order = before.order if before else ()
    return draw(nodes, "cards", "auto", 120, UNICODE, cursor, order)


@settings(max_examples=60, deadline=None)
@given(dags(), st.data())
def test_neither_a_state_nor_the_cursor_moves_anything(nodes, data) -> None:
    before = _drawn(nodes)
    other = tuple(
        one._replace(
            sign=data.draw(st.sampled_from(["done", "running", "for_you"])),
            role="ok",
            faint=data.draw(st.booleans()),
        )
        for one in nodes
    )
    after = _drawn(other, before, nodes[0].key)
    assert after.boxes == before.boxes
    assert after.order == before.order


@settings(max_examples=60, deadline=None)
@given(dags())
def test_drawn_again_in_its_own_order_nothing_moves(nodes) -> None:
    before = _drawn(nodes)
    assert _drawn(nodes, before).boxes == before.boxes


@settings(max_examples=100, deadline=None)
@given(dags(), st.data())
def test_a_task_put_in_leaves_the_others_in_order(nodes, data) -> None:
    keys = [one.key for one in nodes]
    needs = data.draw(st.sets(st.sampled_from(keys), max_size=3))
    before = _drawn(nodes)
    after = _drawn((*nodes, node("new", *sorted(needs))), before)
    for was, now in zip(before.order, after.order, strict=False):
        kept = [key for key in now if key in was]
        assert kept == [key for key in was if key in now]


def test_a_task_put_before_all_moves_every_layer_and_keeps_their_order() -> None:
    nodes = importer()
    before = _drawn(nodes)
    first = (task("T0", "Ask why", "done"), nodes[0]._replace(needs=("T0",)), *nodes[1:])
    assert _drawn(first, before).order == (("T0",), *before.order)


def test_a_task_at_the_end_moves_nothing() -> None:
    before = draw(importer(), "keys", "right", 60, UNICODE)
    more = (*importer(), task("T13", "Measure", "waits", "T4"))
    after = draw(more, "keys", "right", 60, UNICODE, before=before.order)
    assert {after.boxes[key].layer for key in ("T13",)} == {2}
    assert after.order[0] == before.order[0]
    assert [key for key in after.order[2] if key != "T13"] == list(before.order[2])
