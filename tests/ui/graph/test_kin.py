"""What hangs on what, and a large plan made small."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.ui.graph import (
    critical_path,
    draw,
    family,
    fold_done,
    neighbourhood,
    unblocks,
)
from tests.ui.graph.made import anything, node
from tests.ui.graph.plans import importer, task
from tests.ui.graph.shown import UNICODE, text


def test_the_family_of_a_task_is_all_it_needs_and_all_that_needs_it() -> None:
    assert family(importer(), "T8") == {"T1", "T2", "T3", "T4", "T8", "T11", "T12"}
    assert family(importer(), "nobody") == frozenset()


def test_the_critical_path_is_the_longest_chain_still_open() -> None:
    assert critical_path(importer()) == ("T5", "T6", "T9", "T11", "T12")
    assert critical_path((task("A", "", "done"),)) == ()


def test_what_a_task_frees_are_all_that_wait_for_it() -> None:
    frees = unblocks(importer())
    assert frees["T5"] == 4
    assert frees["T7"] == 3
    assert frees["T8"] == 2
    assert "T1" not in frees


def test_finished_ancestors_fold_into_one_node() -> None:
    folded = fold_done(importer())
    assert folded[0].label == "4 done"
    assert folded[0].stands_for == ("T1", "T2", "T3", "T4")
    assert text(draw(folded, "keys", "auto", 60, UNICODE)).split("\n")[0].startswith(" ✓4 done──")
    assert [one.key for one in folded[1:]] == [f"T{at}" for at in range(5, 13)]


def test_what_is_done_but_needs_something_open_is_not_folded() -> None:
    nodes = (task("A", "", "done"), task("B", "", "done"), task("C", "", "ready"))
    late = task("D", "", "done", "C")
    assert [one.key for one in fold_done((*nodes, late))][1:] == ["C", "D"]


def test_one_finished_task_stays_as_it_is() -> None:
    nodes = (task("A", "", "done"), task("B", "", "ready", "A"))
    assert fold_done(nodes) == nodes


def test_a_neighbourhood_says_how_much_lies_beyond() -> None:
    chain = tuple(node(f"T{at}", *([f"T{at - 1}"] if at else [])) for at in range(20))
    near = neighbourhood(chain, "T10", 2)
    drawing = draw(near, "keys", "auto", 40, UNICODE)
    assert text(drawing) == " +8 more─ ⋯T8─ ⋯T9─ ⋯T10─ ⋯T11─ ⋯T12─ +7 more"
    stubs = [one for one in near if one.stands_for]
    assert stubs[0].stands_for == tuple(f"T{at}" for at in range(7, -1, -1))


def test_what_a_shown_task_needs_is_never_left_out_silently() -> None:
    nodes = (node("A"), node("B"), node("C", "A"), node("D", "B", "C"), node("E", "D"))
    near = neighbourhood(nodes, "C", 1)
    assert [one.label for one in near] == ["A", "C", "D", "1 more", "1 more"]


@given(anything(), st.integers(0, 3))
def test_any_plan_can_be_asked(nodes, steps) -> None:
    key = nodes[-1].key
    assert key in family(nodes, key)
    assert set(critical_path(nodes)) <= set(unblocks(nodes))
    assert key in {one.key for one in neighbourhood(nodes, key, steps)}
    assert draw(fold_done(nodes), "keys", "auto", 40, UNICODE).height
