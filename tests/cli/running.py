"""The program as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests import forking
from tests.forking import PROGRAM
from tests.waiting import PATIENCE_S


class Said(NamedTuple):
    """What a program printed and how it ended."""

    code: int
    out: str
    err: str


def run(
    *words: object, cwd: Path | None = None, before: Sequence[str] = (), **environ: str
) -> Said:
    """Run `ppgp-tui WORDS`, forked, without a terminal; `environ` is added to the environment.

    `before` are words of a program that starts it; then it is a start as from a shell.
    """
    known = {name: value for name, value in os.environ.items() if not name.startswith("PPGP_")}
    surroundings: Any = {"cwd": cwd, "env": {**known, **environ}, "stdin": subprocess.DEVNULL}
    if before:
        done = subprocess.run(
            [*before, PROGRAM, *map(str, words)],
            capture_output=True,
            timeout=PATIENCE_S,
            **surroundings,
        )
    else:
        done = forking.run([PROGRAM, *words], **surroundings)
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


def imported_by(*words: object, cwd: Path | None = None) -> set[str]:
    """The top-level and own modules that `ppgp-tui WORDS` imports."""
    script = (
        "import os, sys\n"
        "sys.argv[1:] = sys.argv[2:]\n"
        "os._exit = sys.exit\n"
        "from ppgp_tui.cli.entry import main\n"
        "try:\n"
        "    main()\n"
        "except SystemExit:\n"
        "    pass\n"
        "sys.stderr.write('MODULES ' + ' '.join(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "ppgp-tui", *map(str, words)],
        cwd=cwd, capture_output=True, text=True, timeout=PATIENCE_S, check=True,
    )  # fmt: skip
    return set(done.stderr.rsplit("MODULES ", 1)[1].split())
