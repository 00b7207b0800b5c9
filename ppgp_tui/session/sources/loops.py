"""The restart loops of the user: their log, their runners' last words, their output. An edge.

The log belongs to all of the user's loops and to other programs too; of a loop that is closed and
not among the newest nothing more is read than its rows.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from heapq import nlargest
from pathlib import Path
from typing import Any, Final, NamedTuple

from ppgp_tui.persist import loop as persisted
from ppgp_tui.persist.disk import outputs, side
from ppgp_tui.persist.disk.home import Home, find
from ppgp_tui.persist.disk.log import LoopLog
from ppgp_tui.persist.live import Live, is_runner_alive, read_runner
from ppgp_tui.persist.reading import Reading
from ppgp_tui.persist.row import time_ms
from ppgp_tui.persist.shelf import Place, place_of
from ppgp_tui.session.files.places import loops_memory
from ppgp_tui.session.files.reading import is_file, is_folder, stamp
from ppgp_tui.session.live.watch import Concern
from ppgp_tui.session.model import Problem
from ppgp_tui.session.picture.loop import Loop, LoopClock, LoopOutput, LoopPause, LoopRunner
from ppgp_tui.session.picture.loops import Loops, LoopsLook, belongs
from ppgp_tui.session.picture.origin import Origin
from ppgp_tui.session.process import host_name, is_alive
from ppgp_tui.session.sources.loop_condition import ConditionLook, Held
from ppgp_tui.session.sources.loop_output import BYTES, clean_lines

CLOSED: Final = 40
"""So many closed loops of this repository are shown, the newest, and as many others."""
_STILL: Final = ("paused", "ended")
"""Phases in which a loop's clock stands."""


class _Beside(NamedTuple):
    """What is known of a loop beside the log."""

    live: Live | None = None
    pause: LoopPause | None = None
    output: LoopOutput | None = None


class _Ended(NamedTuple):
    """A closed loop, in the order in which they are shown turned round."""

    ended: str
    minus_number: int
    """Of two that ended in one second the one that began first comes first."""
    loop_id: str


class _Side(NamedTuple):
    """The closed loops of this repository, or the others."""

    total: int = 0
    newest: tuple[_Ended, ...] = ()

    def and_(self, more: list[_Ended]) -> _Side:
        """These too."""
        newest = nlargest(CLOSED, (*self.newest, *more))
        return _Side(self.total + len(more), tuple(newest))


class _Closed(NamedTuple):
    """What was closed, on both sides."""

    here: _Side = _Side()
    elsewhere: _Side = _Side()


class _Shown(NamedTuple):
    """Which loops are shown of a reading, and how many more there are."""

    loops: tuple[persisted.Loop, ...] = ()
    closed_here: int = 0
    closed_elsewhere: int = 0


