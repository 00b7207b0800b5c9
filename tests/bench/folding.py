"""Budgets of the fold: speed beside decoding, memory beside dictionaries, cost of new lines.

`python -m tests.bench.folding ours|plain LOG` folds a log and prints how many MB that took.
"""

# ruff: noqa: T201 - printing is what the second program is for

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from ppgp_tui.gasp.folding.fold import Fold
from ppgp_tui.gasp.folding.props import merge
from tests.bench import ops_logs
from tests.bench.result import Result, in_turns

EVENTS = 1_000_000
ROUNDS = 3
PIECE = 1 << 20
NEW = 100
MIXES = {"realistic": ops_logs.realistic, "operations only": ops_logs.operations}
_WORD = b'"kind":"state.ops_applied"'


def fold(place: Path) -> Iterator[Result]:
    """A million events of each mix, folded from nothing; then a hundred more."""
    place.mkdir(exist_ok=True)
    for mix, lines in MIXES.items():
        path = place / f"{mix.replace(' ', '-')}.jsonl"
        with path.open("wb") as log:
            log.writelines(lines(EVENTS))
        yield from _speed(mix, path)
        yield from _growth(mix, path, lines)
        ours, plain = in_turns(partial(_memory, "ours", path), partial(_memory, "plain", path), 1)
        yield Result(f"folded graph, {mix}", "MB", ours, plain, budget=1.2)
        path.unlink()


def _speed(mix: str, path: Path) -> Iterator[Result]:
    pieces = list(_pieces(path))
    must = [line for piece in pieces for line in piece.split(b"\n") if _WORD in line]
    decode = msgspec.json.Decoder().decode

    def folding() -> None:
        fold = Fold()
        for piece in pieces:
            fold.take(piece)
        assert fold.lines == EVENTS

    def decoding() -> None:
        for line in must:
            decode(line)

    def keeping() -> list[Any]:
        return [decode(line) for line in must]

    ours, floor = in_turns(_timed(folding), _timed(decoding), ROUNDS)
    yield Result(f"fold of {EVENTS:,} events, {mix}", "ms", ours, floor, budget=2)
    ours, floor = in_turns(_timed(folding), _timed(keeping), ROUNDS)
    yield Result(f"… beside decoding and keeping, {mix}", "ms", ours, floor, budget=None)


def _growth(mix: str, path: Path, lines: Callable[[int], Iterator[bytes]]) -> Iterator[Result]:
    """A hundred lines more, on a graph of all events and on one of a thousand."""
    folds = []
    for count in (EVENTS, 1000):
        fold, taken = Fold(), 0
        for piece in _pieces(path):
            part = b"".join(islice(piece.splitlines(keepends=True), count - taken))
            fold.take(part)
            taken = fold.lines
            if taken >= count:
                break
        folds.append(fold)
    more = b"".join(lines(NEW))

    def growing(fold: Fold) -> Callable[[], float]:
        return _timed(lambda: fold.take(more))

    ours, floor = in_turns(growing(folds[0]), growing(folds[1]), 200)
    yield Result(f"{NEW} new lines on {EVENTS:,}, {mix}", "ms", ours, floor, budget=2)


def _timed(what: Callable[[], Any]) -> Callable[[], float]:
    def measure() -> float:
        gc.collect(0)
        begun = time.perf_counter()
        kept = what()
        took = 1000 * (time.perf_counter() - begun)
        del kept
        return took

    return measure


def _pieces(path: Path) -> Iterator[bytes]:
    """The file in pieces of whole lines."""
    with path.open("rb") as log:
        while piece := log.read(PIECE):
            yield piece + log.readline()


def _memory(how: str, path: Path) -> float:
    words = [sys.executable, "-m", "tests.bench.folding", how, str(path)]
    return float(subprocess.run(words, check=True, capture_output=True).stdout)


def _plain(pieces: Iterator[bytes]) -> Any:
    """The same fold on dictionaries, for logs without deletions and other oddities."""
    decode = msgspec.json.Decoder().decode
    nodes: dict[str, Any] = {}
    relations: list[Any] = []
    for piece in pieces:
        for line in piece.split(b"\n"):
            if _WORD in line:
                for op in decode(line)["payload"]:
                    ((variant, body),) = op.items()
                    _apply(nodes, relations, variant, body)
    return nodes, relations


def _apply(nodes: dict[str, Any], relations: list[Any], variant: str, body: Any) -> None:
    if variant == "CreateNode":
        nodes[body["id"]] = {**body, "stale": False, "tombstoned": False, "artifacts": []}
    elif variant == "CreateRelation":
        relations.append(body)
    elif (node := nodes.get(body["id"])) is None:
        return
    elif variant == "UpdateNode":
        node["props"] = merge(node["props"], body["props"])
    elif variant == "MarkStale":
        node["stale"] = True
        node["props"]["stale_reason"] = body["reason"]
    else:
        node["artifacts"].append(body["artifact"])


def _resident() -> float:
    """How many MB this process holds in memory now."""
    words = ["ps", "-o", "rss=", "-p", str(os.getpid())]
    return int(subprocess.run(words, check=True, capture_output=True).stdout) * 1024 / 1e6


def main() -> None:
    """Print the MB that a folded graph takes."""
    how, path = sys.argv[1], Path(sys.argv[2])
    warm = next(_pieces(path))[:PIECE]
    fold = Fold()
    fold.take(warm[: warm.rfind(b"\n") + 1])
    before = _resident()
    if how == "plain":
        kept = _plain(_pieces(path))
        assert kept[0]
    else:
        fold = Fold()
        for piece in _pieces(path):
            fold.take(piece)
        assert fold.graph.nodes
    gc.collect()
    print(_resident() - before)


if __name__ == "__main__":
    main()
