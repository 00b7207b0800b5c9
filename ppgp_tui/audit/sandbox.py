"""What a program of an audit can see and touch, as bubblewrap's arguments. Values in, values out.

Two profiles (CONTRACTS 9). *Command*: no network, an empty HOME, no folder of the person's but the
repository and the tools that run it, no sockets. *Auditor*: the repository read-only, network, a
throw-away HOME with nothing in it but copies of the credential files that were named.

The repository stands at its own path, because tools write such paths into what they install. A
command finds a copy of it there, in memory: it is gone when the command is, however it ends, and
the work tree itself is not there. What an installer or Git wrote stands in the copy as it is,
read-only. An auditor, and a command whose work tree is too large to copy, find it read-only.

In both, nothing outlives the program, nobody has a capability or may get one, and what is writable
is in memory and bounded. A program can still use up a core of the processor, and what the kernel
itself gets wrong is out of reach of this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ppgp_tui.audit.warden import BEGAN, FILES, TREE, WHOLE

HOME: Final = "/tmp/home"
_MIB: Final = 1024 * 1024
ETC: Final = (
    "alternatives", "ca-certificates", "ca-certificates.conf", "crypto-policies", "group", "java",
    "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf",
    "passwd", "pki/ca-trust", "pki/tls/certs", "pki/tls/cert.pem", "protocols", "services",
    "ssl/cert.pem", "ssl/certs", "ssl/openssl.cnf", "timezone",
)  # fmt: skip
"""What programs of all kinds read there, and no more: the rest can hold secrets."""
NETWORK_ETC: Final = ("gai.conf", "hosts", "resolv.conf")


class Limits(NamedTuple):
    """What one program may use."""

    seconds: float = 900
    output: int = 64 * _MIB
    """Bytes printed."""
    memory: int = 4096 * _MIB
    """Bytes of all its processes together, as they stand in memory."""
    processes: int = 512
    disk: int = 2048 * _MIB
    """Bytes of each of its folders in memory: the work tree, `/tmp`, `/dev/shm`."""
    files: int = 100_000
    """In the copy of the work tree."""


class Place(NamedTuple):
    """What of this machine a sandbox shows."""

    root: str
    """The work tree, absolute."""
    links: Mapping[str, str]
    """Links at the top of the file system, such as `/bin` to `usr/bin`."""
    folders: Sequence[str]
    """Folders there that are shown read-only, such as `/usr`."""
    etc: Sequence[str] = ()
    """Paths in `/etc` that are shown."""
    network_etc: Sequence[str] = ()
    """Those that are shown with the network only."""
    tools: Sequence[str] = ()
    """Folders of programs outside of these, such as a person's language tools."""
    git: Sequence[str] = ()
    """Folders outside the root that hold its repository, when it is a linked work tree."""
    hidden: Sequence[str] = ()
    """Folders inside the root that nothing of the audit may see."""
    as_it_is: Sequence[str] = ()
    """Folders in the root that are shown read-only where the rest is a copy."""
    doors: Sequence[str] = ()
    """Sockets and pipes in the root and its repository: read-only as they are, one could use them
    to speak to a program outside."""
    path: str = "/usr/local/bin:/usr/bin:/bin"
    forbids: tuple[str, ...] = ()
    """Arguments of bubblewrap that not every version knows and that this one does."""


def command(
    bwrap: str,
    place: Place,
    argv: Sequence[str],
    limits: Limits,
    *,
    copied: bool,
    network: bool = False,
) -> list[str]:
    """The arguments that run `argv` in the *command* profile; no shell reads its words.

    `copied`: the work tree is a copy, which comes as an archive. `network`: a person's settings
    let commands use it.
    """
    return [
        *_outside(bwrap, place, limits, network=network),
        "--perms", "0700", "--dir", HOME,
        *(_copy(place, limits) if copied else _read_only(place)),
        "--",
        *_started(argv, limits, copied=copied),
    ]  # fmt: skip


