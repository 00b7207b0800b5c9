"""Waiting for an answer: it goes on at the right one and at no other."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ppgp_tui.session.authority.answer import Answer, write
from ppgp_tui.session.authority.answer_files import create_answer, end_attempt, read_end
from ppgp_tui.session.authority.keys import SigningKey
from ppgp_tui.session.authority.pins import Checked, Pins
from ppgp_tui.session.authority.request_files import create_request
from ppgp_tui.session.authority.waiter import (
    GRACE_MS,
    POLL_S,
    Delivered,
    DeliveredBefore,
    Expired,
    Stopped,
    TimedOut,
    Waiter,
)
from ppgp_tui.session.files.safe import Folder
from tests.session.authority.conftest import HERE, HOSTILE, T0, Person, a_request, plant
from tests.waiting import PATIENCE_S


@dataclass
class Wait:
    """A wait under a clock of our own: each sleep is a poll, at which things may happen."""

    root: Path
    request: dict[str, Any]
    pins: Pins
    now_ms: int = T0
    polls: int = 0
    reports: list[str] = field(default_factory=list)
    happens: dict[int, Callable[[], object]] = field(default_factory=dict)

    def sleep(self, seconds: float) -> None:
        self.polls += 1
        self.now_ms += round(seconds * 1000)
        self.happens.pop(self.polls, lambda: None)()

    def waiter(self) -> Waiter:
        return Waiter(
            self.root, self.request, self.pins, "agent:x", self.reports.append, lambda: self.now_ms
        )

    def __call__(self, timeout_s: float | None = 30, **more: Any):
        return self.waiter().wait(
            timeout_s, sleep=self.sleep, elapsed=lambda: self.now_ms / 1000, **more
        )


@pytest.fixture
def wait(root: Path, request_asked, pins: Pins) -> Wait:
    return Wait(root, request_asked, pins)


def test_it_goes_on_at_the_poll_after_the_answer(wait, run, person):
    answer = person.answer(wait.request, note="gently")
    wait.happens[100] = lambda: create_answer(run, answer)
    assert wait() == Delivered(answer, signed=True)
    assert wait.polls == 100
    end = read_end(run, wait.request["id"], 1)
    assert (end.outcome, end.by, end.at_ms) == ("delivered", "agent:x", wait.now_ms)
    assert wait.reports == []


def test_an_answer_that_is_there_already_counts_at_once_even_without_time_to_wait(
    wait, run, person
):
    answer = person.answer(wait.request, "no")
    create_answer(run, answer)
    assert wait(timeout_s=0) == Delivered(answer, signed=True)
    assert wait.polls == 0


def test_unsigned_answers_are_delivered_as_unsigned_where_nothing_can_be_signed(
    wait, run, without_openssh
):
    wait.pins = without_openssh
    answer = Person(SigningKey(without_openssh)).answer(wait.request)
    create_answer(run, answer)
    assert wait() == Delivered(answer, signed=False)


def test_after_the_time_to_wait_the_request_stays_open(wait, run, person):
    assert wait(timeout_s=1) == TimedOut()
    assert read_end(run, wait.request["id"], 1) is None
    answer = person.answer(wait.request)
    create_answer(run, answer)
    assert wait() == Delivered(answer, signed=True)


def test_nobody_answering_until_it_expires_is_no_answer(wait, run):
    wait.request = a_request(expires_ms=T0 + 60_000)
    create_request(run, wait.request)
    assert wait(timeout_s=None) == Expired()
    assert T0 + 60_000 < wait.now_ms <= T0 + 60_000 + GRACE_MS + 2 * POLL_S * 1000


def test_an_answer_in_time_whose_file_comes_a_little_late_counts(wait, run, person):
    wait.request = a_request(expires_ms=T0 + 1000)
    person.now_ms = T0 + 999
    answer = person.answer(wait.request)
    wait.happens[22] = lambda: create_answer(run, answer)
    assert wait(timeout_s=None) == Delivered(answer, signed=True)


def test_an_answer_after_expiry_never_counts(wait, run, person):
    wait.request = a_request(expires_ms=T0 + 1000)
    person.now_ms = T0 + 1001
    create_answer(run, person.answer(wait.request))
    assert wait(timeout_s=None) == Expired()
    assert len(wait.reports) == 1
    assert "expired" in wait.reports[0]


def test_the_caller_can_stop_a_wait_that_has_lost_its_purpose(wait):
    assert wait(stopped=lambda: "withdrawn" if wait.polls == 5 else None) == Stopped("withdrawn")


def test_an_interrupted_wait_leaves_the_request_open(wait, run, person):
    def interrupt():
        raise KeyboardInterrupt

    wait.happens[3] = interrupt
    with pytest.raises(KeyboardInterrupt):
        wait()
    answer = person.answer(wait.request)
    create_answer(run, answer)
    assert wait() == Delivered(answer, signed=True)


BAD: dict[str, Callable[[Person, dict[str, Any], Person], Answer]] = {
    "altered": lambda me, request, _: replace(me.answer(request, "no"), option="yes"),
    "unsigned": lambda me, request, _: replace(me.answer(request), signature=None),
    "other request": lambda me, _, __: me.answer(a_request(question="Another?")),
    "other repository": lambda me, request, _: me.answer(request, repo="e" * 32),
    "other attempt": lambda me, request, _: me.answer(request, attempt=7),
    "forged or damaged": lambda _, request, stranger: stranger.answer(request),
}


@pytest.mark.parametrize("shown", BAD)
def test_a_bad_answer_is_reported_once_and_waiting_goes_on(
    wait, run, person, root, tmp_path, shown
):
    person.answer(wait.request)
    stranger = Person(SigningKey(Pins(tmp_path / "theirs", root, HERE)))
    plant(run, wait.request, 1, BAD[shown](person, wait.request, stranger))
    answer = person.answer(wait.request, attempt=2)
    wait.happens[60] = lambda: create_answer(run, answer)
    assert wait() == Delivered(answer, signed=True)
    assert wait.polls == 60
    (report,) = wait.reports
    assert f"answers/{wait.request['id']}.1.json does not count, {shown}: " in report


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_hinder_no_good_answer(wait, run, person, data):
    plant(run, wait.request, 1, data)
    plant(run, wait.request, 3, data)
    answer = person.answer(wait.request, attempt=2)
    wait.happens[5] = lambda: create_answer(run, answer)
    assert wait() == Delivered(answer, signed=True)
    assert len(wait.reports) == 2


def test_a_bad_answer_replaced_by_the_good_one_counts(wait, run, person):
    plant(run, wait.request, 1, b"half an ans")
    answer = person.answer(wait.request)
    wait.happens[40] = lambda: plant(run, wait.request, 1, answer)
    assert wait() == Delivered(answer, signed=True)


def test_an_answer_that_somebody_completes_in_place_counts_within_a_second(wait, run, person, root):
    plant(run, wait.request, 1, b"{")
    answer = person.answer(wait.request)
    path = root / f".ppgp/run/answers/{wait.request['id']}.1.json"
    wait.happens[100] = lambda: path.write_bytes(write(answer))
    assert wait() == Delivered(answer, signed=True)
    assert wait.polls <= 120


def test_an_answer_is_seen_at_once_within_the_same_tick_of_the_file_systems_clock(
    wait, run, person, monkeypatch
):
    """Then nothing about the folder tells that it changed."""
    monkeypatch.setattr("ppgp_tui.session.authority.waiter.stamp", lambda _: None)
    answer = person.answer(wait.request)
    wait.happens[4] = lambda: create_answer(run, answer)
    assert wait() == Delivered(answer, signed=True)
    assert wait.polls == 4


def test_an_answer_taken_back_is_not_delivered_and_the_next_one_is(wait, run, person):
    def revoke():
        end_attempt(run, wait.request["id"], 1, "revoked", by="user:dev", at_ms=T0)
        create_answer(run, person.answer(wait.request, "yes"))

    second = person.answer(wait.request, "no", attempt=2)
    wait.happens[2] = revoke
    wait.happens[30] = lambda: create_answer(run, second)
    assert wait() == Delivered(second, signed=True)
    assert wait.reports == []


def test_an_answer_seen_as_taken_back_stays_so_when_the_end_is_removed(wait, run, person, root):
    end_attempt(run, wait.request["id"], 1, "revoked", by="user:dev", at_ms=T0)
    create_answer(run, person.answer(wait.request, "yes"))
    folder = root / ".ppgp/run/answers"
    wait.happens[10] = (folder / f"{wait.request['id']}.1.end.json").unlink
    assert wait(timeout_s=5) == TimedOut()


def test_a_second_waiter_is_told_that_the_answer_was_delivered_before(wait, run, person):
    answer = person.answer(wait.request)
    create_answer(run, answer)
    assert wait() == Delivered(answer, signed=True)
    again = wait()
    assert isinstance(again, DeliveredBefore)
    assert (again.answer, again.end.by) == (answer, "agent:x")


def test_a_planted_end_delivers_nothing(wait, run, person):
    create_answer(run, person.answer(wait.request))
    with run.child("answers") as folder:
        folder.publish(f"{wait.request['id']}.1.end.json", b"\0")
    assert wait(timeout_s=3) == TimedOut()
    assert len(wait.reports) == 1


def test_a_link_in_place_of_the_answers_is_reported_and_not_followed(
    wait, run, person, root, tmp_path
):
    create_answer(run, person.answer(wait.request))
    folder = root / ".ppgp/run/answers"
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert wait(timeout_s=3) == TimedOut()
    assert len(wait.reports) == 1
    assert "is a link" in wait.reports[0]
    assert len(list((tmp_path / "elsewhere").iterdir())) == 1


def test_a_link_in_place_of_an_answer_does_not_count(wait, run, person, root, tmp_path):
    create_answer(run, person.answer(wait.request))
    path = root / f".ppgp/run/answers/{wait.request['id']}.1.json"
    path.rename(tmp_path / "answer")
    path.symlink_to(tmp_path / "answer")
    assert wait(timeout_s=3) == TimedOut()
    assert "is a link" in wait.reports[0]


def test_a_pipe_in_place_of_an_answer_does_not_hold_the_waiter_up(wait, run, root):
    (root / ".ppgp/run/answers").mkdir()
    os.mkfifo(root / f".ppgp/run/answers/{wait.request['id']}.1.json")
    assert wait(timeout_s=3) == TimedOut()


def test_a_request_swapped_on_disk_changes_nothing_for_the_waiter(wait, run, person, root):
    """What counts is the waiter's own copy."""
    swapped = wait.request | {"question": "Delete the bucket?"}
    (root / f".ppgp/run/requests/{wait.request['id']}.json").unlink()
    create_request(run, swapped)
    create_answer(run, person.answer(swapped))
    assert wait(timeout_s=3) == TimedOut()
    assert "other request" in wait.reports[0]


