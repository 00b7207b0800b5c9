"""The log written anew, where appending is not enough. To be done under the lock only."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path


def lines(path: Path) -> Iterator[bytes]:
    """The lines of a file with their ends; the last one may have none. Raises OSError."""
    with path.open("rb") as file:
        yield from file


def rewrite(path: Path, content: Iterable[bytes]) -> None:
    """Put these lines in the place of the file, with its permissions, whole or not at all.

    A reader that looks meanwhile sees the old or the new one; where `path` is a link, the file it
    leads to is replaced. A file that is not there yet is made for its user alone. Raises OSError.
    """
    path = path.resolve()
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        mode = 0o600
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(fresh, flags, 0o600), "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.writelines(content)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
