"""What a program of an audit can see and touch, as bubblewrap's arguments. Values in, values out.

Two profiles (CONTRACTS 9). *Command*: no network, an empty HOME, no folder of the person's but the
repository and the tools that run it, no sockets. *Auditor*: the repository read-only, network, a
throw-away HOME with nothing in it but copies of the credential files that were named.

The repository stands at its own path, because tools write such paths into what they install. Where
a command must write, that path holds a copy in memory: it is gone when the command is, however it
ends, and the work tree itself cannot be reached from inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, Literal, NamedTuple

Tree = Literal["read-only", "copy"]
"""How the work tree stands inside."""
ORIGINAL: Final = "/mnt"
"""Where the work tree can be read from while it is copied."""
HOME: Final = "/tmp/home"
_MIB: Final = 1024 * 1024
_ETC: Final = (
    "alternatives", "ca-certificates", "group", "java", "ld.so.cache", "ld.so.conf",
    "ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf", "passwd", "pki", "ssl", "timezone",
)  # fmt: skip
"""What programs of all kinds read there, and no more: the rest can hold secrets."""
_NETWORK_ETC: Final = ("hosts", "resolv.conf")
KEPT_OUT_OF_COPY: Final = (".nox", ".tox", ".venv", "node_modules", "venv")
"""Installed things in the root: large, written by an installer only, so they are not copied."""


class Limits(NamedTuple):
    """What one program may use."""

    seconds: int = 900
    output: int = 64 * _MIB
    """Bytes printed."""
    memory: int = 4096 * _MIB
    """Bytes of all its processes together, as they stand in memory."""
    processes: int = 512
    disk: int = 2048 * _MIB
    """Bytes of each of its folders in memory."""


class Place(NamedTuple):
    """What of this machine a sandbox shows."""

    root: str
    """The work tree, absolute."""
    links: Mapping[str, str]
    """Links at the top of the file system, such as `/bin` to `usr/bin`."""
    folders: Sequence[str]
    """Folders there that are shown read-only, such as `/usr`."""
    etc: Sequence[str]
    """Names in `/etc` that exist."""
    tools: Sequence[str] = ()
    """Folders of programs outside of these, such as a person's language tools."""
    hidden: Sequence[str] = ()
    """Folders inside the root that nothing of the audit may see."""
    installed: Sequence[str] = ()
    """Folders in the root that are shown as they are where the rest is a copy."""
    path: str = "/usr/local/bin:/usr/bin:/bin"


def command(
    bwrap: str,
    place: Place,
    argv: Sequence[str],
    tree: Tree,
    limits: Limits,
    *,
    network: bool = False,
) -> list[str]:
    """The arguments that run `argv` in the *command* profile; no shell reads its words.

    `network`: a person's settings let commands use it.
    """
    return [
        bwrap,
        *_outside(place, network=network),
        "--size", str(limits.disk), "--tmpfs", "/tmp", "--dir", HOME,
        *_work_tree(place, tree, limits),
        *_settings(place, HOME),
        "--",
        *(_copying(place) if tree == "copy" else ()),
        *argv,
    ]  # fmt: skip


def auditor(
    bwrap: str,
    place: Place,
    argv: Sequence[str],
    limits: Limits,
    *,
    home: str,
    variables: Mapping[str, str],
) -> list[str]:
    """The arguments that run an auditor: `home` is a throw-away folder with named credentials.

    `variables` are added to the few that every program gets.
    """
    return [
        bwrap,
        *_outside(place, network=True),
        "--size", str(limits.disk), "--tmpfs", "/tmp",
        "--bind", home, HOME,
        *_work_tree(place, "read-only", limits),
        *_settings(place, HOME),
        *(word for name, value in variables.items() for word in ("--setenv", name, value)),
        "--",
        *argv,
    ]  # fmt: skip


def _outside(place: Place, *, network: bool) -> Iterator[str]:
    yield from ("--unshare-all", "--new-session", "--die-with-parent", "--clearenv")
    if network:
        yield "--share-net"
    for folder in place.folders:
        yield from ("--ro-bind", folder, folder)
    for name, target in place.links.items():
        yield from ("--symlink", target, name)
    for name in place.etc:
        if name in _ETC or (network and name in _NETWORK_ETC):
            yield from ("--ro-bind", f"/etc/{name}", f"/etc/{name}")
    yield from ("--proc", "/proc", "--dev", "/dev")
    for folder in place.tools:
        yield from ("--ro-bind", folder, folder)


def _work_tree(place: Place, tree: Tree, limits: Limits) -> Iterator[str]:
    if tree == "read-only":
        yield from ("--ro-bind", place.root, place.root)
    else:
        yield from ("--ro-bind", place.root, ORIGINAL)
        yield from ("--size", str(limits.disk), "--tmpfs", place.root)
        for folder in place.installed:
            yield from ("--ro-bind", folder, folder)
    for folder in place.hidden:
        within = str(PurePosixPath(folder).relative_to(place.root))
        yield from ("--tmpfs", folder if tree == "read-only" else f"{ORIGINAL}/{within}")
    yield from ("--chdir", place.root)


def _copying(place: Place) -> Iterator[str]:
    """Copy first, then become the command: its words are arguments here, never text of a script."""
    skipped = [f"--exclude=./{PurePosixPath(folder).name}" for folder in place.installed]
    script = (
        'n=$1; shift; skip=; while [ "$n" -gt 0 ]; do skip="$skip $1"; shift; n=$((n-1)); done; '
        f"tar -C {ORIGINAL} $skip -cf - . | tar -xf - || exit 125; "
        'exec "$@"'
    )
    yield from ("/bin/sh", "-c", script, "sh", str(len(skipped)), *skipped)


def _settings(place: Place, home: str) -> Iterator[str]:
    own = {
        "PATH": place.path,
        "HOME": home,
        "TMPDIR": "/tmp",
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "CI": "1",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    return (word for name, value in own.items() for word in ("--setenv", name, value))


def tool_folders(path: str, home: str, exists: Iterable[str]) -> tuple[str, ...]:
    """The folders of `PATH` and of known language tools that lie outside the system's own.

    `exists` are the folders that are there. A folder that could hold credentials is never one.
    """
    there = set(exists)
    known = [f"{home}/{name}" for name in TOOLS]
    listed = [folder.rstrip("/") for folder in path.split(":") if folder.startswith("/")]
    wanted = [folder for folder in (*listed, *known) if folder in there and _is_tool(folder, home)]
    kept: list[str] = []
    for folder in sorted(dict.fromkeys(wanted)):
        if not any(folder.startswith(other + "/") for other in kept):
            kept.append(folder)
    return tuple(kept)


TOOLS: Final = (
    ".asdf", ".bun/bin", ".cargo/bin", ".cargo/git", ".cargo/registry", ".deno/bin", ".ghcup",
    ".local/bin", ".local/lib", ".local/pipx/venvs", ".local/share/mise", ".local/share/uv",
    ".nvm/versions", ".pyenv", ".rbenv", ".rustup", ".sdkman/candidates", ".volta", "go/bin",
    "go/pkg/mod",
)  # fmt: skip
_SYSTEM: Final = ("/bin", "/lib", "/sbin", "/usr", "/tmp", "/proc", "/dev", "/run", "/sys", "/etc")


def _is_tool(folder: str, home: str) -> bool:
    if folder in ("/", home) or any(folder == s or folder.startswith(s + "/") for s in _SYSTEM):
        return False
    return not home.startswith(folder + "/")
