"""Where the loops of a user are kept (persist reference section 3)."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

HOME_VARIABLE: Final = "BROOMVA_PERSIST_HOME"
_LOOP_ID = re.compile(r"[0-9a-f]{12}")


def is_loop_id(text: str) -> bool:
    """Whether it is 12 hexadecimal digits; rows written by hand may say anything."""
    return _LOOP_ID.fullmatch(text) is not None


class Home(NamedTuple):
    """The folder and what lies in it."""

    path: Path

    @property
    def log(self) -> Path:
        """The rows of all loops."""
        return self.path / "state.jsonl"

    @property
    def lock(self) -> Path:
        """Held while a row is appended; empty, never removed."""
        return self.path / "state.lock"

    @property
    def torn(self) -> Path:
        """Bytes that were no rows, kept aside."""
        return self.path / "torn"

    @property
    def archive(self) -> Path:
        """Rows of loops that closed long ago, a file for each month."""
        return self.path / "archive"

    def loop(self, loop_id: str) -> Path:
        """What only our runner leaves about one loop: `live.json`, `pause.json`, `output/`.

        Raises ValueError for an id that is not 12 hexadecimal digits: it could lead elsewhere.
        """
        if not is_loop_id(loop_id):
            raise ValueError(f"{loop_id!r} is not a loop id of 12 hexadecimal digits")
        return self.path / "loops" / loop_id


def find(environ: Mapping[str, str]) -> Home:
    """The home that these variables name: the same one that the original uses."""
    named = environ.get(HOME_VARIABLE)
    if named:
        return Home(_expanded(named))
    config = environ.get("XDG_CONFIG_HOME")
    base = Path(config) if config else _expanded(environ.get("HOME") or "~") / ".config"
    return Home(base / "broomva" / "persist")


def private(folder: Path) -> Path:
    """A folder inside a home, made for its user alone where it is missing. Raises OSError.

    Also for a link in its place: whoever may write in the home could have laid it, and our files
    would be written, and removed, elsewhere.
    """
    if folder.is_symlink():
        raise OSError(errno.ELOOP, "a link, which could lead elsewhere; remove it", str(folder))
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def opened(path: Path, flags: int) -> int:
    """The descriptor of a plain file of a home; raises OSError for anything else in its place.

    A pipe keeps nobody waiting, and a device, which never ends, is not begun.
    """
    file = os.open(path, flags | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "not a plain file", str(path))
    return file


def _expanded(path: str) -> Path:
    """With `~` as a folder; of a user that nobody knows it stays as it is."""
    return Path(os.path.expanduser(path))  # noqa: PTH111
