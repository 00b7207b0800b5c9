"""What each act does to a goal in each state, and what happens when acts cross."""

import pytest

from ppgp_tui.pi import goal_session, goal_tools
from ppgp_tui.pi.block_proof import label_of
from ppgp_tui.pi.goal import Goal, GoalProposal, GoalState, Pause, Proposal
from ppgp_tui.pi.goal_machine import (
    CONTINUATION,
    AuditOrder,
    Done,
    GoalMachine,
    Question,
    Refused,
    Step,
)
from ppgp_tui.pi.goal_reading import read_proposal
from ppgp_tui.pi.goal_tools import Decision
from ppgp_tui.pi.verdict import AuditResult

LABELS = {"none", "active", "paused", "blocked", "complete"}
PROOF = ("blocker", "evidence", "whyNoAutonomousPathRemains", "unblockCondition")
NOW_MS = 1_790_000_000_000
AT = "2026-08-01T10:00:00.000Z"
BLOCK = Pause("Blocker: a\nEvidence: b\nWhy no autonomous path remains: c", "d")
STARTS = {
    "none": None,
    "active": Goal("g", "Ship it", "active", AT, AT),
    "paused": Goal("g", "Ship it", "paused", AT, AT, pause=Pause("Lunch")),
    "blocked": Goal("g", "Ship it", "paused", AT, AT, pause=BLOCK),
    "complete": Goal("g", "Ship it", "complete", AT, AT),
}
REFUSED = goal_tools.TOOLS_REFUSED
NONE = "No Goal is active on this branch."
EXISTS = "A Goal already exists. Use tweak_goal, set_goal_blocked, abandon_goal, or complete_goal."
SETTLING = "The Goal is already complete and awaiting final settlement."
ALREADY = "The Goal is already active."
TABLE: dict[str, tuple[str, str, str, str, str]] = {
    "propose": ("active", EXISTS, EXISTS, EXISTS, REFUSED),
    "tweak": (NONE, "active", "paused", "blocked", REFUSED),
    "block": (
        NONE,
        "blocked",
        "The Goal is paused, not active.",
        "The Goal is blocked, not active.",
        REFUSED,
    ),
    "resume": (NONE, ALREADY, "active", "active", REFUSED),
    "abandon": (NONE, "none", "none", "none", REFUSED),
    "complete, approved": (NONE, "complete", "complete", "complete", REFUSED),
    "complete, rejected": (NONE, "active", "active", "active", REFUSED),
    "/goal-pause": (
        NONE,
        "paused",
        "The Goal is paused, not active.",
        "The Goal is blocked, not active.",
        "The Goal is complete, not active.",
    ),
    "/goal-resume": (NONE, ALREADY, "active", "active", SETTLING),
    "/goal-abandon": (NONE, "none", "none", "none", SETTLING),
    "settle": ("none", "active", "paused", "blocked", "none"),
    "compact": ("none", "active", "paused", "blocked", "complete"),
}


def act(machine: GoalMachine, name: str) -> Step:
    def tool(tool_name: str, **arguments: str) -> Step:
        return goal_tools.call_tool(machine, tool_name, arguments, now_ms=NOW_MS)

    def decided(step: Step) -> Step:
        if isinstance(step.result, Refused):
            return step
        yes = Decision(confirmed=True)
        return goal_tools.decide(step.machine, yes, goal_id="new", now_ms=NOW_MS)

    def audited(step: Step, audit: AuditResult) -> Step:
        if isinstance(step.result, Refused):
            return step
        return goal_tools.finish_audit(step.machine, audit, now_ms=NOW_MS)

    match name:
        case "propose":
            return decided(tool("propose_goal", objective="New"))
        case "tweak":
            return decided(tool("tweak_goal", objective="Other"))
        case "block":
            return tool("set_goal_blocked", **dict.fromkeys(PROOF, "x"))
        case "resume":
            return tool("resume_goal")
        case "abandon":
            return tool("abandon_goal", reason="Not wanted")
        case "complete, approved":
            step = tool("complete_goal", summary="Done")
            return audited(step, AuditResult(True, "Fine\n<approved/>"))
        case "complete, rejected":
            return audited(tool("complete_goal", summary="Done"), AuditResult(False, ""))
        case "/goal-pause":
            return goal_session.pause(machine, "", now_ms=NOW_MS)
        case "/goal-resume":
            return goal_session.resume(machine, now_ms=NOW_MS)
        case "/goal-abandon":
            return goal_session.abandon(machine, "", now_ms=NOW_MS)
        case "settle":
            return goal_session.settled(machine, now_ms=NOW_MS)
    return goal_session.compacted(machine)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", TABLE)
