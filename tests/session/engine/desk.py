"""A log in memory to draft acts against."""

from collections.abc import Callable
from itertools import count
from typing import Any

from ppgp_tui.session.engine.draft import Actor, Draft
from ppgp_tui.session.engine.ledger import Ledger

Json = dict[str, Any]

HUMAN = Actor("user", "dev")
CLAUDE = Actor("agent", "claude-1")
CODEX = Actor("agent", "codex-2")


class Desk:
    """Keeps the events of every accepted act, as a log would."""

    def __init__(self) -> None:
        self.events: list[Json] = []
        self.ledger = Ledger()
        self.now_ms = 1_790_000_000_000
        self._ids = count(1)

    def new_id(self, prefix: str) -> str:
        return f"{prefix}_{next(self._ids):032x}"

    def act(self, actor: Actor, act: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Draft one act; what it raises leaves the log as it was."""
        self.now_ms += 1000
        draft = Draft(self.ledger.copy(), actor, self.now_ms, self.new_id)
        data = act(draft, *args, **kwargs)
        self.events += draft.events
        self.ledger = draft.ledger
        return data

    def kinds(self) -> list[str]:
        return [event["kind"] for event in self.events]
