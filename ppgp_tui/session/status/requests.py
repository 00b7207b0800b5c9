"""Requests that nobody recorded, for the status line: a waiting hook asks them on disk alone.

The app's rule (`on_disk.with_files`) on files read without anything heavy. What the app would call
damaged is left out.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from typing import Any, NamedTuple

from ppgp_tui.session.process import is_alive
from ppgp_tui.session.sources.heartbeat import sessions
from ppgp_tui.session.status.files import read

REQUESTS = ".ppgp/run/requests"
_MOST = 512 * 1024


class AskedOnDisk(NamedTuple):
    """One of them, as far as a `Glance` asks."""

    asker: str | None
    created_ms: int | None
    state: str = "waiting"


def asked_on_disk(root: str, recorded: Container[str], *, has_log: bool) -> Iterator[AskedOnDisk]:
    """Those whose asker still waits. Where there is a log only permissions count beside it."""
    for name in sessions(f"{root}/{REQUESTS}") or ():
        said = None if name in recorded else _object(root, name)
        if said is None or said.get("id") != name or said.get("schema") != 1:
            continue
        asker, created = said.get("asker"), said.get("created_ms")
        if (has_log and said.get("kind") != "permission") or not isinstance(asker, dict):
            continue
        if not isinstance(created, int) or not _waits(asker):
            continue
        session = asker.get("session")
        yield AskedOnDisk(session if isinstance(session, str) else None, created)


def _waits(asker: dict[str, Any]) -> bool:
    """Whether the process that asks is there; one that was not named may be."""
    pid, started = asker.get("pid"), asker.get("pid_start")
    if pid is None:
        return True
    return isinstance(pid, int) and is_alive(pid, started if isinstance(started, int) else None)


def _object(root: str, name: str) -> dict[str, Any] | None:
    data, _ = read(root, f"{REQUESTS}/{name}.json")
    try:
        said = json.loads(data) if len(data) <= _MOST else None
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None
