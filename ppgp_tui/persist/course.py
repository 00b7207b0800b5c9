"""The course of one loop: what comes after what (persist reference sections 4 to 6).

A value that knows neither files nor processes. The runner asks it what to do, does it, and tells it
what came out.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from ppgp_tui.persist import limits
from ppgp_tui.persist.brake import NOT_STARTED, Brake
from ppgp_tui.persist.budget import Budget
from ppgp_tui.persist.loop import MATCHED, RATE_LIMITED


class Ran(NamedTuple):
    """How a run of the agent ended."""

    exit_code: int
    """128 + the signal's number where a signal ended it."""
    duration_s: float
    signal: str | None = None
    last_lines: tuple[str, ...] = ()
    """The end of what it printed, both streams together."""
    cut: str | None = None
    """Why the runner ended it: `iteration-timeout` or `wall-clock`."""


class Begin(NamedTuple):
    """Start a run with this number."""

    iteration: int


class End(NamedTuple):
    """Write a closing row and stop."""

    state: Literal["SUCCESS", "BUDGET_EXHAUSTED", "ABANDONED"]
    extra: dict[str, Any]


def done(why: str, exit_code: int) -> End:
    """The condition holds, after a run that ended so; `why` says how that was seen."""
    return End("SUCCESS", {"reason": MATCHED, "exit_code": exit_code, "why": why})


class Wait(NamedTuple):
    """Wait, and then look again."""

    seconds: float
    why: Literal["rate_limited", "quick_failure"]


class Course(NamedTuple):
    """Where a loop stands. `counted_s` is always what the wall clock has used (`Budget`)."""

    budget: Budget
    iteration: int = 0
    """The number of the last run."""
    limited_in_a_row: int = 0
    limited: int = 0
    """All runs that met a limit; they are not counted."""
    brake: Brake = Brake(0)

    @classmethod
    def of(cls, budget: Budget) -> Course:
        """The course of a loop that has not run yet."""
        return cls(budget, brake=Brake(budget.quick_failures))

    def before_run(self, counted_s: float) -> Begin | End:
        """What comes now: the next run, or the end because a budget is used up."""
        # From SPAWNED no way leads to BUDGET_EXHAUSTED, so the first run always begins.
        if self.iteration and counted_s >= self.budget.max_wall_clock_s:
            return End("BUDGET_EXHAUSTED", {"reason": "wall-clock", "elapsed_s": int(counted_s)})
        if self.limited_in_a_row:
            return Begin(self.iteration)
        if self.iteration >= self.budget.max_iterations:
            extra = {"reason": "max_iterations", "iterations": self.iteration}
            return End("BUDGET_EXHAUSTED", extra)
        return Begin(self.iteration + 1)

    def begun(self, iteration: int) -> Course:
        """After a run with that number began."""
        return self._replace(iteration=iteration)

    def after_run(
        self, ran: Ran, held: str | None, phrases: tuple[str, ...], counted_s: float
    ) -> tuple[Course, End | Wait | None]:
        """What comes after a run; None: `before_run` is to be asked.

        `held` says why the success condition holds, None where it does not. It comes before
        everything else: work that is done is done.
        """
        if held is not None:
            return self, done(held, ran.exit_code)
        if ran.cut is None and limits.is_limited(ran.exit_code, ran.last_lines, phrases):
            return self._wait_for_limit(counted_s)
        changed = self._replace(
            limited_in_a_row=0, brake=self.brake.after(ran.exit_code, ran.duration_s)
        )
        if ran.exit_code in NOT_STARTED and changed.brake.failures:
            reason = f"the agent's program {NOT_STARTED[ran.exit_code]} (exit {ran.exit_code})"
            return changed, End("ABANDONED", {"reason": reason})
        if (why := changed.brake.why_stop) is not None:
            return changed, End("ABANDONED", {"reason": why})
        if pause := changed.brake.pause_s:
            left = self.budget.max_wall_clock_s - counted_s
            return changed, Wait(max(0.0, min(pause, left)), "quick_failure")
        return changed, None

    def _wait_for_limit(self, counted_s: float) -> tuple[Course, Wait]:
        budget, row = self.budget, self.limited_in_a_row + 1
        left = budget.max_wall_clock_s - counted_s
        seconds = limits.wait_s(row, budget.limit_backoff_base_s, budget.limit_backoff_max_s, left)
        changed = self._replace(
            limited_in_a_row=row, limited=self.limited + 1, brake=Brake(budget.quick_failures)
        )
        return changed, Wait(seconds, RATE_LIMITED)
