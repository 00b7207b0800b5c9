"""Keys on a real repository: what the log, the answer files and the orders say afterwards."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest

from ppgp_tui.session.live.store import now_ms
from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.app.doing import doer
from tests.cli.acting import AGENT, Place
from tests.ui.acting_app import acting, files


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A folder without a session; the user's folders are the test's own."""
    return Place(tmp_path, monkeypatch)


@pytest.fixture
def place(bare: Place) -> Place:
    return bare.begin()


# --- answering ----------------------------------------------------------------------------------


async def test_y_records_a_signed_answer_and_releases_whoever_waits(place: Place) -> None:
    request = place.ask("Publish 0.2.0?")
    async with acting(place) as of:
        await of.sees("Publish 0.2.0?")
        await of.press("y")
        await of.sees("from now on only answers signed with your key count")
        await of.sees("yes, answered")
        (decision,) = place.events("decision.created")
        assert decision["actor"]["kind"] == "user"
        assert decision["payload"]["metadata"]["request"] == request
        assert decision["payload"]["metadata"]["option"] == "yes"
        written = of.answer(request)
        assert written is not None
        assert (written["option"], written["decision"]) == ("yes", decision["payload"]["id"])
        assert "signature" in written
        assert place.agent("ask", "--resume", request, "--wait", "5").out.splitlines()[0] == "yes"
        await of.sees("yes, delivered")
        await of.press("u")
        await of.sees("no answer that can still be taken back")


async def test_u_takes_it_back_and_the_request_waits_again(place: Place) -> None:
    request = place.ask("Publish 0.2.0?")
    async with acting(place) as of:
        await of.sees("Publish 0.2.0?")
        await of.press("n")
        await of.sees("no, answered")
        await of.press("u")
        await of.until(lambda: of.state(request) == "taken_back")
        assert [one["payload"]["status"] for one in place.events("decision.status_changed")] == [
            "Superseded"
        ]
        await of.press("y")
        await of.sees("yes, answered")
        assert of.answer(request, 2)["option"] == "yes"  # type: ignore[index]


async def test_an_option_and_a_note_arrive_as_they_were_chosen_and_typed(place: Place) -> None:
    request = place.ask("When?", "--option", "now", "--option", "in May", "--recommend", "2")
    async with acting(place, "1") as of:
        await of.sees("Enter 2 options")
        await of.press("enter", "m")
        await of.type("not on Friday")
        await of.press("enter", "a")
        await of.until(lambda: of.answer(request))
        written = of.answer(request)
        assert written is not None
        assert (written["option"], written["note"]) == ("a", "not on Friday")


async def test_own_words_arrive_as_they_were_typed(place: Place) -> None:
    request = place.ask("Which name?", "--option", "old", "--option", "new")
    async with acting(place) as of:
        await of.sees("Which name?")
        await of.press("enter", "r")
        await of.type("Käse, 2 words")
        await of.press("enter")
        await of.until(lambda: of.answer(request))
        assert of.answer(request)["text"] == "Käse, 2 words"  # type: ignore[index]


async def test_a_decision_in_the_document_is_answered_there_too(place: Place) -> None:
    document = place.root / "docs/ACTIVE_GOAL.md"
    document.parent.mkdir()
    document.write_text("## GOAL\nShip\n\n## HUMAN_AUTHORITY_REQUIRED\n- Publish 0.2.0?\n")
    async with acting(place) as of:
        await of.sees("Publish 0.2.0?")
        await of.press("y")
        await of.until(lambda: "[granted " in document.read_text())
        assert len(place.events("authority.requested")) == 1


async def test_a_key_within_400_ms_of_a_change_answers_nothing(place: Place) -> None:
    async with acting(place) as of:
        await of.sees("nothing waits for you")
        request = place.ask("Publish 0.2.0?")
        await of.sees("Publish 0.2.0?")
        await of.at_once("g", "y")
        await of.sees("just painted or changed: look, then press again")
        assert of.answer(request) is None
        await of.press("y")
        await of.until(lambda: of.answer(request))


def test_a_swapped_request_is_refused_whatever_the_screen_did(place: Place) -> None:
    request = place.ask("Publish 0.2.0?")
    result = doer(place.root)(deeds.Answer(request, "sha256:" + "0" * 64, "yes"))
    assert (result.code, result.message) == ("stale", "a changed request: read it again")
    assert place.events("decision.created") == []


