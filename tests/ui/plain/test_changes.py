"""What is told of a newer picture: what differs, once, the urgent first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.model import (
    Answer,
    Control,
    Handshake,
    Loops,
    Part,
    Problem,
    SessionSnapshot,
    SourceState,
    Watching,
)
from ppgp_tui.session.picture.audit_state import Audit, AuditState, Verdict
from ppgp_tui.session.picture.loop import Loop
from ppgp_tui.ui.plain.changes import TASKS_SAID, changes
from tests.ui import hostile, picture, picture_loops

HARMFUL = set("\x1b\x07\x7f\n\r\u2028\u202e\u2066\ufeff\x00") | set(map(chr, range(0x80, 0xA0)))
FULL = picture.full()
ONE, TWO = picture.requests()


def number(request: str) -> int:
    return 1 + [ONE.id, TWO.id].index(request) if request in (ONE.id, TWO.id) else 9


def said(after: SessionSnapshot, before: SessionSnapshot = FULL) -> list[str]:
    return list(changes(before, after, number))


def inbox(*requests: Any) -> SessionSnapshot:
    return replace(FULL, inbox=Part(requests))


def agents(**changed: Any) -> SessionSnapshot:
    first, *others = FULL.agents.value
    return replace(FULL, agents=Part((first._replace(**changed), *others)))


def test_nothing_is_told_of_the_same_picture_however_much_later() -> None:
    assert said(replace(FULL, at_ms=FULL.at_ms + 3_600_000)) == []


def test_a_new_request_is_told_whole_after_how_many_there_are() -> None:
    lines = said(FULL, inbox(ONE))
    assert lines[0] == "2 requests for you, oldest 6 minutes."
    assert lines[1].startswith("New request 2: Run the soak script on the staging copy? Class C")
    assert lines[2:] == []


def test_a_reworded_request_is_told_again() -> None:
    other = TWO._replace(question="Run it on production?", digest="sha256:" + "9" * 64)
    (line,) = said(inbox(ONE, other))
    assert line.startswith("Request 2 changed, read it again: Run it on production?")


def test_how_an_answer_goes_on_its_way_is_told_step_by_step() -> None:
    answered = TWO._replace(state="answered", answer=Answer("dec_1", 1, "user:ann", option="yes"))
    delivered = answered._replace(state="delivered")
    assert said(inbox(ONE, answered)) == [
        "1 request for you, oldest 6 minutes.",
        "Request 2 is answered: yes.",
    ]
    assert said(inbox(ONE, delivered), inbox(ONE, answered)) == [
        "Request 2 is answered, and the one who asked has the answer: yes."
    ]


def test_a_time_out_is_not_called_a_no() -> None:
    lines = said(inbox(ONE, TWO._replace(state="expired")))
    assert "Request 2 expired, nobody answered." in lines


def test_the_last_request_that_goes_leaves_nothing_waiting() -> None:
    assert said(inbox(), inbox(ONE))[0] == "Nothing waits for you."


def test_a_loop_that_needs_a_person_is_among_what_waits() -> None:
    asks = replace(inbox(ONE), loops=Part(Loops((picture_loops.asking(),))))
    lines = said(asks, inbox(ONE))
    assert lines[0] == "1 request and 1 restart loop for you, oldest 6 minutes."
    assert lines[1].startswith("Restart loop kill-points, run 5 of 20: it needs you,")
    alone = replace(inbox(), loops=asks.loops)
    assert said(alone, inbox())[0] == "1 restart loop for you, oldest 3 minutes."
    assert said(inbox(), alone)[0] == "Nothing waits for you."
    assert said(asks, asks) == []


def test_a_pause_is_told_as_it_is_asked_taken_broken_and_over() -> None:
    def paused(*handshake: Handshake) -> SessionSnapshot:
        return replace(
            FULL, control=Part(Control(3, "hold_1", FULL.at_ms - 2_000, handshake=handshake))
        )

    asked = paused(Handshake("claude-5f1e", "requested", FULL.at_ms))
    held = paused(Handshake("claude-5f1e", "held", FULL.at_ms))
    broken = paused(Handshake("claude-5f1e", "violated", FULL.at_ms, 2))
    assert said(asked)[0] == "A pause is asked for, for 2 seconds."
    assert said(held, asked) == ["claude-5f1e is held, for 0 seconds."]
    assert said(broken, held) == ["claude-5f1e broke the pause, 2 events since."]
    assert "The pause is over: agents go on." in said(FULL, broken)


def test_an_agent_is_told_when_its_state_changes_not_with_every_call() -> None:
    assert said(agents(contact_ms=FULL.at_ms, last_tool="Bash ls")) == []
    (line,) = said(agents(state="idle", since_ms=FULL.at_ms - 1_000))
    assert line.startswith("claude-5f1e idle, since 1 second ago")


def test_an_agent_that_vanishes_is_told() -> None:
    gone = replace(FULL, agents=Part(FULL.agents.value[1:]))
    assert said(gone) == ["claude-5f1e is no longer connected."]


def test_phase_goal_and_conditions_are_told_when_they_differ() -> None:
    goal = FULL.goal.value
    done = goal.dod[3]._replace(state="done")
    after = goal._replace(phase="HARDEN", dod=(*goal.dod[:3], done, *goal.dod[4:]))
    assert said(replace(FULL, goal=Part(after))) == [
        "The phase is HARDEN.",
        "Condition 4, done, line 30: A killed import resumes, no row twice",
    ]


def test_a_claim_is_not_told_as_done_and_a_verdict_is_told_with_its_reason() -> None:
    claimed = replace(FULL, audit=Part(Audit("claimed")))
    verdict = Verdict("eval_1", "rejected", "row 812 is written twice", FULL.at_ms - 60_000)
    rejected = replace(FULL, audit=Part(Audit("rejected", False, verdicts=(verdict,))))
    stale = replace(FULL, audit=Part(Audit("stale", True, ("plan",), (verdict,))))
    assert said(claimed) == ["The goal is claimed done; no audit has looked at it."]
    assert said(rejected, claimed) == [
        "The audit rejected the claim, 1 minute ago: row 812 is written twice."
    ]
    assert said(stale, rejected) == ["The verdict of the audit no longer fits: plan moved since."]


@pytest.mark.parametrize("state", get_args(AuditState))
def test_every_state_of_an_audit_has_words(state: AuditState) -> None:
    (line,) = said(replace(FULL, audit=Part(Audit(state))))
    assert line.endswith(".")


def test_a_blocker_that_goes_is_told() -> None:
    goal = FULL.goal.value
    lines = said(replace(FULL, goal=Part(goal._replace(blockers=goal.blockers[1:]))))
    assert lines == ["No longer in the way: Drop the old cursor column: owner decides."]


def test_a_revision_is_told_with_what_it_changed() -> None:
    plan = FULL.plan.value
    seventh = plan.tasks[6]._replace(state="running")
    tasks = (*plan.tasks[:6], seventh, *plan.tasks[7:11])
    after = plan._replace(revision=15, tasks=tasks, changed_ms=FULL.at_ms - 3_000)
    assert said(replace(FULL, plan=Part(after))) == [
        "The plan is at revision 15 by claude, 3 seconds ago.",
        "Task T7, running, needs T3: Make row writes idempotent.",
        "Task T12 is no longer in the plan: Write the runbook.",
    ]


def test_a_plan_written_anew_is_not_told_task_by_task() -> None:
    plan = FULL.plan.value
    tasks = tuple(task._replace(subject=f"{task.subject} anew") for task in plan.tasks)
    lines = said(replace(FULL, plan=Part(plan._replace(tasks=tasks))))
    assert len(lines) == TASKS_SAID + 1
    assert lines[-1] == f"And {len(tasks) - TASKS_SAID} more tasks changed."


def test_of_many_new_events_the_last_are_told_and_how_many_there_were() -> None:
    few, many = said(picture.grown(FULL, 2)), said(picture.grown(FULL, 40))
    assert len(few) == 2
    assert len(many) == 4
    assert many[-1] == "Those are the last of 40 new events."


def test_a_problem_is_told_once_though_its_age_grows_and_told_when_it_is_over() -> None:
    def with_problem(age: str) -> SessionSnapshot:
        found = Problem("hand-edit", ".ppgp/todo.json", None, f"edited by hand {age} ago", "adopt")
        return replace(FULL, problems=(found,))

    assert said(with_problem("3m")) == [
        ".ppgp/todo.json: edited by hand 3m ago. What to do: adopt."
    ]
    assert said(with_problem("4m"), with_problem("3m")) == []
    assert said(FULL, with_problem("4m")) == ["No longer wrong: edited by hand 4m ago."]


def test_a_file_that_cannot_be_read_is_told_and_so_is_a_picture_that_stands_still() -> None:
    unread = SourceState("events", "state/events.jsonl", "unread", why="permission denied")
    still = Watching("stale", None, FULL.at_ms, "no more watches")
    after = replace(FULL, sources=(unread,), watching=still)
    assert said(after) == [
        "state/events.jsonl cannot be read: permission denied.",
        "Changes are no longer seen: no more watches.",
    ]
    assert said(FULL, after) == [
        "state/events.jsonl can be read again.",
        "Changes are seen again.",
    ]


def test_what_needs_a_person_is_told_first() -> None:
    goal = FULL.goal.value._replace(phase="SHIP")
    lines = said(replace(FULL, goal=Part(goal)), replace(FULL, inbox=Part((ONE,))))
    assert lines[0].startswith("2 requests for you")
    assert lines[-1] == "The phase is SHIP."


@given(st.sampled_from(hostile.HOSTILE))
def test_whatever_a_file_says_is_one_harmless_line(text: str) -> None:
    changed = ONE._replace(question=text, why=text, evidence=text, tool=text, tool_input=text,
                           digest="sha256:0", asker=text, cwd=text)  # fmt: skip
    for line in said(inbox(changed, TWO)):
        assert not set(line) & HARMFUL


@pytest.mark.parametrize("empty_first", [True, False])
def test_from_nothing_to_everything_and_back_no_line_is_empty(empty_first: bool) -> None:
    before, after = (picture.empty(), FULL) if empty_first else (FULL, picture.empty())
    lines = said(after, before)
    assert lines
    assert all(line.strip() == line and line for line in lines)


# --- restart loops ------------------------------------------------------------------------------


def loops(*shown: Loop) -> SessionSnapshot:
    return replace(FULL, loops=Part(Loops(shown)))


RUNS = picture_loops.running()


def test_a_loop_that_begins_is_told_and_its_next_run_is_not() -> None:
    begins = said(loops(RUNS))
    assert begins == ["Restart loop kill-points, run 5 of 20: its agent works."]
    assert said(loops(RUNS._replace(iteration=6)), loops(RUNS)) == []
    assert said(loops(RUNS._replace(phase="checking")), loops(RUNS)) == []


def test_a_wait_a_hold_and_a_runner_that_is_gone_are_told() -> None:
    waits = RUNS._replace(state="PAUSED", phase="rate_limited", until_ms=FULL.at_ms + 180_000)
    assert said(loops(waits), loops(RUNS)) == [
        "Restart loop kill-points, run 5 of 20: waits because of a rate limit, again in 3 minutes."
    ]
    over = waits._replace(state="ITERATING", until_ms=FULL.at_ms - 10)
    assert said(loops(over), loops(waits)) == [], "the row of the next run says no second wait"
    pause = picture_loops.paused().pause
    assert said(loops(RUNS._replace(phase="paused", pause=pause)), loops(RUNS)) == [
        "Restart loop kill-points, run 5 of 20: held by a person, the staging copy is in use."
    ]
    gone = RUNS._replace(phase=None, runner=picture_loops.GONE)
    assert said(loops(gone), loops(RUNS)) == [
        "Restart loop kill-points, run 5 of 20: nobody runs it any more, its process is gone;"
        f" ppgp-tui persist abandon {RUNS.id} closes it."
    ]


def test_how_a_loop_ended_is_told_once_and_older_ends_are_not() -> None:
    closed = RUNS._replace(open=False, phase=None)
    over = closed._replace(state="BUDGET_EXHAUSTED", reason="max_iterations")
    assert said(loops(over), loops(RUNS)) == [
        "Restart loop kill-points used up its budget at run 5: all its runs are over."
    ]
    assert said(loops(over), loops(over)) == []
    assert said(loops(over)) == []
    done = closed._replace(state="SUCCESS", reason="success_condition matched")
    assert said(loops(done._replace(why="STATUS.md line 3")), loops(RUNS)) == [
        "Restart loop kill-points reached its condition at run 5: STATUS.md line 3."
    ]
    assert said(loops(done), loops(RUNS)) == [
        "Restart loop kill-points reached its condition at run 5."
    ]
    dropped = closed._replace(state="ABANDONED", reason="too dear")
    assert said(loops(dropped), loops(RUNS)) == [
        "Restart loop kill-points was abandoned at run 5: too dear."
    ]


def test_loops_of_other_places_are_not_told() -> None:
    assert said(loops(picture_loops.elsewhere())) == []
