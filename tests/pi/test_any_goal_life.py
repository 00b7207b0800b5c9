"""What always holds for a goal, whatever is done to it and in whatever order."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ppgp_tui.pi import goal_session, goal_tools
from ppgp_tui.pi.block_proof import label_of
from ppgp_tui.pi.goal import state_json
from ppgp_tui.pi.goal_machine import (
    AuditOrder,
    GoalMachine,
    Question,
    Refused,
    Step,
)
from ppgp_tui.pi.goal_reading import read_state
from ppgp_tui.pi.goal_text import prompt_block
from ppgp_tui.pi.goal_tools import Decision
from ppgp_tui.pi.javascript import length, utf8_size
from ppgp_tui.pi.verdict import AuditResult

LABELS = {"none", "active", "paused", "blocked", "complete"}
RECEIPT_LIMITS = {
    "goalId": 160,
    "objective": 20_000,
    "changeSummary": 2000,
    "reason": 2000,
    "suggestedAction": 2000,
    "completionSummary": 4000,
    "auditorReport": 12_000,
    "message": 4000,
    "tuiMessage": 4000,
}
TEXTS = {
    "plain": "Do it",
    "padded": "  padded\n",
    "empty": "",
    "blank": " \ufeff",
    "a part at its limit": "x" * 600,
    "a part too long": "x" * 601,
    "a reason at its limit": "🚀" * 1024,
    "a reason too long": "🚀" * 1025,
    "a summary at its limit": "🚀" * 2000,
    "a summary too long": "y" * 4001,
    "a report at its limit": "漢" * 12_000,
    "a long objective": "漢" * 30_000,
    "an objective too long": "z" * 131_073,
    "looks like a block": "Blocker: a\nEvidence: b\nWhy no autonomous path remains: c",
    "half a character": "half \ud83d",
}


def text_named(name: str) -> str:
    return TEXTS[name]


TEXT = st.sampled_from(sorted(TEXTS)).map(text_named)
TOOLS = {
    "propose_goal": ("objective",),
    "tweak_goal": ("objective",),
    "set_goal_blocked": (
        "blocker",
        "evidence",
        "whyNoAutonomousPathRemains",
        "unblockCondition",
    ),
    "resume_goal": (),
    "abandon_goal": ("reason",),
    "complete_goal": ("summary",),
    "wait_goal": ("delaySeconds", "waitingFor"),
}


class AnyLife(RuleBasedStateMachine):
    """Any order of tool calls, answers, commands and session events."""

    def __init__(self) -> None:
        super().__init__()
        self.machine = GoalMachine()
        self.now_ms = 1_790_000_000_000
        self.goals = 0

    def take(self, step: Step) -> None:
        before, after = self.machine.state, step.machine.state
        if isinstance(step.result, Refused | Question | AuditOrder):
            assert after == before
        if after != before:
            assert after.revision == before.revision + 1
        states = [entry.data for entry in step.entries if entry.custom_type.endswith("state-v1")]
        assert len(states) <= 1
        if after != before:
            assert states == [state_json(after)]
        for entry in step.entries:
            if entry.custom_type == "pi-goal-receipt-v1":
                check_receipt(dict(entry.data))
        for message in step.sent:
            assert after.goal is not None
            assert after.goal.status == "active"
            assert message.content == "Continue the Goal."
        self.machine = step.machine

    def later(self) -> int:
        self.now_ms += 1
        return self.now_ms

    @rule(tool=st.sampled_from(sorted(TOOLS)), texts=st.lists(TEXT, min_size=4, max_size=4))
    def a_tool_is_called(self, tool: str, texts: list[str]) -> None:
        arguments: dict[str, Any] = dict(zip(TOOLS[tool], texts, strict=False))
        if "delaySeconds" in arguments:
            arguments["delaySeconds"] = 60 + len(texts[0]) % 3600
        self.take(goal_tools.call_tool(self.machine, tool, arguments, now_ms=self.later()))

    @rule(objective=st.sampled_from(["plain", "padded", "a long objective"]).map(text_named))
    def a_goal_is_proposed(self, objective: str) -> None:
        call = {"objective": objective}
        self.take(goal_tools.call_tool(self.machine, "propose_goal", call, now_ms=self.later()))

    @rule()
    def the_agent_proves_a_block(self) -> None:
        call = dict.fromkeys(TOOLS["set_goal_blocked"], "all of it")
        self.take(goal_tools.call_tool(self.machine, "set_goal_blocked", call, now_ms=self.later()))

    @precondition(lambda self: self.machine.proposal.proposal)
    @rule(confirmed=st.booleans(), comment=st.none() | TEXT)
    def the_user_decides(self, confirmed: bool, comment: str | None) -> None:
        self.goals += 1
        self.take(
            goal_tools.decide(
                self.machine,
                Decision(confirmed, comment),
                goal_id=f"goal-{self.goals}",
                now_ms=self.later(),
            )
        )

    @precondition(lambda self: self.machine.proposal.proposal)
    @rule()
    def nobody_can_be_asked(self) -> None:
        self.take(goal_tools.cannot_ask(self.machine))

    @precondition(lambda self: self.machine.audit)
    @rule(approved=st.booleans(), output=TEXT, error=st.none() | TEXT)
    def the_auditor_is_done(self, approved: bool, output: str, error: str | None) -> None:
        audit = AuditResult(approved, output, error)
        self.take(goal_tools.finish_audit(self.machine, audit, now_ms=self.later()))

    @precondition(lambda self: self.machine.audit)
    @rule()
    def the_auditor_cannot_run(self) -> None:
        self.take(goal_tools.fail_audit(self.machine, "no model", now_ms=self.later()))

    @rule(reason=TEXT)
    def the_user_pauses(self, reason: str) -> None:
        self.take(goal_session.pause(self.machine, reason, now_ms=self.later()))

    @rule()
    def the_user_resumes(self) -> None:
        self.take(goal_session.resume(self.machine, now_ms=self.later()))

    @rule(reason=TEXT)
    def the_user_abandons(self, reason: str) -> None:
        self.take(goal_session.abandon(self.machine, reason, now_ms=self.later()))

    @rule(stop=st.sampled_from(["stop", "length", "toolUse", "error", "aborted", None]))
    def a_run_ends(self, stop: str | None) -> None:
        self.machine = goal_session.run_ended(self.machine, stop)

    @rule()
    def pi_is_idle(self) -> None:
        self.take(goal_session.idle(self.machine))
        assert not self.machine.armed

    @rule(tokens=st.integers(0, 5000), ms=st.integers(0, 100_000))
    def a_turn_is_counted(self, tokens: int, ms: int) -> None:
        prompt = prompt_block(self.machine.state)
        self.take(goal_session.run_started(self.machine, now_ms=self.later()))
        self.now_ms += ms
        self.take(goal_session.turn_ended(self.machine, tokens, now_ms=self.now_ms))
        assert prompt_block(self.machine.state) == prompt

    @rule()
    def all_work_is_over(self) -> None:
        self.take(goal_session.settled(self.machine, now_ms=self.later()))
        again = goal_session.settled(self.machine, now_ms=self.later())
        assert not again.entries

    @rule(ms=st.integers(0, 3_600_000))
    def time_passes(self, ms: int) -> None:
        self.now_ms += ms
        self.take(goal_session.woken(self.machine, now_ms=self.now_ms))

    @rule()
    def the_context_is_compacted(self) -> None:
        self.take(goal_session.compacted(self.machine))

    @rule()
    def the_session_is_opened_again(self) -> None:
        revision = self.machine.proposal.revision
        self.take(goal_session.restore(self.machine.state, revision))
        assert self.machine.armed == (label_of(self.machine.state.goal) == "active")

    @invariant()
    def the_state_is_one_pi_could_have_written(self) -> None:
        assert read_state(state_json(self.machine.state)) == self.machine.state

    @invariant()
    def the_label_is_one_of_the_five(self) -> None:
        assert label_of(self.machine.state.goal) in LABELS

    @invariant()
    def a_goal_has_what_its_status_says(self) -> None:
        goal = self.machine.state.goal
        if goal is not None:
            assert (goal.pause is not None) == (goal.status == "paused")
            assert (goal.completion is not None) == (goal.status == "complete")

    @invariant()
    def nothing_goes_on_while_waiting(self) -> None:
        assert not (self.machine.wake and self.machine.armed)


def check_receipt(receipt: dict[str, Any]) -> None:
    for name, most in RECEIPT_LIMITS.items():
        assert length(receipt.get(name, "")) <= most, name
    del receipt["tuiMessage"]
    assert utf8_size({"goal": receipt}) <= 61_440


AnyLife.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
TestAnyLife = AnyLife.TestCase
