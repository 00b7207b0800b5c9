"""The loops' log as it grows: rows in, loops out, damage named and never fatal.

Rules: persist reference section 3 and faults F17 to F19. Lines end at LF only; a byte-order mark,
CR, blank lines, unknown keys and NUL bytes are harmless.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final, NamedTuple

import msgspec

from ppgp_tui.persist.fold import Fold, Seal
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
        by_id: Mapping[str, Loop | Seal] | None = None,
        good_rows: int = 0,
        bad: tuple[BadLine, ...] = (),
        bad_count: int = 0,
        *,
        incomplete_tail: bool = False,
    ) -> None:
        self._by_id = by_id or {}
        self.good_rows = good_rows
        self.bad = bad
        """Damaged lines, the first of them."""
        self.bad_count = bad_count
        self.incomplete_tail = incomplete_tail
        """The last line has no end and is no whole row: a write was cut short."""

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        """All, in order of each loop's first row."""
        return tuple(map(_loop, self._by_id.values()))

    @cached_property
    def open(self) -> tuple[Loop, ...]:
        """The loops that are not closed, in the same order."""
        return tuple(one for one in self._by_id.values() if not isinstance(one, Seal) and one.open)

    @cached_property
    def late(self) -> tuple[Loop, ...]:
        """The loops with rows after their end, in the same order."""
        return tuple(
            one for one in self._by_id.values() if not isinstance(one, Seal) and one.late_rows
        )

    def loop(self, loop_id: str) -> Loop | None:
        """The loop of that id."""
        found = self._by_id.get(loop_id)
        return None if found is None else _loop(found)


def _loop(one: Loop | Seal) -> Loop:
    return one.loop if isinstance(one, Seal) else one


class LogReader:
    """Reads a log in pieces of any size; work is proportional to the new bytes."""

    def __init__(self) -> None:
        self._folds: dict[str, Fold | Seal] = {}
        self._told: dict[str, Loop | Seal] = {}
        """What the folds said when they were last asked."""
        self._touched: dict[str, None] = {}
        """Those that would say something else now, in order."""
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
        offset, number, good, folds = self.ended, self.lines, self._good, self._folds
        touched = self._touched
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
                fold = folds.get(found.loop_id)
                if not isinstance(fold, Fold):
                    fold = folds[found.loop_id] = Fold() if fold is None else fold.fold()
                fold.add(found, number, line)
                touched[found.loop_id] = None
            offset += len(line) + 1
        self.ended, self.lines, self._good = offset, number, good

    def reading(self) -> Reading:
        """What the log says so far; whole rows in a line without an end count as well."""
        for loop_id in self._touched:
            touched = self._folds[loop_id]
            self._told[loop_id] = touched if isinstance(touched, Seal) else touched.loop
        self._touched.clear()
        by_id, beyond = self._told.copy(), dict[str, Fold]()
        rest = _bare(self.rest, self.ended)
        is_row = bool(rest) and head(rest) is not None
        for raw in [rest] if is_row else salvage(rest):
            if (row := head(raw)) is not None:
                fold = beyond.get(row.loop_id) or _another(self._folds.get(row.loop_id))
                fold.add(row, self.lines + 1, raw)
                beyond[row.loop_id] = fold
        by_id.update((loop_id, fold.loop) for loop_id, fold in beyond.items())
        return Reading(
            by_id, self._good + is_row, tuple(self._bad), self._bad_count,
            incomplete_tail=not is_row and bool(self.rest.strip(b" \t\r")),
        )  # fmt: skip

    def forget_rest(self) -> None:
        """Stand again where the last whole line ended: what follows may be other bytes now."""
        self.rest = b""

    def pack(self) -> bytes:
        """Where the reader stands, without a line that has no end yet; see `unpack`."""
        loops, apart = {}, []
        for loop_id, fold in self._folds.items():
            if isinstance(fold, Seal):
                loops[loop_id] = fold.packed
                continue
            loops[loop_id] = msgspec.Raw(_encode(fold.pack()))
            if fold.is_asked_for:
                apart.append(loop_id)
        return _encode(
            _Packed(self.ended, self.lines, self._good, self._bad, self._bad_count, loops, apart)
        )

    @classmethod
    def unpack(cls, packed: bytes) -> LogReader:
        """The reader that stood there. Closed loops stay packed until somebody asks for them.

        Raises ValueError where `packed` is nothing that a reader made.
        """
        try:
            kept = _decode(packed)
            folds: dict[str, Fold | Seal] = {one: Seal(raw) for one, raw in kept.loops.items()}
            folds.update({one: Seal(kept.loops[one]).fold() for one in kept.apart})
        except (msgspec.DecodeError, UnicodeDecodeError, KeyError) as error:
            raise ValueError(f"not a kept reader: {error}") from error
        reader = cls()
        reader._folds, reader._touched = folds, dict.fromkeys(folds)
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
        fold = self._folds.get(row.loop_id)
        if not isinstance(fold, Fold):
            fold = self._folds[row.loop_id] = Fold() if fold is None else fold.fold()
        fold.add(row, number, raw)
        self._touched[row.loop_id] = None


class _Packed(msgspec.Struct, array_like=True, gc=False):
    ended: int
    lines: int
    good: int
    bad: list[BadLine]
    bad_count: int
    loops: dict[str, msgspec.Raw]
    apart: list[str]
    """Those that are asked for in every reading."""


_encode = msgspec.msgpack.encode
_decode = msgspec.msgpack.Decoder(_Packed).decode


def _another(fold: Fold | Seal | None) -> Fold:
    """A fold that stands where that one does."""
    if fold is None:
        return Fold()
    return fold.copy() if isinstance(fold, Fold) else fold.fold()


def _bare(line: bytes, offset: int) -> bytes:
    return bare(line.removeprefix(BYTE_ORDER_MARK) if offset == 0 else line)


def read(log: bytes) -> Reading:
    """What a whole log says."""
    reader = LogReader()
    reader.feed(log)
    return reader.reading()
