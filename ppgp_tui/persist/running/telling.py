"""What a runner says: the original's lines, its own notes, and its last word for others to read."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Protocol

from ppgp_tui.persist.course import End, Wait
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.side import write_live
from ppgp_tui.persist.live import Live
from ppgp_tui.persist.running.plan import LoopPlan


class Show(Protocol):
    """Where words go. Lines come without their end, and may hold anything a file held."""

    def say(self, line: str) -> None:
        """One line of the original's on standard output, seen at once."""
        ...

    def note(self, line: str) -> None:
        """One line of ours on standard error."""
        ...

    def out(self, data: bytes) -> None:
        """What the agent wrote on its standard output, as it is."""
        ...

    def err(self, data: bytes) -> None:
        """What it wrote on its standard error."""
        ...


def dry_run_lines(plan: LoopPlan) -> Iterator[str]:
    """What a dry run prints (persist reference section 2)."""
    yield f"loop_id={plan.loop_id} (dry-run; no agent spawned)"
    yield f"  prompt: {plan.prompt_name}"
    budget = plan.budget
    yield f"  budget: max_iter={budget.max_iterations} wall={budget.max_wall_clock_s}s"
    yield f"  agent_cmd: {plan.agent.text}"
    yield f"  success_condition: {plan.condition_text or 'none'}"


def heading(plan: LoopPlan, iteration: int, counted_s: float) -> Iterator[str]:
    """What `--verbose` prints before a run."""
    yield ""
    yield (
        f"=== persist loop {plan.loop_id} — iteration {iteration}/{plan.budget.max_iterations}"
        f" (elapsed {int(counted_s)}s) ==="
    )
    yield f"  spawning: {plan.agent.text}"


def cut_line(plan: LoopPlan, iteration: int) -> str:
    """A run that its own limit ended: otherwise nothing would be heard of it."""
    limit_s = plan.budget.iteration_timeout_s
    return f"persist: loop {plan.loop_id}: run {iteration} was ended after its {limit_s} s"


def last_line(plan: LoopPlan, end: End, iteration: int) -> str:
    """How the loop ended, in the original's words where it has some."""
    match end.state, end.extra.get("reason"):
        case "SUCCESS", _:
            return f"persist: loop {plan.loop_id} SUCCESS at iteration {iteration}"
        case "BUDGET_EXHAUSTED", "wall-clock":
            spent = f"wall-clock budget exhausted ({plan.budget.max_wall_clock_s}s)"
        case "BUDGET_EXHAUSTED", _:
            spent = f"max_iterations ({plan.budget.max_iterations}) reached"
        case state, reason:
            return f"persist: loop {plan.loop_id} {state}: {reason}"
    return f"persist: {spent}; loop {plan.loop_id} terminated"


def waiting_line(
    plan: LoopPlan, wait: Wait, iteration: int, until_ms: int, counted_s: float
) -> str:
    """What is waited for, and until when; `counted_s`: what the wall clock has used."""
    met = "met a rate limit" if wait.why == "rate_limited" else "failed at once"
    last = counted_s + wait.seconds >= plan.budget.max_wall_clock_s
    then = "its time is used up" if last else "the next begins"
    clock = time.strftime("%H:%M:%S", time.localtime(until_ms / 1000))
    return (
        f"persist: loop {plan.loop_id}: run {iteration} {met};"
        f" {then} in {wait.seconds:g} s, at {clock}"
    )


def say_live(home: Home, loop_id: str, live: Live) -> None:
    """Leave the last word; a disk that does not take it stops no loop."""
    with suppress(OSError):
        write_live(home, loop_id, live)
