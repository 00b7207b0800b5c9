"""Following an append-only file: read what is new, and prove that what was read still stands.

Every line read left a fingerprint (`lines.py`). A file that grew is checked at both ends before its
new bytes are read, and block by block over the following looks; a file that shrank, was written to
without growing, or was replaced is checked whole. So a broken promise is found at the line where it
was broken, and a replaced file that begins with the same lines is no broken promise.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from ppgp_tui.gasp.envelope import Head, head_reader, is_blank
from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.files.reading import CannotReadError, Stamp, open_inside, stamp_of
from ppgp_tui.session.log.facts import LogFacts, LogSays, plain_head
from ppgp_tui.session.log.lines import BLOCK, Lines, LogFile
from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.model import Event, Lifecycle, Origin, Rewritten, TornTail

GLIMPSE = 64 * 1024
"""Bytes at the end of a long log that the first look reads."""

SHORT = 256 * 1024
"""Logs up to this size are read whole at the first look."""

PROOF = 4 * 1024 * 1024
"""Bytes looked at again in one go; logs up to this size are proved whole at every change."""

SETTLE_S = 0.3
"""How long a writer may take between emptying or removing the file and filling it again."""

LONGEST = 64 * 1024 * 1024
"""Bytes one line may have."""

PICTURE_S = 0.25
"""How often there is a picture while a long log is read."""

_FAST_FROM = 1024 * 1024
"""From this many new bytes on, loading the fast decoder pays."""


class Damaged(NamedTuple):
    """Whole lines that are no sound events."""

    line: int
    """Number of the first one."""
    why: str
    lines: int
    """How many there are."""


class LogRead(NamedTuple):
    """The log after one look."""

    state: Literal["absent", "found", "reading", "unread"] = "absent"
    view: LogView | None = None
    says: LogSays = LogSays()
    bytes: int = 0
    torn: TornTail | None = None
    rewritten: Rewritten | None = None
    damaged: Damaged | None = None
    progress: float | None = None
    seen_ms: int | None = None
    changed_ms: int | None = None
    stale_since_ms: int | None = None
    settled: bool = True
    """False while a look soon is wanted: what broke may be about to be mended."""
    code: str = ""
    why: str = ""
    mend: str = ""


Progress = Callable[[LogRead], None]


class LogTail:
    """One log file and everything read of it. Not thread-safe: one thread reads, all may view."""

    def __init__(
        self, root: Path, path: str, clock: Callable[[], int], *, settle_s: float = SETTLE_S
    ) -> None:
        """`settle_s`: how long a file that lost lines gets to have them again."""
        self._root = root
        self.path = path
        self._clock = clock
        self._settle_s = settle_s
        self._broken_since: float | None = None
        self._stopped: Callable[[], bool] = lambda: False
        self._file: LogFile | None = None
        self._stamp: Stamp | None = None
        self._proved: int = 0
        self._to_prove: int = 0
        self._start_again()
        self._torn: TornTail | None = None
        self._rewritten: Rewritten | None = None
        self._promised: tuple[int, array[int]] = (0, array("q"))
        self._read = LogRead()

    @property
    def proving(self) -> bool:
        """Whether older lines are still to be looked at again."""
        return self._proved < self._to_prove

    def glimpse(self) -> LogRead:
        """Look for the first time, in bounded time: a long log gives its last lines only."""
        file = self._open()
        if file is None:
            return self._read
        size = file.stat().st_size
        if size <= SHORT:
            return self.look()
        self._read = self._last_lines(file, 0.0)
        return self._read

    def look(
        self,
        progress: Progress = lambda _: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> LogRead:
        """Read what is new and return the log as it is now.

        `progress` gets a picture now and then while a long log is read; the work ends early, and
        goes on at the next look, when `stopped` says so.
        """
        self._stopped = stopped
        file = self._open()
        if file is None:
            return self._read
        stamp = stamp_of(file.stat())
        if not len(self._lines) and stamp != self._stamp:
            self._start_again()  # blank lines leave no fingerprint that could prove them
        broken = self._broken_at(file, stamp)
        if broken is not None and self._is_settling():
            return self._read
        self._broken_since = None
        self._file = file
        try:
            if broken is None:
                self._extend(stamp, progress)
            else:
                self._break_promise(broken, stamp, progress)
        except CannotReadError as error:
            self._read = self._found(file, stamp)
            self._fail("unread", error.code, error.why, error.mend)
        return self._read

    def says_with(self, further: Sequence[bytes]) -> LogSays | None:
        """What the log says together with lines that belong behind it; None when it has them all.

        Lines are without their newlines. Those that the log has by now are passed by.
        """
        count = len(self._lines)
        heads = [plain_head(line) for line in further]
        missing = [head for head in heads if not any(self._lines.find(head.id, count))]
        if not missing:
            return None
        moment = self._clock()
        return self._facts.with_heads(missing, lambda: Origin(self.path, seen_ms=moment))

    def prove(self) -> bool:
        """Look at the next older lines again; False when a change is found (then `look`)."""
        if self._file is None or not self.proving:
            return True
        first = self._proved
        starts = self._lines.starts
        last = first
        while last < self._to_prove and starts[last] < starts[first] + PROOF:
            last = min(self._to_prove, last + 256)
        if self._lines.first_difference(self._file, first, last) is not None:
            self._stamp = None
            return False
        self._proved = last
        return True

    # Opening

    def _open(self) -> LogFile | None:
        """The log as it can be opened now, the same object while it is the same file."""
        try:
            descriptor = open_inside(self._root, self.path)
        except CannotReadError as error:
            self._fail("unread", error.code, error.why, error.mend)
            return None
        if descriptor is None:
            if self._file is None:
                self._read = LogRead(seen_ms=self._clock())
            elif not self._is_settling():
                count = len(self._lines)
                why = f"{self.path} is gone; {count:,} lines of it had been read"
                self._fail("absent", "log-gone", why, f"git checkout -- {self.path}")
            return None
        file = LogFile(descriptor)
        same = self._file is not None and file.identity == self._file.identity
        return self._file if same else file

    def _is_settling(self) -> bool:
        """Whether a log that lost lines, or is gone, may still be in the middle of being written.

        Then the read stays as it was, and a look soon is wanted.
        """
        moment = time.monotonic()
        if self._broken_since is None:
            self._broken_since = moment
        settling = self._read.state == "found" and moment - self._broken_since < self._settle_s
        self._stamp = None if settling else self._stamp
        self._read = self._read._replace(settled=not settling)
        return settling

    def _fail(self, state: Literal["absent", "unread"], code: str, why: str, mend: str) -> None:
        stale = self._read.stale_since_ms
        self._stamp = None
        self._read = self._read._replace(
            state=state,
            progress=None,
            settled=True,
            code=code,
            why=why,
            mend=mend,
            stale_since_ms=self._clock() if stale is None and self._read.view else stale,
        )

    # Proving

    def _broken_at(self, file: LogFile, stamp: Stamp) -> int | None:
        """The first line that no longer stands where it was read; None when all do so far."""
        lines = self._lines
        if self._file is None or not len(lines) or stamp == self._stamp:
            return None
        grew = self._stamp is not None and stamp.size > self._stamp.size
        whole = file is not self._file or not grew or lines.end <= PROOF
        if whole or stamp.size < lines.end:
            self._proved, self._to_prove = 0, 0
            broken = lines.first_difference(file)
            return len(lines) if broken is None and not lines.ends_blank(file) else broken
        self._proved, self._to_prove = 0, len(lines)
        ends = lines.first_difference(file, max(0, len(lines) - 64))
        if ends is None:
            ends = lines.first_difference(file, 0, min(64, len(lines)))
        if ends is None:
            return None if lines.ends_blank(file) else len(lines)
        return lines.first_difference(file)

    def _break_promise(self, broken: int, stamp: Stamp, progress: Progress) -> None:
        """Read the file anew and say from which line on it is another one."""
        old = self._lines
        line = old.number(broken)
        lost = old.prints[broken:]
        promised = self._promised if self._rewritten else (broken, lost)
        self._start_again()
        self._extend(stamp, progress)
        missing = set(lost)
        missing.difference_update(self._lines.prints[broken:])
        self._rewritten = Rewritten(line, self._clock(), len(missing))
        self._promised = promised
        if not self._kept_after_all():
            self._promised = (broken, lost)
        self._read = self._read._replace(rewritten=self._rewritten)

    def _kept_after_all(self) -> bool:
        """Whether the lines that went away are back, as after a checkout there and back."""
        first, lost = self._promised
        if self._rewritten is None or self._lines.prints[first : first + len(lost)] != lost:
            return False
        self._rewritten = None
        self._promised = (0, array("q"))
        return True

    # Reading

    def _start_again(self) -> None:
        self._lines = Lines()
        self._facts = LogFacts(self._clock(), self.path)
        self._decoded: dict[int, Event] = {}
        self._damaged: Damaged | None = None
        self._searched = 0
        self._proved = 0
        self._to_prove = 0

    def _extend(self, stamp: Stamp, progress: Progress) -> None:
        file = self._file
        assert file is not None
        lines = self._lines
        anew, new = lines.end == 0, stamp.size - lines.end
        read = head_reader() if new >= _FAST_FROM else plain_head
        if not lines.end + BLOCK < self._searched <= stamp.size:
            self._searched = lines.end
        said = time.monotonic()
        while data := self._next_lines(file):
            self._take(data, read)
            if self._stopped():
                return
            if new >= _FAST_FROM:
                time.sleep(0)  # let the screen draw between two blocks
                if time.monotonic() - said >= PICTURE_S:
                    said = time.monotonic()
                    part = lines.end / stamp.size
                    progress(self._last_lines(file, part) if anew else self._found(file, stamp))
        self._stamp = stamp
        self._kept_after_all()
        self._torn = self._in_flight(file)
        self._read = self._found(file, stamp)

    def _next_lines(self, file: LogFile) -> bytes:
        """The next whole lines, about a block of them; empty when there are none."""
        begin = self._lines.end
        while chunk := file.read(self._searched, BLOCK):
            cut = chunk.rfind(b"\n")
            if cut < 0:
                self._searched += len(chunk)
                continue
            end = self._searched + cut + 1
            if end - begin > LONGEST:
                number = self._lines.number(len(self._lines))
                why = f"{self.path} line {number:,} has more than {LONGEST:,} bytes"
                raise CannotReadError("line-too-long", why, "the lines before it are shown")
            data = chunk[: cut + 1] if begin == self._searched else file.read(begin, end - begin)
            self._searched = begin + len(data)
            return data
        return b""

    def _take(self, data: bytes, read: Callable[[bytes], Head]) -> None:
        lines, facts = self._lines, self._facts
        at = lines.end
        for line in data.split(b"\n")[:-1]:
            if is_blank(line):
                lines.add_blank()
            else:
                head = read(line)
                lines.add(at, line, head.id)
                if head.error is not None:
                    self._count_damaged(head.error)
                index, offset = len(lines) - 1, at
                facts.take(
                    head,
                    lambda index=index, offset=offset: Origin(  # type: ignore[misc]
                        self.path, lines.number(index), offset, self._clock()
                    ),
                )
            at += len(line) + 1
        lines.end = at

    def _count_damaged(self, why: str) -> None:
        """Count the line added last as damaged."""
        known = self._damaged
        line = self._lines.number(len(self._lines) - 1)
        self._damaged = known._replace(lines=known.lines + 1) if known else Damaged(line, why, 1)

    def _in_flight(self, file: LogFile) -> TornTail | None:
        """The piece after the last newline, unless it is blank."""
        begin = self._lines.end
        size = self._searched - begin
        if not size or (size < 4096 and is_blank(file.read(begin, size))):
            return None
        known = self._torn
        since = known.since_ms if known and known.offset == begin else self._clock()
        return TornTail(begin, size, since)

    def _found(self, file: LogFile, stamp: Stamp) -> LogRead:
        return LogRead(
            state="found",
            view=LogView(self._lines, file, len(self._lines), True, self._decoded),
            says=self._facts.says(),
            bytes=stamp.size,
            torn=self._torn,
            rewritten=self._rewritten,
            damaged=self._damaged,
            seen_ms=self._clock(),
            changed_ms=stamp.mtime_ns // 1_000_000,
        )

    def _last_lines(self, file: LogFile, progress: float) -> LogRead:
        """A picture of the end of a long log, while the rest is being read."""
        stamp = stamp_of(file.stat())
        begin = max(0, stamp.size - GLIMPSE)
        data = file.read(begin, GLIMPSE)
        first = data.find(b"\n") + 1 if begin else 0
        lines, facts = Lines(), LogFacts(self._clock(), self.path)
        at = begin + first
        for line in data[first:].split(b"\n")[:-1]:
            if not is_blank(line):
                head = plain_head(line)
                lines.add(at, line, head.id)
                facts.take(head, lambda at=at: Origin(self.path, None, at, self._clock()))  # type: ignore[misc]
            at += len(line) + 1
        said = facts.says()
        return LogRead(
            state="reading",
            view=LogView(lines, file, len(lines), whole=False),
            says=said._replace(phases=(), plan=None, lifecycle=Lifecycle(), minutes={}),
            bytes=stamp.size,
            rewritten=self._rewritten,
            progress=progress,
            seen_ms=self._clock(),
            changed_ms=stamp.mtime_ns // 1_000_000,
        )
