"""`ppgp-tui persist`: the commands by name, parsed as the original parses them.

Each command's module has `add(parser)` and `run(args) -> int`, and is imported when it is called.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any, Final

COMMANDS: Final = {
    "iterate": "start a fresh agent again and again until an outside check says done",
    "status": "list the loops that are not closed",
    "abandon": "close a loop, and end its runner",
    "doctor": "say whether loops can work here, and what is wrong with the log",
    "conformance": "check that the rules are kept here",
    "pause": "let a loop rest, and hold its agent",
    "resume": "let a paused loop go on",
}
"""Name and one line; the first five are the original's, in its order."""
_BROKEN: Final = 99


def main(words: list[str]) -> int:
    """Run what the words ask for and return the exit code; SystemExit 2 for a wrong usage."""
    from ppgp_tui.cli.persist.printing import warn
    from ppgp_tui.persist.disk.lock import LockTimeoutError
    from ppgp_tui.persist.states import IllegalTransitionError

    args = parser_for(words[0] if words else "").parse_args(words)
    try:
        code: int = _module(args.cmd).run(args)
    except IllegalTransitionError as error:
        warn(str(error))
        return _BROKEN
    except LockTimeoutError as error:
        warn(str(error))
        return 1
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        warn(f"{error.filename}: {what}" if error.filename else what)
        return 1
    return code


def parser_for(command: str) -> argparse.ArgumentParser:
    """A parser that knows every command's name, and the options of `command`."""
    parser = argparse.ArgumentParser(
        prog="persist", description="Start a fresh agent again and again, on one prompt file."
    )
    commands = parser.add_subparsers(dest="cmd", required=True)
    for name, line in COMMANDS.items():
        sub = commands.add_parser(name, help=line, description=line)
        if name == command:
            _module(name).add(sub)
    return parser


def _module(command: str) -> Any:
    return import_module(f"ppgp_tui.cli.persist.{command}")
