"""The gathering at any event of a log, by the shortest way from what is kept of it.

Kept are at most `COARSE` gatherings all over the log, the further apart the longer it is, and at
most `FINE` close to where one was last: so a step back reads a few hundred lines, whatever the
log's length, and a jump at most a small part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ppgp_tui.gasp.envelope import Head, head_reader
from ppgp_tui.session.log.view import GONE, LogView
from ppgp_tui.session.travel.gathering import Gathering

COARSE = 48
FINE = 12
CLOSE = 512
"""Events between two gatherings close to where one is."""
_FIRST_STEP = 2 * CLOSE
_GONE = Head("", None, "", "", "", lambda: None, GONE)

Told = Callable[[Gathering, float], bool]
"""Is told of the gathering on the way and what part of the way is behind it; False stops."""


class StoppedError(Exception):
    """Somebody asked for something else meanwhile."""


class Past:
    """The gatherings of one log. Not thread-safe: one thread travels."""

    def __init__(self, path: str, seen_ms: int) -> None:
        """`path` is the log's, `seen_ms` when it was read."""
        self.path = path
        self._seen_ms = seen_ms
        self._lines: object = None
        self._read: Callable[[bytes], Head] | None = None
        self._start_again()

    def _start_again(self) -> None:
        self._coarse: dict[int, Gathering] = {}
        self._fine: dict[int, Gathering] = {}
        self._step = _FIRST_STEP
        self._here = Gathering(self.path, self._seen_ms)

    def at(self, view: LogView, index: int, told: Told = lambda *_: True) -> Gathering:
        """The gathering that knows the events of `view` up to `index` and none after it.

        It is not to be changed. Raises IndexError outside the view, and `StoppedError` when `told`
        returned False; what was read until then is kept.
        """
        if not 0 <= index < len(view):
            raise IndexError(f"event {index} of {len(view)}")
        if view.lines is not self._lines:
            self._start_again()
            self._lines = view.lines
        here = self._nearest(index + 1)
        self._read_on(view, here, index + 1, told)
        return here

    def _nearest(self, count: int) -> Gathering:
        """The gathering that knows most of the first `count` events, free to go on."""
        kept = [one for one in (*self._coarse.values(), *self._fine.values()) if one.count <= count]
        best = max(kept, key=lambda one: one.count, default=None)
        if self._here.count <= count and (best is None or best.count <= self._here.count):
            return self._here
        self._here = best.copied() if best else Gathering(self.path, self._seen_ms)
        return self._here

    def _read_on(self, view: LogView, here: Gathering, count: int, told: Told) -> None:
        first = here.count
        read = self._read = self._read or head_reader()
        for line in lines_from(view, first, count):
            if here.count % CLOSE == 0 and here.count:
                self._keep(here, count)
                part = (here.count - first) / (count - first)
                if not told(here, part):
                    raise StoppedError
            here.take(view, _GONE if line is None else read(line))

    def _keep(self, here: Gathering, target: int) -> None:
        at = here.count
        if at % self._step == 0 and at not in self._coarse:
            self._coarse[at] = here.copied()
            if len(self._coarse) > COARSE:
                self._step *= 2
                self._coarse = {
                    place: one for place, one in self._coarse.items() if place % self._step == 0
                }
        elif target - at <= FINE * CLOSE and at not in self._fine:
            self._fine[at] = here.copied()
            if len(self._fine) > FINE:
                furthest = max(self._fine, key=lambda place: abs(place - target))
                del self._fine[furthest]


def lines_from(view: LogView, first: int, last: int) -> Iterator[bytes | None]:
    """The lines `first` to `last` (exclusive) of a log, read in blocks.

    None for one that the file no longer holds as it was read.
    """
    lines, file = view.lines, view.file
    while first < last:
        until = lines.until(first, last)
        begin = lines.starts[first]
        data = file.read(begin, lines.after(until - 1) - begin)
        for at in range(first, until):
            start = lines.starts[at] - begin
            line = data[start : start + lines.lengths[at]]
            yield line if hash(line) == lines.prints[at] else None
        first = until
