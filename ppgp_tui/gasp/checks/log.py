"""The checks that only need the log, line by line, so that they go on when the log grows."""

from __future__ import annotations

import copy
from collections.abc import Iterable

from msgspec import MsgspecError

from ppgp_tui.gasp.checks import restore
from ppgp_tui.gasp.checks.batch import read_batch
from ppgp_tui.gasp.checks.causation import Causation
from ppgp_tui.gasp.checks.envelope import decode_common, encode_into, judge, sound_event
from ppgp_tui.gasp.checks.event import Event
from ppgp_tui.gasp.checks.names import LOG
from ppgp_tui.gasp.checks.pairing import Pairing
from ppgp_tui.gasp.checks.replay import Replay
from ppgp_tui.gasp.checks.report import (
    UNAVAILABLE,
    UNPARSED,
    CheckResult,
    Finding,
    Place,
    not_run,
)
from ppgp_tui.gasp.checks.repository import AgentRepository, Unreadable
from ppgp_tui.gasp.checks.vocabulary import Vocabulary
from ppgp_tui.gasp.envelope import is_blank
from ppgp_tui.gasp.folding import ops
from ppgp_tui.gasp.vocabulary import OPS_EVENT

NUMBERS = (1, 2, 3, 5, 6, 7)
"""The checks that read the log."""
_PIECE = 1 << 16
"""Bytes that are taken at once, so that the lines in hand stay near the processor."""


class LogChecks:
    """Reads a log from its beginning in any pieces, and can say after each how it stands.

    Only bytes may follow what was fed: a log that was rewritten needs a new object.
    """

    def __init__(self) -> None:
        self.lines = 0
        """Lines that were taken and are not blank."""
        self.physical = 0
        """All lines that were taken."""
        self.offset = 0
        """Bytes that were fed."""
        self._rest = b""
        self._with_rest: tuple[bytes, LogChecks] | None = None
        self._is_text = True
        self._is_parsed = True
        self._envelope: list[Finding] = []
        self._causation = Causation()
        self._replay = Replay()
        self._vocabulary = Vocabulary()
        self._pairing = Pairing()

    def feed(self, data: bytes) -> None:
        """Take the log's next bytes. What stands behind the last newline waits for its own."""
        self.offset += len(data)
        self._with_rest = None
        begin = 0
        while begin < len(data):
            end = data.rfind(b"\n", begin, begin + _PIECE) + 1 or data.find(b"\n", begin) + 1
            if not end:
                self._rest += data[begin:]
                return
            lines = data[begin : end - 1].split(b"\n")
            if self._rest:
                lines[0] = self._rest + lines[0]
                self._rest = b""
            self._take(lines)
            begin = end

    def results(
        self, repository: AgentRepository, *, fixture: bool = False
    ) -> tuple[CheckResult, ...]:
        """The checks 1, 2, 3, 5, 6 and 7 of what was fed.

        The rest behind the last newline counts as a line, but is not taken: it may go on. Of
        `repository` the log is used for snapshots only.
        """
        if isinstance(repository.log, Unreadable):
            return unavailable(repository.log.why)
        if self._rest:
            return self._and_rest().results(repository, fixture=fixture)
        if not self._is_text:
            return unavailable(f"cannot read {LOG}: stream did not contain valid UTF-8")
        envelope = CheckResult(1, findings=tuple(self._envelope))
        if not self._is_parsed:
            return (envelope, *not_run(NUMBERS[1:], UNPARSED))
        return (
            envelope,
            self._replay.result(repository.snapshots, repository.log),
            self._vocabulary.result(repository.packs),
            self._causation.result(),
            restore.result(repository, self._replay.failure, fixture=fixture),
            self._pairing.result(),
        )

    def _and_rest(self) -> LogChecks:
        """What there would be if the rest were a line."""
        if self._with_rest is None or self._with_rest[0] != self._rest:
            self._with_rest = None
            fork = copy.deepcopy(self)
            fork.feed(b"\n")
            self._with_rest = (self._rest, fork)
        return self._with_rest[1]

    def _take(self, lines: Iterable[bytes]) -> None:
        number, physical = self.lines, self.physical
        causes, pairs = self._causation.take, self._pairing.take
        fold, words, claims = self._replay.take, self._vocabulary.take, self._pairing.take_ops
        written = bytearray(4096)
        for line in lines:
            physical += 1
            event: Event | None
            try:  # the common way of `sound_event`, without a call for every line
                event = decode_common(line)
                encode_into(event, written)
                if written != line:
                    event = sound_event(line)
            except (MsgspecError, RecursionError, ValueError):
                if is_blank(line):
                    continue
                event = sound_event(line)
            if event is None:
                if not _is_text(line):
                    self._is_text = False
                number += 1
                event = self._judge(line, number, physical)
            else:
                number += 1
            if event is None or not self._is_parsed:
                self._is_parsed = False
                continue
            causes(event, number, physical)
            if event.kind != OPS_EVENT:
                pairs(event, number, physical, line)
                continue
            try:
                batch = read_batch(event.payload)
            except ops.MalformedOpsError as error:
                for check in (self._replay, self._vocabulary, self._pairing):
                    check.malformed(error.detail, event, number, physical)
                continue
            fold(batch)
            words(batch, event, number, physical)
            claims(batch, event, number, physical, line)
        self.lines, self.physical = number, physical

    def _judge(self, line: bytes, number: int, physical: int) -> Event | None:
        judged = judge(line.removesuffix(b"\r"))
        place = Place(number, physical, judged.id)
        self._envelope += [
            Finding(1, rule, f"line {number}: {text}", place=place) for rule, text in judged.faults
        ]
        return judged.event


def unavailable(why: str) -> tuple[CheckResult, ...]:
    """The results when there is no log to read; `why` names it."""
    finding = Finding(1, "log_unreadable", f"{LOG}: {why}")
    return (CheckResult(1, findings=(finding,)), *not_run(NUMBERS[1:], UNAVAILABLE))


def _is_text(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
