"""Other processes that act in a repository, and what they had to say before they ended."""

import json
import multiprocessing
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field

from ppgp_tui.session.journal import line_of
from ppgp_tui.session.journal.desk import Desk
from tests.session.engine.repository import Json

Say = Callable[[Json], None]


@dataclass
class Other:
    """One process. It says `{"intends": [ids]}` before a batch is written and its results."""

    process: multiprocessing.process.BaseProcess
    reading: int
    heard: bytes = b""
    said: list[Json] = field(default_factory=list)

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    def until_it_writes(self, batch: int) -> None:
        """Listen until it is about to write its batch of that number."""
        while self.heard.count(b'{"intends":') < batch and (more := os.read(self.reading, 4096)):
            self.heard += more

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def end(self) -> "Other":
        """Wait for its end and gather what it said; half a line was never said."""
        with os.fdopen(self.reading, "rb") as pipe:
            *whole, _ = (self.heard + pipe.read()).split(b"\n")
        self.said = [json.loads(line) for line in whole]
        self.process.join()
        return self

    def results(self) -> list[Json]:
        return [line for line in self.said if "code" in line]

    def intended(self) -> list[list[str]]:
        return [line["intends"] for line in self.said if "intends" in line]

    def acknowledged(self) -> list[list[str]]:
        return [result["events"] for result in self.results() if result["events"]]


def other(work: Callable[[Say], None]) -> Other:
    """Start `work` in a process of its own."""
    reading, writing = os.pipe()

    def run() -> None:
        os.close(reading)

        def say(line: Json) -> None:
            os.write(writing, json.dumps(line).encode() + b"\n")

        real = Desk.record

        def record(desk, events):
            for event in events:
                line_of(event)  # what cannot be written is not intended
            say({"intends": [event["id"] for event in events]})
            return real(desk, events)

        Desk.record = record
        try:
            work(say)
        finally:
            os.close(writing)

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    os.close(writing)
    return Other(process, reading)
