"""The audit under way, and what a verdict would be about now. An edge.

The one who audits holds a lock for as long as it lives, so a progress whose lock nobody holds is of
an audit that was killed, and is not shown.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.canonical import UnserialisableError, digest
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.log.facts import LogSays
from ppgp_tui.session.picture.audit_state import PLACE, Running, subject

LOCK: Final = "lock"
PROGRESS: Final = "progress.json"
_LARGEST: Final = 256 * 1024
_TAIL: Final = 50


def running_now(root: Path) -> Running | None:
    """How far the audit under way in `root` is; None where none is, or it was killed."""
    try:
        with Folder.open(root, *PLACE.split("/")) as folder:
            if not held(folder):
                return None
            return _running(json.loads(folder.read(PROGRESS)[:_LARGEST]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def held(folder: Folder) -> bool:
    """Whether somebody audits: holds the lock in the open folder of the audit under way."""
    try:
        lock = folder.open_file(LOCK, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def code_now(root: Path, document: str) -> tuple[str | None, str]:
    """The digest of the code in `root`, or None and why it is not known. Asks Git; takes time."""
    from ppgp_tui.session.engine.bound import GitUnknownError, code_state

    try:
        return code_state(root, document_path=document).digest, ""
    except GitUnknownError as error:
        return None, str(error)


def bound_now(reading: GoalReading, says: LogSays, code: str | None) -> Mapping[str, Any]:
    """What a verdict would be about, as far as it is known (CONTRACTS 9)."""
    from ppgp_tui.session.engine.observed import contract

    goal = subject(says.lifecycle, has_document=reading.health != "MISSING")
    known: dict[str, Any] = {"goal": goal or None}
    try:
        agreed = contract(reading)
        if reading.health == "MISSING":
            agreed = digest(says.lifecycle.objective or "")
        state = says.plan.state if says.plan is not None else {"tasks": []}
        known |= {"contract": agreed, "plan": digest(state["tasks"])}
    except (UnserialisableError, KeyError, TypeError):
        pass
    return known | ({"code": code} if code is not None else {})


def _running(said: Any) -> Running:
    return Running(
        started_ms=int(said["started_ms"]),
        limit_s=int(said["limit_s"]),
        stage=str(said["stage"]),
        states={str(name): str(state) for name, state in said["states"].items()},
        check=str(said["check"]),
        command=str(said["command"]),
        command_ms=_whole(said["command_ms"]),
        command_limit_s=_whole(said["command_limit_s"]),
        output=tuple(map(str, said["output"]))[-_TAIL:],
        done=int(said["done"]),
        checks=int(said["checks"]),
        evidence=_texts(said.get("evidence")),
        isolation=str(said.get("isolation", "")),
    )


def _texts(value: Any) -> Mapping[str, str]:
    return {str(key): str(one) for key, one in value.items()} if isinstance(value, dict) else {}


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
