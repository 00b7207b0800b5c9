"""A pseudo-terminal with the app in it: its bytes, its screen, its keys and its signals."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import pyte

from tests.waiting import PATIENCE_S

REPOSITORY = Path(__file__).resolve().parents[2]


class Terminal:
    """A program in a terminal of its own; used as a context so that nothing is left running."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        columns: int = 80,
        lines: int = 24,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.bytes = b""
        self.code: int | None = None
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(REPOSITORY)
            for measured_elsewhere in ("COLUMNS", "LINES"):
                os.environ.pop(measured_elsewhere, None)
            os.environ.update(
                {
                    "TERM": "xterm-256color",
                    "COLORTERM": "truecolor",
                    "LANG": "C.UTF-8",
                    **(env or {}),
                }
            )
            os.execv(sys.executable, [sys.executable, *words])
        self.resize(columns, lines)
        self.attributes = termios.tcgetattr(self.fd)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            self.wait()
        if self.fd >= 0:
            os.close(self.fd)

    # --- what it shows --------------------------------------------------------------------------

    def text(self) -> str:
        """The screen as lines."""
        return "\n".join(self.screen.display)

    def read(self, seconds: float = 0.05) -> bool:
        """Take in what the program writes for at most `seconds`; return whether it wrote."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self.fd, 65536)
        except OSError:
            return False
        self.bytes += piece
        self._stream.feed(piece)
        return bool(piece)

    def until(self, words: str) -> None:
        """Read until the screen shows `words`."""
        self.until_so(lambda: words in self.text(), words)

    def until_gone(self, words: str) -> None:
        """Read until the screen shows `words` no longer."""
        self.until_so(lambda: words not in self.text(), f"the end of {words}")

    def until_sent(self, code: str) -> None:
        """Read until the program has sent these characters, which the screen may not show."""
        self.until_so(lambda: code.encode() in self.bytes, repr(code))

    def until_silent(self, seconds: float) -> None:
        """Read until nothing comes for so long."""
        end = time.monotonic() + PATIENCE_S
        while self.read(seconds):
            assert time.monotonic() < end, f"never silent:\n{self.text()}"

    def settle(self) -> None:
        """Read until nothing more comes for a moment."""
        self.until_silent(0.25)

    def until_so(self, holds: Callable[[], object], what: str) -> None:
        """Read until it holds."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, f"never saw {what} in\n{self.text()}"
            self.read()

    # --- what is done to it ---------------------------------------------------------------------

    def send(self, keys: str | bytes) -> None:
        """Press keys, as the bytes a terminal sends."""
        os.write(self.fd, keys.encode() if isinstance(keys, str) else keys)

    def resize(self, columns: int, lines: int) -> None:
        """Give the terminal another size; the kernel tells the program."""
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.screen.resize(lines, columns)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program."""
        os.kill(self.pid, number)

    def hang_up(self) -> None:
        """The terminal goes away."""
        os.close(self.fd)
        self.fd = -1

    def wait(self) -> int:
        """Wait for the end; return the exit code, or minus the signal that killed it."""
        end = time.monotonic() + PATIENCE_S
        while self.code is None:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                self.code = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > end:
                raise AssertionError(f"still running:\n{self.text()}")
            elif self.fd < 0:
                time.sleep(0.02)
            else:
                self.read(0.02)
        while self.fd >= 0 and self.read():
            pass
        return self.code

    # --- how it was left ------------------------------------------------------------------------

    def modes_left_on(self) -> set[str]:
        """Terminal modes that were set and not taken back."""
        on: set[str] = set()
        for mode, switch in re.findall(rb"\x1b\[\?(\d+)([hl])", self.bytes):
            name = mode.decode()
            (on.add if switch == b"h" else on.discard)(name)
        pushed = len(re.findall(rb"\x1b\[>\d+u", self.bytes))
        popped = len(re.findall(rb"\x1b\[<u", self.bytes))
        if pushed > popped:
            on.add("kitty keys")
        return on - {"7", "25"} | ({"no cursor"} if b"\x1b[?25l" in self._after_show() else set())

    def _after_show(self) -> bytes:
        return self.bytes.rpartition(b"\x1b[?25h")[2]

    def attributes_now(self) -> list[object]:
        """Line settings (echo, signals, …) as `stty` would tell them."""
        return list(termios.tcgetattr(self.fd))
