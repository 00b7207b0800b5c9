"""Budgets of the restart loops' log: its reading beside decoding, `persist status`, the app."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.log import LoopLog
from ppgp_tui.persist.reading import read
from ppgp_tui.persist.row import Row, encode
from tests.bench import repositories
from tests.bench.app import memory
from tests.bench.commands import PROGRAM
from tests.bench.result import Result, in_turns
from tests.bench.terminal import Terminal

ROWS = 500_000
FEW = 5_000
RUNS = 32
"""Of each loop; so many rows and two more."""
OPEN = 10
"""Loops that are not closed, the last ones."""
ROUNDS = 5


class _Plain(msgspec.Struct):
    """A row's members, and nothing made of them."""

    ts: str
    loop_id: str
    prompt_file: str
    iteration: int
    from_state: str
    to_state: str
    extra: dict[str, Any]


def loops(place: Path) -> Iterator[Result]:
    """Logs of both programs' rows: read from nothing, read on, and told by `persist status`."""
    homes = {}
    for count in (FEW, ROWS):
        homes[count] = Home(place / f"loops-{count}")
        homes[count].path.mkdir()
        with homes[count].log.open("wb") as log:
            log.writelines(map(encode, rows(count)))
    data = homes[ROWS].log.read_bytes()
    decode = msgspec.json.Decoder(_Plain).decode

    def decoding() -> None:
        for line in data.splitlines():
            decode(line)

    ours, floor = in_turns(_timed(lambda: read(data)), _timed(decoding), ROUNDS)
    yield Result(f"{ROWS:,} rows of loops beside decoding", "ms", ours, floor, budget=4)
    yield _growth(homes[ROWS], homes[FEW])
    for count, home in homes.items():
        yield from _status(count, home, place / "state")
    yield from _app(place, homes[ROWS], homes[FEW])


