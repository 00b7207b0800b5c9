"""The checks of a log that grows say after every piece what a whole reading would say."""

from __future__ import annotations

import itertools
import json
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.gasp.checks.log import LogChecks
from ppgp_tui.gasp.checks.repository import AgentRepository
from tests.gasp.checks.agent_repository import FIXTURE, LOG, as_line, event
from tests.gasp.checks.naive import naive_verdicts
from tests.gasp.logs import real

FIXTURE_LOG = FIXTURE[LOG].encode()


def around(log: bytes) -> AgentRepository:
    return AgentRepository(log, None, None, None, {})


def texts(checks: LogChecks, log: bytes) -> list[list[str]]:
    return [
        [*result.notes, *(finding.text for finding in result.findings)]
        for result in checks.results(around(log))
    ]


def whole(log: bytes) -> list[list[str]]:
    checks = LogChecks()
    checks.feed(log)
    return texts(checks, log)


def test_every_byte_of_the_fixture_may_be_the_last_one() -> None:
    checks = LogChecks()
    for end in range(len(FIXTURE_LOG)):
        checks.feed(FIXTURE_LOG[end : end + 1])
        if end % 7 == 0 or FIXTURE_LOG[end : end + 1] in b"}\n":
            assert texts(checks, FIXTURE_LOG[: end + 1]) == whole(FIXTURE_LOG[: end + 1])


def test_a_missing_pair_is_no_fault_any_more_when_it_comes() -> None:
    first, second, *_ = FIXTURE_LOG.splitlines(keepends=True)
    checks = LogChecks()
    checks.feed(first)
    assert texts(checks, first)[-1] == [
        "line 1: goal.created `goal_retry` has no paired state.ops_applied"
    ]
    checks.feed(second[:-1])
    assert texts(checks, first + second[:-1])[-1] == []
    checks.feed(b" ")
    assert texts(checks, first + second[:-1] + b" ")[-1] == []
    checks.feed(b"x\n")
    assert texts(checks, first + second[:-1] + b" x\n")[0][0].startswith("line 2: not JSON: ")


def test_the_rest_behind_the_last_newline_changes_nothing_that_stands_before_it() -> None:
    lines = [
        event(1, "goal.created", {"id": "a"}, None),
        event(2, "state.ops_applied", [_node("a", "task", "Open"), "CreateNode"], "event_01"),
        event(3, "state.ops_applied", [_node("a", "task", "Open")], "event_01"),
    ]
    log = b"".join(as_line(line) + b"\n" for line in lines)
    faults = whole(log)[-1]
    assert faults[0].startswith("line 1: paired ops event event_02 has malformed payload: ")
    assert faults[1:] == ["line 1: `a` created as kind `task`, domain event implies `goal`"]
    assert whole(log + b" ")[-1] == whole(log[:-1])[-1] == faults


def test_the_rest_may_stand_behind_any_number_of_events_of_one_cause_and_one_id() -> None:
    first = as_line(event(1, "goal.created", {"id": "a"}, None)) + b"\n"
    claim = as_line(event(2, "state.ops_applied", [], "event_01")) + b"\n"
    log = first * 3000 + claim * 3000
    assert whole(log[:-1]) == whole(log)


def test_one_id_that_names_now_this_and_now_that_costs_no_look_at_all_its_claims() -> None:
    name = as_line(event(1, "state.ops_applied", [], "event_01")) + b"\n"
    other = as_line(event(1, "run.started", {}, "event_01")) + b"\n"
    chained = "ops event event_01 chained to another ops event, not a domain event"
    begun = process_time()
    assert whole((name + other) * 20_000)[-1] == []
    assert whole((other + name) * 20_000)[-1] == [chained] * 20_000
    assert process_time() - begun < 15  # a look at every claim each time takes a minute


def test_findings_know_the_line_of_an_editor() -> None:
    log = b"\n\r\n" + FIXTURE_LOG + b'\n{"id":"odd"}\n'
    checks = LogChecks()
    checks.feed(log)
    place = checks.results(around(log))[0].findings[0].place
    assert place is not None
    assert (place.line, place.physical, place.event) == (11, 14, "odd")