def test_an_answer_after_expiry_is_refused_as_expired_and_never_as_no(place: Place) -> None:
    request = place.ask("Publish 0.2.0?", "--expires", "1s")
    (asked,) = place.events("authority.requested")
    while now_ms() <= asked["payload"]["request"]["expires_ms"]:
        time.sleep(0.05)
    result = doer(place.root)(deeds.Answer(request, asked["payload"]["digest"], "yes"))
    assert result.code == "expired"
    assert "nobody answered it" in result.message
    assert place.events("decision.created") == []


async def test_of_two_apps_the_second_is_told_who_answered(place: Place) -> None:
    request = place.ask("Publish 0.2.0?")
    (asked,) = place.events("authority.requested")
    other_app = doer(place.root)
    async with acting(place) as of:
        await of.sees("Publish 0.2.0?")
        await of.press("y")
        await of.sees("yes, answered")
        result = other_app(deeds.Answer(request, asked["payload"]["digest"], "no"))
        assert (result.code, result.message) == ("refused", "already answered by dev")
        await of.press("n")
        await of.sees("already answered by dev")
    assert [one["payload"]["metadata"]["option"] for one in place.events("decision.created")] == [
        "yes"
    ]


async def test_two_apps_at_once_give_one_answer(place: Place) -> None:
    place.ask("Publish 0.2.0?")
    async with acting(place) as one, acting(place) as two:
        await one.sees("Publish 0.2.0?")
        await two.sees("Publish 0.2.0?")
        await one.press("y")
        await two.press("n")
        await one.until(lambda: "answered" in one.screen and "answered" in two.screen)
        await one.sees("answered")
    assert len(place.events("decision.created")) == 1


# --- pause --------------------------------------------------------------------------------------


async def test_p_holds_and_releases_with_and_without_a_goal(place: Place) -> None:
    async with acting(place, "1") as of:
        await of.press("p")
        await of.until(lambda: of.held)
        await of.press("p")
        await of.until(lambda: of.control.get("hold", 0) is None)
        acts = [one["payload"]["what"] for one in place.events("human.interrupted")]
        assert acts == ["pause", "resume"]


async def test_where_no_session_is_p_works_and_makes_no_log(bare: Place) -> None:
    async with acting(bare, "1") as of:
        await of.press("p")
        await of.until(lambda: of.control.get("hold"))
    assert not (bare.root / "state").exists()
    assert not (bare.root / ".ppgp/todo.json").exists()


def test_an_order_that_moved_is_not_turned_round(place: Place) -> None:
    do = doer(place.root)
    assert do(deeds.Hold(None)).ok
    result = do(deeds.Hold(0))
    assert result.code == "stale"
    assert "nothing was changed" in result.message
    assert len(place.events("human.interrupted")) == 1


async def test_a_lost_order_is_written_again_within_a_second_and_that_is_said(place: Place) -> None:
    async with acting(place, "1") as of:
        await of.press("p")
        await of.until(lambda: of.control.get("hold"))
        held = of.control["hold"]["id"]
        await of.sees("pause asked")
        control = place.root / ".ppgp/run/control.json"
        written = control.stat().st_mtime  # one act writes two files; until then it says nothing
        await of.until(lambda: time.time() - written > 0.6)
        control.unlink()
        await of.until(lambda: of.control.get("hold"))
        assert of.control["hold"]["id"] == held
        await of.sees("the order to hold was lost; it is given again")


# --- what was lost ------------------------------------------------------------------------------


async def test_when_the_run_folder_is_deleted_requests_come_back(place: Place) -> None:
    request = place.ask("Publish 0.2.0?")
    path = place.root / f".ppgp/run/requests/{request}.json"
    async with acting(place) as of:
        await of.sees("Publish 0.2.0?")
        await of.until(lambda: of.app.beside._care._seen)  # type: ignore[union-attr]
        log, before = (place.root / "state/events.jsonl").read_bytes(), path.read_bytes()
        shutil.rmtree(place.root / ".ppgp/run")
        await of.until(path.exists)
        assert path.read_bytes() == before
        await of.sees("written again from the log")
        assert (place.root / "state/events.jsonl").read_bytes() == log
        await of.press("y")
        await of.until(lambda: of.answer(request))


async def test_what_waits_beside_the_log_is_appended_when_it_is_free(place: Place) -> None:
    lease = place.root / ".agent/lease"
    lease.parent.mkdir()
    held = {"worker_id": "other", "pid": 1, "expires_at_ms": now_ms() + 600_000}
    lease.write_text(json.dumps(held))
    async with acting(place, "1") as of:
        await of.palette("new goal")
        await of.type("ship it")
        await of.press("enter", "y")
        await of.until(lambda: of.app.seat.snapshot.events.value.outbox)
        assert place.events("goal.created") == []
        lease.unlink()
        await of.until(lambda: place.events("goal.created"))
        await of.sees("the log is free again")
        await of.until(lambda: not of.app.seat.snapshot.events.value.outbox)


