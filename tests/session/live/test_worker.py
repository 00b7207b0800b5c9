"""A thread that works when woken, and survives its work."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from ppgp_tui.session.live import worker as worker_module
from ppgp_tui.session.live.worker import Worker
from tests.waiting import PATIENCE_S, until

Start = Callable[[Callable[[], float | None]], Worker]


@pytest.fixture
def failures() -> list[tuple[str, str]]:
    return []


@pytest.fixture
def start(failures: list[tuple[str, str]]) -> Iterator[Start]:
    workers = []

    def make(work: Callable[[], float | None]) -> Worker:
        worker = Worker("reader", work, lambda name, error: failures.append((name, str(error))))
        workers.append(worker)
        worker.start()
        return worker

    yield make
    for worker in workers:
        worker.stop()
        worker.join(PATIENCE_S)


def test_it_works_at_the_start_and_after_every_call(start: Start) -> None:
    rounds: list[int] = []
    worker = start(lambda: rounds.append(1))
    until(lambda: len(rounds) == 1)
    worker.wake()
    until(lambda: len(rounds) == 2)


def test_calls_during_the_work_are_one_more_round(start: Start) -> None:
    go, rounds = threading.Event(), []

    def work() -> None:
        rounds.append(1)
        go.wait(PATIENCE_S)

    worker = start(work)
    until(lambda: len(rounds) == 1)
    for _ in range(10):
        worker.wake()
    go.set()
    until(lambda: len(rounds) == 2)
    worker.stop()
    worker.join(PATIENCE_S)
    assert len(rounds) == 2


def test_it_comes_back_by_itself_when_the_work_wants_that(start: Start) -> None:
    rounds: list[int] = []

    def work() -> float | None:
        rounds.append(1)
        return 0.001 if len(rounds) < 3 else None

    start(work)
    until(lambda: len(rounds) == 3)


def test_a_failing_work_is_told_of_and_tried_again(
    start: Start, failures: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "RETRY_S", 0.001)
    rounds: list[int] = []

    def work() -> None:
        rounds.append(1)
        if len(rounds) == 1:
            raise ValueError("no such luck")

    start(work)
    until(lambda: len(rounds) == 2)
    assert failures == [("reader", "no such luck")]


def test_the_work_can_see_that_it_should_end(start: Start) -> None:
    seen = threading.Event()

    def work() -> None:
        until(worker.stopping)
        seen.set()

    worker = start(lambda: None)
    worker._work = work
    worker.wake()
    worker.stop()
    worker.join(PATIENCE_S)
    assert worker.stopping()