KINDS = ["goal.created", "task.created", "run.started", "tool.called", "state.ops_applied"] * 2
NAMES = ["a", "b", "c"]
STATUS = st.sampled_from([None, "Open", 1, 1.0, True, {"x": 1}])


def _node(name: str, kind: str, status: Any) -> dict[str, Any]:
    return {"CreateNode": {"id": name, "kind": kind, "props": {"status": status}}}


OPS = st.builds(_node, st.sampled_from(NAMES), st.sampled_from(["goal", "task", "x"]), STATUS) | (
    st.sampled_from(
        [
            {"UpdateNode": {"id": "a", "props": 1}},
            {"CreateRelation": {"from": "a", "rel": "likes", "to": "b", "props": {}}},
            {"MarkStale": {"id": "b", "reason": "r"}},
            {"MarkStale": {"id": "b"}},
            "CreateNode",
        ]
    )
)
EVENTS = st.builds(
    lambda number, kind, payload, operations, cause: event(
        number, kind, operations if kind == "state.ops_applied" else payload, cause
    ),
    st.integers(1, 9),
    st.sampled_from(KINDS),
    st.fixed_dictionaries({}, optional={"id": st.sampled_from([*NAMES, 7]), "status": STATUS}),
    st.lists(OPS, max_size=3),
    st.none() | st.builds("event_{:02}".format, st.integers(1, 9)),
)
ODD_LINES = st.sampled_from(
    [b"", b" ", b"{}", b"[]", b"\xff", b"nope", b"[" * 200, b'{"id":1e999}', b'"\\ud800"',
     b"7", json.dumps([*event(3, "x.created", {}, None).values()]).encode()]
)  # fmt: skip
LINES = st.lists(EVENTS.map(as_line), max_size=9)


@given(LINES, st.lists(st.integers(0, 3000), max_size=6))
@settings(max_examples=100, deadline=None)
def test_any_log_in_any_pieces_comes_out_as_in_one_and_as_a_plain_reading(
    lines: list[bytes], cuts: list[int]
) -> None:
    log = b"".join(line + b"\n" for line in lines)
    checks = LogChecks()
    ends = sorted({min(cut, len(log)) for cut in cuts} | {0, len(log)})
    for begin, end in itertools.pairwise(ends):
        checks.feed(log[begin:end])
        assert texts(checks, log[:end]) == whole(log[:end])
    verdicts = [result.passed for result in checks.results(around(log)) if result.number != 6]
    assert verdicts == naive_verdicts(log)


@given(st.lists(st.one_of(EVENTS.map(as_line), ODD_LINES, st.binary(max_size=40)), max_size=6),
       st.binary(max_size=20))  # fmt: skip
@settings(max_examples=100, deadline=None)
def test_any_bytes_are_judged_and_never_crash(lines: list[bytes], tail: bytes) -> None:
    log = b"\n".join(lines) + tail
    checks = LogChecks()
    checks.feed(log)
    verdicts = [result.passed for result in checks.results(around(log)) if result.number != 6]
    assert verdicts == naive_verdicts(log)


@given(st.integers(0, len(FIXTURE_LOG) - 1), st.binary(min_size=1, max_size=3), st.integers(0, 4))
@settings(max_examples=100, deadline=None)
def test_a_fixture_with_a_few_wrong_bytes_is_judged_right(at: int, data: bytes, gone: int) -> None:
    log = FIXTURE_LOG[:at] + data + FIXTURE_LOG[at + gone :]
    checks = LogChecks()
    checks.feed(log)
    verdicts = [result.passed for result in checks.results(around(log)) if result.number != 6]
    assert verdicts == naive_verdicts(log)


@pytest.mark.parametrize("name", ["head400", "tail400"])
def test_real_logs_in_pieces(name: str) -> None:
    log = real(f"{name}.jsonl").read_bytes()
    checks = LogChecks()
    for begin in range(0, len(log), 10_007):
        checks.feed(log[begin : begin + 10_007])
    assert texts(checks, log) == whole(log)
    verdicts = [result.passed for result in checks.results(around(log)) if result.number != 6]
    assert verdicts == naive_verdicts(log) == [True] * 5
