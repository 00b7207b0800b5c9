"""The user's restart loops as the picture shows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ppgp_tui.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ppgp_tui.session.model import Problem
    from ppgp_tui.session.picture.loop import Loop


class Loops(NamedTuple):
    """The loops of the user: every open one, and the newest closed ones."""

    seen: tuple[Loop, ...] = ()
    """Open ones in the order they began, then closed ones, the newest first."""
    closed_here: int = 0
    """All closed loops of this repository, also those that are not among `seen`."""
    closed_elsewhere: int = 0

    @property
    def here(self) -> tuple[Loop, ...]:
        """Those of this repository."""
        return tuple(loop for loop in self.seen if loop.here)

    def loop(self, loop_id: str) -> Loop | None:
        """The loop of that id."""
        return next((loop for loop in self.seen if loop.id == loop_id), None)


def belongs(root: str, paths: Iterable[str | None]) -> bool:
    """Whether one of these paths, which a loop names as its own, lies in that root."""
    below = root.rstrip("/") + "/"
    return any(path is not None and (path == root or path.startswith(below)) for path in paths)


class LoopsLook(NamedTuple):
    """The loops after a look at their log."""

    loops: Loops = Loops()
    path: str = ""
    """The log; empty before it was looked for."""
    seen_ms: int | None = None
    """None where there is no log."""
    stale_since_ms: int | None = None
    """Since when it cannot be read; the loops are those of the last time."""
    problems: tuple[Problem, ...] = ()
