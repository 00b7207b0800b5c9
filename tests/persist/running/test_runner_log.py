"""The loops' log while a loop runs: its lock is held, its disk is full, somebody takes it away."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import signal
from collections.abc import Callable, Iterable
from functools import partial
from types import SimpleNamespace

import pytest

from ppgp_tui.persist.disk import lock
from ppgp_tui.persist.disk.lock import LockTimeoutError
from ppgp_tui.persist.disk.log import LoopLog
from ppgp_tui.persist.reading import Reading
from ppgp_tui.persist.row import Row
from tests.persist.running.scene import ID, LIMIT, OTHER, Run, Scene

# The log's disk and lock


class Stubborn:
    """A log that refuses some rows a few times."""

    def __init__(self, scene: Scene, refusals: dict[str, list[Exception]]) -> None:
        self._log, self._refusals, self._clock = LoopLog(scene.home), refusals, scene.clock

    def append(self, row: Row, hurry: Callable[[], bool]) -> list[str]:
        if left := self._refusals.get(row.to_state):
            error = left.pop(0)
            if isinstance(error, LockTimeoutError):
                self._clock.sleep(30_000)
            raise error
        return self._log.append(row, hurry)

    def tell_again(self, rows: Iterable[Row], hurry: Callable[[], bool]) -> None:
        self._log.tell_again(rows, hurry)

    def read(self) -> Reading:
        return self._log.read()


def test_f20_a_lock_that_is_held_long_loses_no_result(scene: Scene) -> None:
    held = [LockTimeoutError(30.0, scene.home.lock) for _ in range(5)]
    scene.log = Stubborn(scene, {"SUCCESS": held})
    assert scene.run(Run(0), condition_text="exit-code-0") == 0
    assert scene.told()[-1] == ("SUCCESS", 1)
    assert len([line for line in scene.words.noted if "flock timeout after 30.0s" in line]) == 5


def test_behaviour_25_a_lock_that_is_held_at_the_start_ends_with_1(scene: Scene) -> None:
    scene.log = Stubborn(scene, {"SPAWNED": [LockTimeoutError(30.0, scene.home.lock)]})
    assert scene.run() == 1
    assert scene.words.noted == [f"persist: flock timeout after 30.0s on {scene.home.lock}"]
    assert scene.agent.started == []


def full(_: int) -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "state.jsonl")


def test_a_full_disk_that_is_cleared_in_time_loses_no_row(scene: Scene) -> None:
    scene.log = Stubborn(scene, {"SUCCESS": [full(each) for each in range(20)]})
    assert scene.run(Run(0), condition_text="exit-code-0") == 0
    assert scene.told()[-1] == ("SUCCESS", 1)
    assert len([line for line in scene.words.noted if "No space left" in line]) == 1


def test_a_disk_that_stays_full_ends_the_loop_after_a_minute_and_says_so(scene: Scene) -> None:
    scene.log = Stubborn(scene, {"ITERATING": [full(each) for each in range(1_000)]})
    assert scene.run(Run(0)) == 1
    assert scene.agent.started == []
    assert 60_000 <= scene.clock.ms <= 62_000
    assert "stays open in the log" in scene.words.noted[-1]


def test_who_interrupts_a_loop_whose_disk_is_full_waits_for_nothing(scene: Scene) -> None:
    scene.log = Stubborn(scene, {"ABANDONED": [full(each) for each in range(1_000)]})
    scene.clock.at(3, lambda: os.kill(os.getpid(), signal.SIGINT))
    assert scene.run(Run(0)) == 130
    assert scene.clock.ms < 4_000
    assert any("stays open in the log" in line for line in scene.words.noted)


@pytest.mark.parametrize("at_start", [True, False])
def test_who_interrupts_a_loop_waits_for_no_lock_that_is_held_for_ever(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, *, at_start: bool
) -> None:
    monkeypatch.setattr(lock, "HURRIED_S", 0.2)
    interrupts = iter([signal.SIGINT])

    def flock(descriptor: int, how: int) -> None:
        try:
            fcntl.flock(descriptor, how)
        except BlockingIOError:
            for number in interrupts:
                os.kill(os.getpid(), number)
            raise

    here = SimpleNamespace(flock=flock, LOCK_EX=fcntl.LOCK_EX, LOCK_NB=fcntl.LOCK_NB)
    monkeypatch.setattr(lock, "fcntl", here)
    scene.home.path.mkdir()
    with scene.home.lock.open("w") as held:
        take = partial(fcntl.flock, held, fcntl.LOCK_EX)
        if at_start:
            take()
        assert scene.run(Run(0, does=take), condition_text="exit-code-0") == 130
    assert "flock timeout after " in scene.words.noted[0]
    assert scene.told() == ([] if at_start else [("SPAWNED", 0), ("ITERATING", 1)])


# The log is taken away, as a cleaning command does


@pytest.mark.parametrize("when", [3, 10.2])
def test_a_log_that_is_removed_is_begun_anew_with_the_rows_of_the_loop(
    scene: Scene, when: float
) -> None:
    """In a run and between two; the original goes on as well, with rows that begin nowhere."""
    runs = Run(1), Run(1, 10, [LIMIT]), Run(0)
    scene.clock.at(when, lambda: scene.home.log.rename(scene.home.path / "old"))
    assert scene.run(*runs, condition_text="exit-code-0") == 0
    assert scene.told() == [
        ("SPAWNED", 0), ("ITERATING", 1), ("ITERATING", 2), ("PAUSED", 2), ("ITERATING", 2),
        ("SUCCESS", 2),
    ]  # fmt: skip
    (note,) = [line for line in scene.words.noted if "taken away" in line]
    assert note == (
        f"persist: the log was taken away or replaced; loop {ID} goes on, and its rows are written"
        " again"
    )


def test_while_a_run_goes_on_the_loop_stands_in_the_log_again_within_a_second(
    scene: Scene,
) -> None:
    """Else a second loop could begin on its prompt file."""
    seen: list[list[tuple[str, int]]] = []
    scene.clock.at(3, scene.home.log.unlink)
    scene.clock.at(4.2, lambda: seen.append(scene.told()))
    scene.run(Run(0), condition_text="exit-code-0")
    assert seen == [[("SPAWNED", 0), ("ITERATING", 1)]]


def test_a_home_that_is_removed_whole_is_made_again(scene: Scene) -> None:
    scene.clock.at(3, lambda: shutil.rmtree(scene.home.path))
    assert scene.run(Run(1), Run(0), condition_text="exit-code-0") == 0
    assert scene.told()[-1] == ("SUCCESS", 2)


def test_another_log_in_its_place_keeps_what_it_holds(scene: Scene) -> None:
    def replace() -> None:
        kept = scene.home.log.read_bytes().replace(ID.encode(), OTHER.encode())
        scene.home.log.write_bytes(kept)

    scene.clock.at(3, replace)
    assert scene.run(Run(0), condition_text="exit-code-0") == 0
    assert len(scene.rows(OTHER)) == 2
    assert scene.told() == [("SPAWNED", 0), ("ITERATING", 1), ("SUCCESS", 1)]


def test_a_log_that_is_put_back_to_an_older_state_gets_the_rows_that_it_lacks(
    scene: Scene,
) -> None:
    """No way leads from SPAWNED to SUCCESS, and yet it is not the loop that breaks a rule."""

    def put_back() -> None:
        first, *_ = scene.home.log.read_bytes().splitlines(keepends=True)
        scene.home.log.write_bytes(first)

    scene.clock.at(3, put_back)
    assert scene.run(Run(0), condition_text="exit-code-0") == 0
    assert scene.told() == [("SPAWNED", 0), ("ITERATING", 1), ("SUCCESS", 1)]
    assert any("taken away or replaced" in line for line in scene.words.noted)


def test_an_older_state_that_the_loop_never_wrote_ends_it_with_what_happened(scene: Scene) -> None:
    def put_back() -> None:
        first, *_ = scene.home.log.read_bytes().splitlines(keepends=True)
        scene.home.log.write_bytes(first.replace(b'"iteration":0', b'"iteration":7'))

    scene.clock.at(3, put_back)
    assert scene.run(Run(0), condition_text="exit-code-0") == 99
    assert f"somebody put {scene.home.log} back to what it was earlier" in scene.words.noted[-1]
