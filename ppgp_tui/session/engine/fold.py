"""Bringing the ledger up to date under the lock, reading no more of the log than is new."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ppgp_tui.session.engine.ledger import FOLDED_KINDS, Ledger
from ppgp_tui.session.journal import MalformedEventError, View, event_of

KEEP_EVERY = 256 * 1024
"""Bytes of new log after which the fold is worth keeping as a checkpoint."""

# Decoding is the cost of a fold, and most lines of a busy log are of no concern to an action.
_CONCERNS = re.compile(
    b'"(?:' + b"|".join(re.escape(kind.encode()) for kind in FOLDED_KINDS) + b')"'
)
_VERSION = 7


def fold(view: View) -> Ledger:
    """Return what the log, the outbox and the cut lines say together, and keep a checkpoint."""
    ledger, since = kept_fold(view.checkpoint())
    _take(ledger, (line.raw for line in view.lines(since)))
    if view.size - since > KEEP_EVERY:
        view.keep_checkpoint({"version": _VERSION, "ledger": ledger.as_json()})
    if view.outbox or view.cut:
        _take(ledger, (*view.outbox, *view.cut))
    return ledger


def kept_fold(kept: tuple[Any, int] | None) -> tuple[Ledger, int]:
    """The fold in a checkpoint and where it stands; the beginning for none of ours."""
    if kept is not None and isinstance(kept[0], dict) and kept[0].get("version") == _VERSION:
        return Ledger(kept[0]["ledger"]), kept[1]
    return Ledger(), 0


def _take(ledger: Ledger, lines: Iterable[bytes]) -> None:
    for line in lines:
        if not _CONCERNS.search(line):
            continue
        try:
            ledger.apply(event_of(line))
        except MalformedEventError:
            continue  # reported by whoever shows the log; it says nothing an action could use
