"""Where in the log something stands that a person points at."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from ppgp_tui.gasp.envelope import head_reader
from ppgp_tui.session.log.facts import plain_head
from ppgp_tui.session.log.lines import BLOCK
from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.members import text
from ppgp_tui.session.travel.past import lines_from

_CHUNK = 4096


class Destination(NamedTuple):
    """What is looked for: one of its members is set."""

    at: int | None = None
    """An event by its index, 0 the oldest."""
    offset: int | None = None
    """The event whose line begins there in the file."""
    event: str = ""
    """An event by its id."""
    ts_ms: int | None = None
    """The last event that is not later."""
    task: str = ""
    """The last change of the task with that key."""
    node: str = ""
    """The first event that names that id of a node, run or request."""
    session: str = ""
    """The beginning of that agent's newest run."""


def parse_destination(words: str) -> Destination | None:
    """What a person wrote: `812`, `event_…`, `14:02` is refused, `2026-09-21T14:13` is a time.

    Numbers count from 1. None where it is neither.
    """
    if words.startswith("event_"):
        return Destination(event=words)
    try:
        if words.isdecimal():
            return Destination(at=max(0, int(words) - 1))
        return Destination(ts_ms=int(datetime.fromisoformat(words).timestamp() * 1000))
    except (ValueError, OverflowError, OSError):
        return None


def place_of(
    view: LogView, wanted: Destination, stopped: Callable[[], bool] = lambda: False
) -> int | None:
    """The index of the event that `wanted` stands for; None where the log has none.

    Reads backwards through the log for a task or an agent: for a worker thread.
    """
    count = len(view)
    if wanted.at is not None:
        return min(max(0, wanted.at), count - 1) if count else None
    if wanted.offset is not None:
        at = bisect_left(view.lines.starts, wanted.offset, 0, count)
        return at if at < count and view.lines.starts[at] == wanted.offset else None
    if wanted.event:
        return view.index_of(wanted.event)
    if wanted.ts_ms is not None:
        return _until(view, wanted.ts_ms, stopped)
    if wanted.task:
        return _task_changed(view, wanted.task, stopped)
    if wanted.session:
        found = (
            at
            for at in _naming(view, wanted.session, stopped)
            if view.event(at).kind == "run.started" and view.event(at).actor_id == wanted.session
        )
        return next(found, None)
    found = (at for at in view.matching(f'"{wanted.node}"', False, cancelled=stopped))
    return next(found, None)


def _until(view: LogView, ts_ms: int, stopped: Callable[[], bool]) -> int | None:
    """The last event that is not later than a time; times may go back, so all are looked at."""
    read = head_reader() if len(view) > _CHUNK else plain_head
    for first in range((len(view) - 1) // _CHUNK * _CHUNK, -1, -_CHUNK):
        if stopped():
            return None
        lines = lines_from(view, first, min(first + _CHUNK, len(view)))
        times = [None if line is None else read(line).ts_ms for line in lines]
        fitting = [at for at, found in enumerate(times) if found is not None and found <= ts_ms]
        if fitting:
            return first + fitting[-1]
    return 0 if len(view) else None


def _task_changed(view: LogView, key: str, stopped: Callable[[], bool]) -> int | None:
    """The newest revision of the plan in which the task is another one than before."""
    later: tuple[int, Any] | None = None
    for at in _naming(view, "todo.revised", stopped):
        event = view.event(at)
        if event.kind != "todo.revised":
            continue
        task = _task_in(event.payload, key)
        if later is not None and task != later[1]:
            return later[0]
        if later is None and task is None:
            continue
        later = at, task
    return later[0] if later else None


def _task_in(payload: Any, key: str) -> Any:
    state = payload.get("state") if isinstance(payload, dict) else None
    tasks = state.get("tasks") if isinstance(state, dict) else None
    for task in tasks if isinstance(tasks, list) else ():
        if isinstance(task, dict) and text(task.get("key")) == key:
            return task
    return None


def _naming(view: LogView, words: str, stopped: Callable[[], bool]) -> Iterator[int]:
    """Lines that may hold `words`, the newest first, read block by block."""
    wanted = words.encode()
    lines, last = view.lines, len(view)
    while last and not stopped():
        begin = max(0, lines.after(last - 1) - BLOCK)
        first = min(last - 1, bisect_left(lines.starts, begin, 0, last))
        start = lines.starts[first]
        data = view.file.read(start, lines.after(last - 1) - start)
        if wanted in data:
            for at in range(last - 1, first - 1, -1):
                line_at = lines.starts[at] - start
                if wanted in data[line_at : line_at + lines.lengths[at]]:
                    yield at
        last = first
