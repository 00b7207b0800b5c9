"""A repository with a session, the person at its keys, and an agent that speaks MCP."""

import json
import os
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import Implementation

from ppgp_tui.agents.mcp.tools import Desk, Reply
from ppgp_tui.session.actions import answering, start
from ppgp_tui.session.actions.answering import Said
from ppgp_tui.session.authority.keys import SigningKey
from ppgp_tui.session.authority.pins import Pins
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import now_ms
from tests.session.journals import git

Json = dict[str, Any]

DOCUMENT = """\
# Active goal

## GOAL
Retry survives a timeout.

## WHY
Orders are lost at night.

## PHASE
EXECUTE

## DEFINITION_OF_DONE
- [x] The counter is kept on disk.
- [ ] A timeout is retried.

## FROZEN_DECISIONS
- One counter for each order.

## INVARIANTS
- No order is sent twice.

## VERIFIED_CURRENT_STATE
- Branch main, tests pass.

## COMPLETED
- DoD 1: the counter.

## REMAINING
- DoD 2: the retry.

## BLOCKERS
None.

## HUMAN_AUTHORITY_REQUIRED
- Owner: publish 0.2.0.

## VERIFICATION_EVIDENCE
- DoD 1: pytest tests/counter, 12 passed.

## NEXT_EXECUTABLE_ACTION
- Write the retry.
"""
AGENT = Actor("agent", "mcp-robot")
PROGRAM = "from ppgp_tui.cli.entry import main; main()"
"""What the console script does."""


@dataclass
class Place:
    """One repository below `folder`; the user's own folders lie beside it."""

    folder: Path
    clock: Callable[[], int] = now_ms
    root: Path = field(init=False)

    def __post_init__(self) -> None:
        self.root = self.folder / "repository"
        (self.root / "docs").mkdir(parents=True)
        (self.folder / "home").mkdir()
        (self.root / "docs/ACTIVE_GOAL.md").write_text(DOCUMENT)
        git(self.root, "init", "--quiet", "--initial-branch=main")
        git(self.root, "add", ".")
        git(self.root, "commit", "--quiet", "--message=Begin")
        self.desk = Desk(self.root, self.clock)

    @property
    def environ(self) -> dict[str, str]:
        home = self.folder / "home"
        return {
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_STATE_HOME": str(home / "state"),
        }

    @property
    def pins(self) -> Pins:
        plain = {name: value for name, value in os.environ.items() if not name.startswith("SSH_")}
        return Pins(self.folder / "home/data/ppgp-tui", self.root, plain)

    def engine(self, actor: Actor) -> Engine:
        return Engine(self.root, actor, clock=self.clock)

    @property
    def person(self) -> Engine:
        return self.engine(Actor("user", "dev"))

    def begin(self) -> "Place":
        assert start.init(self.person).ok
        return self

    def answer(self, request: str, option: str | None = None, **said: str) -> Result:
        key = SigningKey(self.pins)
        result = answering.answer(self.person, request, Said(option, **said), key=key)
        assert result.ok, result
        return result

    def call(self, name: str, actor: Actor = AGENT, **arguments: Any) -> Reply:
        """Call a tool in this process, without the wire."""
        return self.desk.call(actor, name, arguments)

    def done(self, name: str, **arguments: Any) -> Json:
        """Call a tool that must do its work; return the result."""
        reply = self.call(name, **arguments)
        assert not reply.error, reply.text
        return reply.result

    def client(
        self, mode: str = "legacy", name: str = "robot", **environ: str
    ) -> AbstractAsyncContextManager[Client]:
        """A client with a server of its own, as a real process."""
        server = StdioServerParameters(
            command=sys.executable,
            args=["-c", PROGRAM, "mcp", "--root", str(self.root)],
            env={**self.environ, **environ},
            cwd=self.folder,
        )
        return Client(server, mode=mode, client_info=Implementation(name=name, version="1"))

    def events(self) -> list[Json]:
        log = self.root / "state/events.jsonl"
        return [json.loads(line) for line in log.read_bytes().splitlines()]

    def kinds(self) -> list[str]:
        return [event["kind"] for event in self.events()]
