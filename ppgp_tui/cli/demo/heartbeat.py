"""What the hooks of a connected agent leave in `.ppgp/run/agents`, for the demo's agents."""

from __future__ import annotations

import json
import os
from pathlib import Path


class Heartbeat:
    """One agent session: a file that says who it is, and one line for each call."""

    def __init__(self, folder: Path, agent: str, session: str, facts: dict[str, object]) -> None:
        """Say where to write and who it is.

        Args:
            folder: `.ppgp/run/agents`.
            agent: Such as `claude`.
            session: Session key, such as `claude-0f3a9c21`.
            facts: Members of the file that do not change: root, pid, pid_start, model, pane.
        """
        self._file = folder / f"{session}.json"
        self._calls = folder / f"{session}.calls"
        self._facts = {"agent": agent, "session": session, **facts}
        self._count = 0

    def state(self, ts_ms: int, state: str, last_event: str, run: str) -> None:
        """Replace the file: since `ts_ms` the session is idle, working or ended."""
        entry = {
            "schema": 1,
            **self._facts,
            "run": run,
            "state": state,
            "since_ms": ts_ms,
            "last_event": last_event,
            "continued": 0,
            "hook_version": "demo",
            "strict": False,
            "problems": [],
        }
        fresh = self._file.with_name(self._file.name + ".new")
        fresh.write_text(json.dumps(entry, sort_keys=True, separators=(",", ":")) + "\n", "utf-8")
        os.utime(fresh, ns=(ts_ms * 1_000_000, ts_ms * 1_000_000))
        fresh.replace(self._file)

    def begin(self, ts_ms: int, tool: str) -> None:
        """A tool call begins."""
        self._count += 1
        self._line(ts_ms, "pre", tool)

    def end(self, ts_ms: int, tool: str) -> None:
        """The newest call is over."""
        self._line(ts_ms, "post", tool)

    def _line(self, ts_ms: int, event: str, tool: str) -> None:
        line = f"{ts_ms} {event} 1 go call-{self._count} - {tool}\n"
        handle = os.open(self._calls, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, line.encode())
        finally:
            os.close(handle)
