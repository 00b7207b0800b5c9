"""How wide the terminal draws characters that are one cell here and two there.

Three of them are printed and the terminal is asked where its cursor stands. The answer comes among
the keys, whenever it comes; nothing waits for it, and a terminal that does not answer is taken to
draw one cell. The first picture covers what was printed.
"""

from __future__ import annotations

import re
from time import monotonic

SAMPLE = "\u2026\u2502\u2581"
"""The ellipsis, a graph line and a sparkline block: all of ambiguous width."""
QUESTION = f"\x1b[1;1H{SAMPLE}\x1b[6n\x1b[1;1H\x1b[2K"
"""At the top left, and wiped out at once."""
PATIENCE_S = 5.0
"""So long an answer is taken for one; later the same bytes are a key (F3 with modifiers)."""
_ANSWER = re.compile(rb"\x1b\[1;(\d{1,4})R")
_BEGUN = re.compile(rb"\x1b(?:\[(?:1(?:;\d{0,4})?)?)?\Z")


class WidthProbe:
    """Takes the answer out of the bytes that come in, in any pieces."""

    def __init__(self, asked_at: float | None = None) -> None:
        """`asked_at` is when the question was asked, in seconds of `monotonic`."""
        self._until = (monotonic() if asked_at is None else asked_at) + PATIENCE_S
        self._held = b""
        self.is_wide: bool | None = None
        """Whether the sample was drawn wider than one cell a character; None: not answered."""

    @property
    def is_over(self) -> bool:
        """Nothing more is expected."""
        return self.is_wide is not None or monotonic() >= self._until

    @property
    def holding(self) -> bool:
        """Something is held back that may be the beginning of the answer."""
        return bool(self._held)

    def clean(self, piece: bytes) -> bytes:
        """Return `piece` without the answer; the beginning of one is held back."""
        data, self._held = self._held + piece, b""
        if self.is_over:
            return data
        found = _ANSWER.search(data)
        if found:
            self.is_wide = int(found[1]) != 1 + len(SAMPLE)
            return data[: found.start()] + data[found.end() :]
        begun = _BEGUN.search(data)
        if begun:
            self._held = begun[0]
            return data[: begun.start()]
        return data

    def rest(self) -> bytes:
        """Nothing more came: what was held back is a key after all."""
        held, self._held = self._held, b""
        return held