def auditor(
    bwrap: str,
    place: Place,
    argv: Sequence[str],
    limits: Limits,
    *,
    files: Sequence[str],
) -> list[str]:
    """The arguments that run an auditor; `files` are the paths of those it gets in its HOME."""
    return [
        *_outside(bwrap, place, limits, network=True),
        "--perms", "0700", "--dir", HOME,
        *_given(files),
        *_read_only(place),
        "--",
        *_started(argv, limits, copied=False),
    ]  # fmt: skip


def _outside(bwrap: str, place: Place, limits: Limits, *, network: bool) -> Iterator[str]:
    yield from (bwrap, "--unshare-all", "--new-session", "--die-with-parent")
    # Root would keep its capabilities, and could make anything writable again.
    yield from ("--cap-drop", "ALL", *place.forbids)
    if network:
        yield "--share-net"
    for folder in place.folders:
        yield from ("--ro-bind", folder, folder)
    for name, target in place.links.items():
        yield from ("--symlink", target, name)
    for name in (*place.etc, *(place.network_etc if network else ())):
        yield from ("--ro-bind", f"/etc/{name}", f"/etc/{name}")
    # Root owns files there, such as the kernel's settings, and needs no capability to write.
    yield from ("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev")
    yield from ("--size", str(limits.disk), "--tmpfs", "/dev/shm", "--remount-ro", "/dev")
    yield from ("--size", str(limits.disk), "--perms", "1777", "--tmpfs", "/tmp")
    for folder in (*place.tools, *place.git):
        yield from ("--ro-bind", folder, folder)


def _given(files: Sequence[str]) -> Iterator[str]:
    for at, name in enumerate(files):
        yield from ("--perms", "0600", "--file", str(FILES + at), f"{HOME}/{name}")


def _read_only(place: Place) -> Iterator[str]:
    yield from ("--ro-bind", place.root, place.root)
    for folder in place.hidden:
        yield from ("--size", "4096", "--tmpfs", folder, "--remount-ro", folder)
    yield from _closed(place, place.doors)


def _copy(place: Place, limits: Limits) -> Iterator[str]:
    yield from ("--size", str(limits.disk), "--tmpfs", place.root)
    for folder in place.as_it_is:
        yield from ("--ro-bind", folder, folder)
    below = tuple(f"{folder}/" for folder in (*place.as_it_is, *place.git))
    yield from _closed(place, [door for door in place.doors if door.startswith(below)])


def _closed(place: Place, doors: Sequence[str]) -> Iterator[str]:
    for door in doors:
        if not door.startswith(tuple(f"{folder}/" for folder in place.hidden)):
            yield from ("--ro-bind", "/dev/null", door)
    # Last of all: until here the folders above those that are shown are made.
    yield from ("--remount-ro", "/", "--chdir", place.root)


def _started(argv: Sequence[str], limits: Limits, *, copied: bool) -> tuple[str, ...]:
    """Say that it begins, then become the program: its words are arguments, never a script's text.

    The number of processes is bounded here, where the kernel counts those inside alone; a shell has
    one of two names for that bound, and root none.
    """
    unpack = (
        f"tar --no-same-owner -xpf - <&{TREE} && read -r whole <&{WHOLE} || exit 125; "
        if copied
        else ""
    )
    bounds = f"ulimit -c 0; ulimit -p {limits.processes} || ulimit -u {limits.processes}; "
    script = (
        f"{unpack}{{ {bounds}}} 2>/dev/null; "
        f"printf b >&{BEGAN}; exec {BEGAN}>&- {TREE}<&- {WHOLE}<&-; "
        'exec "$@"'
    )
    return ("/bin/sh", "-c", script, "sh", *argv)


def environment(place: Place) -> dict[str, str]:
    """The variables of every program in a sandbox: bubblewrap hands on its own, and has no others.

    Never arguments: what the arguments of a program are, everybody on the machine can see.
    """
    return {
        "PATH": place.path,
        "HOME": HOME,
        "TMPDIR": "/tmp",
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "CI": "1",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_OPTIONAL_LOCKS": "0",
    }