def rows(count: int) -> Iterator[Row]:
    """Loops one after the other, of the original and of ours in turns."""
    for number in range(count // (RUNS + 2)):
        is_open = number >= count // (RUNS + 2) - OPEN
        yield from _loop(f"{number:012x}", ours=number % 2 == 1, is_open=is_open)


def _loop(loop_id: str, *, ours: bool, is_open: bool) -> Iterator[Row]:
    first = {
        "max_iterations": RUNS, "max_wall_clock_s": 14_400, "success_condition": "grep:DONE:STATUS",
        "agent_cmd": "claude -p '{}'",
    }  # fmt: skip
    further = {
        "cwd": "/srv/loops/importer", "root": "/srv/loops/importer", "prompt_via": "arg",
        "runner": {"pid": 4242, "started": 99, "host": "ward"}, "program": "ppgp-tui 1",
    }  # fmt: skip
    ended = {"exit_code": 1, "signal": None, "duration_s": 61.25} if ours else {}

    def row(iteration: int, before: str, after: str, extra: dict[str, Any]) -> Row:
        prompt = "/srv/loops/importer/PROMPT.md"
        return Row("2026-11-30T02:00:00+00:00", loop_id, prompt, iteration, before, after, extra)

    yield row(0, "SPAWNED", "SPAWNED", {**first, **further} if ours else first)
    yield row(1, "SPAWNED", "ITERATING", {"elapsed_s": 0})
    for number in range(2, RUNS + 1):
        yield row(number, "ITERATING", "ITERATING", {"elapsed_s": 61 * number, **ended})
    if not is_open:
        extra = {"reason": "max_iterations", "iterations": RUNS, **ended}
        yield row(RUNS, "ITERATING", "BUDGET_EXHAUSTED", extra)


def _one_more() -> bytes:
    """The first row of a further loop."""
    return encode(next(_loop("f" * 12, ours=True, is_open=True)))


def _growth(large: Home, small: Home) -> Result:
    """One row more on the large log and on the small one."""
    line = _one_more()

    def growing(home: Home) -> Callable[[], float]:
        log = LoopLog(home)
        log.read()

        def measure() -> float:
            with home.log.open("ab") as file:
                file.write(line)
            return _timed(log.read)()

        return measure

    ours, floor = in_turns(growing(large), growing(small), 50)
    what = f"one more row on {ROWS:,}, on {FEW:,}"
    return Result(what, "ms", ours, floor, budget=1, how="difference")


def _status(count: int, home: Home, state: Path) -> Iterator[Result]:
    """The whole process, with one more row each time; what was read before is remembered."""
    environ = {
        **os.environ, "BROOMVA_PERSIST_HOME": str(home.path), "XDG_STATE_HOME": str(state),
    }  # fmt: skip
    line = _one_more()

    def run(command: list[str]) -> float:
        begun = time.perf_counter()
        subprocess.run(command, env=environ, check=True, stdout=subprocess.DEVNULL)
        return 1000 * (time.perf_counter() - begun)

    def ours() -> float:
        with home.log.open("ab") as file:
            file.write(line)
        return run([PROGRAM, "persist", "status"])

    def floor() -> float:
        return run([sys.executable, "-c", "pass"])

    yield Result(
        f"persist status, {count:,} rows, the first time", "ms", [ours()], [], None, "alone"
    )
    took = in_turns(ours, floor)
    yield Result(f"persist status, {count:,} rows", "ms", *took, budget=10)


def _app(place: Path, large: Home, small: Home) -> Iterator[Result]:
    """The app beside a long log: keys while it is read and afterwards, memory, a new row."""
    root, state = repositories.typical(place / "loops" / "importer"), place / "loops" / "state"

    def app(home: Home) -> Terminal:
        environ = {"BROOMVA_PERSIST_HOME": str(home.path), "XDG_STATE_HOME": str(state)}
        return Terminal([PROGRAM, str(root)], environ=environ)

    with app(small) as few:
        few.until(repositories.FIRST_CRITERION)
        for how in ("read", "remembered"):
            with app(large) as many:
                many.until(repositories.FIRST_CRITERION)
                what = f"key to painted while {ROWS:,} rows are {how}, {FEW:,}"
                yield Result(what, "ms", *_keys(many, few, 40), budget=None)
                many.listen(4)
                yield Result("… and afterwards", "ms", *_keys(many, few, 20), budget=1.5)
                mine, least = memory(many.pid), memory(few.pid)
                for what, at, budget in (("", 0, 40), (" at its highest", 1, None)):
                    yield Result(
                        f"memory beside {ROWS:,} rows{what}, {FEW:,}", "MB",
                        [mine[at]], [least[at]], budget=budget, how="difference",
                    )  # fmt: skip
                if how == "remembered":
                    yield _new_rows(root, (many, large), (few, small))


def _keys(many: Terminal, few: Terminal, count: int) -> tuple[list[float], list[float]]:
    """Down and up again."""

    def pressing(terminal: Terminal) -> Callable[[], float]:
        keys = iter(b"jk" * count)

        def measure() -> float:
            terminal.until_quiet(0.02)
            terminal.forget()
            at = terminal.send(bytes([next(keys)]))
            return 1000 * (terminal.first_paint() - at)

        return measure

    return in_turns(pressing(many), pressing(few), count)


def _new_rows(root: Path, many: tuple[Terminal, Home], few: tuple[Terminal, Home]) -> Result:
    """From a further loop's first row to its name on the screen, and beside a short log."""
    numbers = iter(range(1_000))

    def shown(app: Terminal, home: Home) -> float:
        name = f"marker-{next(numbers):04}"
        first = next(_loop(f"{name:0>12}", ours=False, is_open=True))
        app.until_quiet(0.3)
        app.forget()
        with home.log.open("ab") as log:
            log.write(encode(first._replace(prompt_file=f"{root}/{name}.md")))
        written = time.perf_counter()
        return 1000 * (app.until(name.encode()) - written)

    for app, _ in (many, few):
        app.send(b"6")
        app.listen(1)
    took = in_turns(lambda: shown(*many), lambda: shown(*few), 9)
    what = f"a row to its loop painted, {ROWS:,} rows, {FEW:,}"
    return Result(what, "ms", *took, budget=1.5)


def _timed(what: Callable[[], object]) -> Callable[[], float]:
    def measure() -> float:
        begun = time.perf_counter()
        kept = what()
        took = 1000 * (time.perf_counter() - begun)
        del kept
        return took

    return measure
