"""A repository with its person and agents, and what any app would show of it right now."""

from __future__ import annotations

import json
import os
from pathlib import Path

from ppgp_tui.session.actions import answering, asking
from ppgp_tui.session.actions import control as orders
from ppgp_tui.session.actions.answering import Said
from ppgp_tui.session.actions.asking import Question
from ppgp_tui.session.authority.keys import SigningKey
from ppgp_tui.session.authority.pins import Pins
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.files import places
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.model import Control, Request, SessionSnapshot
from ppgp_tui.session.picture.glance import Glance, glance
from tests.session.fake_agent import Clock, FakeAgent

CONTROL = ".ppgp/run/control.json"


class Place:
    """One root. Every look at it is made by a session that was opened just now."""

    def __init__(self, root: Path, *, log: bool = True) -> None:
        self.root = root
        self.clock = Clock()
        self.person = Engine(root, Actor("user", "dev"), clock=self.clock)
        self.agent = Engine(root, Actor("agent", "claude-0f3a"), clock=self.clock)
        self.key = SigningKey(Pins(places.data_folder(), root))
        if log:
            assert isinstance(self.person.journal.create(), tuple)

    # The person

    def holds(self) -> str:
        """A pause is asked; returns its id."""
        result = orders.hold(self.person)
        assert result.code == "done"
        self.files_are_old()
        return str(result.data["hold"]["id"])

    def releases(self) -> None:
        """Every held call goes on."""
        assert orders.release(self.person).code == "done"
        self.files_are_old()

    def answers(self, request: str, option: str = "yes", note: str | None = None) -> Result:
        """The person answers, with their key."""
        return answering.answer(self.person, request, Said(option, note=note), key=self.key)

    def takes_back(self, request: str) -> Result:
        """The person takes the answer back."""
        return answering.take_back(self.person, request)

    # The agent

    def asks(self, text: str = "Drop it?", *, pid: int | None = None, **about: object) -> str:
        """The agent asks; returns the id."""
        result = asking.ask(self.agent, Question(text, **about), pid=pid)  # type: ignore[arg-type]
        assert result.code == "done", result
        return str(result.data["request"])

    def records(self, agent: FakeAgent, kind: str = "goal.checkpointed", **payload: object) -> None:
        """A connected agent does something that is recorded."""
        event = {
            "id": f"event_{os.urandom(16).hex()}", "schema_version": 1, "ts_ms": self.clock(),
            "actor": {"kind": "agent", "id": agent.key}, "kind": kind, "payload": payload,
            "causation_id": None, "correlation_id": None,
        }  # fmt: skip
        with (self.root / "state/events.jsonl").open("a") as log:
            log.write(json.dumps(event) + "\n")

    # Looking

    def files_are_old(self) -> None:
        """The acts of a test take no time, and its files are as old as its clock says."""
        then = (self.clock() - 1000) * 1_000_000
        for path in (self.root / CONTROL, self.person.state / "pause.json"):
            if path.exists():
                os.utime(path, ns=(then, then))

    def session(self) -> LiveSession:
        """An app that was opened just now."""
        return LiveSession(self.root, clock=self.clock)

    def picture(self) -> SessionSnapshot:
        """Everything such an app knows."""
        session = self.session()
        try:
            return session.read_all()
        finally:
            session.close()

    def control(self) -> Control:
        """The orders and the handshake."""
        return self.picture().control.value

    def shaken(self) -> list[tuple[str, int]]:
        """State and count of every session."""
        return [(one.state, one.count) for one in self.control().handshake]

    def lamp(self) -> Glance:
        """The lamps."""
        return glance(self.picture())

    def request(self, request_id: str) -> Request:
        """One request of the inbox."""
        (found,) = (one for one in self.picture().inbox.value if one.id == request_id)
        return found

    def problems(self) -> dict[str, str]:
        """What is wrong, by its code."""
        return {problem.code: problem.text for problem in self.picture().problems}
