"""Signals that end a loop in order: noted here, obeyed by the runner at its next look."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from types import FrameType
from typing import Any, Final

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupts:
    """Notes INT, TERM and HUP while it is entered; a second one kills the agent at once.

    When the runner is stopped from its terminal (Ctrl-Z), the agent rests as long as it does.
    """

    def __init__(self) -> None:
        self.name: str | None = None
        """The first signal that came, such as `SIGINT`."""
        self.agent_pid: int | None = None
        """The agent, whose process group a second signal kills."""
        self._before: dict[int, Any] = {}

    def came(self) -> bool:
        """Whether there was one."""
        return self.name is not None

    @property
    def exit_code(self) -> int:
        """128 + the number of the signal that came."""
        return 128 + signal.Signals[self.name] if self.name else 0

    def __enter__(self) -> Interrupts:
        for number in ENDING:
            # What is ignored stays so: `nohup` and `&` in scripts ask for it in this way.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._note)
        if signal.getsignal(signal.SIGTSTP) is not signal.SIG_IGN:
            self._before[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, self._rest)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _: FrameType | None) -> None:
        if self.name is None:
            self.name = signal.Signals(number).name
        else:
            self._signal_agent(signal.SIGKILL)

    def _rest(self, number: int, _: FrameType | None) -> None:
        """Stop as programs do, which is not at all where no shell could wake us."""
        self._signal_agent(signal.SIGSTOP)
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)
        signal.signal(number, self._rest)
        self._signal_agent(signal.SIGCONT)

    def _signal_agent(self, number: int) -> None:
        if self.agent_pid is not None:
            with suppress(OSError):
                group = os.getpgid(self.agent_pid)
                if group != os.getpgrp():
                    os.killpg(group, number)
