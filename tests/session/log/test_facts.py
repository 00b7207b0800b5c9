"""What the log says about phases, plan, blockers and requests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.session.log.facts import LogSays
from ppgp_tui.session.log.tail import LogTail
from tests.session.log.writing import event

LOG = "state/events.jsonl"
START = 1_790_000_000_000


class Story:
    """A log told event by event; the time is the number of the event in seconds."""

    def __init__(self, root: Path) -> None:
        self.path = root / LOG
        self.path.parent.mkdir()
        self.path.touch()
        self.tail = LogTail(root, LOG, lambda: START + 3_600_000)
        self.number = 0

    def tell(self, kind: str, payload: Any, **members: Any) -> LogSays:
        self.number += 1
        with self.path.open("ab") as file:
            file.write(event(self.number, kind, payload, **members))
        return self.tail.look().says


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return Story(tmp_path)


def plan(revision: int, **tasks: str) -> dict[str, Any]:
    listed = [{"key": key, "subject": key, "status": status} for key, status in tasks.items()]
    state = {"schemaVersion": 1, "revision": revision, "tasks": listed}
    return {"revision": revision, "base_revision": revision - 1, "state": state, "digest": "d"}


def test_phases_follow_each_other_and_a_step_back_is_marked(story: Story) -> None:
    story.tell("goal.phase_changed", {"from": None, "to": "THINK"})
    story.tell("goal.phase_changed", {"from": "THINK", "to": "EXECUTE"})
    says = story.tell("goal.phase_changed", {"from": "EXECUTE", "to": "FREEZE"})
    assert [(p.phase, p.since_ms, p.until_ms, p.backwards) for p in says.phases] == [
        ("THINK", START + 1000, START + 2000, False),
        ("EXECUTE", START + 2000, START + 3000, False),
        ("FREEZE", START + 3000, None, True),
    ]


def test_the_newest_plan_counts_and_each_task_knows_its_last_change(story: Story) -> None:
    story.tell("todo.revised", plan(1, a="pending", b="pending"))
    says = story.tell("todo.revised", plan(2, a="completed", b="pending", c="pending"))
    assert says.plan is not None
    assert (says.plan.revision, says.plan.revisions) == (2, 2)
    assert (says.plan.changed_ms, says.plan.changed_by) == (START + 2000, "demo")
    assert says.plan.origin.line == 2
    assert dict(says.plan.task_changed) == {
        "a": START + 2000,
        "b": START + 1000,
        "c": START + 2000,
    }


def test_what_a_revision_changed_is_known_by_its_event(story: Story) -> None:
    story.tell("todo.revised", plan(1, a="pending", b="pending"))
    says = story.tell("todo.revised", plan(2, a="completed", c="pending"))
    assert says.names[f"event_{2:032x}"] == "+1 ~1 /1"


def test_what_a_status_was_before_is_known_by_its_event(story: Story) -> None:
    story.tell("task.created", {"id": "todo:T4", "title": "Test", "status": "InProgress"})
    says = story.tell("task.status_changed", {"task_id": "todo:T4", "status": "Done"})
    assert says.names[f"event_{2:032x}"] == "InProgress"


def test_a_blocker_stands_until_it_is_cleared(story: Story) -> None:
    raised = {"id": "blk_1", "class": "B", "text": "window", "scope": "T8", "blocks": ["todo:T8"]}
    says = story.tell("blocker.raised", raised)
    assert [(b.klass, b.text, b.blocks, b.actor) for b in says.blockers] == [
        ("B", "window", ("T8",), "demo")
    ]
    assert story.tell("blocker.cleared", {"id": "blk_1", "reason": "open"}).blockers == ()


def test_a_request_walks_from_waiting_to_acted_on(story: Story) -> None:
    request = {
        "question": "Drop it?",
        "class": "C",
        "frees": ["todo:T8"],
        "options": [{"key": "a", "label": "Now"}, {"key": "b", "label": "Later", "detail": "x"}],
        "recommended": "b",
        "asker": {"actor": "agent:claude-1", "session": "claude-1"},
    }
    says = story.tell("authority.requested", {"id": "req_1", "digest": "d", "request": request})
    (asked,) = says.requests
    assert (asked.state, asked.question, asked.frees) == ("waiting", "Drop it?", ("T8",))
    assert (asked.asker, asked.created_ms, asked.recommended) == ("claude-1", START + 1000, "b")
    assert [(option.key, option.label, option.detail) for option in asked.options] == [
        ("a", "Now", None),
        ("b", "Later", "x"),
    ]
    answer = {"id": "dec_1", "status": "Approved", "metadata": {"request": "req_1"}}
    assert story.tell("decision.created", answer).requests[0].state == "answered"
    delivered = {"id": "req_1", "attempt": 1, "decision": "dec_1"}
    assert story.tell("authority.delivered", delivered).requests[0].state == "delivered"
    assert story.tell("authority.consumed", delivered).requests[0].state == "acted_on"


def test_an_answer_taken_back_waits_again(story: Story) -> None:
    story.tell("authority.requested", {"id": "req_1", "request": {"question": "?"}})
    answer = {"id": "dec_1", "status": "Approved", "metadata": {"request": "req_1"}}
    story.tell("decision.created", answer)
    back = {"decision_id": "dec_1", "status": "Superseded", "reason": "no"}
    (request,) = story.tell("decision.status_changed", back).requests
    assert (request.state, request.is_open) == ("taken_back", True)


def test_a_withdrawn_request_no_longer_waits(story: Story) -> None:
    story.tell("authority.requested", {"id": "req_1", "request": {"question": "?"}})
    says = story.tell("authority.withdrawn", {"id": "req_1", "reason": "asker"})
    assert says.requests[0].state == "withdrawn"


def test_old_closed_requests_are_let_go_and_open_ones_never(story: Story) -> None:
    story.tell("authority.requested", {"id": "req_open", "request": {"question": "still?"}})
    for number in range(60):
        story.tell("authority.requested", {"id": f"req_{number}", "request": {"question": "?"}})
        says = story.tell("authority.withdrawn", {"id": f"req_{number}", "reason": "asker"})
    assert len(says.requests) == 51
    assert says.requests[0].id == "req_open"


def test_the_pulse_counts_the_events_of_the_last_hour(story: Story) -> None:
    now = START + 3_600_000
    for ago_s in (10, 20, 90, 3 * 3600):
        says = story.tell("tool.called", {}, ts_ms=now - ago_s * 1000)
    pulse = says.pulse(now)
    assert len(pulse) == 60
    assert sum(pulse) == 3
    assert sum(pulse[-3:]) == 3


@pytest.mark.parametrize("payload", [None, [], "x", 7, {}, {"id": 5}, {"state": []}, {"state": {}}])
def test_payloads_of_the_wrong_shape_say_nothing(story: Story, payload: Any) -> None:
    for kind in (
        "goal.created", "goal.phase_changed", "goal.status_changed", "task.created",
        "task.status_changed", "todo.revised", "run.started", "blocker.raised", "blocker.cleared",
        "authority.requested", "authority.delivered", "authority.withdrawn", "decision.created",
        "decision.status_changed",
    ):  # fmt: skip
        says = story.tell(kind, payload)
    assert says.requests == ()
    assert says.phases == ()


def test_a_torn_apart_request_is_read_as_far_as_it_goes(story: Story) -> None:
    broken = {"question": 5, "options": [3, {"label": "no key"}], "frees": "T1", "asker": "x"}
    says = story.tell("authority.requested", {"id": "req_1", "request": broken})
    (request,) = says.requests
    assert (request.question, request.options, request.frees) == ("", (), ())


def test_lines_beside_a_log_without_a_goal_of_ours_are_taken_in_too(story: Story) -> None:
    story.tell("goal.created", {"id": "goal_1", "title": "Somebody else's", "status": "Open"})
    further = story.tail.says_with([event(9, "todo.revised", plan(1, a="pending")).strip()])
    assert further is not None
    assert further.plan is not None
    assert story.tail.look().says.plan is None
