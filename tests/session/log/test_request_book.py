"""What became of a request is the same for the screen as for an act, in any order of lines."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.session.engine import requests
from ppgp_tui.session.engine.ledger import Ledger
from ppgp_tui.session.log import pauses
from ppgp_tui.session.log.requests import RequestLog
from ppgp_tui.session.model import Origin, Request
from tests.session.engine.desk import CLAUDE, HUMAN, Desk
from tests.session.engine.test_acts import question, yes

ORIGIN = Origin("state/events.jsonl")


def shown(events: list[dict[str, Any]]) -> dict[str, Request]:
    log = RequestLog()
    for event in events:
        payload, actor, ts_ms = event["payload"], event["actor"]["id"], event["ts_ms"]
        if event["kind"] == "authority.requested":
            log.ask(payload, actor, ts_ms, ORIGIN)
        elif event["kind"].startswith(("authority.", "decision.")):
            log.take(event["kind"], payload, actor, ts_ms)
    return {request.id: request for request in log.now()}


def acted_on(events: list[dict[str, Any]]) -> dict[str, Any]:
    ledger = Ledger()
    for event in events:
        ledger.apply(event)
    return dict(ledger.requests)


acts = st.lists(
    st.sampled_from(["answer", "take_back", "deliver", "consume", "withdraw", "ask_again"]),
    max_size=10,
)


@settings(max_examples=150, deadline=None)
@given(acts=acts, chance=st.randoms(use_true_random=False), shuffled=st.booleans())
def test_screen_and_engine_agree_whatever_happened_and_however_it_is_told(
    acts: list[str], chance: random.Random, shuffled: bool
) -> None:
    desk = Desk()
    asked = question(desk)
    key = desk.act(CLAUDE, requests.ask, asked)["request"]
    attempt = 0
    for act in acts:
        try:
            if act == "answer":
                desk.act(HUMAN, requests.answer, key, yes(desk, attempt=attempt + 1))
                attempt += 1
            elif act == "take_back":
                desk.act(HUMAN, requests.take_back, key)
            elif act == "deliver":
                desk.act(CLAUDE, requests.deliver, key, "claude-1")
            elif act == "consume":
                desk.act(CLAUDE, requests.consume, key)
            elif act == "withdraw":
                desk.act(CLAUDE, requests.withdraw, key, "asker")
            else:
                desk.act(CLAUDE, requests.ask, asked)
        except requests.RefusalError:
            continue
    events = list(desk.events)
    if shuffled:
        chance.shuffle(events)
    (request,), (entry,) = shown(events).values(), acted_on(events).values()
    assert {"taken_back": "waiting"}.get(request.state, request.state) == entry["state"]
    assert (request.answer.attempt if request.answer else 0) == entry["attempt"]
    if request.state == "taken_back":
        assert request.answer is not None
    if request.state == "withdrawn":
        assert request.reason == "asker"


def test_what_became_of_an_unknown_request_waits_for_its_asking() -> None:
    said = {"id": "req_1", "attempt": 1, "decision": "dec_1", "to": "x"}
    log = RequestLog()
    log.take("authority.delivered", said, "claude-1", 5)
    assert log.now() == ()
    answered = {"id": "dec_1", "metadata": {"request": "req_1", "attempt": 1, "option": "yes"}}
    log.take("decision.created", answered, "dev", 4)
    log.ask({"id": "req_1", "request": {"question": "?"}}, "claude-1", 3, ORIGIN)
    (request,) = log.now()
    assert (request.state, request.answer and request.answer.option) == ("delivered", "yes")


# Pauses -----------------------------------------------------------------------------------------


def test_a_pause_whose_release_is_known_already_does_not_stand() -> None:
    state = pauses.nothing()
    pauses.take(state, pauses.ASKED, "dev", 2, {"what": "resume", "hold": "hold_1"})
    pauses.take(state, pauses.ASKED, "dev", 1, {"what": "pause", "hold": "hold_1"})
    assert (state["hold"], state["released"]) == (None, ["hold_1"])


def test_a_pause_said_twice_forgets_nothing() -> None:
    state = pauses.nothing()
    for _ in range(2):
        pauses.take(state, pauses.ASKED, "dev", 1, {"what": "pause", "hold": "hold_1"})
        pauses.count(state, "claude-1", 2)
    assert pauses.recorded(state, "hold_1").deeds == {"claude-1": (2, 2)}
    assert pauses.recorded(state, "hold_2").deeds == {}
