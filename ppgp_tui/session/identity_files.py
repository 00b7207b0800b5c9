"""Reading the identity of an agent below a root: every file, never through a link, never a pipe.

The identity hash is over the bytes of the work tree (GASP reference section 3), so anything that
cannot be read as a plain file makes the hash unknown instead of wrong.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from ppgp_tui.session.files import CannotReadError, is_folder, is_link, read_inside

IDENTITY: Final = "identity"
ROOT_IDENTITY: Final = "IDENTITY.md"
_LARGEST: Final = 4 * 1024 * 1024
_FILES: Final = 1000


def identity_files(root: Path) -> dict[str, bytes] | None:
    """The identity's files by path relative to `root`; None when there is no identity.

    That is every file below `identity/`, or the root file `IDENTITY.md` where that folder is
    missing. Raises `CannotReadError`.
    """
    folder = root / IDENTITY
    if is_link(folder):
        why = f"{IDENTITY} is a link, so what it leads to is not taken for the identity"
        raise CannotReadError("link", why, "put the folder itself into the repository")
    if is_folder(folder):
        return {path: _read(root, path) for path in _paths(root)}
    if os.path.lexists(folder):
        why = f"{IDENTITY} is not a folder"
        raise CannotReadError("not-a-folder", why, "move it away or rename it")
    if not os.path.lexists(root / ROOT_IDENTITY):
        return None
    return {ROOT_IDENTITY: _read(root, ROOT_IDENTITY)}


def _paths(root: Path) -> list[str]:
    found: list[str] = []
    for above, folders, names in os.walk(root / IDENTITY, onerror=_closed):
        here = Path(above).relative_to(root).as_posix()
        links = [name for name in folders if is_link(Path(above, name))]
        found.extend(f"{here}/{name}" for name in (*names, *links))
        if len(found) > _FILES:
            why = f"{IDENTITY} has more than {_FILES} files"
            raise CannotReadError("too-many", why, "keep only what says who the agent is there")
    return found


def _closed(error: OSError) -> None:
    said = (error.strerror or str(error)).lower()
    raise CannotReadError("permission", f"{error.filename} cannot be read: {said}", "") from error


def _read(root: Path, path: str) -> bytes:
    if stat.S_ISLNK(os.lstat(root / path).st_mode):
        why = f"{path} is a link, which the identity hash does not cover"
        raise CannotReadError("link", why, "put the file itself there")
    found = read_inside(root, path, _LARGEST)
    if found is None:
        raise CannotReadError("gone", f"{path} went away while it was read", "try again")
    return found.data
