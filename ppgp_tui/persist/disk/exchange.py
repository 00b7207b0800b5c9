"""A new file in the place of an old one, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

_NEW: Final = os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def exchanged(path: Path, fresh: Path, mode: int = 0o600) -> Iterator[IO[bytes]]:
    """Inside, write the file that takes the place of `path` in the end, and is on the disk then.

    Until then it is called `fresh`, in the same folder. What lies there already is removed: a crash
    has left it, or somebody laid a link that leads elsewhere. After an error `path` is as it was.
    One at a time; raises OSError that names a file.
    """
    try:
        fresh.unlink(missing_ok=True)
        with open(fresh, "xb", opener=_anew) as file:
            os.fchmod(file.fileno(), mode)
            yield file
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        if error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, str(fresh)) from error
    finally:
        fresh.unlink(missing_ok=True)
    _sync(path.parent)


def _anew(path: str, flags: int) -> int:
    return os.open(path, flags | _NEW, 0o600)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
