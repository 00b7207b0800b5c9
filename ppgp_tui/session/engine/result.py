"""What every action returns, and the exit code it stands for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal

Code = Literal[
    "done", "unchanged", "refused", "stale", "hand_edit", "busy", "disk", "not_initialised",
    "expired", "timeout", "usage",
]  # fmt: skip

EXIT: Final[dict[Code, int]] = {
    "done": 0,
    "unchanged": 0,
    "refused": 1,
    "busy": 1,
    "disk": 1,
    "not_initialised": 1,
    "usage": 2,
    "stale": 3,
    "hand_edit": 3,
    "expired": 3,
    "timeout": 4,
}


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one action; `done` and `unchanged` are its only good ends."""

    action: str
    code: Code
    message: str
    events: tuple[str, ...] = ()
    """Ids of the recorded events, in order."""
    recorded: Literal["log", "outbox", "none"] = "none"
    revisions: dict[str, int] = field(default_factory=dict)
    """`goal`, `plan` and `control` after the action."""
    created: tuple[str, ...] = ()
    """Files made, relative to the root."""
    warnings: tuple[str, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """The action did what was asked, or there was nothing to do."""
        return self.code in ("done", "unchanged")

    @property
    def exit_code(self) -> int:
        """Exit status of the command line."""
        return EXIT[self.code]

    def as_json(self) -> dict[str, Any]:
        """The result as `--json` prints it and MCP returns it."""
        return {
            "ok": self.ok,
            "code": self.code,
            "changed": self.code == "done",
            "action": self.action,
            "message": self.message,
            "events": list(self.events),
            "recorded": self.recorded,
            "revisions": self.revisions,
            "created": list(self.created),
            "warnings": list(self.warnings),
            "data": self.data,
        }
