"""What the agent printed, a file for each run: `loops/ID/output/0003.log`.

Both streams together, as they came, control sequences too. A file keeps its beginning and its end,
a loop its last files. They are their user's alone: an agent may print secrets (fault F22).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Final, NamedTuple, Self

from ppgp_tui.persist.disk.home import Home, private
from ppgp_tui.persist.disk.side import private_folder

LARGEST: Final = 4 * 1024 * 1024
"""Bytes of output that one file holds."""
HEAD: Final = 4 * 1024
"""So many of them are the first ones, where not all fit."""
FILES: Final = 20
"""So many files are kept for one loop, the last ones."""

_NAME = re.compile(r"(\d{4,9})(?:-([1-9]\d{0,8}))?\.log")
_FRESH: Final = ".fresh"
_NEW: Final = os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_RDWR
_LOOK: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Kept(NamedTuple):
    """One kept file."""

    name: str
    iteration: int
    attempt: int
    """1, and one more for each time that a rate limit made the same number begin again."""
    size: int
    changed_ms: int
    """When something was last printed, in Unix milliseconds."""


class Output:
    """The output of one run while it is printed.

    Writing raises nothing: a full disk must not end the run. `lost` says what became of it.
    """

    def __init__(self, folder: int, name: str, *, largest: int = LARGEST) -> None:
        self.name = name
        self.lost: str | None = None
        """Why no more of this run is kept, or None."""
        self._folder = folder
        self._largest = largest
        self._head = b""
        self._printed = 0
        self._size = 0
        self._last_part = 0  # where, in the file, the end of the output begins
        self._file = self._anew(name)

    def write(self, data: bytes) -> int:
        """Keep these bytes, at the cost of those in the middle. Returns how many they were."""
        self._printed += len(data)
        self._head += data[: HEAD - len(self._head)]
        if self.lost is None:
            try:
                if self._size + len(data) > self._largest:
                    self._leave_out_the_middle(data)
                else:
                    self._append(data)
            except OSError as error:
                self.lost = f"{self.name}: {error.strerror}"
        return len(data)

    def close(self) -> None:
        """Nothing more will be printed."""
        os.close(self._file)
        os.close(self._folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _leave_out_the_middle(self, data: bytes) -> None:
        """Let a new file take the place of this one: the beginning, and half of what may be."""
        head = self._head[: self._head.rfind(b"\n") + 1] or self._head
        half = self._largest // 2
        begin = max(self._last_part or len(head), self._size - half)
        # Where the file is still shorter than the beginning, the rest of that stands in `data`.
        data = data[max(0, begin - self._size) :]
        last = (os.pread(self._file, self._size - begin, begin) + data)[-half:]
        last = last[last.find(b"\n", 0, half // 2) + 1 :]
        note = f"\n[{self._printed - len(head) - len(last)} bytes are left out here]\n".encode()
        with suppress(FileNotFoundError):
            os.unlink(self.name + _FRESH, dir_fd=self._folder)
        fresh = self._anew(self.name + _FRESH)
        os.close(self._file)
        self._file, self._size, self._last_part = fresh, 0, len(head) + len(note)
        self._append(head + note + last)
        os.replace(self.name + _FRESH, self.name, src_dir_fd=self._folder, dst_dir_fd=self._folder)

    def _append(self, data: bytes) -> None:
        while data:
            written = os.write(self._file, data)
            self._size += written
            data = data[written:]

    def _anew(self, name: str) -> int:
        return os.open(name, _NEW, 0o600, dir_fd=self._folder)


def begin(home: Home, loop_id: str, iteration: int, attempt: int) -> Output:
    """A file for the output of this run; the oldest ones make room for it. Raises OSError.

    `attempt` is 1, and one more for each time that the same number began again.
    """
    name = f"{iteration:04}.log" if attempt == 1 else f"{iteration:04}-{attempt}.log"
    path = private(private_folder(home, loop_id) / "output")
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        _make_room(folder, name)
        return Output(folder, name)
    except OSError:
        os.close(folder)
        raise


def kept(home: Home, loop_id: str) -> tuple[Kept, ...]:
    """The files of a loop, in the order of its runs; empty where none can be read."""
    try:
        with _opened(home, loop_id) as folder:
            return tuple(_kept(folder))
    except OSError:
        return ()


def tail(home: Home, loop_id: str, name: str, limit: int = 64 * 1024) -> bytes:
    """The last `limit` bytes of a kept file; empty where it cannot be read, or has another name.

    Bytes of a program: whoever shows them takes control sequences out.
    """
    if not _NAME.fullmatch(name):
        return b""
    try:
        with _opened(home, loop_id) as folder:
            file = os.open(name, _LOOK, dir_fd=folder)
            try:
                return os.pread(file, limit, max(0, os.fstat(file).st_size - limit))
            finally:
                os.close(file)
    except OSError:
        return b""


def _make_room(folder: int, name: str) -> None:
    """Remove the oldest files, and what a run that was killed left half done."""
    older = [one.name for one in _kept(folder) if one.name != name]
    half_done = [one for one in os.listdir(folder) if one.endswith(_FRESH)]
    for one in (*older[: max(0, len(older) + 1 - FILES)], name, *half_done):
        with suppress(FileNotFoundError):
            os.unlink(one, dir_fd=folder)


def _kept(folder: int) -> list[Kept]:
    found = []
    for name in os.listdir(folder):
        parts = _NAME.fullmatch(name)
        if parts is None:
            continue
        with suppress(FileNotFoundError):
            about = os.stat(name, dir_fd=folder, follow_symlinks=False)
            number, attempt = int(parts[1]), int(parts[2] or 1)
            found.append(Kept(name, number, attempt, about.st_size, about.st_mtime_ns // 1_000_000))
    return sorted(found, key=lambda one: (one.iteration, one.attempt))


@contextmanager
def _opened(home: Home, loop_id: str) -> Iterator[int]:
    folder = os.open(
        home.loop(loop_id) / "output",
        os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC,
    )
    try:
        yield folder
    finally:
        os.close(folder)
