"""Budgets of travelling in a long log: a step, a jump anywhere, and the first way through it."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

from ppgp_tui.gasp.envelope import head_reader
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.travel.destination import Destination
from ppgp_tui.session.travel.past import CLOSE, COARSE, lines_from
from ppgp_tui.session.travel.traveller import Traveller
from tests.bench.logs import write_log
from tests.bench.result import Result

EVENTS = 1_000_000
STEPS = 200
JUMPS = 20


def travel(place: Path) -> Iterator[Result]:
    """A million events: from now to the one before, back step by step, then anywhere."""
    root = place / "travel"
    write_log(root / "state/events.jsonl", EVENTS)
    session = LiveSession(root)
    begun = time.perf_counter()
    now = session.read_all()
    reading = time.perf_counter() - begun
    view = now.events.value.log
    assert isinstance(view, LogView)
    traveller = Traveller(lambda: now, lambda _: None)

    def to(at: int) -> float:
        begun = time.perf_counter()
        assert traveller.moment(Destination(at=at)) is not None
        return time.perf_counter() - begun

    first = to(EVENTS - 2)
    yield Result("first way through 1,000,000 events", "s", [first], [reading], budget=2.5)
    steps = [to(at) * 1000 for at in range(EVENTS - 3, EVENTS - 3 - STEPS, -1)]
    close = [_decode(view, EVENTS - 4000, CLOSE) for _ in range(9)]
    yield Result("step back among 1,000,000 events", "ms", steps, close, budget=4.0)
    chance = random.Random(1)
    jumps = [to(chance.randrange(EVENTS)) * 1000 for _ in range(JUMPS)]
    far = [_decode(view, EVENTS // 3, EVENTS // COARSE) for _ in range(5)]
    yield Result("jump among 1,000,000 events", "ms", jumps, far, budget=4.0)
    session.close()


def _decode(view: LogView, first: int, count: int) -> float:
    """Milliseconds that reading and decoding so many lines takes, and nothing else."""
    read = head_reader()
    begun = time.perf_counter()
    for line in lines_from(view, first, first + count):
        if line is not None:
            read(line).payload()
    return (time.perf_counter() - begun) * 1000
