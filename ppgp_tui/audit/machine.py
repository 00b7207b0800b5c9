"""What this machine offers a sandbox: bubblewrap, if it works, and the folders that programs need.

An edge: looks at the file system and runs bubblewrap once to see whether it may be used at all.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from ppgp_tui.audit.sandbox import ETC, NETWORK_ETC, Limits, Place
from ppgp_tui.audit.tree import Tree

BWRAP: Final = ("/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap")
"""Never from PATH: a repository could put its own there."""
_FOLDERS: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
_HIDDEN: Final = (".ppgp/run",)
"""Inside the root: what hooks and answers live by, and nothing that an audit needs."""
_DOORS_MOST: Final = 200
_FORBIDS: Final = ("--unshare-user", "--disable-userns")
_TOOLS: Final = (
    ".asdf", ".bun/bin", ".cargo/bin", ".cargo/git", ".cargo/registry", ".deno/bin", ".ghcup",
    ".local/bin", ".local/lib", ".local/pipx/venvs", ".local/share/mise", ".local/share/uv",
    ".nvm/versions", ".pyenv", ".rbenv", ".rustup", ".sdkman/candidates", ".volta", "go/bin",
    "go/pkg/mod",
)  # fmt: skip
_PRIVATE: Final = (
    ".aws", ".claude", ".codex", ".config", ".docker", ".gemini", ".gnupg", ".kube", ".mozilla",
    ".netrc", ".password-store", ".pi", ".ssh", ".local/share/keyrings", ".local/share/ppgp-tui",
    ".local/state",
)  # fmt: skip
"""In a person's home: no folder that is, holds or lies in one of these is shown for its tools."""
_SYSTEM: Final = ("/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/root", "/run",
                  "/sbin", "/sys", "/usr", "/var")  # fmt: skip


class NoPlaceError(Exception):
    """Why the work tree cannot stand in a sandbox."""


@cache
def bubblewrap() -> tuple[str, str]:
    """The path of a bubblewrap that works here, and why there is none; one of the two is empty."""
    found = next((path for path in BWRAP if os.access(path, os.X_OK)), "")
    if not found:
        return "", "bubblewrap is not installed"
    said = _probed(found, ())
    return ("", f"bubblewrap may not be used here: {said}") if said else (found, "")


@cache
def forbids(bwrap: str) -> tuple[str, ...]:
    """What this bubblewrap can forbid beside what every one can: namespaces inside of it."""
    return () if _probed(bwrap, _FORBIDS) else _FORBIDS


