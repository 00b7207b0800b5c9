"""What the log says stays the same in whatever order its lines stand, and odd lines say nothing."""

import itertools
import json
import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.session.canonical import digest
from ppgp_tui.session.engine import blockers, goals, pauses, plans, requests
from ppgp_tui.session.engine.ledger import FOLDED_KINDS, Ledger
from ppgp_tui.session.journal import RefusalError
from tests.session.engine.desk import CLAUDE, HUMAN, Desk
from tests.session.engine.test_acts import PROOF, question, task, yes

Json = dict[str, Any]


def folded(events: list[Json]) -> Ledger:
    ledger = Ledger()
    for event in events:
        ledger.apply(event)
    return ledger


def with_cut(desk: Desk, first: int, last: int) -> Ledger:
    """The ledger when Git took the events from `first` to `last` out: they are folded last."""
    cut = desk.events[first:last]
    return folded([*desk.events[:first], *desk.events[last:], *cut])


def test_a_plan_revised_after_the_cut_stays_the_newest() -> None:
    desk = Desk()
    desk.act(CLAUDE, plans.revise, {"tasks": [task("a")]})
    before = len(desk.events)
    desk.act(CLAUDE, plans.revise, {"tasks": [task("a", "completed"), task("b")]})
    after = len(desk.events)
    desk.act(CLAUDE, plans.revise, {"tasks": [task("a", "completed"), task("b"), task("c")]})
    ledger = with_cut(desk, before, after)
    assert ledger.todo == desk.ledger.todo
    assert sorted(ledger.tasks_on_record) == ["a", "b", "c"]


def test_a_goal_paused_after_its_beginning_was_cut_is_paused() -> None:
    desk = Desk()
    desk.act(HUMAN, goals.start, "Retry survives")
    began = len(desk.events)
    desk.act(HUMAN, goals.tweak, "Retry survives a crash")
    desk.act(HUMAN, goals.pause, "lunch")
    for first, last in ((0, began), (began, began + 2), (0, began + 2)):
        ledger = with_cut(desk, first, last)
        assert goals.state_of(ledger) == goals.state_of(desk.ledger)


def test_a_goal_given_up_after_its_beginning_was_cut_does_not_come_back() -> None:
    desk = Desk()
    desk.act(HUMAN, goals.start, "Retry survives")
    began = len(desk.events)
    desk.act(HUMAN, goals.abandon, "no longer")
    desk.act(HUMAN, goals.start, "Another one")
    ledger = with_cut(desk, 0, began)
    assert goals.state_of(ledger) == goals.state_of(desk.ledger)


def test_a_blocker_cleared_after_its_raising_was_cut_is_gone() -> None:
    desk = Desk()
    made = desk.act(CLAUDE, blockers.raise_blocker, "in the way", klass="B")
    raised = len(desk.events)
    desk.act(CLAUDE, blockers.clear, made["blocker"], "gone")
    assert with_cut(desk, 0, raised).blockers == {}


def asked_and_answered() -> tuple[Desk, str, list[int]]:
    """A request with a first answer taken back and a second one used; where each act begins."""
    desk = Desk()
    marks = [0]
    asked = desk.act(CLAUDE, requests.ask, question(desk))["request"]
    for actor, act, *more in (
        (HUMAN, requests.answer, yes(desk)),
        (HUMAN, requests.take_back),
        (HUMAN, requests.answer, yes(desk, attempt=2, option="no")),
        (CLAUDE, requests.deliver, "claude-1"),
        (CLAUDE, requests.consume),
    ):
        marks.append(len(desk.events))
        desk.act(actor, act, asked, *more)
    return desk, asked, [*marks, len(desk.events)]


@pytest.mark.parametrize(("first", "last"), itertools.combinations(range(7), 2))
def test_a_request_has_the_same_state_whichever_of_its_acts_were_cut(first: int, last: int) -> None:
    desk, asked, marks = asked_and_answered()
    entry = with_cut(desk, marks[first], marks[last]).requests[asked]
    assert (entry["state"], entry["attempt"]) == ("acted_on", 2)


