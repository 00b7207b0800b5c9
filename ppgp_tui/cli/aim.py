"""What PATH and --root on a command line mean."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from stat import S_ISDIR

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.files.root import find_root, stat_of


class Aim(NamedTuple):
    """A repository, or one goal document."""

    root: Path
    document: Path | None = None
    """Absolute, links resolved; set when PATH named a file, which is read instead."""


def aim(cwd: Path, path: Path | None, root: Path | None, environ: Mapping[str, str]) -> Aim:
    """Return the root to read, and the file when PATH is one.

    Args:
        cwd: Working directory.
        path: A folder in a repository, or a goal document.
        root: Value of `--root`; it is taken as it stands.
        environ: Where `PPGP_ROOT` may be set; a PATH is stronger.

    Raises:
        RootError: PATH or --root does not exist, or nobody may look at it.
    """
    if path is None:
        return Aim(find_root(cwd, root, environ))
    named = cwd / path.expanduser()
    is_folder = S_ISDIR(stat_of(str(named), "name a repository or a goal document").st_mode)
    folder = named if is_folder else named.parent
    found = find_root(cwd, root, environ) if root else find_root(folder, None, {})
    return Aim(found, None if is_folder else named.resolve())
