"""What this machine offers a sandbox: bubblewrap, if it works, and the folders that programs need.

An edge: looks at the file system and runs bubblewrap once to see whether it may be used at all.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from ppgp_tui.audit.sandbox import KEPT_OUT_OF_COPY, TOOLS, Place, tool_folders

_BWRAP: Final = ("/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap")
"""Never from PATH: a repository could put its own there."""
_FOLDERS: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
_HIDDEN: Final = (".ppgp/run",)
"""Inside the root: what hooks and answers live by, and nothing that an audit needs."""


@cache
def bubblewrap() -> tuple[str, str]:
    """The path of a bubblewrap that works here, and why there is none; one of the two is empty."""
    found = next((path for path in _BWRAP if os.access(path, os.X_OK)), "")
    if not found:
        return "", "bubblewrap is not installed"
    probe = [found, "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "/bin/true"]
    try:
        done = subprocess.run(probe, capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", f"bubblewrap does not start: {error}"
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return "", f"bubblewrap may not be used here: {said[-1] if said else done.returncode}"
    return found, ""


def place(root: Path, environ: Mapping[str, str]) -> Place:
    """What a sandbox for the work tree at `root` shows of this machine."""
    real = os.path.realpath(root)
    links = {folder: os.readlink(folder) for folder in _FOLDERS if os.path.islink(folder)}  # noqa: PTH114, PTH115
    folders = [folder for folder in _FOLDERS if folder not in links and os.path.isdir(folder)]  # noqa: PTH112
    home, path = os.path.expanduser("~"), environ.get("PATH", "")  # noqa: PTH111
    tools = [
        folder
        for folder in (*tool_folders(path, home, _there(path, home)), *_interpreters(real))
        if not f"{real}/".startswith(f"{folder}/") and not f"{folder}/".startswith(f"{real}/")
    ]
    return Place(
        root=real,
        links=links,
        folders=folders,
        etc=sorted(os.listdir("/etc")) if os.path.isdir("/etc") else [],  # noqa: PTH112, PTH208
        tools=list(dict.fromkeys(tools)),
        hidden=[f"{real}/{name}" for name in _HIDDEN if os.path.isdir(f"{real}/{name}")],  # noqa: PTH112
        installed=[
            f"{real}/{name}"
            for name in KEPT_OUT_OF_COPY
            if os.path.isdir(f"{real}/{name}")  # noqa: PTH112
        ],
        path=path or "/usr/local/bin:/usr/bin:/bin",
    )


def program(word: str, root: Path, environ: Mapping[str, str]) -> str | None:
    """Where the program `word` is, as a shell in `root` would find it; None where it is not."""
    if "/" in word:
        full = Path(os.path.realpath(root)) / word
        return str(full) if os.access(full, os.X_OK) and full.is_file() else None
    return shutil.which(word, path=environ.get("PATH"))


def _there(path: str, home: str) -> Iterator[str]:
    for folder in path.split(":"):
        if folder.startswith("/") and os.path.isdir(folder):  # noqa: PTH112
            yield folder.rstrip("/")
    for name in TOOLS:
        if os.path.isdir(f"{home}/{name}"):  # noqa: PTH112
            yield f"{home}/{name}"


def _interpreters(root: str) -> Iterator[str]:
    """The installation that a virtual environment in the root borrows its Python from."""
    for name in (".venv", "venv"):
        python = f"{root}/{name}/bin/python"
        if os.path.exists(python):  # noqa: PTH110
            prefix = os.path.dirname(os.path.dirname(os.path.realpath(python)))  # noqa: PTH120
            if not any(prefix == folder or prefix.startswith(f"{folder}/") for folder in _FOLDERS):
                yield prefix
