"""What the hooks of a connected agent leave in `.ppgp/run`, for the demo's agents.

One file says who a session is, one has a line for each call, and one stands for each held call
while it waits.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

from ppgp_tui.session.canonical import canonical

Json = dict[str, Any]


class Call(NamedTuple):
    """One tool call of a session."""

    id: str
    tool: str


class Heartbeat:
    """One agent session."""

    def __init__(self, run: Path, agent: str, session: str, facts: Json) -> None:
        """Say where to write and who it is.

        Args:
            run: `.ppgp/run`, with the folders `agents` and `held` in it.
            agent: Such as `claude`.
            session: Session key, such as `claude-0f3a9c21`.
            facts: Members of the file that do not change: root, pid, pid_start, model, pane.
        """
        self.session = session
        self._file = run / "agents" / f"{session}.json"
        self._calls = run / "agents" / f"{session}.calls"
        self._held = run / "held"
        self._facts = {"agent": agent, "session": session, **facts}
        self.last = Call("call-0", "")
        """The newest call."""

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
        fresh.write_bytes(canonical(entry) + b"\n")
        os.utime(fresh, ns=(ts_ms * 1_000_000, ts_ms * 1_000_000))
        fresh.replace(self._file)

    def call(self, tool: str) -> Call:
        """The next call."""
        number = int(self.last.id.removeprefix("call-")) + 1
        self.last = Call(f"call-{number}", tool)
        return self.last

    def begins(self, ts_ms: int, call: Call, generation: int, *, held: bool = False) -> None:
        """A call goes on, or waits, by the order of that generation."""
        self._line(ts_ms, "pre", generation, "held" if held else "go", call)

    def ends(self, ts_ms: int, call: Call, generation: int) -> None:
        """The call is over."""
        self._line(ts_ms, "post", generation, "go", call)

    def holds(self, ts_ms: int, call: Call, hold: str) -> Path:
        """Say that a call waits for `hold`; return the file to remove when it waits no longer."""
        pid = self._facts["pid"]
        said = {
            "schema": 1,
            "hold": hold,
            "session": self.session,
            "tool": call.tool,
            "tool_use_id": call.id,
            "since_ms": ts_ms,
            "pid": pid,
        }
        if self._facts["pid_start"] is not None:
            said["pid_start"] = self._facts["pid_start"]
        self._held.mkdir(mode=0o700, exist_ok=True)
        file = self._held / f"{hold}.{self.session}.{pid}.json"
        fresh = file.with_name(file.name + ".new")
        fresh.write_bytes(canonical(said) + b"\n")
        return fresh.replace(file)

    def _line(self, ts_ms: int, event: str, generation: int, decision: str, call: Call) -> None:
        line = f"{ts_ms} {event} {generation} {decision} {call.id} - {call.tool}\n"
        handle = os.open(self._calls, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, line.encode())
        finally:
            os.close(handle)
