"""What loops say, made harmless to a terminal; columns stay columns."""

from __future__ import annotations

import sys

from ppgp_tui.cli.out import write
from ppgp_tui.session.text import safe

_PICTURES = str.maketrans({"\n": "\u240a", "\t": "\u2409"})


def say(*lines: str) -> None:
    """Print lines to standard output."""
    write("".join(f"{harmless(line)}\n" for line in lines))


def warn(*messages: str) -> None:
    """Print `persist: MESSAGE` to standard error, once for each."""
    sys.stderr.write("".join(f"persist: {harmless(message)}\n" for message in messages))


def harmless(line: str) -> str:
    """The line as one line."""
    return safe(line).translate(_PICTURES)