@given(st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_a_request_has_the_same_state_in_any_order_of_its_lines(chance: random.Random) -> None:
    desk, asked, _ = asked_and_answered()
    events = list(desk.events)
    chance.shuffle(events)
    assert folded(events).requests[asked]["state"] == "acted_on"


def test_a_closed_request_is_not_kept_whole() -> None:
    desk, asked, _ = asked_and_answered()
    kept = json.dumps(desk.ledger.as_json())
    assert "Publish 0.2.0?" not in kept
    assert desk.ledger.requests[asked]["answer"]["by"] == "dev"


def test_a_second_text_under_the_same_id_does_not_replace_the_first() -> None:
    desk = Desk()
    first = question(desk)
    desk.act(CLAUDE, requests.ask, first)
    planted = {**first, "question": "Is this fine?"}
    event = desk.events[1] | {
        "id": "event_x",
        "payload": {"id": first["id"], "request": planted, "digest": digest(planted)},
    }
    desk.ledger.apply(event)
    assert desk.ledger.requests[first["id"]]["request"]["question"] == "Publish 0.2.0?"


def test_a_request_whose_digest_is_not_its_own_is_nobodys() -> None:
    desk = Desk()
    asked = question(desk)
    desk.act(CLAUDE, requests.ask, asked)
    event = desk.events[1]
    event["payload"]["request"]["question"] = "Is this fine?"
    assert folded(desk.events).requests == {}


def test_the_release_of_a_hold_is_known_even_when_its_beginning_was_cut() -> None:
    desk = Desk()
    desk.act(HUMAN, goals.start, "Retry survives")
    began = len(desk.events)
    desk.act(HUMAN, pauses.record_hold, "hold_1", "")
    held = len(desk.events)
    desk.act(HUMAN, pauses.record_release, "hold_1")
    hold = with_cut(desk, began, held).hold("hold_1")
    assert hold is not None
    assert hold["resumed"] is not None


def test_a_hold_after_which_somebody_resumed_the_goal_does_not_resume_it_again() -> None:
    desk = Desk()
    desk.act(HUMAN, goals.start, "Retry survives")
    desk.act(HUMAN, pauses.record_hold, "hold_1", "")
    desk.act(CLAUDE, goals.resume)
    desk.act(HUMAN, goals.pause, "by hand")
    desk.act(HUMAN, pauses.record_release, "hold_1")
    assert goals.state_of(desk.ledger).goal.status == "paused"  # type: ignore[union-attr]


# What anybody may have written into the log ------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2**60) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)
MEMBERS = (
    "id", "goal_id", "summary", "metadata", "pi", "pi_revision", "objective", "status", "bound",
    "to", "state", "text", "class", "blocks", "request", "digest", "attempt", "decision_id",
    "reason", "run_id", "what", "hold",
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(FOLDED_KINDS), st.dictionaries(st.sampled_from(MEMBERS), JSON), JSON)
def test_a_line_of_any_shape_breaks_nothing_and_the_next_act_works(
    kind: str, payload: Json, actor: Any
) -> None:
    desk = Desk()
    desk.act(HUMAN, goals.start, "Retry survives")
    asked = desk.act(CLAUDE, requests.ask, question(desk))["request"]
    event = {
        "id": "event_odd",
        "kind": kind,
        "payload": payload,
        "actor": {"kind": "agent", "id": actor if isinstance(actor, str) else "x"},
        "ts_ms": 0,
        "causation_id": None,
        "correlation_id": None,
    }
    desk.ledger.apply(event)
    assert Ledger(json.loads(json.dumps(desk.ledger.as_json()))).as_json() == desk.ledger.as_json()
    desk.act(CLAUDE, plans.revise, {"tasks": [task("a")]})
    desk.act(CLAUDE, goals.block, PROOF)
    desk.act(HUMAN, goals.abandon, "enough")
    desk.act(HUMAN, requests.answer, asked, yes(desk))


def everything() -> Desk:
    """A log with every kind of event an action reads."""
    desk, _, _ = asked_and_answered()
    desk.act(HUMAN, goals.start, "Retry survives")
    desk.act(CLAUDE, plans.revise, {"tasks": [task("a"), task("b", after=("a",))]})
    desk.act(CLAUDE, goals.block, PROOF)
    desk.act(HUMAN, goals.tweak, "Retry survives a crash")
    desk.act(HUMAN, pauses.record_hold, "hold_1", "")
    desk.act(CLAUDE, goals.claim, "done", {"plan": "sha256:0"})
    desk.act(CLAUDE, requests.ask, question(desk, options=["now", "later"]))
    return desk


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_damaged_line_of_our_own_breaks_nothing_and_the_next_act_works(
    data: st.DataObject,
) -> None:
    desk = everything()
    events = json.loads(json.dumps(desk.events))
    place: Any = events[data.draw(st.integers(0, len(events) - 1))]["payload"]
    while True:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        if not keys:
            break
        key = data.draw(st.sampled_from(list(keys)))
        if not isinstance(place[key], dict | list) or data.draw(st.booleans()):
            place[key] = data.draw(JSON)
            break
        place = place[key]
    desk.ledger = folded(events)
    for actor, act, *more in (
        (CLAUDE, plans.revise, {"tasks": [task("a")], "remove": [{"key": "b", "reason": "x"}]}),
        (HUMAN, goals.resume),
        (HUMAN, goals.tweak, "Another"),
        (HUMAN, pauses.record_release, "hold_1"),
        (HUMAN, goals.abandon, "enough"),
        (HUMAN, goals.start, "Again"),
        *((HUMAN, requests.answer, asked, yes(desk, option="a")) for asked in desk.ledger.requests),
        *((CLAUDE, blockers.clear, blocker, "gone") for blocker in desk.ledger.blockers),
    ):
        with suppress(RefusalError):
            desk.act(actor, act, *more)


@pytest.mark.parametrize("kind", FOLDED_KINDS)
@pytest.mark.parametrize("payload", [None, [], "x", 5, {"id": ["x"]}, {"id": {}, "state": []}])
def test_a_payload_of_another_type_changes_nothing(kind: str, payload: Any) -> None:
    ledger = Ledger()
    event = {"id": "x", "kind": kind, "payload": payload, "actor": {"kind": "tool", "id": "t"}}
    ledger.apply(event | {"ts_ms": 0, "causation_id": None, "correlation_id": None})
    before = Ledger().as_json() | {"session_started": ledger.as_json()["session_started"]}
    assert ledger.as_json() == before
