"""Ids of the decisions a goal document asks for: the same words keep the same id.

An id is `req_` and 32 hex digits of the SHA-256 over canonical JSON `[document path, text, n]`;
n tells equal texts apart. A reworded entry is a new request.
"""

from __future__ import annotations

from collections.abc import Sequence

from ppgp_tui.ppgp.reading import Item


def pending_id(path: str, text: str, n: int = 0) -> str:
    """Return the id of the `n`-th pending entry (from 0) that reads `text` in the document."""
    # Imported here: the first frame and the status line need neither.
    import hashlib
    import json

    canonical = json.dumps([path, text, n], ensure_ascii=False, separators=(",", ":"))
    return "req_" + hashlib.sha256(canonical.encode("utf-8", "replace")).hexdigest()[:32]


def pending_ids(path: str, pending: Sequence[Item]) -> tuple[str, ...]:
    """Return the id of each pending entry of the document at `path`, in order."""
    seen: dict[str, int] = {}
    ids = []
    for entry in pending:
        n = seen.get(entry.text, 0)
        seen[entry.text] = n + 1
        ids.append(pending_id(path, entry.text, n))
    return tuple(ids)
