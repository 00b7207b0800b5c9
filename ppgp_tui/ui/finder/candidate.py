"""One thing that can be found and gone to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, get_args

from ppgp_tui.ui.finder.fuzzy import PREFIX, STARTS, Fit, fit
from ppgp_tui.ui.rows.row import Span

Kind = Literal["action", "view", "request", "task", "session", "revision", "theme", "event", "file"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order in which those that fit equally well are listed."""
KIND_WIDTH = max(map(len, KINDS)) + 1
_NAMES_A_KIND: Final = 3
"""Letters at least with which a kind begins to be named."""


class Candidate(NamedTuple):
    """What a line of the palette stands for."""

    kind: Kind
    name: str
    """By which it is gone to: an action's id, a task's key, an event's index, a path."""
    text: str
    right: tuple[Span, ...] = ()
    """Key, state or age at the right edge."""
    refused: bool = False
    """It cannot act here; `right` says why. Such ones come last."""

    def fit(self, words: Sequence[str], low: str | None = None) -> Fit | None:
        """How `words` fit it: its text (`low`: in small letters), or first its kind, then that.

        Of a kind alone everything fits alike, so it is listed in its own order.
        """
        fits = fit(words, self.text, low)
        if not self._is_named(words[0]):
            return fits
        of_kind = fit(words[1:], self.text, low) if words[1:] else Fit(PREFIX, 0, 0, 0)
        if of_kind is None:
            return fits
        least = PREFIX if words[0] == self.kind else STARTS
        of_kind = of_kind._replace(way=max(of_kind.way, least))
        return of_kind if fits is None else min(fits, of_kind)

    def _is_named(self, word: str) -> bool:
        return self.kind.startswith(word) and len(word) >= min(_NAMES_A_KIND, len(self.kind))
