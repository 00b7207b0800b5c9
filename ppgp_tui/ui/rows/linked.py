"""Words that name a file of the repository or a commit, and so can be a link."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ppgp_tui.ui.rows.row import Row
    from ppgp_tui.ui.seat.seat import Seat
    from ppgp_tui.ui.terminal.links import Links

_COMMIT = re.compile(r"(?:commit )?([0-9a-f]{7,40})")
_FILE = re.compile(
    r"((?:[\w.@+-]+/)+[\w.@+-]+|[\w@+-]+\.[A-Za-z]\w{0,7})(?::[0-9]{1,9}(?:-[0-9]{1,9})?)?"
)


def target_of(text: str) -> str:
    """`commit:HASH` or `file:PATH` where `text` is nothing but that; else empty.

    Whether there is such a file nobody looks: that is for whoever opens it.
    """
    if (commit := _COMMIT.fullmatch(text)) and not commit[1].isdecimal():
        return f"commit:{commit[1]}"
    file = _FILE.fullmatch(text)
    return f"file:{file[1]}" if file else ""


def file_of(row: Row | None) -> tuple[str, int]:
    """Path and line (0: none) of what a row was read from or names; an empty path: nothing."""
    if row is None:
        return "", 0
    if row.edits:
        return row.edits, 0
    origin = row.origin
    named = target_of(row.copy)
    if named.startswith("file:"):
        path = named.removeprefix("file:")
        line = row.copy[len(path) + 1 :].partition("-")[0]
        return path, int(line) if line.isdecimal() else 0
    if origin is None or origin.commit:  # the file has gone on since
        return "", 0
    return origin.path, origin.line or 0


def fit(seat: Seat, links: Links | None) -> None:
    """Draw with `links` if they are those of the seat's repository, else with none."""
    fitting = links if links is not None and links.root == str(seat.snapshot.root) else None
    if seat.look.links != fitting:
        seat.look = replace(seat.look, links=fitting)