def test_every_act_in_every_state_does_what_the_table_says(name: str, start: str) -> None:
    machine = GoalMachine(GoalState(7, STARTS[start]))
    expected = TABLE[name][list(STARTS).index(start)]
    step = act(machine, name)
    if expected in LABELS:
        assert label_of(step.machine.state.goal) == expected
        changed = step.machine.state != machine.state
        assert step.machine.state.revision == 7 + changed
    else:
        assert step.result == Refused(expected)
        assert step.machine.state == machine.state


def test_a_second_proposal_waits_for_the_first_decision() -> None:
    asked = goal_tools.call_tool(GoalMachine(), "propose_goal", {"objective": "One"}, now_ms=NOW_MS)
    assert asked.result == Question("Confirm Goal", "One")
    again = goal_tools.call_tool(asked.machine, "propose_goal", {"objective": "Two"}, now_ms=NOW_MS)
    assert isinstance(again.result, Refused)
    assert again.machine == asked.machine


def test_a_pause_during_the_dialog_outlives_the_confirmed_revision() -> None:
    machine = GoalMachine(GoalState(7, STARTS["active"]))
    asked = goal_tools.call_tool(machine, "tweak_goal", {"objective": "B"}, now_ms=NOW_MS)
    paused = goal_session.pause(asked.machine, "Wait", now_ms=NOW_MS)
    step = goal_tools.decide(paused.machine, Decision(confirmed=True), goal_id="new", now_ms=NOW_MS)
    goal = step.machine.state.goal
    assert goal is not None
    assert (goal.objective, goal.status, goal.pause) == ("B", "paused", Pause("Wait"))
    assert not step.machine.armed


def test_a_revision_never_reaches_another_goal() -> None:
    machine = GoalMachine(GoalState(7, STARTS["active"]))
    asked = goal_tools.call_tool(machine, "tweak_goal", {"objective": "B"}, now_ms=NOW_MS)
    gone = goal_session.abandon(asked.machine, "", now_ms=NOW_MS)
    step = goal_tools.decide(gone.machine, Decision(confirmed=True), goal_id="new", now_ms=NOW_MS)
    assert step.result == Refused(NONE)
    assert step.machine.proposal == GoalProposal(2)


def test_a_comment_that_is_too_long_ends_the_proposal_without_a_goal() -> None:
    asked = goal_tools.call_tool(GoalMachine(), "propose_goal", {"objective": "x"}, now_ms=NOW_MS)
    decision = Decision(True, "c" * 4001)
    step = goal_tools.decide(asked.machine, decision, goal_id="new", now_ms=NOW_MS)
    assert step.result == Refused(
        "Goal proposal comment exceeds the 4000-character producer state bound."
    )
    assert step.machine == GoalMachine(proposal=GoalProposal(2))


def test_a_declined_comment_is_quoted_too() -> None:
    asked = goal_tools.call_tool(GoalMachine(), "propose_goal", {"objective": "x"}, now_ms=NOW_MS)
    decision = Decision(False, " Not yet. ")
    step = goal_tools.decide(asked.machine, decision, goal_id="new", now_ms=NOW_MS)
    assert isinstance(step.result, Done)
    assert step.result.text.endswith('\n\nUser comment: "Not yet."')


def test_an_answer_to_nothing_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="no Goal proposal"):
        goal_tools.decide(GoalMachine(), Decision(True), goal_id="new", now_ms=NOW_MS)
    with pytest.raises(ValueError, match="no completion audit"):
        goal_tools.fail_audit(GoalMachine(), "x", now_ms=NOW_MS)


def test_time_is_counted_in_whole_seconds_since_the_run_began() -> None:
    machine = GoalMachine(GoalState(7, STARTS["active"]))
    started = goal_session.run_started(machine, now_ms=NOW_MS).machine
    step = goal_session.turn_ended(started, 0, now_ms=NOW_MS + 2999)
    goal = step.machine.state.goal
    assert goal is not None
    assert (goal.usage.tokens_used, goal.usage.active_seconds) == (0, 2)
    assert not goal_session.turn_ended(step.machine, 0, now_ms=NOW_MS + 3998).entries


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        ({"role": "assistant", "usage": {"input": 10.9, "output": 5, "cacheRead": 99}}, 15),
        ({"role": "assistant", "usage": {"input": -3, "output": 5}}, 5),
        ({"role": "assistant", "usage": {"input": "7", "output": True}}, 0),
        ({"role": "assistant", "usage": {"input": float("inf"), "output": 1}}, 1),
        ({"role": "user", "usage": {"input": 10, "output": 5}}, 0),
        ({"role": "assistant", "usage": None}, 0),
        (None, 0),
    ],
)
def test_only_what_the_assistant_read_and_wrote_counts(message: object, tokens: int) -> None:
    assert goal_session.turn_tokens(message) == tokens


