"""The demo's world: the repository, who works in it, and what the story's names stand for."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from ppgp_tui.cli.demo.heartbeat import Heartbeat, Json
from ppgp_tui.cli.demo.repository import Repository
from ppgp_tui.cli.demo.story import Story
from ppgp_tui.session.process import start_of

GOAL = "docs/ACTIVE_GOAL.md"
LOG = "state/events.jsonl"
TODO = ".ppgp/todo.json"
RUN = ".ppgp/run"


@dataclass(frozen=True, slots=True)
class Session:
    """One agent at work: its run, its session key, and what its hooks leave behind."""

    run: str
    key: str
    heartbeat: Heartbeat


class World:
    """One repository in which the story happens."""

    def __init__(
        self, root: Path, story: Story, *, seed: int, opened_ms: int, pid: int | None = None
    ) -> None:
        """Begin the repository.

        Args:
            root: An absent or empty folder.
            story: What will be told.
            seed: Decides the ids of the history.
            opened_ms: The story's second 0.
            pid: The process that stands for the agents; by itself this one for the first, and for
                each other one a process that ends with it.
        """
        self.root = root
        self.story = story
        self.opened_ms = opened_ms
        self.ids = Ids(seed)
        self.repository = Repository(root)
        self.sessions: dict[str, Session] = {}
        self.blockers: dict[str, str] = {}
        """Ids of blockers by the story's name."""
        self._pid = pid
        self._stand_ins: list[subprocess.Popen[bytes]] = []
        self._branched = False
        self.repository.begin()

    def ms(self, at: float) -> int:
        """When the story's second `at` is, told at its own speed."""
        return self.opened_ms + round(at * 1000)

    def enter(self, who: str) -> Session:
        """Let an agent in."""
        number = self.ids.new("sess")[5:13]
        key = f"{who}-{number}"
        facts: Json = {"root": str(self.root), **self.story.agents[who]}
        pid = self._pid or (self._stand_in() if self.sessions else os.getpid())
        facts |= {"pid": pid, "pid_start": start_of(pid)}
        heartbeat = Heartbeat(self.root / RUN, who, key, facts)
        self.sessions[who] = Session(self.ids.new("run"), key, heartbeat)
        return self.sessions[who]

    def _stand_in(self) -> int:
        """A process that does nothing until its standard input ends: when this one does."""
        program = (sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.buffer.read()")
        made = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        self._stand_ins.append(made)
        return made.pid

    def commit(self, message: str, who: str, ts_ms: int) -> None:
        """Commit everything; the work after the first commit is on a branch of its own."""
        self.repository.commit(message, who, ts_ms)
        if not self._branched:
            self.repository.branch("feat/resume")
            self._branched = True


class Ids:
    """Ids that are the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(f"ids {seed}")

    def new(self, prefix: str) -> str:
        """Return `PREFIX_` and 32 hex digits."""
        return f"{prefix}_{self._chance.getrandbits(128):032x}"
