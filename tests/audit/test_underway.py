"""The audit that is under way, as everybody can see it."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import signal
import threading
from pathlib import Path

import pytest

from ppgp_tui.audit.underway import BusyError, begun, cancel
from ppgp_tui.session.picture.audit_state import Running
from ppgp_tui.session.sources.audit import running_now

PROGRESS = Running(1, 60, "checking", {"dod:1": "running"}, "c1", "make test", 2, 60, ("ok",), 0, 3)


def test_others_see_how_far_it_is_and_nothing_is_left_afterwards(tmp_path: Path) -> None:
    with begun(tmp_path) as audit:
        audit.tell(PROGRESS)
        assert running_now(tmp_path) == PROGRESS
    assert running_now(tmp_path) is None
    assert [path.name for path in (tmp_path / ".ppgp/run/audit").iterdir()] == ["lock"]


def test_a_second_one_is_refused_and_harms_the_first_in_nothing(tmp_path: Path) -> None:
    with begun(tmp_path) as audit:
        audit.tell(PROGRESS)
        with pytest.raises(BusyError), begun(tmp_path):
            raise AssertionError("two at once")
        assert running_now(tmp_path) == PROGRESS


def test_one_that_begins_while_somebody_looks_is_not_taken_for_a_second(tmp_path: Path) -> None:
    with begun(tmp_path):
        pass
    looking = (tmp_path / ".ppgp/run/audit/lock").open("r+")
    fcntl.flock(looking, fcntl.LOCK_SH)
    looked_away = threading.Timer(0.05, looking.close)
    looked_away.start()
    with begun(tmp_path) as audit:
        audit.tell(PROGRESS)
        assert looking.closed
        assert running_now(tmp_path) == PROGRESS
    looked_away.join()


def test_anybody_may_cancel_it_and_an_old_wish_cancels_no_new_one(tmp_path: Path) -> None:
    assert not cancel(tmp_path)
    with begun(tmp_path) as audit:
        assert not audit.is_cancelled()
        assert cancel(tmp_path)
        assert audit.is_cancelled()
    assert not cancel(tmp_path)
    with begun(tmp_path) as audit:
        assert not audit.is_cancelled()


def _begin(root: Path, ready: str) -> None:
    with begun(root) as audit:
        audit.tell(PROGRESS)
        Path(ready).touch()
        signal.pause()


def test_one_that_was_killed_is_under_way_no_more_and_blocks_nobody(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    child = multiprocessing.get_context("spawn").Process(target=_begin, args=(tmp_path, str(ready)))
    child.start()
    while not ready.exists():
        assert child.is_alive()
    assert running_now(tmp_path) == PROGRESS
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    assert running_now(tmp_path) is None
    with begun(tmp_path):
        pass


def test_half_a_file_of_one_that_was_killed_goes_with_the_next(tmp_path: Path) -> None:
    with begun(tmp_path):
        pass
    half = tmp_path / ".ppgp/run/audit/.progress.json.999999-0123abcd.tmp"
    half.write_text("{")
    os.utime(half, (1, 1))
    with begun(tmp_path):
        assert not half.exists()
