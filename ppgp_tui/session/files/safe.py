"""Files below a folder that other programs can write to, touched without ever following a link.

A cloned repository may hold any symbolic link. So every component below the anchor is opened
relative to the descriptor of the one above, never through a link, and must belong to the user
(CONTRACTS 1, "publish"). Standard library only: agent hooks use it too.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from types import TracebackType
from typing import Self

FOLDER_MODE = 0o700
FILE_MODE = 0o600

_LEFT_BEHIND_S = 60
_TEMP = re.compile(r"\..+\.(\d+)-[0-9a-f]{8}\.tmp", re.ASCII)
_LINK_ERRORS = (errno.ELOOP, errno.ENOTDIR, errno.EMLINK)


class UnsafePathError(OSError):
    """A link, another user's file, or no plain file or folder where one is expected."""


class Folder:
    """An open folder, reached without following a link. Use it as a context manager.

    `path` is for messages only; everything is done through the descriptor, so it stays the same
    folder when somebody renames it or puts a link in its place.
    """

    def __init__(self, descriptor: int, path: Path) -> None:
        self.descriptor = descriptor
        self.path = path

    @classmethod
    def open(cls, anchor: Path, *parts: str, create: bool = False) -> Folder:
        """Open `anchor`, where links are the user's own affair, and below it `parts` one by one.

        With `create`, missing parts are made (0700). Raises FileNotFoundError, `UnsafePathError`
        and the other OSErrors of opening.
        """
        folder = cls(os.open(anchor, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), anchor)
        for part in parts:
            with folder:
                folder = folder.child(part, create=create)
        return folder

    def child(self, name: str, *, create: bool = False) -> Folder:
        """Open the folder `name` in this one, made first if it is missing and `create` is set."""
        path = self.path / _one_component(name)
        if create:
            with suppress(FileExistsError):
                os.mkdir(name, FOLDER_MODE, dir_fd=self.descriptor)
                self.sync()
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        with _link_refused(path, "a folder"):
            descriptor = os.open(name, flags, dir_fd=self.descriptor)
        return Folder(_own(descriptor, path), path)

    def open_file(self, name: str, flags: int) -> int:
        """Return a descriptor of the plain file `name`; created with 0600 where `flags` say so."""
        path = self.path / _one_component(name)
        # Without O_NONBLOCK a planted named pipe would stop us here for ever.
        flags |= os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        with _link_refused(path, "a file"):
            descriptor = os.open(name, flags, FILE_MODE, dir_fd=self.descriptor)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise UnsafePathError(errno.EINVAL, "is not a plain file", str(path))
        return _own(descriptor, path)

    def read(self, name: str) -> bytes:
        """Return the content of the file `name`."""
        with open(self.open_file(name, os.O_RDONLY), "rb") as file:  # noqa: PTH123
            return file.read()

    def publish(
        self, name: str, data: bytes, *, exclusive: bool = False, mode: int = FILE_MODE
    ) -> None:
        """Put `data` at `name` so that readers see all of it or none.

        Written to a temporary file here, flushed to disk, then linked to the name (`exclusive`:
        FileExistsError if it is taken) or renamed over it. A link at the name is replaced, never
        followed. A failure leaves what was there before.
        """
        here = self.descriptor
        temp = self.temporary(name, data, mode=mode)
        try:
            if exclusive:
                os.link(temp, name, src_dir_fd=here, dst_dir_fd=here, follow_symlinks=False)
            else:
                os.replace(temp, name, src_dir_fd=here, dst_dir_fd=here)
        finally:
            self.remove(temp)
        self.sync()

    def temporary(self, name: str, data: bytes, *, mode: int = FILE_MODE) -> str:
        """Write `data`, flushed to disk, to a new file that is to become `name`; return its name.

        Nothing is left of it when that fails. `sweep` removes it if its writer is killed.
        """
        temp = f".{_one_component(name)}.{os.getpid()}-{secrets.token_hex(4)}.tmp"
        try:
            with open(self.open_file(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:  # noqa: PTH123
                if mode != FILE_MODE:
                    os.fchmod(file.fileno(), mode)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            self.remove(temp)
            raise
        return temp

    def remove(self, name: str) -> None:
        """Remove the file or link `name`; nothing happens when it is not there."""
        with suppress(FileNotFoundError):
            os.unlink(_one_component(name), dir_fd=self.descriptor)

    def status(self, name: str) -> os.stat_result | None:
        """Return what lies at `name`, a link as the link it is, or None."""
        try:
            return os.stat(_one_component(name), dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def names(self) -> list[str]:
        """Return the names in this folder, sorted, without unfinished temporary files."""
        return sorted(name for name in os.listdir(self.descriptor) if not _TEMP.fullmatch(name))  # noqa: PTH208

    def sweep(self) -> None:
        """Remove temporary files whose writer was killed."""
        for name in os.listdir(self.descriptor):  # noqa: PTH208
            if not (temp := _TEMP.fullmatch(name)) or _alive(int(temp[1])):
                continue
            found = self.status(name)
            # A writer in another container has a process number that says nothing here.
            if found and found.st_mtime < time.time() - _LEFT_BEHIND_S:
                self.remove(name)

    def sync(self) -> None:
        """Make the names in this folder survive a loss of power."""
        os.fsync(self.descriptor)

    def close(self) -> None:
        """Give the descriptor back; a second time does nothing."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def components(path: PurePath) -> tuple[str, ...]:
    """Return the parts of a relative path. Raises `UnsafePathError` if it could lead outside."""
    if path.is_absolute() or not path.parts or ".." in path.parts:
        raise UnsafePathError(errno.EINVAL, "is not a path inside the root", str(path))
    return path.parts


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`, also where the system takes it in pieces."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _one_component(name: str) -> str:
    if name in ("", ".", "..") or "/" in name or "\0" in name:
        raise UnsafePathError(errno.EINVAL, "is not one name inside a folder", name)
    return name


@contextmanager
def _link_refused(path: Path, wanted: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _LINK_ERRORS:
            text = f"is a link or not {wanted}; it was not followed"
            raise UnsafePathError(error.errno, text, str(path)) from None
        error.filename = str(path)
        raise


def _own(descriptor: int, path: Path) -> int:
    owner = os.fstat(descriptor).st_uid
    if owner != os.geteuid():
        os.close(descriptor)
        raise UnsafePathError(errno.EPERM, f"belongs to user {owner}, not to you", str(path))
    return descriptor


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):  # no process has a number that large
        return False
    except OSError:
        return True
    return True