def test_the_end_of_the_session_ends_its_audit_once() -> None:
    machine = GoalMachine(GoalState(7, STARTS["active"]))
    claimed = goal_tools.call_tool(machine, "complete_goal", {"summary": "s"}, now_ms=NOW_MS)
    assert isinstance(claimed.result, AuditOrder)
    closed = goal_session.shut_down(claimed.machine, now_ms=NOW_MS)
    assert [event.payload["active"] for event in closed.events] == [False]
    assert not goal_session.shut_down(closed.machine, now_ms=NOW_MS).events


def test_proposals_are_read_back_as_they_were_told() -> None:
    told = {
        "schemaVersion": 1,
        "revision": 3,
        "proposal": {"kind": "tweak", "objective": "B", "currentObjective": "A"},
    }
    assert read_proposal(told) == GoalProposal(3, Proposal("tweak", "B", "A"))
    assert read_proposal(told | {"proposal": None}) == GoalProposal(3)
    for broken in (
        told | {"revision": -1},
        told | {"extra": 1},
        {"schemaVersion": 1, "revision": 3},
        told | {"proposal": {"kind": "other", "objective": "B"}},
        told | {"proposal": {"kind": "create", "objective": " "}},
    ):
        assert read_proposal(broken) is None, broken


def test_a_goal_that_began_elsewhere_stands_when_a_proposal_is_confirmed() -> None:
    asked = goal_tools.call_tool(GoalMachine(), "propose_goal", {"objective": "One"}, now_ms=NOW_MS)
    elsewhere = GoalMachine(GoalState(8, STARTS["active"]), asked.machine.proposal)
    step = goal_tools.decide(elsewhere, Decision(True), goal_id="new", now_ms=NOW_MS)
    assert step.result == Refused(EXISTS)
    assert step.machine.state == elsewhere.state


def test_one_audit_runs_at_a_time() -> None:
    machine = GoalMachine(GoalState(7, STARTS["active"]))
    first = goal_tools.call_tool(machine, "complete_goal", {"summary": "s"}, now_ms=NOW_MS)
    again = goal_tools.call_tool(first.machine, "complete_goal", {"summary": "t"}, now_ms=NOW_MS)
    assert again.result == Refused("A completion audit is already running.")
    assert again.machine == first.machine


def test_an_audit_without_a_word_says_that_it_did_not_approve() -> None:
    step = act(GoalMachine(GoalState(7, STARTS["active"])), "complete, rejected")
    assert isinstance(step.result, Done)
    assert step.result.text.endswith("The independent auditor did not approve completion.")


def test_an_approval_without_a_report_leaves_the_goal_as_it_was() -> None:
    machine = GoalMachine(GoalState(7, STARTS["active"]))
    claimed = goal_tools.call_tool(machine, "complete_goal", {"summary": "s"}, now_ms=NOW_MS)
    step = goal_tools.finish_audit(claimed.machine, AuditResult(True, " \n"), now_ms=NOW_MS)
    assert step.result == Refused("Goal completion auditor report requires non-empty text.")
    assert step.machine == machine


def waiting() -> GoalMachine:
    call = {"delaySeconds": 60, "waitingFor": "the build"}
    machine = GoalMachine(GoalState(7, STARTS["active"]))
    step = goal_tools.call_tool(machine, "wait_goal", call, now_ms=NOW_MS)
    assert step.result == Done("Goal waiting up to 1m: the build", ends_run=True)
    assert step.machine.state == machine.state
    assert [entry.custom_type for entry in step.entries] == [
        "pi-goal-wake-v1",
        "pi-goal-receipt-v1",
    ]
    return step.machine


def test_a_waiting_goal_goes_on_when_its_time_has_come() -> None:
    machine = goal_session.run_ended(waiting(), "toolUse")
    assert goal_session.idle(machine).sent == ()
    assert goal_session.woken(machine, now_ms=NOW_MS + 59_999).machine.wake
    woken = goal_session.woken(machine, now_ms=NOW_MS + 60_000)
    assert [entry.data["wakeAt"] for entry in woken.entries] == [None]
    assert goal_session.idle(woken.machine).sent == (CONTINUATION,)


def test_any_run_ends_a_wait() -> None:
    step = goal_session.run_started(waiting(), now_ms=NOW_MS)
    assert [entry.data["wakeAt"] for entry in step.entries] == [None]
    assert step.machine.wake is None


def test_a_pause_ends_a_wait() -> None:
    step = goal_session.pause(waiting(), "", now_ms=NOW_MS)
    assert step.machine.wake is None
    assert step.entries[-1].data["wakeAt"] is None
    later = goal_session.woken(step.machine, now_ms=NOW_MS + 60_000)
    assert goal_session.idle(later.machine).sent == ()
