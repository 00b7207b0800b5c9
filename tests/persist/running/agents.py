"""Small agents, run for real, and what came of them."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ppgp_tui.persist.command import Call
from ppgp_tui.persist.course import Ran
from ppgp_tui.persist.running.process import run_agent
from tests.waiting import PATIENCE_S


class Asked:
    """Runs agents and hears what they print."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out, self.err, self.kept = bytearray(), bytearray(), bytearray()
        self.pid = 0

    def runs(
        self,
        *argv: str,
        stdin: bytes | None = None,
        environ: Mapping[str, str] = os.environ,
        until: Callable[[], str | None] = lambda: None,
        grace_s: float = PATIENCE_S,
        pty: bool = False,
        **others: Any,
    ) -> Ran:
        asked: dict[str, Any] = {
            "on_out": self._out, "on_err": self._err, "on_start": self._start, "output": self,
        }  # fmt: skip
        return run_agent(
            Call(argv, stdin), cwd=self.folder, environ=environ, pty=pty, stop=until,
            grace_s=grace_s, **asked | others,
        )  # fmt: skip

    def sh(self, script: str, **how: Any) -> Ran:
        return self.runs("sh", "-c", script, **how)

    def write(self, data: bytes) -> None:
        self.kept += data

    def once(self, word: str, *, said: bytes) -> Callable[[], str | None]:
        """Ends the run with this word when the agent has printed that."""
        return lambda: word if said in self.out else None

    @property
    def words(self) -> list[str]:
        return self.out.decode().split()

    def _out(self, data: bytes) -> None:
        self.out += data

    def _err(self, data: bytes) -> None:
        self.err += data

    def _start(self, pid: int) -> None:
        self.pid = pid


def is_running(pid: int) -> bool:
    """Whether the process is there and no zombie, which nobody may be there to bury."""
    with suppress(OSError):
        return b") Z " not in Path(f"/proc/{pid}/stat").read_bytes()
    if Path("/proc/self").exists():
        return False
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True
