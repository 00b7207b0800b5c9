"""The one way a file below the root is opened for reading.

Links are followed only while they stay inside the root; a pipe, a device or a folder is never
opened as a file, and nothing here can block.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

from ppgp_tui.named_tuple import NamedTuple

LARGEST = 64 * 1024 * 1024
"""Files that are read whole may have this many bytes."""


class CannotReadError(Exception):
    """A file is there and cannot be read; `why` names the reason, `mend` what to do about it."""

    def __init__(self, code: str, why: str, mend: str) -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.mend = mend


class Stamp(NamedTuple):
    """What changes when a file is written, replaced or deleted and made again."""

    device: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int


class FileRead(NamedTuple):
    """The bytes of one file and what the file system said about it."""

    data: bytes
    stamp: Stamp

    @property
    def changed_ms(self) -> int:
        """When the file was last written, in Unix milliseconds."""
        return self.stamp.mtime_ns // 1_000_000


def stamp_of(found: os.stat_result) -> Stamp:
    """The stamp within a stat result."""
    return Stamp(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def stamp(path: Path) -> Stamp | None:
    """The stamp of whatever `path` leads to, or None when that is nothing we may look at."""
    try:
        return stamp_of(path.stat())
    except (OSError, ValueError):
        return None


def is_folder(path: Path) -> bool:
    """Whether `path` leads to a folder; False too where nobody may look, unlike `Path.is_dir`."""
    return _has_mode(path, stat.S_ISDIR)


def is_file(path: Path) -> bool:
    """Whether `path` leads to a regular file; False too where nobody may look."""
    return _has_mode(path, stat.S_ISREG)


def is_link(path: Path) -> bool:
    """Whether `path` itself is a link; False too where nobody may look."""
    try:
        return stat.S_ISLNK(path.lstat().st_mode)
    except (OSError, ValueError):
        return False


def _has_mode(path: Path, test: Callable[[int], bool]) -> bool:
    try:
        return test(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def open_inside(root: Path, path: str) -> int | None:
    """Open the regular file `path` (relative to `root`) and return its descriptor.

    None when nothing is there. Raises `CannotReadError` when something is there that is no
    readable regular file inside the root.
    """
    full = root / path
    try:
        real = os.path.realpath(full, strict=True)
        if not _is_inside(real, root):
            raise CannotReadError(
                "link-outside",
                f"{path} is a link that leads out of the repository, so it is not followed",
                "put the file itself into the repository",
            )
        descriptor = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        if is_link(full):
            raise CannotReadError(
                "dangling-link",
                f"{path} is a link to something that does not exist",
                "mend or remove the link",
            ) from None
        return None
    except OSError as error:
        if error.errno == errno.ENXIO and _has_mode(full, stat.S_ISSOCK):
            raise _no_file(path, stat.S_IFSOCK) from error
        raise _reason(path, error, root) from error
    except ValueError as error:
        raise CannotReadError("no-path", f"{path!r} is not a path: {error}", "") from error
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    raise _no_file(path, mode)


def read_inside(root: Path, path: str, largest: int = LARGEST) -> FileRead | None:
    """Read the whole file `path` below `root`; None when there is none.

    Raises `CannotReadError`, also for a file of more than `largest` bytes.
    """
    descriptor = open_inside(root, path)
    if descriptor is None:
        return None
    with os.fdopen(descriptor, "rb") as file:
        before = os.fstat(descriptor)
        if before.st_size > largest:
            raise CannotReadError(
                "too-big",
                f"{path} has {before.st_size:,} bytes, more than the {largest:,} that are read",
                "move what is history out of it",
            )
        try:
            data = file.read(largest + 1)
        except OSError as error:
            raise _reason(path, error, root) from error
        return FileRead(data, stamp_of(before))


def _is_inside(real: str, root: Path) -> bool:
    top = os.path.realpath(root)
    return real == top or real.startswith(top.rstrip(os.sep) + os.sep)


def _no_file(path: str, mode: int) -> CannotReadError:
    return CannotReadError(
        "not-a-file", f"{path} is {_kind(mode)}, not a file", f"move it away or rename {path}"
    )


def _closed_folder(root: Path, path: str) -> str | None:
    """The first folder on the way to `path` that may not be entered."""
    above = [str(folder) for folder in reversed(Path(path).parents) if folder.name]
    return next((name for name in above if not os.access(root / name, os.X_OK)), None)


def _reason(path: str, error: OSError, root: Path) -> CannotReadError:
    if error.errno == errno.ELOOP:
        return CannotReadError(
            "link-loop", f"{path} is a link that leads back to itself", "mend or remove the link"
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        folder = _closed_folder(root, path)
        mend = f"chmod u+rx {folder}" if folder else f"chmod u+r {path}"
        return CannotReadError("permission", f"{path} cannot be read: permission denied", mend)
    said = (error.strerror or str(error)).lower()
    return CannotReadError("read-failed", f"{path} cannot be read: {said}", "")


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a named pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"
