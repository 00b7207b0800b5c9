"""A terminal for agents that will not work without one (`--pty`)."""

from __future__ import annotations

import os
import termios
from contextlib import suppress
from typing import Final, NamedTuple

_USUAL: Final = os.terminal_size((80, 24))


class Terminal(NamedTuple):
    """Both ends of a pseudo-terminal; what the agent prints is read from `ours`."""

    ours: int
    agents: int


def open_terminal() -> Terminal:
    """A terminal of the size of ours. Raises OSError where the system has none left."""
    terminal = Terminal(*os.openpty())
    fit(terminal.agents, size())
    return terminal


def size() -> os.terminal_size:
    """The size of the terminal that we are shown in; 80 by 24 where there is none."""
    for descriptor in (1, 2, 0):
        with suppress(OSError):
            found = os.get_terminal_size(descriptor)
            if found.columns and found.lines:
                return found
    return _USUAL


def fit(descriptor: int, wanted: os.terminal_size) -> None:
    """Give the terminal this size; the programs in it are told. Does nothing once it is closed."""
    with suppress(OSError, termios.error):
        termios.tcsetwinsize(descriptor, (wanted.lines, wanted.columns))
