"""The loops' log as it grows: rows in, loops out, damage named and never fatal.

Rules: persist reference section 3 and faults F17 to F19. Lines end at LF only; a byte-order mark,
CR, blank lines, unknown keys and NUL bytes are harmless.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import islice
from operator import attrgetter
from typing import Final, NamedTuple

import msgspec

from ppgp_tui.persist.fold import Fold, Packed
from ppgp_tui.persist.loop import Loop
from ppgp_tui.persist.row import (
    BYTE_ORDER_MARK,
    LONG,
    NO_HEAD,
    Head,
    bare,
    head,
    is_deep,
    quick_head,
    salvage,
)
from ppgp_tui.persist.shelf import Kept, Shelf
from ppgp_tui.persist.states import TERMINAL

_BAD_LINES: Final = 1_000
"""So many damaged lines are named; the rest is counted."""


class BadLine(NamedTuple):
    """A line that has an end and is no row."""

    line: int
    """Counted from 1."""
    offset: int
    """Where it starts, in bytes."""
    salvaged: int = 0
    """Whole rows that were found inside it and count."""


class Reading:
    """What a log says."""

    def __init__(
        self,
        apart: Mapping[str, Loop] | None = None,
        shelf: Shelf | None = None,
        late: Mapping[str, int] | None = None,
        good_rows: int = 0,
        bad: tuple[BadLine, ...] = (),
        bad_count: int = 0,
        *,
        incomplete_tail: bool = False,
    ) -> None:
        self.apart = apart or {}
        """The loops that are not on the shelf, in order of each one's first row."""
        self.shelf = Shelf() if shelf is None else shelf
        """The loops that a line with an end has closed; it grows on after this reading."""
        self.shelved = len(self.shelf)
        """So many of them there are in this reading."""
        self._late = late or {}
        self.good_rows = good_rows
        self.bad = bad
        """Damaged lines, the first of them."""
        self.bad_count = bad_count
        self.incomplete_tail = incomplete_tail
        """The last line has no end and is no whole row: a write was cut short."""

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        """All, in order of each loop's first row."""
        shelved = map(self._with_late, self.shelf.loops(self.shelved))
        return tuple(sorted((*shelved, *self.apart.values()), key=attrgetter("number")))

    @cached_property
    def open(self) -> tuple[Loop, ...]:
        """The loops that are not closed, in the same order."""
        return tuple(loop for loop in self.apart.values() if loop.open)

    @cached_property
    def late(self) -> tuple[str, ...]:
        """The ids of the loops with rows after their end, in the same order."""
        numbers = {one: loop.number for one, loop in self.apart.items() if loop.late_rows}
        for loop_id in self._late:
            at = self.shelf.find(loop_id)
            assert at is not None
            numbers[loop_id] = self.shelf.closed[at].number
        return tuple(sorted(numbers, key=numbers.__getitem__))

    def loop(self, loop_id: str) -> Loop | None:
        """The loop of that id."""
        at = self.shelf.find(loop_id)
        if at is None or at >= self.shelved:
            return self.apart.get(loop_id)
        return self._with_late(self.shelf.loop(at))

    def beginning(self, digits: str) -> list[Loop]:
        """The loops whose ids begin with these digits, in the same order; no other is opened."""
        shelved = islice(self.shelf.closed, self.shelved)
        ids = (*(one.loop_id for one in shelved), *self.apart)
        found = [self.loop(one) for one in ids if one.startswith(digits)]
        return sorted((loop for loop in found if loop is not None), key=attrgetter("number"))

    def _with_late(self, loop: Loop) -> Loop:
        late = self._late.get(loop.loop_id)
        return loop if late is None else loop._replace(late_rows=late)


