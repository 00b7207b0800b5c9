"""A lineage costs little however much hangs on one thing."""

from __future__ import annotations

import json

from ppgp_tui.gasp.tracing.hops import MOST, hops, near_hops
from ppgp_tui.gasp.tracing.lineage import find, tree
from tests.gasp.logs import Log, event


def log(calls: int) -> Log:
    """A run with so many tool calls."""
    run = event("r", "run.started", {"run_id": "run_1", "task": "dream"}, run="run_1")
    told = [
        event(f"c{at}", "tool.called", {"id": f"call_{at}", "run_id": "run_1", "tool": "Read"},
              cause="r", run="run_1")
        for at in range(calls)
    ]  # fmt: skip
    return Log(b"\n".join(json.dumps(line).encode() for line in (run, *told)))


def test_a_few_hops_are_counted() -> None:
    made = log(100)
    run = find(made.index, "run_1")
    assert run is not None
    near, more, too_many = near_hops(made.index, run, "down", 40)
    assert near == hops(made.index, run, "down")[:40]
    assert (more, too_many) == (60, False)


def test_of_very_many_hops_the_first_are_taken_and_the_rest_is_not_counted() -> None:
    made = log(5 * MOST)
    run = find(made.index, "run_1")
    assert run is not None
    near, more, too_many = near_hops(made.index, run, "down", 40)
    assert len(near) == 40
    assert more >= MOST - 40
    assert too_many
    branch = tree(made.things, run, "down", breadth=10)
    assert len(branch.branches) == 10
    assert branch.too_many


def test_from_one_of_very_many_the_way_up_is_found() -> None:
    made = log(5 * MOST)
    call = find(made.index, "call_7")
    run = find(made.index, "run_1")
    assert call is not None
    assert [hop.thing for hop in hops(made.index, call, "up")] == [run]
