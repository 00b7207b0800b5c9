"""Which requests a person could have read: whole, as they are now, and for how long.

A key may only answer what was on the screen long enough to be read; a request that changes under
the finger starts anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ppgp_tui.session.model import Request

SETTLE_MS = 400
"""So long a request must have been painted before a key may answer it."""


class _Seen(NamedTuple):
    digest: str
    since_ms: int


@dataclass(slots=True)
class Painted:
    """When each request on the screen was first painted whole with its present words."""

    _seen: dict[str, _Seen] = field(default_factory=dict)

    def note(self, whole: Iterable[Request], now_ms: int) -> None:
        """The screen was painted, and these requests stood on it whole."""
        before, self._seen = self._seen, {}
        for request in whole:
            was = before.get(request.id)
            same = was is not None and was.digest == request.digest
            self._seen[request.id] = was if was and same else _Seen(request.digest, now_ms)

    def is_whole(self, request: Request) -> bool:
        """The whole request was on the screen when it was last painted, perhaps in other words."""
        return request.id in self._seen

    def refuses(self, request: Request, now_ms: int) -> str:
        """Why a key may not answer `request` yet; empty when it may."""
        seen = self._seen.get(request.id)
        if seen is None:
            return "read it whole first: Enter opens it"
        if seen.digest != request.digest or now_ms - seen.since_ms < SETTLE_MS:
            return "just painted or changed: read it, then press again"
        return ""
