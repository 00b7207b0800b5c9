"""Where a loop's words and its agent's output go: this terminal, at once."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

from ppgp_tui.persist.running.passing import PATIENCE_S, write_all
from ppgp_tui.session.text import safe


class Streams:
    """Standard output and error (`running.telling.Show`).

    A reader that went away or reads no more ends no loop, nor does a terminal that was closed. What
    the agent printed is passed on in a thread that may wait for one; our own words wait only so
    long.
    """

    def say(self, line: str) -> None:
        """One line on standard output."""
        _write(sys.stdout, safe(line).encode(sys.stdout.encoding, "replace") + b"\n", PATIENCE_S)

    def note(self, line: str) -> None:
        """One line on standard error."""
        text = safe(line).replace("\n", " ")
        _write(sys.stderr, text.encode(sys.stderr.encoding, "replace") + b"\n", PATIENCE_S)

    def out(self, data: bytes) -> None:
        """What the agent wrote on its standard output, as it is."""
        _write(sys.stdout, data)

    def err(self, data: bytes) -> None:
        """What it wrote on its standard error."""
        _write(sys.stderr, data)


def _write(stream: TextIO, data: bytes, wait_s: float | None = None) -> None:
    """Past the buffer: a thread that waited in it would hold up everybody, and our end."""
    try:
        with suppress(TimeoutError):
            write_all(stream.fileno(), data, wait_s)
    except OSError:
        # Whatever comes after this is for nobody; the interpreter must not fail on it at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