class LoopsSource:
    """Reads the home that the environment names. Not thread-safe."""

    def __init__(self, root: Path, environ: Mapping[str, str] = os.environ) -> None:
        self.home = find(environ)
        self._root = os.path.realpath(root)
        self._log = LoopLog(self.home, checkpoint=loops_memory(self.home.path))
        self._conditions = ConditionLook()
        self._last = LoopsLook(path=str(self.home.log))
        self._reading = Reading()
        self._shown = _Shown()
        self._closed = _Closed()
        """What the shelf of the last reading holds."""
        self._settled: dict[str, tuple[persisted.Loop, Loop]] = {}
        """Loops that nothing but a further row can change."""

    def look(self, now_ms: int) -> LoopsLook:
        """The loops as they are now; where the log cannot be read, as they last were."""
        path = str(self.home.log)
        try:
            reading = self._log.read()
        except OSError as error:
            since = self._last.stale_since_ms or now_ms
            self._last = self._last._replace(stale_since_ms=since, problems=(self._unread(error),))
            return self._last
        if reading is not self._reading:  # else only runners may have done something
            self._shown = self._sort(reading)
            self._reading = reading
            listed = {loop.loop_id for loop in self._shown.loops}
            self._settled = {one: kept for one, kept in self._settled.items() if one in listed}
        shown = self._shown
        told = tuple(map(self._loop, shown.loops))
        loops = Loops(told, shown.closed_here, shown.closed_elsewhere)
        seen = now_ms if reading.good_rows or reading.bad or is_file(self.home.log) else None
        self._last = LoopsLook(loops, path, seen, problems=tuple(_damage(path, reading)))
        return self._last

    def _sort(self, reading: Reading) -> _Shown:
        """Which ones are shown; of the shelf only what was put there since the last reading."""
        shelf = reading.shelf
        if shelf is not self._reading.shelf:
            self._closed = _Closed()
        seen = self._closed.here.total + self._closed.elsewhere.total
        self._closed = self._and(
            (shelf.places[one.place], _Ended(one.ended, -one.number, one.loop_id))
            for one in shelf.closed[seen : reading.shelved]
        )
        here, elsewhere = self._and(  # by a line that has no end yet, and may become another one
            (place_of(loop), _Ended(loop.last_ts, -loop.number, loop.loop_id))
            for loop in reading.apart.values()
            if not loop.open
        )
        newest = (reading.loop(one.loop_id) for one in (*here.newest, *elsewhere.newest))
        shown = (*reading.open, *(loop for loop in newest if loop is not None))
        return _Shown(shown, here.total, elsewhere.total)

    def _and(self, more: Iterable[tuple[Place, _Ended]]) -> _Closed:
        """What is known to be closed and these, each on its side."""
        here: list[_Ended] = []
        elsewhere: list[_Ended] = []
        for place, ended in more:
            (here if self._is_here(place) else elsewhere).append(ended)
        return _Closed(self._closed.here.and_(here), self._closed.elsewhere.and_(elsewhere))

    def _is_here(self, place: Place) -> bool:
        """Whether a loop that runs there belongs to this root."""
        return belongs(self._root, place)

    def _loop(self, loop: persisted.Loop) -> Loop:
        """A loop as it is now; one that nobody runs is taken apart once."""
        before, told = self._settled.get(loop.loop_id, (None, None))
        if told is None or before != loop:
            told = self._told(loop)
            if told.runner.state in ("gone", "not recorded"):
                self._settled[loop.loop_id] = loop, told
            return told
        if not told.open or not told.here:
            return told
        held = self._conditions.look(told.condition, told.cwd)
        return told._replace(holds=held.holds, holds_why=held.why)

    def _told(self, loop: persisted.Loop) -> Loop:
        beside, spawned, here = self._beside(loop), loop.spawned, self._is_here(place_of(loop))
        live, runner = beside.live, _runner(loop, beside.live)
        speaks = live if live is not None and runner.state != "gone" and loop.open else None
        cwd = _text(spawned.get("cwd"))
        text = loop.success_condition or ""
        held = self._conditions.look(text, cwd) if here and loop.open else Held()
        return Loop(
            id=loop.loop_id,
            state=loop.state,
            open=loop.open,
            prompt=loop.prompt_file,
            here=here,
            iteration=loop.iteration,
            max_iterations=loop.max_iterations,
            max_wall_clock_s=loop.max_wall_clock_s,
            clock=_clock(live, runner, is_open=loop.open),
            phase=speaks.phase if speaks is not None else None,
            phase_ms=speaks.since_ms if speaks is not None else None,
            until_ms=speaks.until_ms if speaks is not None else None,
            why=speaks.why if speaks is not None else _shown_by(loop),
            pause=beside.pause if loop.open else None,
            runner=runner,
            reason=loop.reason,
            condition=text,
            holds=held.holds,
            holds_why=held.why,
            agent_cmd=loop.agent_cmd or "",
            cwd=cwd,
            goal=_text(spawned.get("goal")),
            runs=loop.outcomes,
            limited=loop.limited,
            rows=loop.rows,
            late_rows=loop.late_rows,
            began_ms=time_ms(loop.first_ts),
            changed_ms=time_ms(loop.last_ts),
            output=beside.output,
            origin=Origin(str(self.home.log), loop.line),
        )

    def _beside(self, loop: persisted.Loop) -> _Beside:
        try:
            live = side.read_live(self.home, loop.loop_id)
        except ValueError:  # an id that names no folder
            return _Beside()
        ordered = side.read_pause(self.home, loop.loop_id)
        pause = None
        if ordered is not None:
            pause = LoopPause(ordered.by, ordered.at_ms, ordered.reason, ordered.need)
        return _Beside(live, pause, self._output(loop, live))

    def _output(self, loop: persisted.Loop, live: Live | None) -> LoopOutput | None:
        """Of the run that goes on, or of the last one."""
        name = live.output if live is not None else None
        if name is None:
            kept = outputs.kept(self.home, loop.loop_id)
            name = kept[-1].name if kept else None
        if name is None:
            return None
        path = self.home.loop(loop.loop_id) / "output" / name
        found = stamp(path)
        if found is None:
            return None
        lines = clean_lines(outputs.tail(self.home, loop.loop_id, name, BYTES))
        return LoopOutput(str(path), lines, found.mtime_ns // 1_000_000)

    def _unread(self, error: OSError) -> Problem:
        path = str(self.home.log)
        why = (error.strerror or str(error)).lower()
        text = f"{path} cannot be read: {why}"
        return Problem("loops-unread", path, None, text, f"make it a file you can read: {path}")


def watched(home: Home, loops: Loops) -> Concern:
    """The files that tell of loops: the log, and beside it what open loops write."""
    if not is_folder(home.path):
        return Concern()
    folders = []
    for loop in loops.seen:
        if loop.open and loop.runner.state == "alive":
            own = home.loop(loop.id)
            folders += [own, own / "output"]
    return Concern((home.log,), tuple(folders))


def _runner(loop: persisted.Loop, live: Live | None) -> LoopRunner:
    known = live.runner if live is not None else read_runner(loop.spawned.get("runner"))
    if known is None:
        return LoopRunner()
    alive = is_runner_alive(known, host_name(), is_alive)
    state = {True: "alive", False: "gone", None: "elsewhere"}[alive]
    return LoopRunner(state, known.pid, known.host)  # type: ignore[arg-type]


def _clock(live: Live | None, runner: LoopRunner, *, is_open: bool) -> LoopClock | None:
    if live is None or not (is_open or live.phase == "ended"):
        return None  # of a loop that was closed in a run nobody counted the last of it
    runs = is_open and runner.state != "gone" and live.phase not in _STILL
    return LoopClock(live.counted_s, live.since_ms, runs)


def _damage(path: str, reading: Reading) -> Iterator[Problem]:
    mend = "ppgp-tui persist doctor --mend"
    if reading.bad:
        first, more = reading.bad[0], reading.bad_count - 1
        others = f", and {more:,} more like it" if more else ""
        rows = "row" if first.salvaged == 1 else "rows"
        inside = f"; {first.salvaged} whole {rows} inside it counted" if first.salvaged else ""
        text = f"{path} line {first.line:,} is no row of a loop{others}{inside}"
        yield Problem("loops-line", path, first.line, text, mend)
    if reading.incomplete_tail:
        text = f"the last line of {path} was cut short and does not count"
        yield Problem("loops-torn", path, None, text, mend)


def _shown_by(loop: persisted.Loop) -> str:
    """What showed that the condition of a closed loop holds: its last row says so."""
    return "" if loop.open else _text(loop.last_extra.get("why")) or ""


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
