"""The console script. What must be quick is answered before anything heavy is imported."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command named on the command line and exit with its code."""
    words = sys.argv[1:]
    if words[:1] == ["status"]:
        _status(words[1:])
    if not words or (len(words) == 1 and _is_path(words[0])):
        _app(*words)
    from ppgp_tui.cli.commands import ppgp_tui

    ppgp_tui.main(words, prog_name="ppgp-tui")


def _status(words: list[str]) -> NoReturn:
    """Answer and leave at once: collecting and tidying up would take a fifth of the time."""
    import gc

    gc.disable()
    from ppgp_tui.cli.status import main

    code = main(words)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _is_path(word: str) -> bool:
    """Whether a word can be nothing but a path; any other may be a command or an option."""
    return word in (".", "..") or ("/" in word and not word.startswith("-"))


def _app(path: str | None = None) -> NoReturn:
    from pathlib import Path

    from ppgp_tui.cli.start import start

    sys.exit(start(Path(path) if path else None))
