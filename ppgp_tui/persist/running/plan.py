"""What is to be run, checked and complete, before anything is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ppgp_tui.persist.budget import Budget
from ppgp_tui.persist.command import Agent
from ppgp_tui.persist.condition import Condition
from ppgp_tui.persist.limits import PHRASES
from ppgp_tui.persist.live import Runner


class Machine(NamedTuple):
    """Where the loop runs, as far as the host's knowledge is needed."""

    runner: Runner
    """This process."""
    is_alive: Callable[[int, int | None], bool]
    """Whether a process with that number and start (clock ticks since boot) lives here."""
    environ: Mapping[str, str]
    """What agents get as environment, before the loop's own variables."""


class LoopPlan(NamedTuple):
    """One loop as it was asked for."""

    loop_id: str
    prompt_name: str
    """The prompt file as it was named."""
    cwd: Path
    """Where persist was started: relative paths start here, and agents run here."""
    agent: Agent
    budget: Budget = Budget()
    condition: Condition | None = None
    condition_text: str = ""
    pty: bool = False
    phrases: tuple[str, ...] = PHRASES
    """How a rate limit is said."""
    even_if_met: bool = False
    """Begin also where the condition holds already."""
    compat: bool = False
    """As the original where that harms nobody: no brake, mistyped conditions, open dry runs."""
    dry_run: bool = False
    verbose: bool = False
    program: str = "ppgp-tui"
    """What runs it, and its version."""

    @property
    def prompt(self) -> Path:
        """Where the prompt is read before each run."""
        return self.cwd / self.prompt_name

    @property
    def prompt_file(self) -> str:
        """The prompt as rows name it: absolute, links resolved."""
        return os.path.realpath(self.prompt)  # `Path.resolve` fails where links lead in a circle

    def spawned(self, runner: Runner, root: str | None, goal: str | None) -> dict[str, Any]:
        """What the first row says: the original's four members, then ours.

        `root` is the Git top level, `goal` what the loop is bound to.
        """
        budget = self.budget
        said: dict[str, Any] = {
            "max_iterations": budget.max_iterations,
            "max_wall_clock_s": budget.max_wall_clock_s,
            "success_condition": self.condition_text,
            "agent_cmd": self.agent.text,
            "cwd": str(self.cwd),
            "root": root,
            "prompt_via": self.agent.via,
            "shell": self.agent.shell,
            "pty": self.pty,
            "iteration_timeout_s": budget.iteration_timeout_s,
            "limit_backoff_base_s": budget.limit_backoff_base_s,
            "limit_backoff_max_s": budget.limit_backoff_max_s,
            "quick_failures": budget.quick_failures,
            "runner": runner._asdict(),
        }
        if goal is not None:
            said["goal"] = goal
        return {**said, "program": self.program}
