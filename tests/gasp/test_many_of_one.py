"""Logs that do one thing over and over: every event costs about the same, however many there are.

The limits are some twenty times what it takes; what costs the square of the events takes longer.
"""

from __future__ import annotations

import json
from time import process_time
from typing import Any

from ppgp_tui.gasp.telling.joining import joined
from ppgp_tui.gasp.vocabulary import OPS_EVENT
from tests.gasp.logs import Log

MANY = 20_000


def log_of(events: list[tuple[str, Any]]) -> Log:
    lines = (
        json.dumps({"id": f"e{at}", "kind": kind, "payload": payload, "schema_version": 1})
        for at, (kind, payload) in enumerate(events)
    )
    return Log("\n".join(lines).encode())


def link(deed: str, target: str) -> dict[str, Any]:
    return {deed: {"from": "task_1", "rel": "serves", "to": target, "props": {}}}


def test_a_link_that_comes_and_goes_with_every_event_is_cut_at_once() -> None:
    began = process_time()
    index = log_of(
        [(OPS_EVENT, [link("CreateRelation", "g"), link("DeleteRelation", "g")])] * MANY
        + [(OPS_EVENT, [link("CreateRelation", "g")])] * 2
    ).index
    assert process_time() - began < 20
    assert [one.event for one in index.relations] == [MANY, MANY + 1]


def test_of_many_links_each_is_cut_by_its_own_event() -> None:
    began = process_time()
    index = log_of(
        [(OPS_EVENT, [link("CreateRelation", f"g{at}")]) for at in range(MANY)]
        + [(OPS_EVENT, [link("DeleteRelation", f"g{at}")]) for at in range(1, MANY)]
    ).index
    assert process_time() - began < 20
    assert [index.names[one.target] for one in index.relations] == ["g0"]


def test_a_patch_proposed_over_and_over_is_told_with_its_newest_status() -> None:
    proposed = ("patch.proposed", {"id": "patch_1", "title": "x"})
    changed = ("patch.status_changed", {"patch_id": "patch_1", "status": "Promoted"})
    index = log_of([proposed] * MANY + [changed] * MANY).index
    began = process_time()
    told = joined(index, range(2 * MANY))
    assert process_time() - began < 10
    assert len(told) == MANY
    assert told[MANY - 1] == [MANY - 1, *range(MANY, 2 * MANY)]
