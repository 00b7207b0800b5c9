"""What lies on disk about requests: what does not count, what was planted, what stands alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.session.canonical import canonical
from tests.session.fake_agent import FakeAgent
from tests.session.on_disk import ANSWERS, REQUESTS, a_request, on_disk
from tests.session.place import Place

pytestmark = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed"
)


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
    assert key[:12] in place.problems()["answer-refused"]


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
    assert key[:12] in place.problems()["answer-unrecorded"]


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
    assert sorted((one.code, one.path) for one in picture.problems) == [
        ("request-damaged", f"{REQUESTS}/notes.txt"),
        ("request-damaged", f"{REQUESTS}/req_{'0' * 32}.json"),
    ]


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