async def test_looking_writes_nothing(place: Place) -> None:
    place.ask("Publish 0.2.0?", "--option", "now", "--option", "later")
    before = files(place.root)
    async with acting(place) as of:
        await of.sees("Publish 0.2.0?")
        for key in ("enter", "j", "escape", "4", "1", "question_mark", "escape", "2", "3"):
            await of.press(key)
        await of.until(lambda: of.app.beside._care._seen)  # type: ignore[union-attr]
    assert files(place.root) == before


# --- goal, plan, log, session -------------------------------------------------------------------


async def test_a_goal_is_made_changed_blocked_let_go_on_and_given_up(place: Place) -> None:
    async with acting(place, "1") as of:

        async def act(action: str, *answers: str, then: str) -> None:
            await of.palette(action)
            for words in answers:
                await of.type(words)
                await of.press("enter")
            await of.press("y")
            await of.until(lambda: of.app.seat.snapshot.lifecycle.value.status == then)

        await act("new goal", "ship it", then="active")
        await act("block the goal", "no disk", "df", "no other", "a new disk", then="blocked")
        await act("let a", then="active")
        await act("change the", " soon", then="active")
        await of.until(lambda: place.events("goal.tweaked"))
        await act("give the", "no use", then="none")
    kinds = [event["kind"] for event in place.events() if event["actor"]["kind"] == "user"]
    assert kinds == [
        "goal.created", "goal.status_changed", "blocker.raised", "goal.status_changed",
        "blocker.cleared", "goal.tweaked", "goal.status_changed",
    ]  # fmt: skip
    assert place.events("goal.tweaked")[0]["payload"]["objective"] == "ship it soon"


async def test_an_edited_plan_is_adopted(place: Place) -> None:
    place.plan("T1", "T2")
    todo = place.root / ".ppgp/todo.json"
    edited = json.loads(todo.read_text())
    edited["tasks"][0]["subject"] = "Do something else"
    todo.write_text(json.dumps(edited))
    async with acting(place, "2") as of:
        await of.until(lambda: of.app.seat.snapshot.plan.value.hand_edit)
        await of.palette("adopt")
        await of.sees("becomes revision 2")
        await of.press("y")
        await of.until(lambda: len(place.events("todo.revised")) == 2)
    assert place.events("todo.revised")[-1]["payload"]["origin"] == "adopted"


async def test_an_edit_is_dropped_and_kept_aside(place: Place) -> None:
    place.plan("T1")
    todo = place.root / ".ppgp/todo.json"
    before = todo.read_bytes()
    todo.write_bytes(before.replace(b"Do T1", b"Do not"))
    async with acting(place, "2") as of:
        await of.until(lambda: of.app.seat.snapshot.plan.value.hand_edit)
        await of.palette("drop the")
        await of.press("y")
        await of.until(lambda: files(place.root).get(".ppgp/todo.json") == before)
    (kept,) = (place.root / ".ppgp/run/torn").iterdir()
    assert b"Do not" in kept.read_bytes()


def test_cut_events_are_put_back(place: Place) -> None:
    log = place.root / "state/events.jsonl"
    place.plan("T1")
    whole = log.read_bytes()
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:1]))
    result = doer(place.root)(deeds.Restore())
    assert result.code == "done"
    assert log.read_bytes() == whole


async def test_without_a_session_one_is_offered_with_what_it_creates(bare: Place) -> None:
    async with acting(bare, "1") as of:
        await of.palette("new goal")
        await of.type("ship it")
        await of.press("enter", "y")
        await of.sees("Begin a session here?")
        await of.sees("Creates .ppgp/, .ppgp/.gitignore, state/events.jsonl.")
        assert not (bare.root / ".ppgp/.gitignore").exists()
        await of.press("y")
        await of.until(lambda: (bare.root / "state/events.jsonl").exists())
        await of.palette("new goal")
        await of.sees("ship it_")
        await of.press("enter", "y")
        await of.until(lambda: len(bare.events("goal.created")) == 1)


# --- whose keys ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(AGENT))
def test_an_app_that_an_agent_started_acts_for_nobody(
    place: Place, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = place.ask("Publish 0.2.0?")
    (asked,) = place.events("authority.requested")
    before = files(place.root)
    monkeypatch.setenv(name, "1")
    do = doer(place.root)
    for deed in (
        deeds.Answer(request, asked["payload"]["digest"], "yes"),
        deeds.Hold(None),
        deeds.NewGoal("x"),
        deeds.MendFiles(),
    ):
        assert "belongs to an agent" in do(deed).message
    assert files(place.root) == before
