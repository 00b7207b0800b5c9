"""Signals that end a loop in order: noted here, obeyed by the runner at its next look."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from types import FrameType
from typing import Any

from ppgp_tui.persist.running import keeper


class Interrupts:
    """Notes every signal that asks for an end while it is entered; a second one kills the agent.

    That is INT, TERM and HUP, and each other one that would end this process at once and leave the
    loop open. When the runner is stopped from its terminal (Ctrl-Z), the agent rests as long as it
    does.
    """

    def __init__(self) -> None:
        self.name: str | None = None
        """The first signal that came, such as `SIGINT`."""
        self._number = 0
        self.agent_pid: int | None = None
        """The agent, whose process group a second signal kills."""
        self._before: dict[int, Any] = {}

    def came(self) -> bool:
        """Whether there was one."""
        return self.name is not None

    @property
    def exit_code(self) -> int:
        """128 + the number of the signal that came."""
        return 128 + self._number if self._number else 0

    def __enter__(self) -> Interrupts:
        for number in keeper.ending():
            # What is ignored stays so: `nohup` and `&` in scripts ask for it in this way.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._note)
        if signal.getsignal(signal.SIGTSTP) is not signal.SIG_IGN:
            self._before[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, self._rest)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def _note(self, number: int, _: FrameType | None) -> None:
        if self.name is None:
            self._number, self.name = number, signal_name(number)
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


def signal_name(number: int) -> str:
    """Such as `SIGTERM`; those that have only a number are called by it."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"
