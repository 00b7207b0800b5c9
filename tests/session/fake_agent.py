"""Agents whose hooks write what hooks write: an honest one, a lying one, one without hooks."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

AGENTS, HELD = ".ppgp/run/agents", ".ppgp/run/held"


class Clock:
    """The time of a test: it goes on when it is told to."""

    def __init__(self, now_ms: int = 1_790_000_000_000) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        return self.now_ms

    def passes(self, seconds: float) -> None:
        self.now_ms += int(seconds * 1000)


class FakeAgent:
    """One connected session. Every hook looks at `control.json` first, as a real one does."""

    def __init__(self, root: Path, clock: Clock, key: str = "claude-0f3a") -> None:
        self.root = root
        self.clock = clock
        self.key = key
        self._calls = 0
        for folder in (AGENTS, HELD):
            (root / folder).mkdir(parents=True, exist_ok=True)

    @property
    def calls(self) -> Path:
        """The file of its calls."""
        return self.root / AGENTS / f"{self.key}.calls"

    def tells(self, state: str = "working", event: str = "UserPromptSubmit", **more: Any) -> None:
        """A hook off the fast path replaces the session's file."""
        said = {"schema": 1, "agent": "claude", "session": "0f3a", "root": str(self.root),
                "pid": os.getpid(), "state": state, "since_ms": self.clock(),
                "last_event": event, **more}  # fmt: skip
        path = self.root / AGENTS / f"{self.key}.json"
        path.write_text(json.dumps(said))
        os.utime(path, ns=(0, self.clock() * 1_000_000))

    def begins(self, *, lies: bool = False) -> str:
        """A hook before a call: waits while a pause stands, unless it `lies`. Returns the call."""
        self._calls += 1
        call = f"toolu_{self._calls}"
        order = self._order()
        waits = order.get("hold") is not None and not lies
        self.writes("pre", "held" if waits else "go", call, order.get("generation", 0))
        if waits:
            self.waits(order["hold"]["id"])
        return call

    def ends(self, call: str, how: str = "post") -> None:
        """A hook after a call."""
        self.writes(how, "go", call)

    def writes(self, what: str, decision: str, call: str, generation: int | None = None) -> None:
        """One line of the calls."""
        knew = self._order().get("generation", 0) if generation is None else generation
        with self.calls.open("a") as file:
            file.write(f"{self.clock()} {what} {knew} {decision} {call} - Bash\n")

    def waits(self, hold: str, pid: int | None = None) -> None:
        """A hook waits before its call may run."""
        pid = os.getpid() if pid is None else pid
        said = {"schema": 1, "hold": hold, "session": self.key, "tool": "Bash", "pid": pid,
                "since_ms": self.clock()}  # fmt: skip
        (self.root / HELD / f"{hold}.{self.key}.{pid}.json").write_text(json.dumps(said))

    def goes_on(self) -> None:
        """The waits of this session end."""
        for path in self._held():
            path.unlink()

    @property
    def is_waiting(self) -> bool:
        """A hook of this session waits: what the last call saw, not what is ordered by now."""
        return bool(self._held())

    def _held(self) -> list[Path]:
        return list((self.root / HELD).glob(f"*.{self.key}.*.json"))

    def _order(self) -> dict[str, Any]:
        try:
            said: dict[str, Any] = json.loads((self.root / ".ppgp/run/control.json").read_text())
        except (OSError, ValueError):
            return {}
        return said
