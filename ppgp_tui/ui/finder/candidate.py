"""One thing that can be found and gone to."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from ppgp_tui.ui.rows import Span

Kind = Literal["action", "view", "request", "task", "session", "revision", "theme", "event", "file"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order in which those that fit equally well are listed."""
KIND_WIDTH = max(map(len, KINDS)) + 1


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
