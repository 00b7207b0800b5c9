"""Looks for a condition in a process of its own, which can be given up. Standard library only.

A pattern can take longer than any clock runs, and a large file more memory than a picture may.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from ppgp_tui.persist.condition import holds, parse
from ppgp_tui.persist.disk.world import DiskWorld

LONGEST_S: Final = 1.0
_PLACE: Final = str(Path(__file__).parents[3])
_PROGRAM: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    " from ppgp_tui.persist.disk.asking import answer; answer(*sys.argv[2:])"
)


class GivenUpError(Exception):
    """Nobody can tell; the message says why."""


def held_apart(text: str, cwd: str, *, limit_s: float = LONGEST_S) -> str | None:
    """Why the condition `text` of a loop started in `cwd` holds, or None.

    Raises `GivenUpError`.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _PROGRAM, _PLACE, text, cwd],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            timeout=limit_s, check=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise GivenUpError(f"looking for it takes more than {limit_s:g} s") from None
    except (OSError, ValueError, subprocess.SubprocessError):
        raise GivenUpError("it cannot be looked for here") from None
    return done.stdout.decode("utf-8", "replace") or None


def answer(text: str, cwd: str) -> None:
    """Print why it holds, or nothing: what the process of its own does."""
    why = holds(parse(text), None, DiskWorld(Path(cwd)))
    sys.stdout.buffer.write((why or "").encode("utf-8", "replace"))
