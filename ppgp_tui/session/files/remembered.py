"""The last reading of a goal document, kept outside the repository.

Reading is quick, but loading the reader is a fifth of the time to the first picture. What is kept
counts only for the very same bytes, path and reader; anything else is as good as nothing, and
where it cannot be written nothing is lost but that time.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any, Final

from ppgp_tui.ppgp import reading as values
from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.version import __version__

FILE: Final = "reading.json"
_LARGEST: Final = 1024 * 1024
_CLASSES: Final = {
    kind.__name__: kind
    for kind in (
        values.Authority,
        values.Blocker,
        values.Criterion,
        values.Field,
        values.Finding,
        values.GoalReading,
        values.Item,
        values.NextAction,
        values.Section,
    )
}


def remembered(folder: Path, data: bytes, path: str, max_bytes: int) -> GoalReading | None:
    """Return what was read of exactly this document before, or None.

    `folder` is the root's own in the user's state folder; `path` and `max_bytes` as for
    `read_goal`.
    """
    try:
        with open(folder / FILE, "rb") as file:  # noqa: PTH123  # one open, on the way to a picture
            if os.fstat(file.fileno()).st_uid != os.geteuid():
                return None
            seal, _, body = file.read(_LARGEST + 1).partition(b"\n")
        if len(body) > _LARGEST or seal.decode("ascii") != _seal(data, path, max_bytes, body):
            return None
        found = _decoded(json.loads(body))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return found if isinstance(found, GoalReading) else None


def remember(folder: Path, data: bytes, path: str, max_bytes: int, reading: GoalReading) -> None:
    """Keep `reading` of this document, whole or not at all; failing is no error."""
    body = json.dumps(_encoded(reading), separators=(",", ":")).encode()
    if len(body) > _LARGEST:
        return
    fresh = folder / f"{FILE}.{os.getpid()}"
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, _seal(data, path, max_bytes, body).encode() + b"\n" + body)
        finally:
            os.close(descriptor)
        fresh.replace(folder / FILE)
    except OSError:
        return


def _seal(data: bytes, path: str, max_bytes: int, body: bytes) -> str:
    """Ties what is kept to the document, to the reader that read it and to its own bytes."""
    about = f"{__version__}\0{_reader()}\0{path}\0{max_bytes}\0{len(data)}\0"
    return hashlib.sha256(about.encode("utf-8", "surrogateescape") + data + body).hexdigest()


def _reader() -> str:
    """Changes with the code that reads, also where nobody raised the version."""
    folder = os.path.dirname(values.__file__)  # noqa: PTH120
    found = [entry.stat() for entry in os.scandir(folder) if entry.name.endswith(".py")]
    return f"{len(found)} {sum(one.st_size for one in found)} {max(s.st_mtime_ns for s in found)}"


def _encoded(value: Any) -> Any:
    kind = type(value).__name__
    if kind in _CLASSES:
        return [kind, *(_encoded(getattr(value, name)) for name in value.__match_args__)]
    return ["", *map(_encoded, value)] if isinstance(value, tuple) else value


def _decoded(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    kind, *members = value
    decoded = map(_decoded, members)
    return tuple(decoded) if kind == "" else _CLASSES[kind](*decoded)
