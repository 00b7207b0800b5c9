"""Requests from asking to acting, as the inbox shows them; and what on disk does not count."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from ppgp_tui.session.actions import asking, plan
from ppgp_tui.session.authority.answer_files import end_attempt
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.model import Request
from tests.session.fake_agent import FakeAgent
from tests.session.on_disk import ANSWERS, REQUESTS, a_request, on_disk
from tests.session.place import Place
from tests.waiting import until

pytestmark = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed"
)


def planned(place: Place, *tasks: tuple[str, str, tuple[str, ...]]) -> None:
    listed = [
        {"key": key, "subject": key, "status": status, "dependsOn": list(needs)}
        for key, status, needs in tasks
    ]
    result = plan.revise(place.agent, {"baseRevision": 0, "tasks": listed})
    assert result.code == "done", result


def delivers(place: Place, request: str, attempt: int = 1) -> None:
    """The waiter has it: the end of the attempt, then the record of it."""
    with Folder.open(place.root, ".ppgp", "run") as run:
        end_attempt(run, request, attempt, "delivered", by="agent:claude-0f3a", at_ms=place.clock())


# From waiting to acted on -----------------------------------------------------------------------


def test_everything_the_person_is_shown_is_in_the_request(place: Place) -> None:
    planned(place, ("T8", "pending", ()))
    key = place.asks(
        "Drop the old column?", klass="C", scope="T8", why="Nothing reads it.",
        evidence="src/cursor.py:41", options=("Now", "Later", "Keep it"), recommended="b",
        irreversible=True, frees=("T8",), expires_ms=place.clock() + 60_000,
    )  # fmt: skip
    asked = place.request(key)
    assert (asked.state, asked.is_open, asked.damage) == ("waiting", True, "")
    assert (asked.question, asked.klass, asked.scope) == ("Drop the old column?", "C", "T8")
    assert (asked.why, asked.evidence) == ("Nothing reads it.", "src/cursor.py:41")
    assert [(option.key, option.label) for option in asked.options] == [
        ("a", "Now"), ("b", "Later"), ("c", "Keep it"),
    ]  # fmt: skip
    assert (asked.recommended, asked.irreversible, asked.frees) == ("b", True, ("T8",))
    assert (asked.asker, asked.created_ms) == ("claude-0f3a", place.clock())
    assert asked.expires_ms == place.clock() + 60_000
    assert asked.digest.startswith("sha256:")
    assert asked.origin is not None
    assert asked.origin.path == "state/events.jsonl"


def test_an_answer_is_shown_with_who_gave_it_and_that_it_is_signed(place: Place) -> None:
    key = place.asks()
    place.clock.passes(5)
    assert place.answers(key, "yes", note="gently").code == "done"
    asked = place.request(key)
    assert (asked.state, asked.is_open, asked.state_ms) == ("answered", False, place.clock())
    assert asked.answer is not None
    said = asked.answer
    assert (said.option, said.text, said.note, said.by) == ("yes", None, "gently", "dev")
    assert (said.signature, said.recorded, said.attempt) == ("verified", True, 1)
    assert said.at_ms == place.clock()
    assert asked.refused == ()


def test_delivered_is_known_from_the_end_of_the_attempt_and_then_from_the_log(
    place: Place,
) -> None:
    key = place.asks()
    place.answers(key)
    place.clock.passes(1)
    delivers(place, key)
    asked = place.request(key)
    assert (asked.state, asked.state_ms) == ("delivered", place.clock())
    assert asking.deliver(place.agent, key).code == "done"
    assert place.request(key).state == "delivered"
    place.clock.passes(60)
    planned(place, ("T1", "pending", ()))
    asked = place.request(key)
    assert (asked.state, asked.state_ms) == ("acted_on", place.clock())


def test_an_answer_taken_back_waits_again_and_can_be_given_anew(place: Place) -> None:
    key = place.asks()
    place.answers(key, "no")
    place.clock.passes(1)
    assert place.takes_back(key).code == "done"
    asked = place.request(key)
    assert (asked.state, asked.is_open, asked.state_ms) == ("taken_back", True, place.clock())
    assert place.lamp().needs == 1
    assert place.answers(key, "yes").code == "done"
    asked = place.request(key)
    assert asked.answer is not None
    assert (asked.state, asked.answer.attempt, asked.answer.option) == ("answered", 2, "yes")


def test_nobody_answered_in_time_is_its_own_state(place: Place) -> None:
    key = place.asks(expires_ms=place.clock() + 1000)
    place.clock.passes(2)
    asked = place.request(key)
    assert (asked.state, asked.is_open, asked.answer) == ("expired", False, None)


def test_a_withdrawn_request_says_why(place: Place) -> None:
    key = place.asks()
    assert asking.withdraw(place.agent, key, "asker_gone").code == "done"
    asked = place.request(key)
    assert (asked.state, asked.reason) == ("withdrawn", "asker_gone")


# What an answer frees, and in what order --------------------------------------------------------


def test_an_answer_frees_what_depends_on_the_freed_tasks_as_well(place: Place) -> None:
    planned(
        place,
        ("T3", "completed", ()),
        ("T8", "pending", ()),
        ("T9", "pending", ()),
        ("T11", "pending", ("T8", "T9")),
        ("T12", "pending", ("T11",)),
    )
    asked = place.request(place.asks(frees=("T8",)))
    assert (asked.frees, asked.frees_then) == (("T8",), ("T11", "T12"))


def test_a_circle_of_tasks_is_walked_once(place: Place) -> None:
    tasks = [("a", ("b",)), ("b", ("a",))]
    listed = [
        {"key": key, "subject": key, "status": "pending", "dependsOn": list(needs)}
        for key, needs in tasks
    ]
    state = {"schemaVersion": 1, "revision": 1, "tasks": listed}
    (place.root / ".ppgp/todo.json").write_text(json.dumps(state))
    (place.root / "state/events.jsonl").unlink()
    said = a_request(frees=["todo:a"])
    on_disk(place, REQUESTS, f"{said['id']}.json", said)
    asked = place.request(said["id"])
    assert (asked.frees, asked.frees_then) == (("a",), ("b",))


def test_what_frees_most_comes_first_then_the_oldest(place: Place) -> None:
    planned(place, ("a", "pending", ()), ("b", "pending", ("a",)), ("c", "pending", ()))
    first, second, third, fourth = (
        place.asks("nothing, old"),
        place.asks("one", frees=("c",)),
        place.asks("two", frees=("a",)),
        place.asks("nothing, young"),
    )
    place.answers(place.asks("answered", frees=("a", "b", "c")))
    order = [one.id for one in place.picture().inbox.value if one.is_open]
    assert order == [third, second, first, fourth]


# The one who asked ------------------------------------------------------------------------------


def test_an_asking_process_that_runs_waits(place: Place) -> None:
    asked = place.request(place.asks(pid=os.getpid()))
    assert (asked.asker_state, asked.asker_quiet_ms) == ("waiting_for_you", place.clock())


def test_without_such_a_process_the_session_says_how_it_is(place: Place) -> None:
    key = place.asks()
    assert place.request(key).asker_state is None
    agent = FakeAgent(place.root, place.clock)
    agent.tells("working")
    asked = place.request(key)
    assert (asked.asker_state, asked.asker_quiet_ms) == ("working", None)
    place.clock.passes(1)
    agent.tells("idle", "Stop")
    place.clock.passes(360)
    asked = place.request(key)
    assert (asked.asker_state, asked.asker_quiet_ms) == ("idle", place.clock() - 360_000)


# Live -------------------------------------------------------------------------------------------


def test_a_live_session_follows_an_answer_to_its_end(place: Place) -> None:
    key = place.asks()
    session = place.session()
    session.open()
    session.follow(lambda _: None)

    def asked() -> Request:
        return next(one for one in session.snapshot.inbox.value if one.id == key)

    try:
        until(lambda: len(session.snapshot.inbox.value) == 1)
        on_disk(place, ANSWERS, f"{key}.1.json", {"planted": True})
        until(lambda: asked().refused)
        place.answers(key)
        until(lambda: asked().answer is not None and asked().answer.signature == "verified")  # type: ignore[union-attr]
        assert asked().answer.attempt == 2  # type: ignore[union-attr]
        delivers(place, key, 2)
        until(lambda: asked().state == "delivered")
        assert asked()._replace(origin=None) == place.request(key)._replace(origin=None)
    finally:
        session.close()
