"""The lines of a log that another reader has not had yet.

`LogTail` reads the log and proves that it was only appended to; whoever needs its bytes as well
(conformance, the graph) follows through a feed: new lines only, and everything anew as soon as the
tail had to read the log anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ppgp_tui.session.log.lines import Lines, prints
from ppgp_tui.session.log.view import LogView

BLOCK: Final = 64 * 1024
"""Bytes handed over in one go: a few milliseconds of work."""


class Block(NamedTuple):
    """Some lines in a row."""

    lines: list[bytes]
    r"""Without their `\n`, blank ones too."""
    first: int
    """Physical number of the first of them, from 1."""
    end: int
    """Offset in the file after the last of them."""


class Position(NamedTuple):
    """How far a log has been handed over."""

    events: int
    """Lines, blank ones left out."""
    offset: int
    """Bytes."""
    physical: int
    """Lines, blank ones too."""


class MovedError(Exception):
    """The file no longer holds what was read of it; the log's reader will notice, too."""


class Feed:
    """Where one follower stands. Used by one thread."""

    def __init__(self) -> None:
        self._of: Lines | None = None
        self.index = 0
        """Lines handed over so far, blank ones left out."""
        self.offset = 0
        """Bytes handed over so far."""
        self._physical = 0

    def is_anew(self, view: LogView) -> bool:
        """Whether `view` is of another reading than what was handed over: then all comes again."""
        if view.lines is self._of:
            return False
        self._of = view.lines
        self.index = self.offset = self._physical = 0
        return True

    @property
    def position(self) -> Position:
        """How far it is."""
        return Position(self.index, self.offset, self._physical)

    def resume(self, view: LogView, position: Position) -> None:
        """Go on behind `position` of this reading."""
        self._of = view.lines
        self.index, self.offset, self._physical = position

    def blocks(self, view: LogView) -> Iterator[Block]:
        """Hand over the lines of `view` that have not been, block by block.

        Blank lines behind the last event come with the event after them. Raises `MovedError`.
        """
        self.is_anew(view)
        lines, file = view.lines, view.file
        while self.index < view.count:
            until = lines.until(self.index, view.count, BLOCK)
            end = lines.after(until - 1)
            data = file.read(self.offset, end - self.offset)
            pieces = data.split(b"\n")
            rest = pieces.pop()
            if rest or prints(data) != lines.prints[self.index : until]:
                raise MovedError
            block = Block(pieces, self._physical + 1, end)
            self.index, self.offset = until, end
            self._physical += len(pieces)
            yield block
