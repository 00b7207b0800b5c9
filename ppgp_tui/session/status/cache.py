"""What the status line keeps between calls: one small file in the user's state folder.

It is a memory, never a source: whatever it says holds only while the files it was read from are
the same. A cache that is damaged, of another version or of another root is as good as none, and
where it cannot be written nothing is lost but time.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any

from ppgp_tui.version import __version__

Json = dict[str, Any]
_LARGEST = 4 * 1024 * 1024
_SHAPE = 5
"""Of what is kept."""


def place(root: str, environ: Mapping[str, str]) -> str | None:
    """Where the cache of `root` is: as `places.root_folder`; None when that is inside the root."""
    file = os.path.join(own_folder(root, environ), "status.json")
    return None if file.startswith(f"{root}/".replace("//", "/")) else file


def own_folder(root: str, environ: Mapping[str, str]) -> str:
    """The part of the user's state folder that belongs to `root`, as `places.root_folder`."""
    state = environ.get("XDG_STATE_HOME", "")
    if not state.strip():
        state = os.path.expanduser("~/.local/state")
    key = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
    return os.path.join(os.path.realpath(state), "ppgp-tui", "roots", key)


def load(file: str | None, root: str) -> Json:
    """The memory kept for `root`; empty when there is none that may be trusted."""
    if file is None:
        return {}
    try:
        with open(file, "rb") as cache:
            if os.fstat(cache.fileno()).st_uid != os.geteuid():
                return {}
            head, _, body = cache.read(_LARGEST).partition(b"\n")
        if head.decode("ascii") != _seal(body, root):
            return {}
        memory = json.loads(body)
    except (OSError, ValueError):
        return {}
    return memory if isinstance(memory, dict) else {}


def store(file: str | None, root: str, memory: Json) -> None:
    """Keep `memory` for the next call, whole or not at all; failing is no error."""
    if file is None:
        return
    body = json.dumps(memory, separators=(",", ":")).encode()
    fresh = f"{file}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, _seal(body, root).encode() + b"\n" + body)
        finally:
            os.close(descriptor)
        os.replace(fresh, file)
    except OSError:
        return


def _seal(body: bytes, root: str) -> str:
    """Ties a cache to this version, this root and its own bytes."""
    about = f"{__version__}\0{_SHAPE}\0{root}\0".encode("utf-8", "surrogateescape")
    return hashlib.sha256(about + body).hexdigest()
