"""The manifest `AGENT.md` and the identity hash (GASP reference section 3)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Final

from ppgp_tui.gasp.envelope import WHITE_SPACE

MANIFEST: Final = "AGENT.md"
_FENCE: Final = "```"
_KEY: Final = "identity_hash:"
_HASH = re.compile(r"[0-9a-f]{64}")


def declared_hash(manifest: str) -> str | None:
    """The value of `identity_hash` in the first fenced block, in lower case; None without one.

    It may be malformed: see `is_hash`.
    """
    inside = False
    for line in manifest.split("\n"):
        bare = line.strip(WHITE_SPACE)
        if bare.startswith(_FENCE):
            if inside:
                return None
            inside = True
        elif inside and bare.startswith(_KEY):
            value = bare.removeprefix(_KEY).strip(WHITE_SPACE)
            return "".join(sign.lower() if sign.isascii() else sign for sign in value)
    return None


def is_hash(text: str) -> bool:
    """Whether `text` is a SHA-256 in lower-case hex digits."""
    return _HASH.fullmatch(text) is not None


def identity_hash(files: Mapping[str, bytes]) -> str:
    """The SHA-256 over path, newline and bytes of every file, in byte order of the paths.

    Paths are relative to the repository, with `/`.
    """
    digest = hashlib.sha256()
    for path in sorted(files, key=_bytes):
        digest.update(_bytes(path) + b"\n")
        digest.update(files[path])
    return digest.hexdigest()


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
