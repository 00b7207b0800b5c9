"""The agent's questions: real `ppgp-tui ask` processes that wait, and entries of the document.

An agent waits for its answer as long as it has patience; then it goes on with other work, and
another process waits in its place.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from ppgp_tui.cli.demo import document
from ppgp_tui.cli.demo.document import Decision
from ppgp_tui.cli.demo.heartbeat import Json
from ppgp_tui.cli.demo.world import GOAL, World
from ppgp_tui.session.engine.result import EXIT
from ppgp_tui.session.text import one_line

AGAIN_S = 600
"""So long a process in the background waits before another one takes its place: should all else be
killed, none is left behind for longer."""
WORDS_MOST = 80
_PROGRAM = (sys.executable, "-c", "from ppgp_tui.cli.entry import main; main()")


@dataclass
class Questions:
    """What one agent has asked, and what was decided."""

    world: World
    session: str
    answers: dict[str, Decision] = field(default_factory=dict)
    """By the story's name of the question."""
    _waiting: set[asyncio.Task[None]] = field(default_factory=set)

    async def ask(self, ask: Json, patience_s: float) -> bool:
        """Ask, and wait; return whether the answer came in time."""
        words = ["--scope", ask["scope"], "--why", ask["why"], "--recommend", ask["recommended"]]
        for option in ask["options"]:
            words += ["--option", option]
        for key in ask["frees"]:
            words += ["--frees", key]
        code, said = await self._run(["ask", ask["question"], *words], patience_s)
        if code == EXIT["timeout"]:
            again = asyncio.create_task(self._wait(ask["name"], said["data"]["request"]))
            self._waiting.add(again)
            again.add_done_callback(self._waiting.discard)
        return self._take(ask["name"], code, said)

    def decided(self) -> dict[str, Decision]:
        """Every decision that is known now: answers, and marks in the document."""
        found = dict(self.answers)
        with suppress(OSError, ValueError):
            text = (self.world.root / GOAL).read_text("utf-8")
            for name, words in self.world.story.decisions.items():
                decision = document.decision(text, words)
                if decision is not None:
                    found[name] = decision
        return found

    async def end(self) -> None:
        """Leave no process behind."""
        waiting = list(self._waiting)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    async def _wait(self, name: str, request: str) -> None:
        said: Json = {}
        code = EXIT["timeout"]
        while code == EXIT["timeout"]:
            code, said = await self._run(["ask", "--resume", request], AGAIN_S)
        self._take(name, code, said)

    def _take(self, name: str, code: int, said: Json) -> bool:
        if code != EXIT["done"]:
            return False
        words = one_line(said["data"].get("text", ""))[:WORDS_MOST]
        option = said["data"].get("option")
        self.answers[name] = Decision(option) if option else Decision("words", words)
        return True

    async def _run(self, words: Sequence[str], limit_s: float) -> tuple[int, Json]:
        """Run the command as this agent; return its exit code and its result."""
        child = await asyncio.create_subprocess_exec(
            *_PROGRAM, *words, "--wait", f"{limit_s:.2f}", "--root", self.world.root, "--json",
            env={**os.environ, "PPGP_AGENT": self.session}, cwd=self.world.root,
            stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL,
        )  # fmt: skip
        try:
            out, _ = await child.communicate()
        finally:
            if child.returncode is None:
                child.kill()
                await child.wait()
        with suppress(ValueError):
            said: Json = json.loads(out)
            return child.returncode or 0, said
        return EXIT["refused"], {}
