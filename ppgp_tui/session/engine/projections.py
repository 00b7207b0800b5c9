"""The files that repeat what the log says: written again after each act, never trusted over it."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal

from ppgp_tui.pi.goal import state_json
from ppgp_tui.session.authority import answer as answers
from ppgp_tui.session.authority import answer_files, request_files
from ppgp_tui.session.authority.damage import DamagedError, read_bounded
from ppgp_tui.session.authority.restore import recorded_answer, restore
from ppgp_tui.session.canonical import UnserialisableError, canonical, digest
from ppgp_tui.session.engine import goals
from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.session.files.safe import Folder, UnsafePathError, components

GOAL_FILE: Final = PurePosixPath(".ppgp/goal.json")
TORN: Final = "torn"
_MOST: Final = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class PlanFile:
    """`todo.json` beside what the log says of the plan."""

    state: Literal["same", "outdated", "missing", "edited", "damaged", "dropped"]
    """`same` says nothing of the bytes; `outdated` is an earlier recorded plan, left by a kill or
    brought back by Git; `damaged` is no JSON, or nothing that can be read; `dropped` is an edit
    that nobody wants."""
    data: bytes = b""
    value: Any = None
    why: str = ""


def look_at_plan(root: Path, path: PurePosixPath, ledger: Ledger) -> PlanFile:
    """Compare `todo.json` with the recorded plan. Never raises for what lies there."""
    try:
        data = read_file(root, path)
    except (OSError, DamagedError) as error:
        return PlanFile("damaged", why=said(error))
    if data is None:
        return PlanFile("missing")
    try:
        value = json.loads(data)
        if digest(value) == digest(ledger.todo):
            return PlanFile("same", data, value)
        return PlanFile("outdated" if ledger.was_plan(value) else "edited", data, value)
    except UnserialisableError:
        return PlanFile("edited", data, value)
    except (ValueError, RecursionError):
        return PlanFile("damaged", data, why="not JSON")


def write_plan(root: Path, path: PurePosixPath, ledger: Ledger) -> None:
    """Write the recorded plan as Pi would, if one is recorded."""
    if ledger.todo["revision"]:
        publish(root, path, pretty(ledger.todo))


def write_goal(root: Path, ledger: Ledger) -> bool:
    """Write Pi's goal state if the file says anything else; return whether it did."""
    data = pretty(state_json(goals.state_of(ledger)))
    with suppress(OSError, DamagedError):
        if not ledger.pi_revision or read_file(root, GOAL_FILE) == data:
            return False
    publish(root, GOAL_FILE, data)
    return True


def write_requests(run: Folder, ledger: Ledger) -> list[str]:
    """Write the files of open requests that are missing or changed; return their names in `run`."""
    waiting = {
        request_id: entry
        for request_id, entry in ledger.requests.items()
        if entry["state"] in ("waiting", "answered") and not _is_on_disk(run, entry)
    }
    return restore(run, waiting) if waiting else []


def _is_on_disk(run: Folder, entry: Json) -> bool:
    """Whether both files of a request say what is recorded; one that does not is removed."""
    request_id = entry["request"]["id"]
    files = {request_files.FOLDER: (f"{request_id}.json", canonical(entry["request"]) + b"\n")}
    if entry["state"] == "answered":
        with suppress(DamagedError, KeyError):
            answer = answers.write(recorded_answer(entry))
            files[answer_files.FOLDER] = (f"{request_id}.{entry['attempt']}.json", answer)
    found = True
    for name, (file, data) in files.items():
        try:
            with run.child(name) as folder:
                if _holds(folder, file, data):
                    continue
                folder.remove(file)
        except FileNotFoundError:
            pass
        found = False
    return found


def _holds(folder: Folder, file: str, data: bytes) -> bool:
    try:
        return read_bounded(folder, file, len(data)) == data
    except (DamagedError, UnsafePathError):
        return False


def pretty(value: Json) -> bytes:
    """JSON with two blanks of indent and a newline, members in the order given."""
    return json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n"


def read_file(root: Path, path: PurePosixPath) -> bytes | None:
    """The bytes of a file below the root, reached without a link; None where there is none.

    Raises `DamagedError` for a file nobody should read, and OSErrors.
    """
    *folders, name = components(path)
    try:
        with Folder.open(root, *folders) as folder:
            return read_bounded(folder, name, _MOST)
    except FileNotFoundError:
        return None


def publish(root: Path, path: PurePosixPath, data: bytes) -> None:
    """Replace a file below the root whole, through no link."""
    *folders, name = components(path)
    with Folder.open(root, *folders, create=True) as folder:
        folder.publish(name, data)


def keep_aside(root: Path, path: PurePosixPath, run: Folder, now_ms: int) -> str:
    """Move whatever lies at `path` into `torn/`; return where it is now, seen from the root."""
    *folders, name = components(path)
    with Folder.open(root, *folders) as folder, run.child(TORN, create=True) as torn:
        while torn.status(kept := f"{now_ms}-{name}") is not None:
            now_ms += 1
        os.rename(name, kept, src_dir_fd=folder.descriptor, dst_dir_fd=torn.descriptor)
    return f".ppgp/run/{TORN}/{kept}"


def said(error: Exception) -> str:
    """What went wrong, in small letters."""
    return (getattr(error, "strerror", None) or str(error)).lower()
