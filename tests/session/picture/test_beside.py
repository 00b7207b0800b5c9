"""What lies beside the log: cut lines, the outbox, uncommitted lines, an act that was killed."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from ppgp_tui.session.actions import blocker, start
from ppgp_tui.session.model import Events
from ppgp_tui.session.picture.beside import JournalLook, journal_problems
from tests.session.journals import git
from tests.session.place import Place
from tests.waiting import until

LOG = "state/events.jsonl"


@pytest.fixture(autouse=True)
def _one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


@pytest.fixture
def committed(place: Place) -> Place:
    """A session in Git, with one recorded question in its one commit."""
    git(place.root, "init", "-q")
    place.asks("committed")
    git(place.root, "add", "state", ".ppgp/.gitignore")
    git(place.root, "commit", "-qm", "log")
    return place


def events(place: Place) -> Events:
    return place.picture().events.value


def lines(place: Place) -> int:
    return len((place.root / LOG).read_bytes().splitlines())


def foreign_lease(place: Place) -> Path:
    lease = place.root / ".agent/lease"
    lease.parent.mkdir()
    said = {"worker_id": "other", "pid": os.getpid(), "expires_at_ms": place.clock() + 60_000}
    lease.write_text(json.dumps(said))
    return lease


# Uncommitted ------------------------------------------------------------------------------------


def test_lines_that_no_commit_has_are_counted(committed: Place) -> None:
    place = committed
    assert events(place).uncommitted == 0
    before = lines(place)
    place.asks("more")
    assert events(place).uncommitted == lines(place) - before > 0


def test_before_the_first_commit_every_line_is_uncommitted(place: Place) -> None:
    git(place.root, "init", "-q")
    place.asks()
    assert events(place).uncommitted == lines(place)


def test_without_git_nobody_knows(place: Place) -> None:
    place.asks()
    now = events(place)
    assert (now.uncommitted, now.cut, now.outbox) == (None, 0, 0)


# Cut --------------------------------------------------------------------------------------------


def test_what_git_took_out_is_said_and_how_to_put_it_back(committed: Place) -> None:
    place = committed
    text = (place.root / LOG).read_bytes()
    place.clock.passes(60)
    place.asks("gone")
    cut = lines(place) - len(text.splitlines())
    git(place.root, "stash", "-q")
    now = events(place)
    assert (now.cut, now.cut_ms, now.uncommitted) == (cut, place.clock(), 0)
    (problem,) = (one for one in place.picture().problems if one.code == "log-cut")
    said = f"{cut} recorded events were removed from the log, last at 14:14; restore?"
    assert (problem.text, problem.mend, problem.path) == (said, "ppgp-tui restore", LOG)
    assert start.restore(place.person).code == "done"
    assert events(place).cut == 0
    assert "log-cut" not in place.problems()


def test_the_picture_goes_by_what_acts_go_by(committed: Place) -> None:
    """An agent still waits for what it asked, whatever was done to the log since."""
    place = committed
    key = place.asks("cut away")
    blocker.raise_(place.agent, "waits for the owner", klass="C", scope="T1")
    git(place.root, "reset", "-q", "--hard")
    assert place.request(key).state == "waiting"
    assert len(place.picture().recorded_blockers.value) == 1
    assert place.answers(key).code == "done"
    assert place.request(key).state == "answered"


def test_lines_put_back_later_change_nothing_that_came_after(committed: Place) -> None:
    place = committed
    key = place.asks("cut away")
    git(place.root, "reset", "-q", "--hard")
    place.clock.passes(1)
    assert place.answers(key).code == "done"
    before = place.request(key)
    assert start.restore(place.person).code == "done"
    after = place.request(key)
    assert (after.state, after.answer) == (before.state, before.answer)


def test_a_log_without_lines_of_its_commit_is_said(committed: Place) -> None:
    place = committed
    (place.root / LOG).write_bytes((place.root / LOG).read_bytes().split(b"\n")[0] + b"\n")
    assert "git restore" in {one.code: one.mend for one in place.picture().problems}["log-behind"]


def test_where_git_cannot_be_asked_that_is_said(
    committed: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = committed
    place.asks("gone")
    git(place.root, "stash", "-q")
    monkeypatch.setenv("PATH", "/nowhere")
    assert events(place).cut is None
    assert "log-unknown" in place.problems()


# The outbox and acts that were killed -----------------------------------------------------------


def test_what_waits_for_the_log_takes_effect_and_is_counted(place: Place) -> None:
    first = place.asks("before")
    lease = foreign_lease(place)
    assert place.answers(first).recorded == "outbox"
    waiting = events(place).outbox
    assert waiting
    assert f"{waiting} recorded events wait" in place.problems()["log-outbox"]
    assert place.request(first).state == "answered"
    lease.unlink()
    place.person.journal.flush()
    assert events(place).outbox == 0
    assert place.request(first).state == "answered"


def test_the_status_line_goes_by_the_outbox_too(place: Place) -> None:
    from ppgp_tui.session.status.line import read_status

    first = place.asks("before")
    foreign_lease(place)
    place.answers(first)
    place.asks("after")
    said = read_status(str(place.root), None, os.environ, place.clock())
    assert said["needs"] == place.lamp().needs == 1


def test_an_act_that_was_killed_is_said_and_one_under_way_is_not(place: Place) -> None:
    place.asks()
    pending = place.root / ".ppgp/run/journal.pending"
    pending.write_text("{}")
    then = place.clock() * 1_000_000
    os.utime(pending, ns=(then, then))
    assert "journal-pending" not in place.problems()
    place.clock.passes(3)
    assert "journal-pending" in place.problems()
    place.asks("the next act puts it right")
    assert "journal-pending" not in place.problems()


# Words ------------------------------------------------------------------------------------------

NOW = 1_790_000_000_000  # 2026-09-21 14:13:20 UTC


@pytest.mark.parametrize(
    ("count", "at_ms", "text"),
    [
        (1, NOW, "1 recorded event was removed from the log, last at 14:13; restore?"),
        (4, NOW - 600_000, "4 recorded events were removed from the log, last at 14:03; restore?"),
        (4, None, "4 recorded events were removed from the log; restore?"),
        (2, NOW - 86_400_000,
         "2 recorded events were removed from the log, last at 2026-09-20 14:13; restore?"),
    ],
)  # fmt: skip
def test_a_cut_says_how_many_and_when(count: int, at_ms: int | None, text: str) -> None:
    look = JournalLook(cut=(b"x",) * count, cut_ms=at_ms)
    assert [one.text for one in journal_problems(look, LOG, NOW)] == [text]


# Live -------------------------------------------------------------------------------------------


def test_a_live_session_notices_a_cut_and_the_restore(committed: Place) -> None:
    place = committed
    session = place.session()
    session.open()
    session.follow(lambda _: None)
    try:
        until(lambda: session.snapshot.events.value.uncommitted == 0)
        key = place.asks("cut away")
        until(lambda: session.snapshot.events.value.uncommitted)
        git(place.root, "reset", "-q", "--hard")
        until(lambda: session.snapshot.events.value.cut)
        assert key in {one.id for one in session.snapshot.inbox.value}
        assert start.restore(place.person).code == "done"
        until(lambda: session.snapshot.events.value.cut == 0)
        until(lambda: key in {one.id for one in session.snapshot.inbox.value})
    finally:
        session.close()
