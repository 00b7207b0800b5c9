"""A settings file of somebody else: read it whole, replace it whole, keep how it lies there.

A link is followed to the file it stands for, because that is the file its owner edits; the link
stays. Mode and owner stay. What cannot be kept is refused before anything is written.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.session.files.safe import Folder

MARK: Final = "\ufeff"
MOST: Final = 2 * 1024 * 1024


class RefusedFileError(Exception):
    """The file cannot be changed; the message names it and says why."""


class Found(NamedTuple):
    """A settings file as it is now."""

    path: Path
    """Where the agent looks for it."""
    real: Path
    """Where it is; another path when links lead there."""
    data: bytes | None
    """None: there is none."""
    mode: int

    @property
    def text(self) -> str:
        """What it says, without a byte order mark. Raises `RefusedFileError`."""
        try:
            return (self.data or b"").decode().removeprefix(MARK)
        except UnicodeDecodeError as error:
            line = (self.data or b"").count(b"\n", 0, error.start) + 1
            raise RefusedFileError(f"{self.path}, line {line}: it is not UTF-8") from None

    @property
    def has_mark(self) -> bool:
        """Whether it begins with a byte order mark."""
        return (self.data or b"").startswith(MARK.encode())

    def encoded(self, text: str) -> bytes:
        """`text` as the bytes of this file."""
        return (MARK if self.has_mark else "").encode() + text.encode()


def look(path: Path) -> Found:
    """The file at `path` as it is now. Raises `RefusedFileError` where it cannot be read."""
    real = Path(os.path.realpath(path))
    try:
        descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return Found(path, real, None, 0o666 & ~_umask())
    except OSError as error:
        raise RefusedFileError(f"{path} cannot be read: {_said(error)}") from None
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise RefusedFileError(f"{path} is no plain file")
    with open(descriptor, "rb") as file:  # noqa: PTH123
        if status.st_size > MOST:
            raise RefusedFileError(f"{path} is larger than {MOST // 1024 // 1024} MiB")
        try:
            data = file.read(MOST + 1)
        except OSError as error:
            raise RefusedFileError(f"{path} cannot be read: {_said(error)}") from None
    return Found(path, real, data, stat.S_IMODE(status.st_mode))


def must_be_changeable(found: Found) -> None:
    """Raise `RefusedFileError` for a file that is not to be, or cannot be, replaced as it lies."""
    if found.data is None:
        return
    try:
        status = found.real.stat()
    except OSError as error:
        raise RefusedFileError(f"{found.path} cannot be looked at: {_said(error)}") from None
    where = str(found.path) if found.path == found.real else f"{found.path} ({found.real})"
    if not found.mode & 0o222 or not os.access(found.real, os.W_OK):
        raise RefusedFileError(f"{where} is read-only; make it writable first: chmod u+w")
    if status.st_uid != os.geteuid():
        raise RefusedFileError(f"{where} belongs to another user")
    if status.st_nlink > 1:
        raise RefusedFileError(f"{where} has {status.st_nlink} names; replacing it would part them")
    if not os.access(found.real.parent, os.W_OK | os.X_OK):
        raise RefusedFileError(f"{found.real.parent} cannot be written to")


def replace(found: Found, data: bytes) -> tuple[str, ...]:
    """Put `data` there, if the file is still as it was found.

    Returns the folders that had to be made. Raises `RefusedFileError`, and leaves all as it was.
    """
    made: list[str] = []

    def write() -> None:
        made.extend(_make(found.real.parent))
        with Folder.open(found.real.parent) as folder:
            _must_be_as_found(found)
            folder.publish(found.real.name, data, exclusive=found.data is None, mode=found.mode)

    _told(found, write, made)
    return tuple(made)


def delete(found: Found, folders: tuple[str, ...] = ()) -> None:
    """Remove the file, and the `folders` that were made for it if nothing else is in them."""

    def write() -> None:
        _must_be_as_found(found)
        found.real.unlink()
        _remove(folders)

    _told(found, write, [])


def digest(data: bytes | None) -> str:
    """SHA-256 in hex; of no file as of an empty one."""
    return hashlib.sha256(data or b"").hexdigest()


def _told(found: Found, write: Callable[[], None], made: list[str]) -> None:
    try:
        write()
    except (OSError, RefusedFileError) as error:
        _remove(tuple(made))
        if isinstance(error, RefusedFileError):
            raise
        raise RefusedFileError(f"{found.path} cannot be written: {_said(error)}") from None


def _must_be_as_found(found: Found) -> None:
    now = look(found.path)
    if (now.real, now.data) != (found.real, found.data):
        text = f"{found.path} was changed meanwhile, so look at the change again"
        raise RefusedFileError(text)


def _make(folder: Path) -> list[str]:
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    made = []
    for one in reversed(missing):
        one.mkdir()
        made.append(str(one))
    return made


def _remove(folders: tuple[str, ...]) -> None:
    for one in reversed(folders):
        with suppress(OSError):
            Path(one).rmdir()


def _umask() -> int:
    now = os.umask(0o077)
    os.umask(now)
    return now


def _said(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
