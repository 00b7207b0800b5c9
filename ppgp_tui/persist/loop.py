"""What the rows of one loop say together (cases: "Reading rules used")."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from ppgp_tui.persist.row import Row, number
from ppgp_tui.persist.states import is_open

OUTCOMES: Final = 64
"""So many runs are remembered of a loop: the last ones."""

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

    @property
    def open(self) -> bool:
        """Whether it is not closed; whether somebody runs it is another question."""
        return is_open(self.state)


class Fold:
    """The loop of one id while its rows come in."""

    __slots__ = ("_outcomes", "loop")

    def __init__(self, row: Row) -> None:
        self.loop = Loop(row.loop_id, row.to_state, row.prompt_file, row.iteration)
        self._outcomes: list[Outcome] = []

    def add(self, row: Row, line: int, raw: bytes) -> None:
        """Take the next row in."""
        was = self.loop
        if was.rows and not was.open:
            self.loop = was._replace(late_rows=was.late_rows + 1)
            return
        extra = row.extra
        paused = row.to_state == "PAUSED"
        limited = paused and extra.get("reason") == RATE_LIMITED
        changed = was._replace(
            state=row.to_state,
            prompt_file=row.prompt_file or was.prompt_file,
            iteration=row.iteration,
            reason=_text(extra.get("reason")),
            first_ts=was.first_ts or row.ts,
            last_ts=row.ts,
            rows=was.rows + 1,
            pauses=was.pauses + paused,
            limited=was.limited + limited,
            last_extra=extra,
            line=line,
            last_line=raw,
        )
        if "max_iterations" in extra:
            changed = changed._replace(
                max_iterations=number(extra["max_iterations"]),
                max_wall_clock_s=number(extra.get("max_wall_clock_s")),
                success_condition=_text(extra.get("success_condition")),
                agent_cmd=_text(extra.get("agent_cmd")),
                spawned=extra,
            )
        if "exit_code" in extra:
            self._outcomes.append(_outcome(was, extra, limited=limited))
            del self._outcomes[:-OUTCOMES]
            changed = changed._replace(outcomes=tuple(self._outcomes))
        self.loop = changed

    def copy(self) -> Fold:
        """Another one that stands where this one does."""
        other = Fold.__new__(Fold)
        other.loop, other._outcomes = self.loop, list(self._outcomes)
        return other


def _outcome(before: Loop, extra: Mapping[str, Any], *, limited: bool) -> Outcome:
    """The run that ended before this row: that of the row before, whose number it has."""
    duration = extra.get("duration_s")
    return Outcome(
        before.iteration,
        number(extra["exit_code"]),
        _text(extra.get("signal")),
        float(duration) if isinstance(duration, int | float) else None,
        limited,
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
