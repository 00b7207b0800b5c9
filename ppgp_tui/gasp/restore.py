"""Restoring an agent from an address or a folder. An edge: this clones, and reads files.

A folder is read where it lies, with what is not committed; anything else is cloned first.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.gasp.clone import clone
from ppgp_tui.gasp.repo import read_repository
from ppgp_tui.gasp.restoration import LOG, Restored, RestoreError, restore

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|[^/]*::|[^/:]+@?[^/:]*:")
_ENTRIES: Final = 10_000
_LARGEST_LOG: Final = 1 << 32


class Hooks(NamedTuple):
    """What the caller is told on the way; each may raise to stop the restore."""

    before_clone: Callable[[str], None] = lambda _source: None
    after_clone: Callable[[Path], None] = lambda _folder: None
    after_restore: Callable[[Restored], None] = lambda _restored: None


class Source(NamedTuple):
    """A folder with an agent's files."""

    folder: Path
    is_clone: bool
    shallow: bool
    """Its history, which is kept or was there, does not go back to the beginning."""


def must_be_cloned(source: str) -> bool:
    """Whether `source` is no folder with files: an address, a bare repository or a bundle."""
    path = Path(source)
    if path.is_dir():
        return all((path / name).exists() for name in ("HEAD", "objects", "refs"))
    return path.is_file() or _ADDRESS.match(source) is not None


def restore_from(
    source: str, *, at: str | None = None, into: Path | None = None, hooks: Hooks | None = None
) -> tuple[Source, Restored]:
    """Restore from an address or folder; with `into` the clone is kept there.

    Raises `RestoreError`, and `clone.CloneError` when nothing could be cloned.
    """
    hooks = hooks or Hooks()
    with _opened(source, into, hooks) as folder:
        _must_stay_inside(folder.folder)
        _must_fit_in_memory(folder.folder / LOG)
        restored = restore(read_repository(str(folder.folder)), at)
        hooks.after_restore(restored)
        return folder, restored


@contextmanager
def _opened(source: str, into: Path | None, hooks: Hooks) -> Iterator[Source]:
    if into is None and not must_be_cloned(source):
        folder = Path(source)
        if not folder.is_dir():
            what = "is not a folder" if os.path.lexists(folder) else "does not exist"
            raise RestoreError(f"{source} {what}", "name the folder or address of a repository")
        yield Source(folder, False, _is_shallow(folder))
        return
    with tempfile.TemporaryDirectory(prefix="ppgp-restore-") as temporary:
        folder = into if into is not None else Path(temporary) / "repository"
        hooks.before_clone(source)
        clone(source, folder, whole=into is not None)
        hooks.after_clone(folder)
        yield Source(folder, True, into is not None and _is_shallow(folder))


def _is_shallow(folder: Path) -> bool:
    return (folder / ".git" / "shallow").is_file()


def _must_stay_inside(root: Path) -> None:
    """Refuse links that would have us read files of whoever restores."""
    top = os.path.realpath(root)
    for path in _read_paths(root):
        real = os.path.realpath(path)
        if real != top and not real.startswith(top.rstrip(os.sep) + os.sep):
            name = path.relative_to(root)
            text = f"{name} is a link that leads out of the repository, so it is not followed"
            raise RestoreError(text, "put the file itself into the repository")


def _must_fit_in_memory(log: Path) -> None:
    if log.is_file() and log.stat().st_size > _LARGEST_LOG:
        text = (
            f"{LOG} has {log.stat().st_size:,} bytes, more than the {_LARGEST_LOG:,} that are read"
        )
        raise RestoreError(text, "make sure that it is a log at all: it is one event a line")


def _read_paths(root: Path) -> Iterator[Path]:
    for name in ("AGENT.md", "IDENTITY.md", "state", "state/events.jsonl", ".agent"):
        yield root / name
    for name in ("identity", "snapshots", ".agent/packs"):
        yield root / name
        count = 0
        for above, folders, files in os.walk(root / name):
            yield from (Path(above, each) for each in (*folders, *files))
            count += len(folders) + len(files)
            if count > _ENTRIES:
                break
