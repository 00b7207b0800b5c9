"""The terminal of a launcher: who is in the foreground, and how it was set."""

from __future__ import annotations

import os
import signal
import termios
from contextlib import suppress
from typing import Any, Final

_SOFT_RESET: Final = (
    b"\x1b[?25h"  # the cursor is seen
    b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l"  # no mouse, no focus
    b"\x1b[?2004l\x1b[<u\x1b[0m"  # plain pastes, plain keys, plain colours
    b"\r\n\x1b[J"  # a line for what comes next
)


class Terminal:
    """The controlling terminal; without one nothing here does anything."""

    def __init__(self) -> None:
        try:
            self._tty = os.open("/dev/tty", os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            self._tty = -1
        self._before = self.settings()

    @property
    def front(self) -> int:
        """The process group in the foreground; 0 where there is none."""
        if self._tty >= 0:
            with suppress(OSError):
                return os.tcgetpgrp(self._tty)
        return 0

    def give(self, group: int) -> None:
        """Put `group` into the foreground."""
        if self._tty < 0:
            return
        # Who takes the terminal from the background is stopped by this signal otherwise.
        old = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        with suppress(OSError):
            os.tcsetpgrp(self._tty, group)
        signal.signal(signal.SIGTTOU, old)

    def settings(self) -> list[Any] | None:
        """How the terminal is set now."""
        if self._tty >= 0:
            with suppress(termios.error, OSError):
                return termios.tcgetattr(self._tty)
        return None

    def set(self, settings: list[Any] | None) -> None:
        """Set the terminal so; we must be in the foreground."""
        if self._tty >= 0 and settings is not None:
            with suppress(termios.error, OSError):
                termios.tcsetattr(self._tty, termios.TCSADRAIN, settings)

    def restore(self) -> None:
        """As it was in the beginning: its last user had no time to tidy up."""
        self.set(self._before)
        if self._tty >= 0:
            with suppress(OSError):
                os.write(self._tty, _SOFT_RESET)

    def back(self) -> None:
        """As it was in the beginning, but what is drawn stays."""
        self.set(self._before)
