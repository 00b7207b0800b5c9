"""A loop without a machine: its clock jumps, its agent is a script, its words are kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ppgp_tui.persist import condition
from ppgp_tui.persist.budget import Budget
from ppgp_tui.persist.command import Call, Via, understand
from ppgp_tui.persist.course import Ran
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.log import LoopLog
from ppgp_tui.persist.live import Runner
from ppgp_tui.persist.running.plan import LoopPlan, Machine
from ppgp_tui.persist.running.process import Sink
from ppgp_tui.persist.running.runner import iterate
from ppgp_tui.persist.running.writing import Log
from ppgp_tui.persist.surroundings import Surroundings

ID = "0123456789ab"
OTHER = "fedcba987654"
THIRD = "aaaaaaaaaaaa"
HOST = "ward"
RUNNER = Runner(4242, 77, HOST)
LIMIT = "Error: You’ve hit your weekly limit"


class FakeClock:
    """Goes on only when somebody sleeps or works; things can be planned for a second."""

    def __init__(self) -> None:
        self.ms = 0
        self._plans: list[tuple[int, Callable[[], object]]] = []

    def now_ms(self) -> int:
        return 1_796_083_200_000 + self.ms

    def passed_ms(self) -> int:
        return 5_000_000 + self.ms

    def sleep(self, ms: int) -> None:
        self.ms += ms
        due = [one for one in self._plans if one[0] <= self.ms]
        self._plans = [one for one in self._plans if one[0] > self.ms]
        for _, action in due:
            action()

    def at(self, seconds: float, action: Callable[[], object]) -> None:
        """Do this as soon as the clock has come so far."""
        self._plans.append((round(seconds * 1000), action))


class Run(NamedTuple):
    """One run of the scripted agent."""

    exit_code: int = 1
    takes_s: float = 10.0
    """Above what counts as a quick failure."""
    says: Sequence[str] = ()
    does: Callable[[], object] = lambda: None
    when_told_to_end: int = 143
    """Its exit code then."""


class Started(NamedTuple):
    """What an agent was started with."""

    call: Call
    environ: Mapping[str, str]
    at_s: float


class Agent:
    """Runs by script; the last run of it is repeated."""

    def __init__(self, clock: FakeClock, runs: Sequence[Run]) -> None:
        self._clock, self._runs = clock, list(runs)
        self.started: list[Started] = []

    def __call__(
        self,
        call: Call,
        *,
        cwd: Path,  # noqa: ARG002
        environ: Mapping[str, str],
        pty: bool,  # noqa: ARG002
        output: Sink | None,
        on_out: Callable[[bytes], None],
        on_err: Callable[[bytes], None],  # noqa: ARG002
        on_start: Callable[[int], None],
        stop: Callable[[], str | None],
    ) -> Ran:
        run = self._runs[min(len(self.started), len(self._runs) - 1)]
        self.started.append(Started(call, environ, self._clock.ms / 1000))
        began = self._clock.ms
        on_start(999_999_999)
        for line in run.says:
            on_out(line.encode() + b"\n")
            if output is not None:
                output.write(line.encode() + b"\n")
        cut = None
        while cut is None and (left := began + round(run.takes_s * 1000) - self._clock.ms) > 0:
            self._clock.sleep(min(100, left))
            cut = stop()
        run.does()
        took = (self._clock.ms - began) / 1000
        if cut is not None:
            code = run.when_told_to_end
            return Ran(code, took, "SIGTERM" if code > 128 else None, tuple(run.says)[-20:], cut)
        return Ran(run.exit_code, took, None, tuple(run.says)[-20:])


class Words:
    """What the runner said, and what it passed on."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.noted: list[str] = []
        self.passed = b""

    def say(self, line: str) -> None:
        self.said.append(line)

    def note(self, line: str) -> None:
        self.noted.append(line)

    def out(self, data: bytes) -> None:
        self.passed += data

    def err(self, data: bytes) -> None:
        self.passed += data


class Scene:
    """A folder with a prompt, a home, and a loop in them."""

    def __init__(self, folder: Path) -> None:
        self.cwd = folder / "work"
        self.cwd.mkdir()
        self.prompt = self.cwd / "PROMPT.md"
        self.prompt.write_text("go on\n")
        self.home = Home(folder / "home")
        self.clock = FakeClock()
        self.log: Log = LoopLog(self.home)
        self.words = Words()
        self.alive = {RUNNER.pid}
        self.agent = Agent(self.clock, [])

    def run(
        self,
        *runs: Run,
        condition_text: str = "",
        budget: Budget | None = None,
        command: str = "sh ./agent.sh {}",
        via: Via = "arg",
        surroundings: Surroundings | None = None,
        loop_id: str = ID,
        **plan: Any,
    ) -> int:
        """Run a loop whose agent does so; the exit code."""
        surroundings = surroundings or Surroundings()
        self.agent = Agent(self.clock, runs or [Run()])
        self.words = Words()
        whole = LoopPlan(
            loop_id,
            plan.pop("prompt", "PROMPT.md"),
            self.cwd,
            understand(command, via, shell=plan.pop("shell", False), everywhere="compat" in plan),
            budget or Budget(4, 600),
            condition.parse(condition_text, surroundings.outside) if condition_text else None,
            condition_text,
            **plan,
        )
        return iterate(
            whole,
            home=self.home,
            log=self.log,
            clock=self.clock,
            machine=Machine(
                RUNNER, lambda pid, _: pid in self.alive, {"PATH": "/usr/bin:/bin", "A": "b"}
            ),
            surroundings=surroundings,
            show=self.words,
            agent=self.agent,
        )

    def rows(self, loop_id: str = ID) -> list[dict[str, Any]]:
        """What the log holds of a loop, as it was written."""
        if not self.home.log.exists():
            return []
        rows = [json.loads(line) for line in self.home.log.read_text().splitlines()]
        return [row for row in rows if row["loop_id"] == loop_id]

    def told(self) -> list[tuple[str, int]]:
        """The states and run numbers of the rows."""
        return [(row["to_state"], row["iteration"]) for row in self.rows()]

    def last(self) -> dict[str, Any]:
        """The last row's `extra`."""
        extra = self.rows()[-1]["extra"]
        assert isinstance(extra, dict)
        return extra

    def close(self, reason: str = "manual abandon", loop_id: str = ID) -> None:
        """Somebody else closes the loop."""
        LoopLog(self.home).close(loop_id, reason, self.clock.now_ms())
