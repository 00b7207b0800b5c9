"""Budgets of what follows a log: the live verdict by new lines, the kept graph beside a fold."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ppgp_tui.session.log.graph import LogGraph
from ppgp_tui.session.log.tail import LogTail
from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.sources.conformance import ConformanceSource
from tests.bench import ops_logs
from tests.bench.result import Result

FEW, MANY, NEW = 1_000, 60_000, 100
KEPT = 200_000
LOG = "events.jsonl"


def live(place: Path) -> Iterator[Result]:
    """The verdict after a hundred more events; the graph of a long log the second time."""
    place.mkdir(exist_ok=True)
    many, few = _verdict(place / "many", MANY), _verdict(place / "few", FEW)
    what = f"verdict on {NEW} new events, {MANY:,} there against {FEW:,}"
    yield Result(what, "ms", many, few, budget=2)
    kept, folded = _graph(place / "graph")
    what = f"graph of {KEPT:,} events, kept against folded"
    yield Result(what, "ms", kept, folded, budget=0.5)


def _verdict(place: Path, count: int) -> list[float]:
    """Milliseconds for each of some appends, the log's own reader left out."""
    place.mkdir()
    lines = ops_logs.realistic(count + 11 * NEW)
    path = place / LOG
    path.write_bytes(b"".join(islice(lines, count)))
    tail, source = LogTail(place, LOG, lambda: 0), ConformanceSource(place, lambda: 0)
    source.look(tail.look(), LOG)
    taken = []
    for _ in range(11):
        with path.open("ab") as log:
            log.writelines(islice(lines, NEW))
        read = tail.look()
        begun = time.perf_counter()
        checked = source.look(read, LOG)
        taken.append(1000 * (time.perf_counter() - begun))
        assert checked is not None
        assert checked.offset == path.stat().st_size
    return taken[1:]


def _graph(place: Path) -> tuple[list[float], list[float]]:
    """Milliseconds with and without what was kept, in turns."""
    place.mkdir()
    with (place / LOG).open("wb") as log:
        log.writelines(ops_logs.realistic(KEPT))
    view = _view(place)
    LogGraph(place / "own").look(view)
    kept, folded = [], []
    for _ in range(3):
        folded.append(_folding(view, None))
        kept.append(_folding(view, place / "own"))
    return kept, folded


def _folding(view: LogView, folder: Path | None) -> float:
    begun = time.perf_counter()
    look = LogGraph(folder).look(view)
    assert look.lines == KEPT
    return 1000 * (time.perf_counter() - begun)


def _view(place: Path) -> LogView:
    view = LogTail(place, LOG, lambda: 0).look().view
    assert view is not None
    return view
