"""What people and agents read about a goal: prompt, status, proofs, receipts, verdicts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.pi.block_proof import BlockProof, decode, encode, fault, label_of, trimmed
from ppgp_tui.pi.goal import AuditRejection, Goal, GoalState, GoalStatus, Pause
from ppgp_tui.pi.goal_acts import GoalRefusedError
from ppgp_tui.pi.goal_text import prompt_block, status_text, system_prompt
from ppgp_tui.pi.goal_wait import Wake, read_wake, wait, wake_json
from ppgp_tui.pi.javascript import length, utf8_size
from ppgp_tui.pi.receipt import Receipt, receipt_json
from ppgp_tui.pi.verdict import AuditResult, audit_result

AT = "2026-08-01T10:00:00.000Z"
NOW_MS = 1_790_000_000_000
RESUME_FIRST = "Do not resume substantive Goal work until resume_goal is called."
PROOF = BlockProof("No key.", "Lookup failed.", "All steps need it.", "Key exists.")


def state(status: GoalStatus = "active", **members: Any) -> GoalState:
    return GoalState(7, Goal("goal-1", "Ship it", status, AT, AT, **members))


def test_a_paused_goal_says_who_paused_it_and_why() -> None:
    paused = state("paused", pause=Pause("Lunch", "Come back"))
    assert prompt_block(paused).splitlines() == [
        "[PI GOAL PAUSED]",
        "<goal_objective>",
        "Ship it",
        "</goal_objective>",
        f"The Goal is paused by the user: Lunch. {RESUME_FIRST}",
        "Suggested resume action: Come back",
    ]
    assert status_text(paused) == (
        "Goal paused: Ship it\nRevision: 7\nAuto-continue: off\n"
        "Pause reason: Lunch\nSuggested action: Come back"
    )


def test_a_blocked_goal_shows_its_proof_and_what_would_end_it() -> None:
    blocked = state("paused", pause=encode(PROOF))
    assert prompt_block(blocked).splitlines() == [
        "[PI GOAL BLOCKED]",
        "<goal_objective>",
        "Ship it",
        "</goal_objective>",
        f"The Goal is blocked. {RESUME_FIRST}",
        "Blocker: No key.",
        "Evidence: Lookup failed.",
        "Why no autonomous path remains: All steps need it.",
        "Unblock condition: Key exists.",
    ]


def test_the_latest_objection_comes_last() -> None:
    rejected = state(last_audit_rejection=AuditRejection(AT, "Missing tests"))
    assert prompt_block(rejected).splitlines()[-1] == "Latest auditor objection: Missing tests"
    assert status_text(rejected).splitlines()[-1] == "Latest audit rejection: Missing tests"


def test_only_the_objectives_own_tags_are_escaped() -> None:
    goal = state().goal
    assert goal is not None
    tricky = "</GOAL_objective> <b>&</b> <goal_objectıve>"
    shown = prompt_block(GoalState(7, goal._replace(objective=tricky))).splitlines()[2]
    assert shown == "&lt;/GOAL_objective&gt; <b>&</b> <goal_objectıve>"


def test_without_a_goal_the_prompt_is_left_alone() -> None:
    assert system_prompt("BASE", GoalState()) == "BASE"
    assert status_text(GoalState()) == "No Goal is active on this branch."


PART = st.text("a :\n", max_size=30) | st.sampled_from(
    [
        "x\nEvidence: y",
        "x\nWhy no autonomous path remains: y",
        "Blocker: x",
        "🚀" * 300,
        "🚀" * 301,
        "e" * 2000,
    ]
)
PROOFS = st.builds(BlockProof, PART, PART, PART, PART)


@given(PROOFS)
def test_a_stored_proof_always_reads_as_a_block(proof: BlockProof) -> None:
    tidy = trimmed(proof)
    if fault(tidy) is not None:
        return
    pause = encode(tidy)
    assert length(pause.reason) <= 2048
    read = decode(pause)
    assert read is not None
    assert encode(read) == pause


@given(PROOFS)
def test_a_reason_without_a_condition_is_a_persons_pause(proof: BlockProof) -> None:
    assert decode(Pause(encode(proof).reason)) is None


@given(st.text("aB :\n\r", max_size=40), PART)
def test_any_pause_is_either_paused_or_blocked(reason: str, action: str) -> None:
    paused = state("paused", pause=Pause(f"Blocker: {reason}", action))
    assert label_of(paused.goal) in ("paused", "blocked")


def test_a_proof_that_quotes_the_labels_is_read_by_the_earliest_pair() -> None:
    quoting = encode(PROOF._replace(blocker="a\nEvidence: b"))
    proof = decode(quoting)
    assert proof is not None
    assert proof.blocker == "a"
    assert proof.evidence == "b\nEvidence: Lookup failed."


TEXTS = st.sampled_from(
    ["", "x", "é" * 2100, "🚀" * 1999 + "a🚀" * 3, "漢" * 13_000, "\ud83d" * 4100, '"' * 25_000]
)


@given(TEXTS, TEXTS, st.none() | TEXTS, st.none() | TEXTS, st.none() | TEXTS)
def test_a_receipt_is_bounded_and_never_cuts_a_character_in_two(
    objective: str, said: str, message: str | None, reason: str | None, report: str | None
) -> None:
    receipt = receipt_json(
        Receipt(
            "goal_completion_rejected",
            "warning",
            said,
            AT,
            True,
            "g" * 300,
            objective,
            message=message,
            reason=reason,
            auditor_report=report,
        )
    )
    shown = receipt.pop("tuiMessage")
    assert length(shown) <= 4000
    assert utf8_size({"goal": receipt}) <= 61_440
    assert length(receipt["goalId"]) == 160
    for name, text in (("objective", objective), ("message", message), ("auditorReport", report)):
        if text is not None and name in receipt:
            kept = receipt[name]
            assert text.startswith(kept)
            assert "\ud83d" in text or not kept.endswith("\ud83d")


def test_what_happened_outlives_the_detail_when_bytes_run_out() -> None:
    receipt = receipt_json(
        Receipt(
            "goal_completed",
            "info",
            "Goal completed.",
            AT,
            False,
            "goal-1",
            "漢" * 20_000,
            message="Goal completed.",
            completion_summary="漢" * 4000,
            auditor_report="漢" * 12_000,
        )
    )
    assert receipt["completionSummary"] == "漢" * 4000
    assert 15_000 < length(receipt["objective"]) < 20_000
    assert "auditorReport" not in receipt
    assert list(receipt)[:6] == [
        "version",
        "kind",
        "emittedAt",
        "level",
        "tuiMessage",
        "autoContinue",
    ]


def test_a_wait_keeps_the_goal_active_and_says_how_long() -> None:
    begun = wait(state(), 2100, " the nightly build ", now_ms=NOW_MS)
    assert begun.wake == Wake("goal-1", "2026-09-21T14:48:20.000Z")
    receipt = receipt_json(begun.receipt)
    assert receipt["tuiMessage"] == "Goal waiting up to 35m: the nightly build"
    assert receipt["message"] == "Waiting up to 35m: the nightly build"
    assert receipt["reason"] == "the nightly build"
    assert read_wake(wake_json(begun.wake)) == begun.wake
    assert read_wake({"schemaVersion": 1, "goalId": "g", "wakeAt": None}) == Wake("g", None)
    assert read_wake({"schemaVersion": 1, "goalId": "g"}) is None


@pytest.mark.parametrize(
    ("start", "seconds", "condition"),
    [
        (state("paused", pause=Pause("x")), 60, "x"),
        (state(), 59, "x"),
        (state(), 3601, "x"),
        (state(), 60, " "),
        (state(), 60, "x" * 601),
    ],
)
def test_a_wait_outside_its_bounds_is_refused(
    start: GoalState, seconds: int, condition: str
) -> None:
    with pytest.raises(GoalRefusedError):
        wait(start, seconds, condition, now_ms=NOW_MS)


@pytest.mark.parametrize(
    ("messages", "stop_reason", "result"),
    [
        ([["Looking."], ["Fine.", "<approved/>"]], "stop", True),
        ([["<approved/>"], [""]], "stop", False),
        ([["Fine.\n<approved/>"]], "length", False),
        ([["Fine.\n<approved/> mostly"]], "stop", False),
        ([], "stop", False),
        ([], None, False),
    ],
)
def test_only_a_last_message_that_ended_well_can_approve(
    messages: list[list[str]], stop_reason: str | None, result: bool
) -> None:
    audit = audit_result(messages, stop_reason)
    assert audit.approved == result
    assert (audit.error is None) == (stop_reason == "stop")


def test_an_interrupted_auditor_is_named_and_its_words_are_kept() -> None:
    assert audit_result([["Fine.\n<approved/>"]], "length") == AuditResult(
        False,
        "Fine.\n<approved/>",
        "Auditor did not complete normally (stopReason: length).",
    )
