"""Many processes at once, processes killed in the middle, and a disk that is full."""

import json
import os
import random
import resource
import signal
import subprocess
import time

import pytest

from ppgp_tui.session.journal import Appended, Refused
from tests.session.journals import (
    RUN,
    append,
    event,
    ids,
    journal_of,
    log_bytes,
    logged,
    new_journal,
    pair,
    state_of,
    torn,
)

KILLS = int(os.environ.get("PPGP_TEST_KILLS", "40"))
"""How many writers are killed; 200 is the long run."""


class Child:
    """A process that runs `work(say)`; what it says comes out of `lines`."""

    def __init__(self, work):
        read, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(read)
            try:
                work(lambda value: os.write(write, json.dumps(value).encode() + b"\n"))
                os._exit(0)
            finally:
                os._exit(7)
        os.close(write)
        self.pipe = os.fdopen(read, "rb")

    def said(self):
        """Everything said until its end, whole lines only."""
        with self.pipe:
            lines = self.pipe.read().split(b"\n")[:-1]
        self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return [json.loads(line) for line in lines]


def test_eight_processes_append_at_once_and_every_decision_sees_all_before_it(journal):
    (journal.root / ".agent").mkdir()

    def work(say):
        mine = journal_of(journal.root)
        for _ in range(25):
            result = mine.append(lambda view: pair(str(sum(1 for _ in view.lines()))))
            say(result.events)

    children = [Child(work) for _ in range(8)]
    acknowledged = [batch for child in children for batch in child.said()]
    assert [child.status for child in children] == [0] * 8

    events = logged(journal)
    written = list(zip(events[::2], events[1::2], strict=True))
    assert len(written) == 8 * 25
    assert sorted(acknowledged) == sorted(ids(batch) for batch in written)
    assert [int(first["payload"]["word"]) for first, _ in written] == list(range(0, 400, 2))
    assert torn(journal) == []
    assert log_bytes(journal) == (state_of(journal) / "copy.jsonl").read_bytes()
    assert not (journal.root / ".agent/lease").exists()


def test_killed_at_random_moments_nothing_acknowledged_is_lost_and_nothing_is_half_there(journal):
    rng = random.Random(20)
    acknowledged = set()

    def work(say):
        mine = journal_of(journal.root)
        for number in range(100_000):
            batch = pair(f"{os.getpid()}-{number}" + "x" * rng.randrange(2000))
            say(mine.append(lambda _view, batch=batch: batch).events)

    for _ in range(KILLS):
        rng.seed(rng.random())
        child = Child(work)
        first = child.pipe.readline()
        time.sleep(rng.random() * 0.006)
        os.kill(child.pid, signal.SIGKILL)
        acknowledged.update(json.loads(first), *child.said())
        assert child.status == -signal.SIGKILL

        assert isinstance(journal.flush(), Appended)
        events = logged(journal)
        assert acknowledged <= set(ids(events))
        assert len(set(ids(events))) == len(events)
        for one, other in zip(events[::2], events[1::2], strict=True):
            assert one["payload"] == other["payload"]
        assert not (journal.root / RUN / "journal.pending").exists()
        assert set(log_bytes(journal).splitlines()) == set(
            (state_of(journal) / "copy.jsonl").read_bytes().splitlines()
        )


# A full disk -------------------------------------------------------------------------------------


def limited(size, work):
    """Run `work(say)` where no file may grow beyond `size` bytes; return what it said."""

    def with_limit(say):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        work(say)

    return Child(with_limit).said()


@pytest.mark.parametrize("room", [0, 1, 100, 400])
def test_when_the_log_cannot_grow_the_act_is_refused_and_leaves_no_trace(journal, room):
    while len(log_bytes(journal)) < 8000:
        append(journal, *pair("kept" * 100))
    before = log_bytes(journal)
    batch = pair()  # about 500 bytes: the disk takes a part of it

    def work(say):
        result = journal_of(journal.root).append(lambda _view: batch)
        say([result.code, result.message])

    [[code, message]] = limited(len(before) + room, work)
    assert code == "disk"
    assert "file too large" in message or "no space left" in message
    assert "nothing was recorded" in message
    assert log_bytes(journal) == before
    assert not (journal.root / RUN / "journal.pending").exists()
    assert journal.flush().warnings == ()
    append(journal, *batch)


def test_when_the_outbox_cannot_grow_the_act_is_refused_and_what_waits_is_kept(journal):
    lease = journal.root / ".agent/lease"
    lease.parent.mkdir()
    lease.write_text("held")
    append(journal, *pair("kept" * 500))
    before = journal.waiting()

    def work(say):
        say(journal_of(journal.root).append(lambda _view: pair()).code)

    assert limited(sum(map(len, before)) + 50, work) == ["disk"]
    assert journal.waiting() == before


def test_when_only_the_safe_copy_cannot_grow_the_act_stands_and_the_warning_says_so(journal):
    append(journal, event())
    state = state_of(journal)
    (state / "copy.jsonl").unlink()
    (state / "copy.jsonl").mkdir()
    result = append(journal, *pair())
    assert result.recorded == "log"
    assert any("safe copy" in warning for warning in result.warnings)


def test_torn_bytes_that_cannot_be_kept_are_not_cut_off(journal):
    with (journal.root / "state/events.jsonl").open("ab") as log:
        log.write(b"{" * 5000)

    def work(say):
        say(journal_of(journal.root).append(lambda _view: pair()).code)

    assert limited(4000, work) == ["disk"]
    assert log_bytes(journal) == b"{" * 5000
    append(journal, event())
    assert torn(journal) == [b"{" * 5000]


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 128 KiB."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root may mount a small disk")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_small_disk_fills_up_and_is_emptied_again_without_losing_an_acknowledged_act(small_disk):
    journal = new_journal(small_disk)
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 16_384)
    acknowledged, refusals = [], 0
    while refusals < 12:
        batch = pair("w" * (1 + 97 * (len(acknowledged) % 40)))
        result = journal.append(lambda _view, batch=batch: batch)
        if isinstance(result, Refused):
            assert result.code == "disk"
            refusals += 1
            ballast.unlink(missing_ok=True)
        else:
            acknowledged += result.events
    assert acknowledged
    assert ids(logged(journal)) == acknowledged
    assert torn(journal) == []

    (state_of(journal) / "copy.jsonl").unlink()
    append(journal, *pair())
    assert ids(logged(journal))[:-2] == acknowledged
