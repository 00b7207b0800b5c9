"""The end of what a loop's agent printed, as a person reads it."""

from __future__ import annotations

import re
from typing import Final

from ppgp_tui.session.text import safe

BYTES: Final = 16 * 1024
"""So much of the file's end is read."""
_LINES: Final = 12
_LONGEST: Final = 400
_CONTROL = re.compile(
    r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # titles and links
    r"|[PX^_][^\x1b]*(?:\x1b\\)?"
    r"|\[[0-?]*[ -/]*[@-~]"  # colours and moves
    r"|[ -/]*[0-~])"
)
"""What would only colour and move on a terminal is of no use in a picture."""


def clean_lines(data: bytes) -> tuple[str, ...]:
    """The last lines of `data`; the first of 16 KiB is left out, for it is no whole one.

    Of a line that was written over again and again the last state counts.
    """
    text = _CONTROL.sub("", data.decode("utf-8", "replace")).replace("\r\n", "\n")
    lines = text.split("\n")
    if len(data) >= BYTES and len(lines) > 1:
        del lines[0]
    last = (line.rstrip("\r").rpartition("\r")[2] for line in lines)
    shown = (safe(line.expandtabs(4)).rstrip() for line in last)
    return tuple(line[:_LONGEST] for line in shown if line)[-_LINES:]
