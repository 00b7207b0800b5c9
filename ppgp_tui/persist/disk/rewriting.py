"""The log written anew, where appending is not enough. To be done under the lock only."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from ppgp_tui.persist.disk.exchange import exchanged
from ppgp_tui.persist.disk.home import opened


def lines(path: Path) -> Iterator[bytes]:
    """The lines of a plain file with their ends; the last one may have none. Raises OSError."""
    with os.fdopen(opened(path, os.O_RDONLY), "rb") as file:
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
    with exchanged(path, path.with_name(f"{path.name}.new"), mode) as file:
        file.writelines(content)
