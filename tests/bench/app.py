"""Budgets of the running app: painting, keys, growth, idling, memory."""

from __future__ import annotations

import contextlib
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench import logs, repositories
from tests.bench.commands import PROGRAM
from tests.bench.result import Result
from tests.bench.terminal import Terminal

EVENTS, TASKS = 1_000_000, 10_000
QUIET_S = 0.15
"""Nothing painted for so long: that was all."""


def paint(place: Path) -> Iterator[Result]:
    """From a write of the goal document to the new words on the terminal."""
    root = repositories.typical(place / "paint" / "importer")
    document, plain = root / repositories.DOCUMENT, place / "paint" / "bare" / "file.md"
    plain.parent.mkdir()
    plain.write_text("nothing yet\n")
    text = document.read_text("utf-8")
    old = repositories.FIRST_CRITERION.decode()
    mine, least = [], []
    with (
        Terminal([PROGRAM, str(root)]) as app,
        Terminal([sys.executable, "-m", "tests.bench.bare", "watch", str(plain)]) as bare,
    ):
        app.until(repositories.FIRST_CRITERION)
        bare.until(b"bare and painted")
        chance = random.Random(1)
        for number in range(25):
            words = f"marker {number:04} was written"
            for terminal, path, new, kept in (
                (bare, plain, words, least),
                (app, document, text.replace(old, words), mine),
            ):
                terminal.until_quiet(0.3 + chance.random() / 5)
                terminal.forget()
                written = repositories.replace(path, new)
                kept.append(1000 * (terminal.until(words.encode()) - written))
    yield Result("file write to painted", "ms", mine[5:], least[5:], budget=2)


def large(place: Path) -> Iterator[Result]:
    """Keys and memory with a million events and ten thousand tasks."""
    root = repositories.huge(place / "large" / "importer", EVENTS, TASKS)
    with (
        Terminal([PROGRAM, str(root)]) as app,
        Terminal([sys.executable, "-m", "tests.bench.bare", "keys"]) as bare,
    ):
        app.until(f"{EVENTS:,}".encode(), 180)
        bare.until(b"bare and painted")
        least, least_all = _keys(bare, b"j")
        for view, name in ((b"4", "events"), (b"2", "plan")):
            app.send(view)
            app.listen(2)
            first, last = _keys(app, b"j")
            what = f"key to painted, {name}, 1,000,000 events, 10,000 tasks"
            yield Result(what, "ms", first, least, budget=1.5)
            yield Result("… until nothing more is painted", "ms", last, least_all, budget=None)
        views = [take for keys in (b"4", b"2") * 10 for take in _keys(app, keys, 1)[1]]
        yield Result("view key until all is painted, the same", "ms", views, least_all, None)
        now, peak = memory(app.pid)
        yield Result("memory with 1,000,000 events", "MB", [now], [], budget=150, how="alone")
        yield Result("highest memory on the way there", "MB", [peak], [], budget=None, how="alone")


def _keys(terminal: Terminal, key: bytes, count: int = 20) -> tuple[list[float], list[float]]:
    """From each key to the first bytes painted, and to the last ones."""
    first, last = [], []
    terminal.until_quiet(QUIET_S)
    for _ in range(count):
        terminal.forget()
        pressed = terminal.send(key)
        first.append(1000 * (terminal.first_paint() - pressed))
        terminal.until_quiet(QUIET_S)
        last.append(1000 * (terminal.last_read - pressed))
    return first, last


def growth(place: Path) -> Iterator[Result]:
    """Bytes the app reads when the log grows: by the lines added, not by the lines there."""
    taken = {}
    for count in (1_000, 200_000):
        root = place / f"growth-{count}" / "importer"
        repositories.typical(root)
        log = root / "state/events.jsonl"
        logs.write_log(log, count)
        with Terminal([PROGRAM, str(root)]) as app:
            app.until(f"{count:,}".encode(), 60)
            app.until_quiet(1.5)
            taken[count] = [_read_for_growth(app, log, count + 100 * turn) for turn in range(5)]
    yield Result(
        "bytes read for 100 new events, 200,000 there against 1,000", "kB",
        taken[200_000], taken[1_000], budget=1.5,
    )  # fmt: skip


def _read_for_growth(app: Terminal, log: Path, count: int) -> float:
    before = _read_bytes(app.pid)
    app.forget()
    with log.open("ab") as file:
        file.write("".join(map(logs.tool_call, range(count, count + 100))).encode())
    app.until(f"{count + 100:,}".encode())
    app.until_quiet(0.5)
    return (_read_bytes(app.pid) - before) / 1000


def idle(place: Path) -> Iterator[Result]:
    """Processor time of an app that watches while nothing happens."""
    for name, ago, budget in (
        ("idle, live watching", 10, 0.5),
        ("idle, an age in seconds on the screen", 0, None),
    ):
        root = repositories.typical(place / f"idle-{ago}" / "importer", ago)
        mine, least = _idling(root)
        yield Result(name, "% of a core", mine, least, budget=budget, how="difference")


def _idling(root: Path, turns: int = 5, seconds: float = 5) -> tuple[list[float], list[float]]:
    with (
        Terminal([PROGRAM, str(root)]) as app,
        Terminal([sys.executable, "-m", "tests.bench.bare", "start"]) as bare,
    ):
        app.until(repositories.FIRST_CRITERION)
        bare.until(b"bare and painted")
        app.listen(3)
        mine, least = [], []
        for _ in range(turns):
            begun, before = time.perf_counter(), (_cpu(app.pid), _cpu(bare.pid))
            app.listen(seconds)
            took = time.perf_counter() - begun
            mine.append(100 * (_cpu(app.pid) - before[0]) / took)
            least.append(100 * (_cpu(bare.pid) - before[1]) / took)
    return mine, least


def _cpu(pid: int) -> float:
    """Seconds of processor time of all threads so far, to the nanosecond."""
    spent = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError):
            spent += int((thread / "schedstat").read_text().split()[0])
    return spent / 1e9


def memory(pid: int) -> tuple[float, float]:
    """Resident memory in MB, now and at its highest."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    known = dict(line.split(":", 1) for line in lines)
    return int(known["VmRSS"].split()[0]) / 1000, int(known["VmHWM"].split()[0]) / 1000


def _read_bytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/io").read_text().splitlines()
    return int(dict(line.split(": ") for line in lines)["rchar"])
