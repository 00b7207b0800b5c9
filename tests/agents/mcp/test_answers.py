"""`get_answer`: only what the person really said to exactly this request is told as an answer."""

import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.agents.mcp.tools import Desk
from ppgp_tui.session.actions import answering, asking
from ppgp_tui.session.actions.asking import Question
from ppgp_tui.session.engine.draft import Actor
from tests.agents.mcp.place import AGENT, Json, Place
from tests.session.engine.rules import broken

OTHER = Actor("agent", "codex-2")


def ask(place: Place, **more: Any) -> str:
    return place.done("request_authority", question="Publish 0.2.0?", **more)["data"]["request"]


def state(place: Place, request: str) -> tuple[str, str | None]:
    data = place.done("get_answer", request=request)["data"]
    return data["state"], data.get("option")


def answer_file(place: Place, request: str, attempt: int = 1) -> Path:
    return place.root / f".ppgp/run/answers/{request}.{attempt}.json"


def test_the_first_to_be_told_has_it_delivered_and_later_ones_hear_the_same(place: Place) -> None:
    request = ask(place)
    assert state(place, request) == ("waiting", None)
    place.answer(request, "yes", note="after lunch")
    first = place.done("get_answer", request=request)
    assert first["code"] == "done"
    assert first["data"]["note"] == "after lunch"
    assert first["data"]["delivered_before"] is False
    assert answer_file(place, request).with_suffix(".end.json").exists()
    second = place.call("get_answer", OTHER, request=request).result
    assert second["code"] == "unchanged"
    assert {**second["data"], "delivered_before": False} == first["data"]
    assert place.kinds().count("authority.delivered") == 1
    assert broken(place.events()) == []


def test_it_is_told_again_after_the_agent_has_acted_on_it(place: Place) -> None:
    request = ask(place)
    place.answer(request, "no")
    state(place, request)
    place.done("checkpoint", summary="Went on without publishing")
    assert "authority.consumed" in place.kinds()
    assert state(place, request) == ("answered", "no")
    shutil.rmtree(place.root / ".ppgp/run/answers")
    reply = place.call("get_answer", request=request)
    assert reply.error
    assert "was told before and not kept whole" in reply.text


def test_looking_for_an_answer_is_not_acting_on_another_one(place: Place) -> None:
    told, open_one = ask(place), ask(place)
    place.answer(told, "yes")
    state(place, told)
    before = place.kinds()
    assert state(place, open_one) == ("waiting", None)
    place.done("get_todo")
    place.done("get_session")
    assert place.kinds() == before


def test_an_answer_in_words_is_told_in_words_and_as_no_option(place: Place) -> None:
    request = ask(place)
    place.answer(request, None, text="Only on Monday")
    reply = place.call("get_answer", request=request)
    assert reply.text == "Answered in words.\nText: Only on Monday"
    assert "option" not in reply.result["data"]


def test_a_fresh_server_tells_what_an_earlier_one_asked(place: Place) -> None:
    request = ask(place, options=["Now", "Later"])
    place.answer(request, "b")
    fresh = Desk(place.root, place.clock)
    assert fresh.call(AGENT, "get_answer", {"request": request}).result["data"]["label"] == "Later"


def altered(file: Path) -> None:
    file.write_text(file.read_text().replace('"option":"no"', '"option":"yes"'))


def forged(file: Path) -> None:
    """Outside and inside say yes, the signature is still the one of no."""
    said = json.loads(file.read_text())
    said["signed"] = said["signed"].replace('"no"', '"yes"')
    file.write_text(json.dumps({**said, "option": "yes"}, separators=(",", ":"), sort_keys=True))


def garbled(file: Path) -> None:
    file.write_bytes(b"\x00" * 9)


@pytest.mark.parametrize("damage", [altered, forged, garbled])
def test_an_answer_somebody_tampered_with_is_none(
    place: Place, damage: Callable[[Path], None]
) -> None:
    request = ask(place)
    place.answer(request, "no")
    damage(answer_file(place, request))
    reply = place.call("get_answer", request=request)
    assert reply.result["data"] == {"request": request, "kind": "question", "state": "waiting"}
    assert "does not count" in reply.text
    assert not answer_file(place, request).with_suffix(".end.json").exists()
    assert "authority.delivered" not in place.kinds()


def test_an_answer_an_agent_wrote_into_the_log_is_none(place: Place) -> None:
    request = ask(place)
    place.answer(ask(place), "yes")
    real = next(event for event in place.events() if event["kind"] == "decision.created")
    planted = json.loads(json.dumps(real).replace(real["payload"]["metadata"]["request"], request))
    planted["id"] = "event_" + "0" * 32
    planted["payload"]["id"] = "dec_" + "0" * 32
    planted["payload"]["metadata"].pop("signature")
    add_line(place, planted)
    reply = place.call("get_answer", request=request)
    assert reply.result["data"]["state"] == "waiting"
    assert "does not count" in reply.text