class LogReader:
    """Reads a log in pieces of any size; work is proportional to the new bytes."""

    def __init__(self) -> None:
        self._folds: dict[str, Fold] = {}
        """The loops that are not closed."""
        self._shelf = Shelf()
        """Those that are."""
        self._late: dict[str, int] = {}
        """Of those on the shelf, how many rows came after the end."""
        self._bad: list[BadLine] = []
        self._bad_count = 0
        self._good = 0
        self.lines = 0
        """Lines that have an end."""
        self.ended = 0
        """The bytes of them all."""
        self.rest = b""
        """What came after them: a line that has no end yet."""

    def feed(self, data: bytes) -> None:
        """Take in the bytes that follow."""
        whole, end, self.rest = (self.rest + data).rpartition(b"\n")
        if not end:
            return
        offset, number, good = self.ended, self.lines, self._good
        for line in whole.split(b"\n"):
            number += 1
            try:
                found = None if len(line) > LONG and is_deep(line) else quick_head(line)
            except NO_HEAD:
                found = None
            if found is None:
                good += self._take_other(line, number, offset)
            else:
                good += 1
                self._add(found, number, line)
            offset += len(line) + 1
        self.ended, self.lines, self._good = offset, number, good

    def reading(self) -> Reading:
        """What the log says so far; whole rows in a line without an end count as well."""
        apart = {loop_id: fold.loop for loop_id, fold in self._folds.items()}
        late, beyond = self._late.copy(), dict[str, Fold]()
        rest = _bare(self.rest, self.ended)
        is_row = bool(rest) and head(rest) is not None
        for raw in [rest] if is_row else salvage(rest):
            if (row := head(raw)) is None:
                continue
            if self._shelf.find(row.loop_id) is not None:
                late[row.loop_id] = late.get(row.loop_id, 0) + 1
                continue
            fold = beyond.get(row.loop_id) or self._another(row.loop_id, len(apart))
            fold.add(row, self.lines + 1, raw)
            beyond[row.loop_id], apart[row.loop_id] = fold, fold.loop
        return Reading(
            apart, self._shelf, late, self._good + is_row, tuple(self._bad), self._bad_count,
            incomplete_tail=not is_row and bool(self.rest.strip(b" \t\r")),
        )  # fmt: skip

    def forget_rest(self) -> None:
        """Stand again where the last whole line ended: what follows may be other bytes now."""
        self.rest = b""

    def pack(self) -> bytes:
        """Where the reader stands, without a line that has no end yet; see `unpack`."""
        folds = [fold.pack() for fold in self._folds.values()]
        kept = self._shelf.keep()
        return _encode(
            _Packed(
                self.ended, self.lines, self._good, self._bad, self._bad_count, folds, kept,
                self._late,
            )
        )  # fmt: skip

    @classmethod
    def unpack(cls, packed: bytes) -> LogReader:
        """The reader that stood there. Closed loops stay packed until somebody asks for them.

        Raises ValueError where `packed` is nothing that a reader made.
        """
        try:
            kept = _decode(packed)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"not a kept reader: {error}") from error
        reader = cls()
        for fold in map(Fold.unpack, kept.folds):
            reader._folds[fold.loop.loop_id] = fold
        reader._shelf, reader._late = Shelf(kept.shelf), kept.late
        reader._bad, reader._bad_count = kept.bad, kept.bad_count
        reader.ended, reader.lines, reader._good = kept.ended, kept.lines, kept.good
        return reader

    def _take_other(self, line: bytes, number: int, offset: int) -> int:
        """Take in a line that is no row at first sight; the good rows it counts for."""
        stripped = _bare(line, offset)
        if not stripped:
            return 0
        found = head(stripped)
        if found is not None:
            self._add(found, number, stripped)
            return 1
        rows = list(salvage(stripped))
        for raw in rows:
            if (inside := head(raw)) is not None:
                self._add(inside, number, raw)
        self._bad_count += 1
        if len(self._bad) < _BAD_LINES:
            self._bad.append(BadLine(number, offset, len(rows)))
        return 0

    def _add(self, row: Head, number: int, raw: bytes) -> None:
        loop_id = row.loop_id
        fold = self._folds.get(loop_id)
        if fold is None:
            if self._shelf.find(loop_id) is not None:
                self._late[loop_id] = self._late.get(loop_id, 0) + 1
                return
            fold = self._folds[loop_id] = Fold(len(self._shelf) + len(self._folds))
        fold.add(row, number, raw)
        if row.to_state in TERMINAL:
            self._shelf.put(self._folds.pop(loop_id))

    def _another(self, loop_id: str, apart: int) -> Fold:
        """A fold that stands where the one of that id does, or that of a further loop."""
        fold = self._folds.get(loop_id)
        return Fold(len(self._shelf) + apart) if fold is None else fold.copy()


class _Packed(msgspec.Struct, array_like=True, gc=False):
    ended: int
    lines: int
    good: int
    bad: list[BadLine]
    bad_count: int
    folds: list[Packed]
    shelf: Kept
    late: dict[str, int]


_encode = msgspec.msgpack.encode
_decode = msgspec.msgpack.Decoder(_Packed).decode


def _bare(line: bytes, offset: int) -> bytes:
    return bare(line.removeprefix(BYTE_ORDER_MARK) if offset == 0 else line)


def read(log: bytes) -> Reading:
    """What a whole log says."""
    reader = LogReader()
    reader.feed(log)
    return reader.reading()
