"""One file that is read whole, looked at again and again.

What was read last and could be understood stays: a read that fails says so beside it. A file that
is suddenly missing, empty or damaged gets a moment to be finished first, because most writers empty
or remove a file before they fill it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, Literal, NamedTuple, TypeVar

from ppgp_tui.session.files.reading import CannotReadError, FileRead, read_inside

T = TypeVar("T")

SETTLE_S = 0.3
"""How long a writer may take between emptying a file and filling it."""


class DamagedError(Exception):
    """The bytes of a file make no sense; `why` says what is wrong, `line` where."""

    def __init__(
        self, why: str, line: int | None = None, mend: str = "", code: str = "damaged"
    ) -> None:
        super().__init__(why)
        self.why = why
        self.line = line
        self.mend = mend
        self.code = code


class Look(NamedTuple, Generic[T]):
    """One file after a look at it."""

    path: str
    value: T
    """From the last read that worked."""
    data: bytes = b""
    """The bytes `value` was read from."""
    state: Literal["absent", "found", "reading", "unread"] = "absent"
    seen_ms: int | None = None
    changed_ms: int | None = None
    stale_since_ms: int | None = None
    settled: bool = True
    """False while a look soon is wanted: the file may be about to be finished."""
    code: str = ""
    why: str = ""
    line: int | None = None
    mend: str = ""


class Document(Generic[T]):
    """The file of one source; not thread-safe."""

    def __init__(
        self,
        root: Path,
        path: str,
        clock: Callable[[], int],
        parse: Callable[[bytes | None], T],
        *,
        settle_s: float = SETTLE_S,
    ) -> None:
        """`parse` gets the bytes, None for no file, and may raise `DamagedError`."""
        self._root = root
        self._clock = clock
        self._parse = parse
        self._settle_s = settle_s
        self._worse_since: float | None = None
        self.now: Look[T] = Look(path, parse(None))

    def look(self, *, reread: bool = False) -> Look[T]:
        """Read the file and return what is known of it now.

        Bytes that did not change are not parsed again unless `reread`.
        """
        self.now = self._look(reread)
        return self.now

    def _look(self, reread: bool) -> Look[T]:
        before = self.now
        try:
            found = read_inside(self._root, before.path)
            if self._may_be_unfinished(found):
                return before._replace(settled=False)
            return self._understood(found, reread)
        except CannotReadError as error:
            return self._unread(error.code, error.why, None, error.mend)
        except DamagedError as error:
            if self._still_settling():
                return before._replace(settled=False)
            return self._unread(error.code, error.why, error.line, error.mend)

    def _understood(self, found: FileRead | None, reread: bool) -> Look[T]:
        before, now = self.now, self._clock()
        if found is None:
            self._worse_since = None
            value = before.value if before.state == "absent" and not reread else self._parse(None)
            return Look(before.path, value, seen_ms=now)
        known = before.state == "found" and found.data == before.data and not reread
        value = before.value if known else self._parse(found.data)
        self._worse_since = None
        return Look(before.path, value, found.data, "found", now, found.changed_ms)

    def _unread(self, code: str, why: str, line: int | None, mend: str) -> Look[T]:
        self._worse_since = None
        before = self.now
        stale = before.stale_since_ms
        if stale is None and before.state == "found":
            stale = self._clock()
        return before._replace(
            state="unread",
            stale_since_ms=stale,
            settled=True,
            code=code,
            why=why,
            line=line,
            mend=mend,
        )

    def _may_be_unfinished(self, found: FileRead | None) -> bool:
        """Missing or empty, where there was something a moment ago."""
        if self.now.state != "found" or not self.now.data or (found and found.data):
            return False
        return self._still_settling()

    def _still_settling(self) -> bool:
        if self.now.state != "found":
            return False
        if self._worse_since is None:
            self._worse_since = time.monotonic()
        return time.monotonic() - self._worse_since < self._settle_s