def test_a_question_and_its_answer_from_another_repository_grant_nothing_here(
    place: Place, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    elsewhere = Place(tmp_path / "elsewhere").begin()
    request = ask(elsewhere)
    answering.answer(
        elsewhere.person, request, answering.Said("yes"), key=answering.SigningKey(place.pins)
    )
    ask(place)
    for event in elsewhere.events():
        add_line(place, event)
    reply = place.call("get_answer", request=request)
    assert reply.result["data"]["state"] == "waiting"
    assert "other repository" in reply.text


def add_line(place: Place, event: Json) -> None:
    with (place.root / "state/events.jsonl").open("a") as log:
        log.write(json.dumps(event, separators=(",", ":")) + "\n")


def test_what_git_clean_took_away_is_told_from_the_log_if_its_signature_holds(
    place: Place,
) -> None:
    request = ask(place)
    place.answer(request, "yes")
    shutil.rmtree(place.root / ".ppgp/run")
    assert state(place, request) == ("answered", "yes")
    assert place.kinds().count("authority.delivered") == 1


def test_without_the_pinned_key_nothing_is_taken_for_an_answer(place: Place) -> None:
    request = ask(place)
    place.answer(request, "yes")
    place.pins.path.rename(place.pins.path.with_name("away"))
    reply = place.call("get_answer", request=request)
    assert reply.result["data"]["state"] == "waiting"
    assert "not verified" in reply.text
    assert str(place.folder) not in reply.text
    place.pins.path.with_name("away").rename(place.pins.path)
    assert state(place, request) == ("answered", "yes")


def test_a_taken_back_answer_is_none_and_the_next_one_is(place: Place) -> None:
    request = ask(place)
    place.answer(request, "yes")
    assert answering.take_back(place.person, request).ok
    assert state(place, request) == ("waiting", None)
    answer_file(place, request).with_suffix(".end.json").unlink()  # as a replay would
    assert state(place, request) == ("waiting", None)
    place.answer(request, "no")
    assert state(place, request) == ("answered", "no")
    assert not answering.take_back(place.person, request).ok


def test_an_answer_revoked_but_not_yet_recorded_as_such_is_none(place: Place) -> None:
    request = ask(place)
    place.answer(request, "yes")
    end = answer_file(place, request).with_suffix(".end.json")
    end.write_text('{"at_ms":1,"by":"user:dev","outcome":"revoked","schema":1}\n')
    reply = place.call("get_answer", request=request)
    assert reply.result["data"]["state"] == "waiting"
    assert "it was taken back" in reply.text


def test_nobody_answering_in_time_is_neither_yes_nor_no(place: Place) -> None:
    now = [place.clock()]
    place.clock = lambda: now[0]
    place.desk = Desk(place.root, place.clock)
    request = ask(place, expiresInSeconds=60)
    now[0] += 60_000
    assert state(place, request) == ("waiting", None)
    now[0] += 1
    reply = place.call("get_answer", request=request)
    assert reply.result["data"]["state"] == "expired"
    assert "neither for a yes nor for a no" in reply.text
    assert not reply.error


def test_a_withdrawn_request_says_so(place: Place) -> None:
    request = ask(place)
    assert asking.withdraw(place.engine(AGENT), request).ok
    reply = place.call("get_answer", request=request)
    assert reply.result["data"]["state"] == "withdrawn"
    assert "(asker)" in reply.text


def test_a_request_that_is_not_the_one_asked_here_is_refused(place: Place) -> None:
    request = ask(place)
    place.answer(request, "yes")
    place.desk.asked[request] = "sha256:" + "0" * 64
    reply = place.call("get_answer", request=request)
    assert reply.error
    assert reply.text == "the recorded request is not the one that was asked here"


def test_a_permission_is_left_to_the_call_that_waits_for_it(place: Place) -> None:
    asked = asking.ask(place.engine(OTHER), Question("Run rm?", kind="permission"))
    place.answer(asked.data["request"], "allow_once")
    reply = place.call("get_answer", request=asked.data["request"])
    assert reply.error
    assert not answer_file(place, asked.data["request"]).with_suffix(".end.json").exists()


def test_a_decision_owed_in_the_document_can_be_heard_too(place: Place) -> None:
    inbox = place.done("get_session")["data"]["session"]["inbox"]
    (bullet,) = [request["id"] for request in inbox]
    assert state(place, bullet) == ("waiting", None)
    place.answer(bullet, "yes")
    assert state(place, bullet) == ("answered", "yes")
    assert broken(place.events()) == []


def test_of_many_who_ask_at_once_one_has_it_delivered(place: Place) -> None:
    request = ask(place)
    place.answer(request, "yes")
    desks = [Desk(place.root, place.clock) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        replies = list(
            pool.map(lambda desk: desk.call(AGENT, "get_answer", {"request": request}), desks)
        )
    assert {reply.result["data"]["option"] for reply in replies} == {"yes"}
    assert [reply.result["data"]["delivered_before"] for reply in replies].count(False) == 1
    assert place.kinds().count("authority.delivered") == 1


def test_while_another_program_holds_the_log_the_answer_is_told_all_the_same(
    place: Place,
) -> None:
    request = ask(place)
    place.answer(request, "yes")
    (place.root / ".agent").mkdir()
    lease = {"worker_id": "other", "pid": 1, "expires_at_ms": place.clock() + 600_000}
    (place.root / ".agent/lease").write_text(json.dumps(lease))
    told = place.done("get_answer", request=request)
    assert (told["data"]["option"], told["recorded"]) == ("yes", "outbox")
    assert place.done("get_answer", request=request)["data"]["delivered_before"] is True
