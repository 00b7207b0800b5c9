"""Waiting for an answer that counts, to a request held in memory.

A bad answer is reported once and waiting goes on. Nothing is written but the end of the attempt
that is accepted, so an interrupted wait leaves the request open.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ppgp_tui.session.authority import answer_files
from ppgp_tui.session.authority.answer import Answer
from ppgp_tui.session.authority.answer_files import End
from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.authority.examine import judge_file
from ppgp_tui.session.authority.pins import Pins
from ppgp_tui.session.authority.verdict import Accepted, Rejected
from ppgp_tui.session.files.reading import Stamp, stamp, stamp_of
from ppgp_tui.session.files.safe import Folder

POLL_S: Final = 0.05
RESCAN: Final = 20
"""After a change the folder is read at this many polls, then at every such poll: one change may
hide behind another within a tick of the file system's clock, or in a file written in place."""
GRACE_MS: Final = 2000
"""Between an answer in time and its file lies the recording of it."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """The answer is ours. `signed` is False for one accepted unsigned; say so."""

    answer: Answer
    signed: bool


@dataclass(frozen=True, slots=True)
class DeliveredBefore:
    """A good answer that somebody else, or we before a kill, received already."""

    answer: Answer
    signed: bool
    end: End


@dataclass(frozen=True, slots=True)
class Expired:
    """The request expired and nobody answered. This is not a no."""


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The time to wait is over; the request stays open."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """Waiting has no purpose any more, for the reason that the caller knows."""

    reason: str


Outcome = Delivered | DeliveredBefore | Expired | TimedOut | Stopped
Report = Callable[[str], None]


@dataclass
class Waiter:
    """Waits in the repository at `root` for the answer to `request`.

    `to` is the actor id the answer is for. `report` gets one line, once, for each answer that does
    not count and each obstacle.
    """

    root: Path
    request: Mapping[str, Any]
    pins: Pins
    to: str
    report: Report
    now_ms: Callable[[], int]
    _rejected: dict[int, tuple[Stamp, Stamp | None]] = field(default_factory=dict)
    _revoked: set[int] = field(default_factory=set)
    _reported: set[str] = field(default_factory=set)

    def wait(
        self,
        timeout_s: float | None = None,
        *,
        stopped: Callable[[], str | None] = lambda: None,
        elapsed: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> Outcome:
        """Wait until an answer counts, the request expires or `timeout_s` seconds passed.

        `stopped` is asked at every poll and ends the wait with the reason it returns. An answer
        that is there already counts before any of these.
        """
        until = None if timeout_s is None else elapsed() + timeout_s
        folder = self.root / ".ppgp" / "run" / answer_files.FOLDER
        seen: Stamp | None = None
        unchanged = 0
        while True:
            over = self._over(until, stopped, elapsed)
            now = stamp(folder)
            unchanged = unchanged + 1 if now == seen else 0
            seen = now
            if over or unchanged < RESCAN or unchanged % RESCAN == 0:
                found = self.look()
                if found or over:
                    return found or over  # type: ignore[return-value]  # one of them is set
            sleep(POLL_S)

    def look(self) -> Delivered | DeliveredBefore | None:
        """Look once, newest attempt first; the first good answer that is not revoked is taken."""
        try:
            with Folder.open(self.root, ".ppgp", "run") as run:
                for attempt in answer_files.attempts(run, self.request["id"]):
                    if found := self._attempt(run, attempt):
                        return found
        except FileNotFoundError:
            pass  # deleted; what was recorded is written again from the log
        except OSError as error:
            self._say(f"{error.filename}: {error.strerror}")
        return None

    def _attempt(self, run: Folder, attempt: int) -> Delivered | DeliveredBefore | None:
        if attempt in self._revoked:
            return None
        state = self._state(run, attempt)
        if state is None or self._rejected.get(attempt) == state:
            return None
        try:
            verdict = judge_file(run, self.request, attempt, self.pins.check)
            if isinstance(verdict, Accepted):
                return self._take(run, attempt, verdict)
        except FileNotFoundError:
            return None
        except DamagedError as error:
            verdict = Rejected("damaged", str(error))
        if verdict.reason != "unverifiable":  # that may pass: a busy machine, a key to come
            self._rejected[attempt] = state
        name = f"answers/{self.request['id']}.{attempt}.json"
        self._say(f"{name} does not count, {verdict.shown}: {verdict.why}")
        return None

    def _take(
        self, run: Folder, attempt: int, accepted: Accepted
    ) -> Delivered | DeliveredBefore | None:
        request_id = self.request["id"]
        end = answer_files.end_attempt(
            run, request_id, attempt, "delivered", by=self.to, at_ms=self.now_ms()
        )
        if end.mine:
            return Delivered(accepted.answer, accepted.signed)
        if end.outcome == "delivered":
            return DeliveredBefore(accepted.answer, accepted.signed, end)
        self._revoked.add(attempt)  # stays so for us, whoever removes the file
        return None

    def _state(self, run: Folder, attempt: int) -> tuple[Stamp, Stamp | None] | None:
        """What must change before another look at a rejected answer makes sense."""
        with run.child(answer_files.FOLDER) as folder:
            found = folder.status(f"{self.request['id']}.{attempt}.json")
        return None if found is None else (stamp_of(found), self.pins.stamp())

    def _over(
        self,
        until: float | None,
        stopped: Callable[[], str | None],
        elapsed: Callable[[], float],
    ) -> Expired | TimedOut | Stopped | None:
        reason = stopped()
        if reason is not None:
            return Stopped(reason)
        expires_ms = self.request.get("expires_ms")
        if expires_ms is not None and self.now_ms() > expires_ms + GRACE_MS:
            return Expired()
        if until is not None and elapsed() >= until:
            return TimedOut()
        return None

    def _say(self, line: str) -> None:
        if line not in self._reported:
            self._reported.add(line)
            self.report(line)
