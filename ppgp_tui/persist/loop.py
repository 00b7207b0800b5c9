"""What the rows of one loop say together (cases: "Reading rules used")."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from ppgp_tui.persist.states import is_open

OUTCOMES: Final = 64
"""So many runs are remembered of a loop: the last ones."""
AFTER_END: Final = 12
"""So many once it is closed: there are far more closed loops than open ones."""

DRY_RUN: Final = "dry run"
"""The reason in the only row of a loop that was tried and never begun."""
MATCHED: Final = "success_condition matched"
"""The reason in a SUCCESS row."""
RESTED: Final = "rested"
"""In the `extra` of a SUCCESS row that came of a rest: an earlier row told how its run ended."""
RATE_LIMITED: Final = "rate_limited"
"""The reason in a PAUSED row that waits for a limit to pass."""


class Outcome(NamedTuple):
    """How one run of the agent ended, as the row after it says."""

    iteration: int
    exit_code: int | None
    """128 + the signal's number where a signal ended it; None: not recorded."""
    signal: str | None = None
    """Such as `SIGTERM`."""
    duration_s: float | None = None
    limited: bool = False
    """It met a rate limit and was not counted."""
    cut: str | None = None
    """Why the runner ended it, such as `iteration-timeout`."""
    ended: str = ""
    """The time of the row that says so."""
    changes: Changes | None = None


class Changes(NamedTuple):
    """What Git says that a run changed; None is not known."""

    commits: int | None = None
    files: int | None = None
    insertions: int | None = None
    deletions: int | None = None
    untracked: int | None = None
    """Files that Git did not know when the run ended, whoever made them."""


class Loop(NamedTuple):
    """One loop: its state is that of its last row, up to and including the first terminal one."""

    loop_id: str
    state: str
    prompt_file: str
    iteration: int
    """The number of the last run; 0 before the first."""
    reason: str | None = None
    """Why it is in this state, where the row says so."""
    max_iterations: int | None = None
    max_wall_clock_s: int | None = None
    success_condition: str | None = None
    """Empty: none, it can only end by its budget."""
    agent_cmd: str | None = None
    first_ts: str = ""
    last_ts: str = ""
    rows: int = 0
    late_rows: int = 0
    """Rows after the terminal one; they change nothing."""
    pauses: int = 0
    limited: int = 0
    """How many of the pauses waited for a rate limit: runs that were not counted."""
    outcomes: tuple[Outcome, ...] = ()
    """The last runs, the newest last."""
    spawned: Mapping[str, Any] = MappingProxyType({})
    """Everything that its first row says of it (`extra`)."""
    last_extra: Mapping[str, Any] = MappingProxyType({})
    line: int = 0
    """The line of the row that its state is of, counted from 1."""
    last_line: bytes = b""
    """That row as it is written, so that it can be shown whole."""
    number: int = 0
    """So many loops of the log have their first row before its own."""

    @property
    def open(self) -> bool:
        """Whether it is not closed; whether somebody runs it is another question."""
        return is_open(self.state)
