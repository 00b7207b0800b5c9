"""What the launcher leaves for the session: a heartbeat with a launch in it (`session.launched`).

Nothing here may get into the agent's way: what cannot be written is not written.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from ppgp_tui.session.canonical import canonical, session_key
from ppgp_tui.session.files.launches import read, rewrite
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal.lock import open_run
from ppgp_tui.session.launched import Launch, launch_of
from ppgp_tui.session.process import start_of
from ppgp_tui.version import __version__

Json = dict[str, Any]

_AGENTS: Final = "agents"
_NAME: Final = re.compile(r"[A-Za-z0-9_]{1,40}", re.ASCII)
_PANE: Final = re.compile(r"%[0-9]{1,9}", re.ASCII)


class Record:
    """The record of one launch."""

    def __init__(self, root: Path, program: str, environ: Mapping[str, str]) -> None:
        """`program` is the word the agent is called by."""
        self._root = root
        self._program = Path(program).name
        self._pane = environ.get("TMUX_PANE", "")
        self.agent = self._program if _NAME.fullmatch(self._program) else "agent"
        self.key = session_key(self.agent, f"run-{secrets.token_hex(4)}")
        """What the agent gets as `PPGP_AGENT`."""
        self._said: Json | None = None

    def begin(self, pid: int) -> str | None:
        """Say that the agent is process `pid`, leader of its own group. Returns why it was not."""
        if not (self._root / ".ppgp").is_dir():
            return "there is no session here (ppgp-tui init)"
        said: Json = {
            "schema": 1,
            "agent": self.agent,
            "session": self.key,
            "root": str(self._root),
            "run": None,
            "pid": pid,
            "pid_start": start_of(pid),
            "state": None,
            "since_ms": _now_ms(),
            "last_event": "launch",
            "continued": 0,
            "hook_version": __version__,
            "strict": False,
            "problems": [],
            "launch": {
                "pid": os.getpid(),
                "pid_start": start_of(os.getpid()),
                "group": pid,
                "session": os.getsid(0),
                "program": self._program[:160],
                "exit": None,
                "frozen_ms": None,
            },
        }
        if _PANE.fullmatch(self._pane):
            said["pane"] = self._pane
        try:
            with open_run(self._root) as run, run.child(_AGENTS, create=True) as agents:
                self._said = _without_none(said)
                agents.publish(f"{self.key}.json", canonical(self._said) + b"\n")
        except OSError as error:
            return f"{error.filename or self._root}: {(error.strerror or str(error)).lower()}"
        except ValueError as error:
            return str(error)
        return None

    def keep(self) -> None:
        """Write it again if it was deleted; an agent that is frozen must be found to be thawed."""
        if self._said is None:
            return
        with suppress(OSError):
            with suppress(FileNotFoundError), self._folder() as agents:
                if agents.status(f"{self.key}.json") is not None:
                    self._said = read(agents, self.key) or self._said
                    return
            if (self._root / ".ppgp").is_dir():
                with open_run(self._root) as run, run.child(_AGENTS, create=True) as agents:
                    agents.publish(f"{self.key}.json", canonical(self._said) + b"\n")

    def launch(self) -> Launch | None:
        """The launch as it is recorded now; somebody may have frozen it."""
        said: Json | None = None
        with suppress(OSError), self._folder() as agents:
            said = read(agents, self.key)
        return launch_of(said) if said is not None else None

    def end(self, exit_code: int) -> None:
        """Say how the agent ended."""

        def change(said: Json) -> None:
            said["state"], said["since_ms"] = "ended", _now_ms()
            said["last_event"] = "exit"
            said["launch"]["exit"], said["launch"]["frozen_ms"] = exit_code, None

        with suppress(OSError, ValueError), self._folder() as agents:
            rewrite(agents, self.key, change)

    def _folder(self) -> Folder:
        return Folder.open(self._root, ".ppgp", "run", _AGENTS)


def _without_none(said: Json) -> Json:
    return {name: value for name, value in said.items() if value is not None or name == "run"}


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