def test_the_run_folder_deleted_and_made_again_is_no_obstacle(wait, root, person):
    answer = person.answer(wait.request)

    def answer_anew():
        with Folder.open(root, ".ppgp", "run", create=True) as run:
            create_answer(run, answer)

    wait.happens[5] = lambda: shutil.rmtree(root / ".ppgp")
    wait.happens[50] = lambda: (root / ".ppgp").mkdir()
    wait.happens[60] = answer_anew
    assert wait() == Delivered(answer, signed=True)


def test_a_key_made_while_the_agent_waits_is_known_to_it(wait, run, pins):
    """The first answer ever given."""
    assert pins.pinned() is None
    wait.happens[5] = lambda: create_answer(run, Person(SigningKey(pins)).answer(wait.request))
    assert isinstance(wait(), Delivered)


def test_pins_swapped_for_another_key_release_nobody_by_the_old_one(wait, run, person, tmp_path):
    create_answer(run, person.answer(wait.request))
    stranger = Pins(tmp_path / "theirs", wait.root, HERE)
    SigningKey(stranger).sign(b"x")
    wait.pins.path.write_bytes(stranger.path.read_bytes())
    assert wait(timeout_s=3) == TimedOut()
    assert "forged or damaged" in wait.reports[0]


class Busy(Pins):
    """On a machine where the first checks of a signature do not end in time."""

    late = 3

    def check(self, text: bytes, signature: str | None) -> Checked:
        self.late -= 1
        late = Checked("unverifiable", "ssh-keygen did not answer within 5 s")
        return late if self.late >= 0 else super().check(text, signature)


