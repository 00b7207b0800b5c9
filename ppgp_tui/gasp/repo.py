"""Reads an agent repository into a value. An edge: this touches the disk, and only reads.

Links are followed, as the protocol's checker does. Pipes and devices are never opened, and nothing
larger than its limit is read, so no repository can make a reader wait for ever.
"""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterator
from typing import Final

from ppgp_tui.gasp.checks.names import LOG
from ppgp_tui.gasp.checks.repository import AgentRepository, Unreadable
from ppgp_tui.gasp.manifest import MANIFEST

LARGEST_LOG: Final = 2**31
"""Bytes of a file that is append-only."""
_LARGEST: Final = 64 * 1024 * 1024
"""Bytes of a manifest, a pack, a snapshot, or all of the identity."""
_FILES: Final = 10_000
"""Files of an identity, entries of a folder."""
_PIECE: Final = 1 << 16
_NOT_TEXT: Final = "stream did not contain valid UTF-8"


def read_repository(root: str) -> AgentRepository:
    """Return what the checks read of the repository in the folder `root`; it need not be there."""
    path = os.path.join(root, LOG)
    log = read_text(path)
    if isinstance(log, Unreadable):
        log = Unreadable(f"cannot read {printable(path)}: {log.why}")
    return AgentRepository(
        log,
        read_manifest(root),
        read_identity(root),
        read_snapshots(root),
        read_packs(root),
    )


def read_manifest(root: str) -> bytes | Unreadable | None:
    """The manifest's bytes; None when there is no such file."""
    path = os.path.join(root, MANIFEST)
    return read_bytes(path, _LARGEST) if os.path.isfile(path) else None


def read_identity(root: str) -> dict[str, bytes] | Unreadable | None:
    """Every file below `identity/`, or the root's `IDENTITY.md`; None when there is neither.

    Keys are paths relative to `root`, with `/`.
    """
    if os.path.isdir(os.path.join(root, "identity")):
        files: dict[str, bytes] = {}
        room = _LARGEST
        try:
            for path in _below(root, "identity", ()):
                data = read_bytes(os.path.join(root, path), room)
                if isinstance(data, Unreadable):
                    return data
                files[path] = data
                room -= len(data)
                if len(files) > _FILES:
                    return Unreadable(f"more than {_FILES} files")
        except OSError as error:
            return Unreadable(said(error))
        return files
    if os.path.isfile(os.path.join(root, "IDENTITY.md")):
        data = read_bytes(os.path.join(root, "IDENTITY.md"), _LARGEST)
        return data if isinstance(data, Unreadable) else {"IDENTITY.md": data}
    return None


def read_bytes(path: str, largest: int = LARGEST_LOG) -> bytes | Unreadable:
    """The bytes of a regular file, or why they cannot be had, as the protocol's checker says it."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return Unreadable(_odd(path))
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return Unreadable("not a regular file")
            data = file.read(largest + 1)
    except OSError as error:
        return Unreadable(said(error))
    except ValueError as error:  # a NUL in the path
        return Unreadable(str(error))
    if len(data) > largest:
        return Unreadable(f"larger than {largest} bytes")
    return data


def read_text(path: str, largest: int = LARGEST_LOG) -> bytes | Unreadable:
    """The bytes of a regular file that is UTF-8, or why they cannot be had."""
    data = read_bytes(path, largest)
    if isinstance(data, Unreadable) or _is_utf8(data):
        return data
    return Unreadable(_NOT_TEXT)


def _is_utf8(data: bytes) -> bool:
    """Piece by piece: the text of a whole log would take four times its room."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for begin in range(0, len(data), _PIECE):
            decoder.decode(data[begin : begin + _PIECE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def said(error: OSError) -> str:
    """An error of the operating system in the words of the protocol's checker."""
    return f"{error.strerror} (os error {error.errno})"


def _odd(path: str) -> str:
    """Why something is not read that is no regular file."""
    if os.path.isdir(path):
        return "Is a directory (os error 21)"
    return "not a regular file"


def printable(path: str) -> str:
    """A path as text, what is no UTF-8 in it replaced."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _below(root: str, folder: str, above: tuple[tuple[int, int], ...]) -> Iterator[str]:
    """Relative paths of all that is no folder; a folder that leads back to itself is an error."""
    full = os.path.join(root, folder)
    status = os.stat(full)
    here = (status.st_dev, status.st_ino)
    if here in above:
        raise OSError(40, os.strerror(40))
    for name in sorted(os.listdir(full)):
        path = f"{folder}/{name}"
        if os.path.isdir(os.path.join(root, path)):
            yield from _below(root, path, (*above, here))
        else:
            yield path


def read_snapshots(root: str) -> dict[str, bytes | Unreadable | None] | Unreadable | None:
    """Every `graph.json` by the name of the folder it is in; None when there is no `snapshots/`."""
    folder = os.path.join(root, "snapshots")
    if not os.path.isdir(folder):
        return None
    names = _names(folder)
    if isinstance(names, Unreadable):
        return names
    found: dict[str, bytes | Unreadable | None] = {}
    for name in names:
        path = os.path.join(folder, name, "graph.json")
        found[printable(name)] = read_text(path, _LARGEST) if os.path.isfile(path) else None
    return found


def read_packs(root: str) -> dict[str, bytes | Unreadable] | Unreadable:
    """The files `*.json` of `.agent/packs` by name."""
    folder = os.path.join(root, ".agent/packs")
    if not os.path.exists(folder):
        return {}
    names = _names(folder)
    if isinstance(names, Unreadable):
        return names
    return {
        printable(name): read_text(os.path.join(folder, name), _LARGEST)
        for name in names
        if name.endswith(".json") and name != ".json"
    }


def _names(folder: str) -> list[str] | Unreadable:
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        return Unreadable(said(error))
    return names if len(names) <= _FILES else Unreadable(f"more than {_FILES} entries")