def limits(seconds: float) -> Limits:
    """The limits of one program: no more than a part of the memory that is free now."""
    free = _available()
    usual = Limits(seconds=seconds)
    if free is None:
        return usual
    return usual._replace(memory=min(usual.memory, free // 2), disk=min(usual.disk, free // 8))


def place(tree: Tree, environ: Mapping[str, str], *, bwrap: str = "") -> Place:
    """What a sandbox for a work tree shows of this machine. Raises `NoPlaceError`."""
    root, home = tree.root, os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111
    if why := _no_place(root, home):
        raise NoPlaceError(why)
    if len(tree.doors) > _DOORS_MOST:
        raise NoPlaceError(f"{root} has {len(tree.doors)} sockets and pipes")
    links = {folder: os.readlink(folder) for folder in _FOLDERS if os.path.islink(folder)}  # noqa: PTH114, PTH115
    folders = [folder for folder in _FOLDERS if folder not in links and os.path.isdir(folder)]  # noqa: PTH112
    path = [one.rstrip("/") for one in whole_folders(environ)]
    wanted = [*path, *(f"{home}/{name}" for name in _TOOLS), *_interpreters(root)]
    return Place(
        root=root,
        links=links,
        folders=folders,
        etc=[name for name in ETC if os.path.exists(f"/etc/{name}")],  # noqa: PTH110
        network_etc=[name for name in NETWORK_ETC if os.path.exists(f"/etc/{name}")],  # noqa: PTH110
        tools=_outermost(folder for folder in wanted if _is_tool(folder, root, home, environ)),
        git=tree.git,
        hidden=[f"{root}/{name}" for name in _HIDDEN if _is_folder(f"{root}/{name}")],
        as_it_is=tree.as_it_is,
        doors=tree.doors,
        path=":".join(path) or "/usr/local/bin:/usr/bin:/bin",
        forbids=forbids(bwrap) if bwrap else (),
    )


def covered(place: Place, names: Sequence[str]) -> Place:
    """The place in which files and folders of these names, wherever in the root, hold nothing."""
    found = [*named(place.root, names)]
    hidden = [path for path in found if _is_folder(path) and not os.path.islink(path)]  # noqa: PTH114
    files = [path for path in found if path not in hidden and os.path.isfile(path)]  # noqa: PTH113
    return place._replace(hidden=[*place.hidden, *hidden], doors=(*place.doors, *files))


def named(root: str, names: Sequence[str]) -> Iterator[str]:
    """Paths in the root of files and folders with one of these names, Git's own left out."""
    for folder, folders, files in os.walk(root) if names else ():
        yield from (f"{folder}/{name}" for name in (*folders, *files) if name in names)
        folders[:] = [name for name in folders if name != ".git" and name not in names]


def program(word: str, root: Path, environ: Mapping[str, str]) -> str | None:
    """Where the program `word` is, for somebody in `root`; None where it is not."""
    if "/" in word:
        full = Path(os.path.realpath(root)) / word
        return str(full) if full.is_file() and os.access(full, os.X_OK) else None
    for folder in whole_folders(environ):
        full = Path(folder) / word
        if full.is_file() and os.access(full, os.X_OK):
            return str(full)
    return None


def whole_folders(environ: Mapping[str, str]) -> list[str]:
    """The folders of PATH that count: one that is relative is a different one everywhere."""
    return [one for one in environ.get("PATH", "").split(":") if one.startswith("/")]


def with_program(place: Place, path: str, environ: Mapping[str, str]) -> tuple[str, Place]:
    """The path by which a sandbox can start the program at `path`, and a place that has it.

    A package of npm needs the whole folder that it was installed into, and what runs it.
    """
    real, root = os.path.realpath(path), place.root
    parts = Path(real).parts
    needed = real
    if "node_modules" in parts:
        needed = str(Path(*parts[: parts.index("node_modules") + 1]))
    if not is_seen(place, real) and not _in_any(root, (needed,)):
        place = place._replace(tools=_outermost([*place.tools, needed]))
    with open(real, "rb") as file:  # noqa: PTH123
        first = file.readline(256).split()
    if first[:1] == [b"#!/usr/bin/env"] and len(first) > 1:
        runs = program(first[-1].decode("utf-8", "replace"), Path("/"), environ)
        if runs is not None and not is_seen(place, runs):
            _, place = with_program(place, runs, environ)
    return (path if is_seen(place, path) else real), place


def is_seen(place: Place, path: str) -> bool:
    """Whether a sandbox shows what is at `path`."""
    return _in_any(path, (*place.folders, *place.links, *place.tools, place.root))


def _probed(bwrap: str, more: Sequence[str]) -> str:
    """What a bubblewrap says against the arguments that a sandbox is made of; empty: nothing."""
    words = [
        bwrap, "--unshare-all", *more, "--cap-drop", "ALL", "--ro-bind", "/", "/",
        "--proc", "/proc", "--size", "4096", "--perms", "0700", "--tmpfs", "/mnt", "/bin/true",
    ]  # fmt: skip
    try:
        done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, timeout=10)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"it does not start: {error}"
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return (lines[-1] if lines else f"exit {done.returncode}") if done.returncode else ""


def _no_place(root: str, home: str) -> str:
    if root == "/" or _in_any(root, ("/usr", "/bin", "/boot", "/dev", "/etc", "/lib", "/lib64",
                                     "/proc", "/run", "/sbin", "/sys")):  # fmt: skip
        return f"{root} is a part of the system"
    if root in ("/tmp", "/var", "/home", "/opt", "/root") or f"{home}/".startswith(f"{root}/"):
        return f"{root} holds more than a repository: all that is in it would be shown"
    return ""


def _is_tool(folder: str, root: str, home: str, environ: Mapping[str, str]) -> bool:
    """Whether a folder can be shown for its programs: none that could hold credentials is."""
    if not _is_folder(folder) or _in_any(folder, _FOLDERS):
        return False
    own = [environ.get(f"XDG_{name}_HOME", "") for name in ("CONFIG", "DATA", "STATE")]
    private = [*(f"{home}/{name}" for name in _PRIVATE), *(folder for folder in own if folder)]
    real = os.path.realpath(folder)
    return not any(
        one in ("/", "/tmp", home)
        or one in _SYSTEM
        or any(_in_any(other, (one,)) for other in (root, home))
        or _in_any(one, (root,))
        or any(_in_any(one, (secret,)) or _in_any(secret, (one,)) for secret in private)
        for one in (folder, real)
    )


def _outermost(folders: Iterable[str]) -> list[str]:
    """The folders without those that lie in another one."""
    kept: list[str] = []
    for folder in sorted(set(folders)):
        if not _in_any(folder, kept):
            kept.append(folder)
    return kept


def _in_any(path: str, folders: Sequence[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _is_folder(path: str) -> bool:
    return os.path.isdir(path)  # noqa: PTH112


def _interpreters(root: str) -> Iterator[str]:
    """The installation that a virtual environment in the root borrows its Python from."""
    for name in (".venv", "venv"):
        python = f"{root}/{name}/bin/python"
        if os.path.exists(python):  # noqa: PTH110
            yield os.path.dirname(os.path.dirname(os.path.realpath(python)))  # noqa: PTH120


def _available() -> int | None:
    """Bytes of memory that programs could still get; None where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    found = next((line.split() for line in lines if line.startswith("MemAvailable:")), [])
    return int(found[1]) * 1024 if len(found) > 1 and found[1].isdigit() else None