def test_a_signature_that_could_not_be_checked_in_time_is_checked_again(wait, run, person):
    answer = person.answer(wait.request)
    create_answer(run, answer)
    wait.pins = Busy(wait.pins.data, wait.root, HERE)
    assert wait() == Delivered(answer, signed=True)
    assert len(wait.reports) == 1
    assert "not verified" in wait.reports[0]


def test_an_answer_is_looked_at_again_when_other_keys_are_pinned(wait, run, person):
    answer = person.answer(wait.request)
    create_answer(run, answer)
    hidden = wait.pins.path.read_bytes()
    wait.pins.path.unlink()
    wait.happens[45] = lambda: wait.pins.path.write_bytes(hidden)
    assert wait() == Delivered(answer, signed=True)
    assert len(wait.reports) == 1


WAITER = """
import json, sys, time
from pathlib import Path
from ppgp_tui.session.authority.pins import Checked, Pins
from ppgp_tui.session.authority.waiter import Waiter
root, data = Path(sys.argv[1]), Path(sys.argv[2])
request = json.loads(sys.argv[3])
now_ms = lambda: time.time_ns() // 1_000_000
waiter = Waiter(root, request, Pins(data, root), "agent:x", print, now_ms)
print("waiting", flush=True)
print(waiter.wait(600).answer.option, flush=True)
"""


def test_a_waiting_process_goes_on_soon_after_the_answer_is_there(
    run, root, pins, person, request_asked
):
    answer = person.answer(request_asked)
    command = [sys.executable, "-c", WAITER, str(root), str(pins.data), json.dumps(request_asked)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "waiting\n"
        create_answer(run, answer)
        assert process.stdout.readline() == "yes\n"
        assert process.wait(PATIENCE_S) == 0
