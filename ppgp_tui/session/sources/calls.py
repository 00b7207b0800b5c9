"""The calls of one session since a pause: `.ppgp/run/agents/KEY.calls`, which may be long.

Lines are `MS pre|post|fail GENERATION go|held|deny ID|- SUBAGENT|- TOOL`. Only what was written
since the pause is read, and a little before it, for the calls that were already going on.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ppgp_tui.session.picture.handshake import Calls

if TYPE_CHECKING:
    from ppgp_tui.session.picture.handshake import Hold

BLOCK: Final = 64 * 1024
MOST: Final = 8 * 1024 * 1024
"""Bytes at the end that are read at most."""


class CallsSince:
    """Follows the file of one session for one pause. Not thread-safe."""

    def __init__(self, hold: Hold) -> None:
        self.hold = hold
        self._file: tuple[int, int] | None = None
        self._offset = 0
        self._begin_anew()

    def read(self, descriptor: int) -> Calls:
        """Read what is new in the open file and return what is known now."""
        found = os.fstat(descriptor)
        file = found.st_dev, found.st_ino
        if file != self._file or found.st_size < self._offset:
            self._file = file
            self._begin_anew()
            self._offset = _start(descriptor, found.st_size, self.hold.since_ms)
        data = os.pread(descriptor, found.st_size - self._offset, self._offset)
        end = data.rfind(b"\n") + 1
        self._offset += end
        for line in data[:end].split(b"\n"):
            self._take(line)
        return self.now

    def _begin_anew(self) -> None:
        self.now = Calls()
        self._least = self.hold.generation or 0
        self._earlier: dict[bytes, int] = {}
        self._waiting: set[bytes] = set()
        self._running: set[bytes] = set()

    def _take(self, line: bytes) -> None:
        words = line.split(b" ")
        if len(words) != 7 or not _is_number(words[0]) or not _is_number(words[2]):
            return
        moment, knew = int(words[0]), int(words[2])
        what, decision = words[1], words[3]
        call = words[4] if words[4] != b"-" else b" ".join(words[5:])
        since = moment >= (self.hold.since_ms or 0)
        if since and what == b"pre" and decision == b"held":
            self._least = min(self._least, knew)  # what it had read held it, so this did
        told = since and knew >= self._least
        if told and self.now.first_ms is None:
            self.now = self.now._replace(first_ms=moment)
        if what != b"pre":
            self._ended(what, call, moment)
        elif not told:
            self._earlier[call] = moment
            self.now = self.now._replace(earlier_ms=max(self._earlier.values()))
        elif decision == b"go":
            self._running.add(call)
            self._passed(moment)
        elif decision == b"held":
            self._waiting.add(call)
        else:  # refused, so it never runs
            self._waiting.discard(call)
            self._running.discard(call)

    def _ended(self, what: bytes, call: bytes, moment: int) -> None:
        if call in self._running:
            self._running.discard(call)
        elif call in self._waiting:
            self._waiting.discard(call)
            if what == b"post":  # it ran although it was to wait
                self._passed(moment)
        else:  # begun before the pause, perhaps before anything that was read
            self._earlier.pop(call, None)
            earlier = max(self._earlier.values(), default=None)
            self.now = self.now._replace(earlier_ms=earlier, freed_ms=moment)

    def _passed(self, moment: int) -> None:
        first = self.now.passed_ms if self.now.passed else moment
        self.now = self.now._replace(passed=self.now.passed + 1, passed_ms=first)


def _start(descriptor: int, size: int, since_ms: int | None) -> int:
    """Offset of a line before which everything is older than the pause, and a block more."""
    offset = max(0, size - BLOCK)
    while offset > 0 and size - offset < MOST and not _is_older(descriptor, offset, since_ms):
        offset = max(0, offset - BLOCK)
    offset = max(0, offset - BLOCK)
    if offset == 0:
        return 0
    return offset + os.pread(descriptor, BLOCK, offset).find(b"\n") + 1


def _is_older(descriptor: int, offset: int, since_ms: int | None) -> bool:
    """Whether the first whole line from `offset` on was written before the pause."""
    block = os.pread(descriptor, BLOCK, offset)
    line = block[block.find(b"\n") + 1 :]
    word = line[: line.find(b" ")]
    return since_ms is not None and _is_number(word) and int(word) < since_ms


def _is_number(word: bytes) -> bool:
    return word.isdigit() and len(word) < 19
