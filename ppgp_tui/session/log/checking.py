"""The checks that read the log, kept up with it: new bytes only.

An unfinished last line is left out while it may still be being written; once it is old it counts as
`gasp check` counts it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from ppgp_tui.gasp.checks.log import LogChecks
from ppgp_tui.gasp.checks.report import CheckResult
from ppgp_tui.gasp.checks.repository import AgentRepository
from ppgp_tui.session.log.feed import Block, Feed
from ppgp_tui.session.log.view import LogView

LONGEST: Final = 32 * 1024 * 1024
"""Bytes of a log that is checked without being asked for: about 60,000 events, for which the checks
keep some 35 MB and take about one second of one core."""


class LogVerdict:
    """Follows a log that somebody else reads. Used by one thread."""

    def __init__(self) -> None:
        self._start_again()

    def _start_again(self) -> None:
        self._feed = Feed()
        self._checks = LogChecks()
        self._tail = b""

    @property
    def offset(self) -> int:
        """Bytes that were checked."""
        return self._checks.offset

    @property
    def lines(self) -> int:
        """Lines that were checked, blank ones left out; the unfinished one counts."""
        return self._checks.lines + bool(self._tail)

    def take(
        self,
        view: LogView,
        tail: bytes,
        progress: Callable[[float], None],
        stopped: Callable[[], bool],
    ) -> bool:
        """Check what is new in `view`; False when `stopped` ended it early.

        `tail`: everything behind the last event, if the unfinished line in it is to count. Raises
        `MovedError`.
        """
        if self._feed.is_anew(view):
            self._checks, self._tail = LogChecks(), b""
        for block in self._feed.blocks(view):
            began = time.monotonic()
            if not self._take(block):
                self._start_again()
                return self.take(view, tail, progress, stopped)
            if self._feed.index < view.count:
                progress(self._feed.index / view.count)
                if stopped():
                    return False
                time.sleep(time.monotonic() - began)  # half of the time belongs to others
        if not tail.startswith(self._tail):
            self._start_again()
            return self.take(view, tail, progress, stopped)
        self._checks.feed(tail[len(self._tail) :])
        self._tail = tail
        return True

    def results(self, around: AgentRepository) -> tuple[CheckResult, ...]:
        """The checks 1, 2, 3, 5, 6 and 7, beside what stands around the log."""
        return self._checks.results(around)

    def _take(self, block: Block) -> bool:
        """Check a block, of which the tail may have been fed before; False when it was not that."""
        data = b"\n".join(block.lines) + b"\n"
        if not data.startswith(self._tail):
            return False
        self._checks.feed(data[len(self._tail) :])
        self._tail = b""
        return True
