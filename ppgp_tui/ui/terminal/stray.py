"""Old mouse reports among the input.

A terminal that lost the extended mouse mode (a re-attached tmux does) sends `ESC [ M` and three
bytes, which right of column 95 are no UTF-8: a strict reader ends there, a lenient one swallows the
next key. We never ask for such reports, so they are taken out before anything is decoded.
"""

from __future__ import annotations

import re

_REPORT = re.compile(rb"\x1b\[M[\s\S]{3}")
_UNFINISHED = re.compile(rb"\x1b(?:\[(?:M[\s\S]{0,2})?)?\Z")


class StrayReports:
    """Takes old mouse reports out of a stream of bytes that arrives in any pieces."""

    def __init__(self) -> None:
        self.seen = 0
        """How many reports were taken out."""
        self._held = b""

    def clean(self, piece: bytes) -> bytes:
        """Return `piece` without reports; an unfinished one is held back for the next piece."""
        data, count = _REPORT.subn(b"", self._held + piece)
        self.seen += count
        tail = _UNFINISHED.search(data)
        if tail is None:
            self._held = b""
            return data
        self._held = tail[0]
        return data[: tail.start()]

    def rest(self) -> bytes:
        """Nothing more came: what was held back and is a key after all (Esc, `Alt+[`)."""
        held, self._held = self._held, b""
        return held if held in (b"\x1b", b"\x1b[") else b""

    @property
    def holding(self) -> bool:
        """Something is held back that may be a key."""
        return bool(self._held)
