"""A loop that fails at once again and again is slowed down, then stopped (fault F7)."""

from __future__ import annotations

from typing import Final, NamedTuple

QUICK_S: Final = 2.0
"""A run that fails within this time did no work."""
FREE: Final = 3
"""So many quick failures in a row cost nothing: a file may not be there yet."""
LONGEST_S: Final = 60.0

NOT_STARTED: Final = {126: "cannot be run", 127: "was not found"}
"""Exit codes by which a shell says that there is no such program: no further run can help."""


class Brake(NamedTuple):
    """How many runs in a row failed quickly, and how."""

    stop_after: int | None
    """Equal quick failures in a row that end the loop; 0: never; None: there is no brake."""
    failures: int = 0
    """Quick failures in a row, equal or not."""
    equal: int = 0
    exit_code: int | None = None

    def after(self, exit_code: int, duration_s: float) -> Brake:
        """The brake after a run that ended so."""
        if self.stop_after is None or exit_code == 0 or duration_s >= QUICK_S:
            return Brake(self.stop_after)
        same = exit_code == self.exit_code
        return self._replace(
            failures=self.failures + 1, equal=self.equal + 1 if same else 1, exit_code=exit_code
        )

    @property
    def pause_s(self) -> float:
        """Seconds to wait before the next run: none for the first few, then 1, 2, 4 … 60."""
        over = self.failures - FREE
        return min(2.0 ** min(over - 1, 30), LONGEST_S) if over > 0 else 0.0

    @property
    def why_stop(self) -> str | None:
        """Why no further run may begin, or None."""
        if not self.stop_after or self.equal < self.stop_after:
            return None
        return (
            f"{self.equal} runs in a row failed within {QUICK_S:g} s with exit code"
            f" {self.exit_code}"
        )
