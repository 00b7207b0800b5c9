"""The rows of one loop while they come in, at little more than the cost of telling them apart.

Most rows only say that the next run began. Of those no more is read than the state and the number
until somebody asks for the loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from msgspec import UNSET

from ppgp_tui.persist.loop import AFTER_END, OUTCOMES, RATE_LIMITED, RESTED, Changes, Loop, Outcome
from ppgp_tui.persist.row import Head, Row, amount, bare, decode, number
from ppgp_tui.persist.row import head as head_of
from ppgp_tui.persist.states import TERMINAL

_BEFORE: Final = Head("", "")


class Packed(NamedTuple):
    """Where a fold stands, in a form that can be kept: rows are lines as they were written."""

    line: int
    raw: bytes
    first_ts: str
    first_prompt_file: str
    spawned: bytes
    rows: int
    pauses: int
    limited: int
    outcomes: tuple[Outcome, ...]
    number: int


class Fold:
    """A loop that grows row by row."""

    __slots__ = (
        "_ended", "_first_prompt_file", "_first_ts", "_head", "_late_rows", "_limited", "_line",
        "_loop", "_number", "_outcomes", "_pauses", "_raw", "_rows", "_spawned", "_spawned_raw",
    )  # fmt: skip

    def __init__(self, number: int = 0) -> None:
        """It is the loop after so many others."""
        self._number = number
        self._head = _BEFORE
        self._line, self._raw = 0, b""
        self._first_ts = self._first_prompt_file = ""
        self._spawned: Mapping[str, Any] = {}
        self._spawned_raw = b""
        self._rows = self._late_rows = self._pauses = self._limited = 0
        self._outcomes: list[Outcome] = []
        self._ended: list[tuple[int, bytes]] = []
        """The numbers of later runs and the rows that say how they ended, not yet read whole."""
        self._loop: Loop | None = None

    def add(self, head: Head, line: int, raw: bytes) -> None:
        """Take in the next row, which stands in that line."""
        self._loop = None
        # The first terminal row wins: what a runner wrote after it changes nothing (fault F11).
        if self._head.to_state in TERMINAL:
            self._late_rows += 1
            return
        told = head.extra
        budget = False
        if told is not None:
            budget = told.max_iterations is not UNSET
            if told.exit_code is not UNSET:
                self._ended.append((self._head.iteration, raw))
                if len(self._ended) > 2 * OUTCOMES:
                    del self._ended[:-OUTCOMES]
        if budget or head.to_state != "ITERATING" or not self._first_ts:
            self._look_into(_row(head, raw), raw)
        self._rows += 1
        self._head, self._line, self._raw = head, line, raw

    @property
    def loop(self) -> Loop:
        """What the rows say so far."""
        if self._loop is None:
            self._loop = self._told()
        return self._loop

    def copy(self) -> Fold:
        """Another one that stands where this one does."""
        other = Fold.__new__(Fold)
        for name in Fold.__slots__:
            setattr(other, name, getattr(self, name))
        other._outcomes, other._ended = list(self._outcomes), list(self._ended)
        return other

    def pack(self) -> Packed:
        """Where it stands; rows after its end are not told."""
        return Packed(
            self._line, self._raw, self._first_ts, self._first_prompt_file, self._spawned_raw,
            self._rows, self._pauses, self._limited, self._settled(), self._number,
        )  # fmt: skip

    @classmethod
    def unpack(cls, packed: Packed) -> Fold:
        """The fold that stands there."""
        fold = cls(packed.number)
        fold._line, fold._raw = packed.line, packed.raw
        fold._head = head_of(bare(packed.raw)) or _BEFORE
        fold._first_ts, fold._first_prompt_file = packed.first_ts, packed.first_prompt_file
        fold._spawned_raw = packed.spawned
        spawned = decode(bare(packed.spawned))
        fold._spawned = spawned.extra if spawned is not None else {}
        fold._rows, fold._pauses, fold._limited = packed.rows, packed.pauses, packed.limited
        fold._outcomes = list(packed.outcomes)
        return fold

    def _look_into(self, row: Row, raw: bytes) -> None:
        extra = row.extra
        self._first_ts = self._first_ts or row.ts
        self._first_prompt_file = self._first_prompt_file or row.prompt_file
        if row.to_state == "PAUSED":
            self._pauses += 1
            self._limited += _is_limited(row)
        if "max_iterations" in extra:
            self._spawned, self._spawned_raw = extra, raw

    def _settled(self) -> tuple[Outcome, ...]:
        """How the last runs ended."""
        kept = OUTCOMES if self._head.to_state not in TERMINAL else AFTER_END
        for iteration, raw in self._ended[-kept:]:
            row = decode(bare(raw))
            if row is not None and RESTED not in row.extra:
                self._outcomes.append(_outcome(iteration, row))
        self._ended.clear()
        del self._outcomes[:-kept]
        return tuple(self._outcomes)

    def _told(self) -> Loop:
        raw = bare(self._raw)
        row, spawned = _row(self._head, raw), self._spawned
        return Loop(
            loop_id=self._head.loop_id,
            state=self._head.to_state,
            prompt_file=row.prompt_file or self._first_prompt_file,
            iteration=self._head.iteration,
            reason=_text(row.extra.get("reason")),
            max_iterations=number(spawned.get("max_iterations")),
            max_wall_clock_s=number(spawned.get("max_wall_clock_s")),
            success_condition=_text(spawned.get("success_condition")),
            agent_cmd=_text(spawned.get("agent_cmd")),
            first_ts=self._first_ts,
            last_ts=row.ts,
            rows=self._rows,
            late_rows=self._late_rows,
            pauses=self._pauses,
            limited=self._limited,
            outcomes=self._settled(),
            spawned=spawned,
            last_extra=row.extra,
            line=self._line,
            last_line=raw,
            number=self._number,
        )


def _row(head: Head, raw: bytes) -> Row:
    row = decode(bare(raw))
    return row or Row("", head.loop_id, "", head.iteration, "", head.to_state, {})


def _is_limited(row: Row) -> bool:
    return row.to_state == "PAUSED" and row.extra.get("reason") == RATE_LIMITED


def _outcome(iteration: int, row: Row) -> Outcome:
    """The run that ended before this row: that of the row before, whose number it has."""
    extra = row.extra
    return Outcome(
        iteration,
        number(extra.get("exit_code")),
        _text(extra.get("signal")),
        amount(extra.get("duration_s")),
        _is_limited(row),
        _text(extra.get("cut")),
        row.ts,
        _changes(extra.get("git")),
    )


def _changes(value: object) -> Changes | None:
    if not isinstance(value, Mapping):
        return None
    return Changes(*(number(value.get(member)) for member in Changes._fields))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
