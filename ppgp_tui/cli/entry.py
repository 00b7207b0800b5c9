"""The console script. What must be quick is answered before anything heavy is imported."""

from __future__ import annotations

import errno
import gc
import os
import sys
from typing import NoReturn

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main() -> NoReturn:
    """Run the command named on the command line and exit with its code."""
    _open_closed()
    try:
        _run(sys.argv[1:])
    except KeyboardInterrupt:  # before or after the work, which has its own answer to it
        sys.exit(130)
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is still to be written then ends there
        sys.stderr.write(f"ppgp-tui: cannot write: {error.strerror}\n")
        sys.exit(1)


def _open_closed() -> None:
    """Give standard streams that were closed to nobody: no file of ours may take their numbers."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(null, mode))


def _run(words: list[str]) -> NoReturn:
    if words[:1] == ["status"] or words[:2] == ["persist", "status"]:
        _status(words)
    if not words or (len(words) == 1 and _is_path(words[0])):
        _app(*words)
    if words[0] == "persist":
        from ppgp_tui.cli.persist.group import main as persist

        sys.exit(persist(words[1:]))
    from ppgp_tui.cli.commands import ppgp_tui

    ppgp_tui.main(words, prog_name="ppgp-tui")


def _status(words: list[str]) -> NoReturn:
    """Answer and leave at once: collecting and tidying up would take a fifth of the time."""
    gc.disable()
    if words[0] == "persist":
        from ppgp_tui.cli.persist.group import main
    else:
        from ppgp_tui.cli.status import main
    code = main(words[1:])
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
