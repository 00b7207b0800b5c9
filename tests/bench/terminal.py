"""A program in a pseudo-terminal, watched for the bytes it paints."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence

SIZE = (120, 40)


class NeverPaintedError(Exception):
    """What should have appeared on the terminal did not."""


class Terminal:
    """One running program; `with` ends it."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        size: tuple[int, int] = SIZE,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.started = time.perf_counter()
        self.pid, self._master = pty.fork()
        if self.pid == 0:
            os.execvpe(words[0], list(words), {**os.environ, **COLOURS, **(environ or {})})
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        os.kill(self.pid, signal.SIGWINCH)
        self._status: int | None = None
        self.seen = bytearray()
        self.last_read = self.started

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._status is None:
                os.kill(self.pid, signal.SIGTERM)
                self.exit_code(5)
        finally:
            os.close(self._master)

    def send(self, keys: bytes) -> float:
        """Type `keys`; return when."""
        at = time.perf_counter()
        os.write(self._master, keys)
        return at

    def until(self, wanted: bytes, seconds: float = 60) -> float:
        """Wait until `wanted` has been painted since the last `forget`; return when it came."""
        end = time.perf_counter() + seconds
        looked = 0
        while self.seen.find(wanted, max(0, looked - len(wanted))) < 0:
            looked = len(self.seen)
            if not self._read(end - time.perf_counter()):
                tail = bytes(self.seen[-300:])
                raise NeverPaintedError(f"{wanted!r} was not painted in {seconds} s: …{tail!r}")
        return self.last_read

    def until_quiet(self, seconds: float = 0.3) -> None:
        """Wait until nothing has been painted for so long."""
        while self._read(seconds):
            pass

    def first_paint(self, seconds: float = 10) -> float:
        """Wait for the next painted bytes; return when they came."""
        if not self._read(seconds):
            raise NeverPaintedError(f"nothing was painted in {seconds} s")
        return self.last_read

    def listen(self, seconds: float) -> None:
        """Take what is painted meanwhile, so that the program never waits for the terminal."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._read(left)

    def forget(self) -> None:
        """Look only at what is painted from now on."""
        self.seen.clear()

    def exit_code(self, seconds: float = 20) -> int:
        """Wait for the program to end and return its exit code; kill it when it takes too long."""
        end = time.perf_counter() + seconds
        while self._status is None:
            self._read(0.01)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
            elif time.perf_counter() > end:
                os.kill(self.pid, signal.SIGKILL)
                end = float("inf")
        return self._status

    def _read(self, seconds: float) -> bool:
        if not select.select([self._master], [], [], max(0.0, seconds))[0]:
            return False
        try:
            data = os.read(self._master, 1 << 16)
        except OSError:
            return False
        self.last_read = time.perf_counter()
        self.seen += data
        return bool(data)


COLOURS = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
