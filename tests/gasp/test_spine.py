"""The spine of a log: what belongs to each patch."""

import json

from ppgp_tui.gasp.tracing.spine import spine
from tests.gasp.logs import FIXTURE, Log, event, link, log, node, ops, real

KEYS = ("patch", "status", "goal", "run", "eval", "decision", "artifacts")


def test_the_fixture_has_one_patch_and_all_that_belongs_to_it() -> None:
    (row,) = spine(Log(FIXTURE).things)
    assert row.as_json() == {
        "patch": "patch_9",
        "status": "Promoted",
        "goal": ["goal_retry"],
        "run": "run_42",
        "eval": [["eval_5", "Passed"]],
        "decision": [["decision_3", "approved_by"]],
        "artifacts": ["abc1234"],
        "task": [],
        "failures": [],
    }
    assert row.promoted


def test_the_spine_of_a_real_log_is_the_recorded_one() -> None:
    recorded = json.loads(real("head400.spine.json").read_text())
    rows = [row.as_json() for row in spine(Log(real("head400.jsonl").read_bytes()).things)]
    assert [{key: row[key] for key in KEYS} for row in rows] == recorded


def test_tasks_and_failures_of_a_real_log_are_found_by_the_same_suffix() -> None:
    rows = [row.as_json() for row in spine(Log(real("head400.jsonl").read_bytes()).things)]
    assert rows[3]["task"] == [["task_run_day125_20260703T120614Z_3", "same suffix"]]
    rejected = [row for row in rows if row["status"] == "Rejected"]
    assert {len(row["failures"]) for row in rejected} == {1}


def test_without_relation_and_suffix_the_tasks_of_the_run_are_those_of_the_patch() -> None:
    made = log(
        event("e1", "run.started", {"run_id": "run_1", "task": "day"}, run="run_1"),
        event("e2", "task.created", {"id": "task_a"}, cause="e1", run="run_1"),
        ops("e3", node("task_a", "task"), cause="e2", run="run_1"),
        event("e4", "patch.proposed", {"id": "patch_b"}, cause="e1", run="run_1"),
        ops("e5", node("patch_b", "patch"), cause="e4", run="run_1"),
    )
    (row,) = spine(made.things)
    assert row.as_json()["task"] == [["task_a", "correlation"]]


def test_an_explicit_relation_is_stronger_than_the_suffix() -> None:
    made = log(
        ops("e1", node("task_1", "task"), node("task_2", "task"), node("patch_1", "patch")),
        ops("e2", link("patch_1", "addresses", "task_2")),
    )
    (row,) = spine(made.things)
    assert row.as_json()["task"] == [["task_2", "relation addresses"]]


def test_a_run_without_correlation_is_found_by_its_cause_or_a_relation() -> None:
    made = log(
        event("e1", "run.started", {"run_id": "run_1", "task": "day"}),
        event("e2", "patch.proposed", {"id": "patch_1"}, cause="e1"),
        ops("e3", node("patch_2", "patch"), link("patch_2", "produced_by", "run_1")),
        ops("e4", node("patch_3", "patch")),
    )
    first, second, third = spine(made.things)
    assert (first.run, second.run) == (("run_1", "cause"), ("run_1", "relation produced_by"))
    assert third.run is None
