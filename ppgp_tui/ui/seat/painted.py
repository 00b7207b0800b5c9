"""What a person could have read: which request, whole or not, in which words, and since when.

A key may only answer what was on the screen long enough to be read; a request that changes under
the finger starts anew. The same holds for the order to the agents that `p` turns round.
"""

from __future__ import annotations

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.model import Control, Request
from ppgp_tui.ui.rows.row_list import RowList

SETTLE_MS = 400
"""So long something must have been painted before a key may act on it."""


class _Since(NamedTuple):
    what: object = None
    ms: int = 0


class Painted:
    """When the request in hand, its whole text and the order were first painted as they are now."""

    def __init__(self) -> None:
        self.changed = ""
        """Id of the request in hand, if it says something else than when it was painted before."""
        self._hand = _Since()
        self._order = _Since()
        self._known: dict[str, str] = {}
        """The digest each request had when it was last painted."""
        self._read: dict[str, _Since] = {}
        """The digest with which the whole of each request was on the screen."""

    def note(self, request: Request | None, whole: bool, now_ms: int) -> None:
        """The screen was painted, with `request` in hand; `whole`: all of it could be read."""
        if request is None:
            self._hand, self.changed = _Since(), ""
            return
        if self._hand.what != (request.id, request.digest):
            self._hand = _Since((request.id, request.digest), now_ms)
            self.changed = request.id if self.is_changed(request) else ""
            self._known[request.id] = request.digest
        if whole and not self.is_read(request):
            self._read[request.id] = _Since(request.digest, now_ms)

    def is_changed(self, request: Request) -> bool:
        """Whether it says something else than when it was painted before it came to hand."""
        known = self._known.get(request.id, request.digest)
        return self.changed == request.id or known != request.digest

    def is_read(self, request: Request) -> bool:
        """Whether all of it, in its present words, has been on the screen."""
        return self._read.get(request.id, _Since()).what == request.digest

    def is_settled(self, request: Request, pressed_ms: int) -> bool:
        """Whether a key pressed at that moment can have meant `request` as it is."""
        read = self._read.get(request.id, _Since())
        if self._hand.what != (request.id, request.digest) or read.what != request.digest:
            return False
        return pressed_ms - max(read.ms, self._hand.ms) >= SETTLE_MS

    def note_order(self, control: Control, now_ms: int) -> None:
        """The screen was painted with this order to the agents."""
        order = (control.generation, control.hold_id, control.lost)
        if self._order.what != order:
            self._order = _Since(order, now_ms)

    def is_order_settled(self, pressed_ms: int) -> bool:
        """Whether a key pressed at that moment can have meant the order as it is."""
        return pressed_ms - self._order.ms >= SETTLE_MS


class Reading:
    """How far a text was read from its top on, in a place that may show only a part of it."""

    def __init__(self) -> None:
        self._text: object = None
        self._lines = 0

    def note(self, text: object, rows: RowList) -> bool:
        """`rows` were painted and show `text`, by what tells it apart; return if all was shown."""
        if text != self._text:
            self._text, self._lines = text, 0
        if rows.top <= self._lines:
            self._lines = max(self._lines, rows.top + rows.height)
        return self._lines >= rows.pile.height
