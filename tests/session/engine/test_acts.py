"""Every act leaves a log that keeps the rules, and does what its row of the event table says."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.pi import goal_acts
from ppgp_tui.pi.block_proof import BlockProof
from ppgp_tui.pi.verdict import AuditResult
from ppgp_tui.session.engine import blockers, goals, pauses, plans, requests
from ppgp_tui.session.engine.draft import Actor, Draft
from ppgp_tui.session.engine.ledger import Ledger
from ppgp_tui.session.journal.results import RefusalError
from tests.session.engine.desk import CLAUDE, CODEX, HUMAN, Desk
from tests.session.engine.rules import broken, graph

PROOF = BlockProof("No key.", "The lookup failed.", "Every step needs it.", "The key exists.")


def task(key: str, status: str = "pending", after: tuple[str, ...] = ()) -> dict[str, Any]:
    made: dict[str, Any] = {"key": key, "subject": f"Do {key}", "status": status}
    return made | ({"dependsOn": list(after)} if after else {})


def question(desk: Desk, actor: Actor = CLAUDE, **more: Any) -> dict[str, Any]:
    return requests.build(
        request_id=desk.new_id("req"),
        repo="r1",
        question=more.pop("question", "Publish 0.2.0?"),
        asker={"actor": actor.id, "cwd": "/x"},
        created_ms=desk.now_ms,
        **more,
    )


def yes(desk: Desk, **more: Any) -> dict[str, Any]:
    return {
        "decision": desk.new_id("dec"),
        "attempt": 1,
        "option": "yes",
        "signed": "{}",
        **more,
    }


def planned() -> Desk:
    desk = Desk()
    desk.act(HUMAN, goals.start, "Retry survives a timeout\nand says so")
    call = {"baseRevision": 0, "tasks": [task("a"), task("b", after=("a",))]}
    desk.act(CLAUDE, plans.revise, call)
    return desk


def test_a_goal_made_by_a_person_starts_the_chain_and_has_its_node() -> None:
    desk = Desk()
    made = desk.act(HUMAN, goals.start, "Retry survives a timeout\nand says so")
    assert desk.kinds() == ["goal.created", "state.ops_applied"]
    assert desk.events[0]["causation_id"] is None
    node = graph(desk.events)[0][made["goal"]]
    assert node["props"]["title"] == "Retry survives a timeout"
    assert node["props"]["status"] == "InProgress"
    assert broken(desk.events) == []


def test_the_first_act_without_any_cause_begins_the_session() -> None:
    desk = Desk()
    desk.act(CLAUDE, plans.revise, {"tasks": [task("a")]})
    assert desk.kinds()[:2] == ["session.started", "todo.revised"]
    assert desk.events[1]["causation_id"] == desk.events[0]["id"]
    assert broken(desk.events) == []


def test_a_plan_is_recorded_whole_before_its_tasks_and_its_own_pair_comes_last() -> None:
    desk = planned()
    assert desk.kinds()[2:] == [
        "todo.revised",
        "task.created", "state.ops_applied",
        "task.created", "state.ops_applied",
        "state.ops_applied",
    ]  # fmt: skip
    assert ("todo:b", "depends_on", "todo:a") in graph(desk.events)[1]


def test_a_dropped_unfinished_task_is_abandoned_and_buried_with_its_reason() -> None:
    desk = planned()
    call = {"tasks": [task("a")], "remove": [{"key": "b", "reason": "out of scope"}]}
    desk.act(CLAUDE, plans.revise, call)
    nodes, relations, _ = graph(desk.events)
    assert nodes["todo:b"]["tombstoned"]
    assert nodes["todo:b"]["props"]["status"] == "Abandoned"
    assert ("todo:b", "depends_on", "todo:a") not in relations


def test_a_key_that_comes_back_is_created_anew() -> None:
    desk = planned()
    call = {"tasks": [task("a")], "remove": [{"key": "b", "reason": "out"}]}
    desk.act(CLAUDE, plans.revise, call)
    desk.act(CLAUDE, plans.revise, {"tasks": [task("a"), task("b")]})
    assert not graph(desk.events)[0]["todo:b"]["tombstoned"]
    assert broken(desk.events) == []


def test_a_stale_plan_changes_nothing_and_says_so_in_pis_words() -> None:
    desk = planned()
    before = list(desk.events)
    with pytest.raises(RefusalError, match="Stale Todo revision 0; current revision is 1") as said:
        desk.act(CLAUDE, plans.revise, {"baseRevision": 0, "tasks": []})
    assert said.value.refused.code == "stale"
    assert desk.events == before


def test_a_blocked_goal_blocks_in_the_graph_until_it_is_resumed() -> None:
    desk = planned()
    made = desk.act(CLAUDE, goals.block, PROOF)
    goal = made["goal"]
    assert graph(desk.events)[0][goal]["props"]["status"] == "Blocked"
    assert (made["blocker"], "blocks", goal) in graph(desk.events)[1]
    desk.act(HUMAN, goals.resume)
    assert desk.ledger.blockers == {}
    assert graph(desk.events)[0][goal]["props"]["status"] == "InProgress"
    assert broken(desk.events) == []


def test_an_answer_approves_the_request_and_is_then_delivered_and_acted_on() -> None:
    desk = planned()
    asked = desk.act(CLAUDE, requests.ask, question(desk, frees=("todo:a",)))
    desk.act(HUMAN, requests.answer, asked["request"], yes(desk), seen_digest=asked["digest"])
    desk.act(CLAUDE, requests.deliver, asked["request"], "claude-1")
    assert requests.delivered_to(desk.ledger, "claude-1") == [asked["request"]]
    desk.act(CLAUDE, requests.consume, asked["request"])
    assert desk.ledger.requests[asked["request"]]["state"] == "acted_on"
    assert graph(desk.events)[0][asked["request"]]["props"]["status"] == "Approved"
    assert broken(desk.events) == []


def test_an_answer_to_a_changed_request_is_refused() -> None:
    desk = planned()
    asked = desk.act(CLAUDE, requests.ask, question(desk))
    with pytest.raises(RefusalError, match="read it again") as said:
        desk.act(HUMAN, requests.answer, asked["request"], yes(desk), seen_digest="sha256:other")
    assert said.value.refused.code == "stale"


def test_an_answer_after_expiry_is_its_own_outcome_and_never_a_no() -> None:
    desk = planned()
    asked = desk.act(CLAUDE, requests.ask, question(desk, expires_ms=desk.now_ms + 1500))
    desk.now_ms += 10_000
    with pytest.raises(RefusalError, match="nobody answered") as said:
        desk.act(HUMAN, requests.answer, asked["request"], yes(desk))
    assert said.value.refused.code == "expired"


def test_a_second_answer_is_told_who_was_first() -> None:
    desk = planned()
    asked = desk.act(CLAUDE, requests.ask, question(desk))
    desk.act(HUMAN, requests.answer, asked["request"], yes(desk))
    with pytest.raises(RefusalError, match="already answered by dev"):
        desk.act(HUMAN, requests.answer, asked["request"], yes(desk, option="no"))


def test_an_answer_can_be_taken_back_until_it_is_delivered() -> None:
    desk = planned()
    asked = desk.act(CLAUDE, requests.ask, question(desk))["request"]
    desk.act(HUMAN, requests.answer, asked, yes(desk))
    desk.act(HUMAN, requests.take_back, asked)
    assert desk.ledger.requests[asked]["state"] == "waiting"
    desk.act(HUMAN, requests.answer, asked, yes(desk, attempt=2, option="no"))
    desk.act(CLAUDE, requests.deliver, asked, "claude-1")
    with pytest.raises(RefusalError, match="delivered already"):
        desk.act(HUMAN, requests.take_back, asked)
    assert graph(desk.events)[0][asked]["props"]["status"] == "Rejected"
    assert broken(desk.events) == []


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"klass": "A"}, "solve it, do not ask"),
        ({"question": "  "}, "the question is empty"),
        ({"question": "x" * 4001}, "longer than 4000"),
        ({"options": ["x"] * 10}, "at most 9 options"),
        ({"options": ["now"], "recommended": "b"}, "is not offered"),
        ({"frees": ("todo:zz",)}, "no task of the plan"),
    ],
)
def test_a_request_outside_its_bounds_is_refused_with_what_to_change(
    more: dict[str, Any], said: str
) -> None:
    desk = planned()
    with pytest.raises(RefusalError, match=said):
        desk.act(CLAUDE, requests.ask, question(desk, **more))


def test_a_hold_pauses_an_active_goal_and_its_release_resumes_exactly_that() -> None:
    desk = planned()
    desk.act(HUMAN, pauses.record_hold, "hold_1", "")
    assert goals.state_of(desk.ledger).goal.status == "paused"  # type: ignore[union-attr]
    desk.act(HUMAN, pauses.record_release, "hold_1")
    assert goals.state_of(desk.ledger).goal.status == "active"  # type: ignore[union-attr]
    assert broken(desk.events) == []


def test_a_goal_that_was_paused_before_the_hold_stays_paused_after_it() -> None:
    desk = planned()
    desk.act(HUMAN, goals.pause, "lunch")
    desk.act(HUMAN, pauses.record_hold, "hold_1", "")
    desk.act(HUMAN, pauses.record_release, "hold_1")
    assert goals.state_of(desk.ledger).goal.status == "paused"  # type: ignore[union-attr]


def completed() -> Desk:
    desk = planned()
    goal = goals.state_of(desk.ledger).goal
    assert goal is not None

    def complete(draft: Draft) -> None:
        state = goals.state_of(draft.ledger)
        audit = AuditResult(approved=True, output="It holds.\n<approved/>")
        change = goal_acts.conclude(state, goal, "It survives.", audit, now_ms=draft.now_ms)
        goals.record_change(draft, change, "audited")

    desk.act(HUMAN, complete)
    return desk


def test_a_complete_goal_stays_until_it_is_settled() -> None:
    desk = completed()
    node = graph(desk.events)[0][desk.ledger.goal["id"]]  # type: ignore[index]
    assert (node["props"]["status"], node["props"]["pi_status"]) == ("InProgress", "complete")
    desk.act(HUMAN, goals.settle)
    assert desk.ledger.goal is None
    assert desk.events[-2]["payload"]["status"] == "Satisfied"
    assert desk.act(HUMAN, goals.settle) is None
    assert broken(desk.events) == []


def test_the_next_goal_settles_a_complete_one_first() -> None:
    desk = completed()
    before = len(desk.events)
    desk.act(HUMAN, goals.start, "Another")
    assert desk.kinds()[before:] == [
        "goal.status_changed", "state.ops_applied", "goal.created", "state.ops_applied",
    ]  # fmt: skip
    assert broken(desk.events) == []


def test_a_ledger_survives_its_checkpoint() -> None:
    desk = planned()
    assert Ledger(desk.ledger.as_json()).as_json() == desk.ledger.as_json()


def test_foreign_events_of_the_same_kind_but_another_shape_change_nothing() -> None:
    ledger = Ledger()
    for kind in ("blocker.raised", "decision.created", "todo.revised", "run.started"):
        for payload in ({}, {"id": 5}, [], None, {"state": {"tasks": 3}}):
            ledger.apply({"kind": kind, "payload": payload, "id": "x"})
    assert ledger.todo["revision"] == 0


ACTORS = st.sampled_from([HUMAN, CLAUDE, CODEX])
STATUSES = st.sampled_from(["pending", "in_progress", "completed"])


@st.composite
def calls(draw: st.DrawFn) -> dict[str, Any]:
    keys = draw(st.lists(st.sampled_from("abcdef"), unique=True, max_size=5))
    tasks = [
        task(key, draw(STATUSES), tuple(draw(st.sets(st.sampled_from("abcdef"), max_size=2))))
        for key in keys
    ]
    gone = [{"key": key, "reason": "no longer"} for key in "abcdef" if key not in keys]
    return {"tasks": tasks, "remove": draw(st.sampled_from([gone, []]))}


ACTS = st.one_of(
    st.tuples(st.just("start"), ACTORS, st.text(min_size=1, max_size=30)),
    st.tuples(st.just("tweak"), ACTORS, st.text(min_size=1, max_size=30)),
    st.tuples(st.just("plan"), ACTORS, calls()),
    st.tuples(st.sampled_from(["block", "resume", "hold", "release"]), ACTORS, st.none()),
    st.tuples(st.sampled_from(["pause", "abandon", "claim"]), ACTORS, st.just("because")),
    st.tuples(st.sampled_from(["raise", "clear"]), ACTORS, st.sampled_from("ABCD")),
    st.tuples(
        st.sampled_from(["ask", "answer", "deliver", "back", "withdraw", "consume"]),
        ACTORS,
        st.integers(0, 3),
    ),
)


def perform(desk: Desk, name: str, actor: Actor, value: Any) -> None:
    asked = list(desk.ledger.requests)
    request = asked[value % len(asked)] if isinstance(value, int) and asked else "req_none"
    open_blocker = next(iter(desk.ledger.blockers), "blk_none")
    match name:
        case "start":
            desk.act(actor, goals.start, value)
        case "tweak":
            desk.act(actor, goals.tweak, value)
        case "plan":
            desk.act(actor, plans.revise, value)
        case "block":
            desk.act(actor, goals.block, PROOF)
        case "resume":
            desk.act(actor, goals.resume)
        case "hold":
            desk.act(actor, pauses.record_hold, desk.new_id("hold"), "")
        case "release":
            desk.act(actor, pauses.record_release, "hold_1")
        case "pause":
            desk.act(actor, goals.pause, value)
        case "abandon":
            desk.act(actor, goals.abandon, value)
        case "claim":
            desk.act(actor, goals.claim, value, {"contract": "sha256:0"})
        case "raise":
            desk.act(actor, blockers.raise_blocker, "in the way", klass=value)
        case "clear":
            desk.act(actor, blockers.clear, open_blocker, "gone")
        case "ask":
            desk.act(actor, requests.ask, question(desk, actor))
        case "answer":
            desk.act(actor, requests.answer, request, yes(desk))
        case "deliver":
            desk.act(actor, requests.deliver, request, "x")
        case "back":
            desk.act(actor, requests.take_back, request)
        case "withdraw":
            desk.act(actor, requests.withdraw, request, "asker")
        case "consume":
            desk.act(actor, requests.consume, request)


@settings(max_examples=60, deadline=None)
@given(st.lists(ACTS, max_size=40))
def test_any_sequence_of_acts_keeps_every_rule(acts: list[tuple[str, Actor, Any]]) -> None:
    desk = Desk()
    for name, actor, value in acts:
        before = len(desk.events)
        try:
            perform(desk, name, actor, value)
        except RefusalError:
            assert len(desk.events) == before, "a refused act leaves nothing"
    assert broken(desk.events) == []
    again = Ledger()
    for event in desk.events:
        again.apply(event)
    assert again.as_json() == desk.ledger.as_json()
