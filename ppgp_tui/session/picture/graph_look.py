"""How far the graph of the log is folded, as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ppgp_tui.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ppgp_tui.session.log.graph import Folded


class GraphLook(NamedTuple):
    """The graph of the log; nothing of it exists before somebody asks (`Session.want_graph`)."""

    state: Literal["unasked", "folding", "folded"] = "unasked"
    progress: float | None = None
    """0 to 1 while `folding`."""
    lines: int = 0
    """Events folded in, blank lines left out."""
    nodes: int = 0
    relations: int = 0
    version: int = 0
    skipped: int = 0
    """Operations on nodes that do not exist."""
    why: str = ""
    """Why the graph ends before the log does; empty when it does not."""
    folded: Folded | None = None
    """The graph itself, to be read with `folded.reading()`; None until it is begun."""
