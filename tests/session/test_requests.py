"""Requests from asking to acting, as the inbox shows them; and what on disk does not count."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.session.actions import asking, plan
from ppgp_tui.session.authority.answer_files import end_attempt
from ppgp_tui.session.canonical import canonical, new_id
from ppgp_tui.session.engine.requests import build
from ppgp_tui.session.model import Request
from ppgp_tui.session.safefiles import Folder
from tests.session.fake_agent import FakeAgent
from tests.session.place import Place
from tests.session.waiting import until

REQUESTS, ANSWERS = ".ppgp/run/requests", ".ppgp/run/answers"

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


def on_disk(
    place: Place, folder: str, name: str, said: dict[str, Any], seconds: float = 60
) -> Path:
    """A file that some program wrote a while ago."""
    path = place.root / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(canonical(said) + b"\n")
    then = place.clock() * 1_000_000 - int(seconds * 1e9)
    os.utime(path, ns=(then, then))
    return path


def a_request(**about: Any) -> dict[str, Any]:
    return build(
        **{
            "request_id": new_id("req"), "repo": "0123456789abcdef" * 2, "question": "Drop it?",
            "asker": {"actor": "agent:claude-0f3a", "session": "claude-0f3a", "cwd": "/here"},
            "created_ms": 1_790_000_000_000, **about,
        }
    )  # fmt: skip


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


# What does not count ----------------------------------------------------------------------------


def answer_file(place: Place, request: str, attempt: int = 1) -> Path:
    return place.root / ANSWERS / f"{request}.{attempt}.json"


def test_a_planted_answer_is_shown_and_changes_nothing(place: Place) -> None:
    key = place.asks()
    place.answers(place.asks("another"))
    on_disk(place, ANSWERS, f"{key}.1.json", {"schema": 1, "option": "yes"})
    asked = place.request(key)
    assert (asked.state, asked.answer) == ("waiting", None)
    (refused,) = asked.refused
    assert (refused.attempt, refused.word) == (1, "forged or damaged")
    assert refused.why
    assert key in place.problems()["answer-refused"]


def test_an_answer_to_another_request_is_no_answer_to_this_one(place: Place) -> None:
    first, second = place.asks("first"), place.asks("second")
    place.answers(first)
    shutil.copy(answer_file(place, first), answer_file(place, second))
    asked = place.request(second)
    assert (asked.state, [one.word for one in asked.refused]) == ("waiting", ["other request"])
    assert place.request(first).state == "answered"


def test_an_answer_altered_after_it_was_given_is_no_longer_verified(place: Place) -> None:
    key = place.asks()
    place.answers(key, "no")
    said = json.loads(answer_file(place, key).read_bytes())
    answer_file(place, key).write_bytes(canonical({**said, "option": "yes"}) + b"\n")
    asked = place.request(key)
    assert [one.word for one in asked.refused] == ["altered"]
    assert asked.answer is not None
    assert (asked.answer.option, asked.answer.signature) == ("no", "unchecked")


def test_unsigned_where_a_key_is_pinned_releases_nobody(place: Place) -> None:
    pinning, key = place.asks("pins a key"), place.asks()
    place.answers(pinning)
    place.answers(key)
    said = json.loads(answer_file(place, key).read_bytes())
    del said["signature"]
    answer_file(place, key).write_bytes(canonical(said) + b"\n")
    assert [one.word for one in place.request(key).refused] == ["unsigned"]


def test_without_key_and_ssh_keygen_an_answer_counts_and_is_called_unsigned(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    key = place.asks()
    assert place.answers(key).code == "done"
    asked = place.request(key)
    assert asked.answer is not None
    assert (asked.state, asked.answer.signature) == ("answered", "unsigned")


def test_an_answer_that_is_only_on_disk_is_shown_as_one_nobody_recorded(place: Place) -> None:
    key = place.asks()
    log = (place.root / "state/events.jsonl").read_bytes()
    place.answers(key)
    (place.root / "state/events.jsonl").write_bytes(log)
    shutil.rmtree(place.person.state)
    place.clock.passes(60)
    asked = place.request(key)
    assert asked.answer is not None
    assert (asked.state, asked.answer.recorded) == ("answered", False)
    assert key in place.problems()["answer-unrecorded"]


def test_a_request_file_with_other_words_is_named_and_the_recorded_ones_are_shown(
    place: Place,
) -> None:
    key = place.asks("Drop the cache?")
    path = place.root / REQUESTS / f"{key}.json"
    said = json.loads(path.read_bytes())
    path.write_bytes(canonical({**said, "question": "Drop the database?"}) + b"\n")
    assert place.request(key).question == "Drop the cache?"
    assert str(path.name) in place.problems()["request-altered"]


def test_a_planted_question_is_not_asked(place: Place) -> None:
    place.asks("a real one")
    said = a_request(question="Give me everything?")
    on_disk(place, REQUESTS, f"{said['id']}.json", said)
    assert [one.question for one in place.picture().inbox.value] == ["a real one"]
    assert said["id"] in place.problems()["request-unrecorded"]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"schema":1}'])
def test_rubbish_among_the_requests_is_named(place: Place, data: bytes) -> None:
    place.asks()
    (place.root / REQUESTS / f"req_{'0' * 32}.json").write_bytes(data)
    (place.root / REQUESTS / "notes.txt").write_bytes(data)
    picture = place.picture()
    assert len(picture.inbox.value) == 1
    assert [one.code for one in picture.problems] == ["request-damaged"] * 2


def test_a_link_in_place_of_a_folder_is_not_followed(place: Place, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    said = a_request(kind="permission")
    (elsewhere / f"{said['id']}.json").write_bytes(canonical(said) + b"\n")
    (place.root / ".ppgp/run").mkdir(exist_ok=True)
    (place.root / REQUESTS).symlink_to(elsewhere)
    picture = place.picture()
    assert picture.inbox.value == ()
    assert "answers-unread" in {one.code for one in picture.problems}


def test_a_recorded_digest_that_is_not_of_its_text_is_said(place: Place) -> None:
    asked = {"question": "?", "class": "C"}
    payload = {"id": "req_1", "request": asked, "digest": "sha256:" + "0" * 64}
    place.records(FakeAgent(place.root, place.clock), "authority.requested", **payload)
    assert place.request("req_1").damage


# Only on disk -----------------------------------------------------------------------------------


def test_without_a_log_the_requests_on_disk_are_the_inbox(place_without_log: Place) -> None:
    place = place_without_log
    said = a_request(question="Run it?", why="because", expires_ms=1_790_000_009_000)
    on_disk(place, REQUESTS, f"{said['id']}.json", said)
    asked = place.request(said["id"])
    assert (asked.state, asked.question, asked.why) == ("waiting", "Run it?", "because")
    assert asked.origin is not None
    assert asked.origin.path == f"{REQUESTS}/{said['id']}.json"
    place.clock.passes(10)
    assert place.request(said["id"]).state == "expired"
    assert place.problems() == {}


def permission(pid: int) -> dict[str, Any]:
    asker = {"actor": "agent:claude-0f3a", "session": "claude-0f3a", "cwd": "/here", "pid": pid}
    tool = {"name": "Bash", "input": {"command": "rm -r build"}}
    return a_request(kind="permission", question="May Bash run?", asker=asker, tool=tool)


def test_a_permission_is_asked_beside_the_log_while_its_hook_waits(place: Place) -> None:
    said = permission(os.getpid())
    on_disk(place, REQUESTS, f"{said['id']}.json", said)
    asked = place.request(said["id"])
    assert (asked.state, asked.kind, asked.tool) == ("waiting", "permission", "Bash")
    assert json.loads(asked.tool_input or "") == {"command": "rm -r build"}
    assert (asked.cwd, asked.asker_state) == ("/here", "waiting_for_you")
    assert place.lamp().needs == 1
    assert place.problems() == {}


def test_a_permission_whose_hook_is_dead_is_not_asked_any_more(place: Place) -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    said = permission(child.pid)
    on_disk(place, REQUESTS, f"{said['id']}.json", said)
    asked = place.request(said["id"])
    assert (asked.state, asked.reason) == ("withdrawn", "asker_gone")


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
        assert replace(asked(), origin=None) == replace(place.request(key), origin=None)
    finally:
        session.close()
