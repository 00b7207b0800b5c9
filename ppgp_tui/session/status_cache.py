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
from pathlib import Path
from typing import Any

from ppgp_tui.version import __version__

Json = dict[str, Any]
_LARGEST = 4 * 1024 * 1024


def place(root: Path, environ: Mapping[str, str]) -> Path | None:
    """Where the cache of `root` is: as `places.root_folder`; None when that is inside the root."""
    state = environ.get("XDG_STATE_HOME", "")
    if not state.strip():
        state = os.path.expanduser("~/.local/state")  # noqa: PTH111 - as platformdirs does
    key = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
    file = Path(os.path.realpath(state), "ppgp-tui", "roots", key, "status.json")
    return None if file.is_relative_to(root) else file


def load(file: Path | None, root: Path) -> Json:
    """The memory kept for `root`; empty when there is none that may be trusted."""
    if file is None:
        return {}
    try:
        with file.open("rb") as cache:
            if os.fstat(cache.fileno()).st_uid != os.geteuid():
                return {}
            head, _, body = cache.read(_LARGEST).partition(b"\n")
        if head.decode("ascii") != _seal(body, root):
            return {}
        memory = json.loads(body)
    except (OSError, ValueError):
        return {}
    return memory if isinstance(memory, dict) else {}


def store(file: Path | None, root: Path, memory: Json) -> None:
    """Keep `memory` for the next call, whole or not at all; failing is no error."""
    if file is None:
        return
    body = json.dumps(memory, separators=(",", ":")).encode()
    fresh = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, _seal(body, root).encode() + b"\n" + body)
        finally:
            os.close(descriptor)
        fresh.replace(file)
    except OSError:
        return


def _seal(body: bytes, root: Path) -> str:
    """Ties a cache to this version, this root and its own bytes."""
    about = f"{__version__}\0{root}\0".encode("utf-8", "surrogateescape")
    return hashlib.sha256(about + body).hexdigest()
