"""What a loop may use: runs and seconds, both kept (I3)."""

from __future__ import annotations

from typing import Final, NamedTuple

MAX_ITERATIONS: Final = 50
MAX_WALL_CLOCK_S: Final = 14_400
LIMIT_BACKOFF_BASE_S: Final = 60
LIMIT_BACKOFF_MAX_S: Final = 3_600
QUICK_FAILURES: Final = 8


class Budget(NamedTuple):
    """The limits of one loop; all whole seconds."""

    max_iterations: int = MAX_ITERATIONS
    """Runs that count: those that met no rate limit."""
    max_wall_clock_s: int = MAX_WALL_CLOCK_S
    """Seconds since the loop began, without those in which a person held it."""
    iteration_timeout_s: int | None = None
    """The longest that one run may take."""
    limit_backoff_base_s: int = LIMIT_BACKOFF_BASE_S
    limit_backoff_max_s: int = LIMIT_BACKOFF_MAX_S
    quick_failures: int | None = QUICK_FAILURES
    """Equal quick failures in a row that end the loop; 0: never; None: they are not even slowed."""

    def run_limit_s(self, counted_s: float) -> float:
        """Seconds that a run which begins now may take; `counted_s`: what the clock has used."""
        left = max(0.0, self.max_wall_clock_s - counted_s)
        return left if self.iteration_timeout_s is None else min(left, self.iteration_timeout_s)
