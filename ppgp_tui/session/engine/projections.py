"""The files that repeat what the log says: written again after each act, never trusted over it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from ppgp_tui.pi.goal import state_json
from ppgp_tui.session.canonical import UnserialisableError, canonical, digest
from ppgp_tui.session.engine import goals
from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.session.safefiles import Folder, components

GOAL_FILE = PurePosixPath(".ppgp/goal.json")
CONTROL_FILE = "control.json"
_TOO_LARGE = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class PlanFile:
    """`todo.json` beside what the log says of the plan."""

    state: Literal["same", "missing", "edited", "damaged"]
    data: bytes = b""
    value: Any = None


def look_at_plan(root: Path, path: PurePosixPath, ledger: Ledger) -> PlanFile:
    """Compare `todo.json` with the recorded plan."""
    data = read_file(root, path)
    if data is None:
        return PlanFile("missing")
    try:
        value = json.loads(data)
        same = digest(value) == digest(ledger.todo)
    except UnserialisableError:
        return PlanFile("edited", data, value)
    except (ValueError, RecursionError):
        return PlanFile("damaged", data)
    return PlanFile("same" if same else "edited", data, value)


def write_plan(root: Path, path: PurePosixPath, ledger: Ledger) -> None:
    """Write the recorded plan as Pi would."""
    publish(root, path, pretty(ledger.todo))


def write_goal(root: Path, ledger: Ledger) -> None:
    """Write Pi's goal state if the file says anything else."""
    data = pretty(state_json(goals.state_of(ledger)))
    if ledger.pi_revision and read_file(root, GOAL_FILE) != data:
        publish(root, GOAL_FILE, data)


def pretty(value: Json) -> bytes:
    """JSON with two blanks of indent and a newline, members in the order given."""
    return json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n"


def read_control(run: Folder) -> Json | None:
    """The order that stands, or None where there is none that can be read."""
    try:
        value = json.loads(run.read(CONTROL_FILE))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("schema") != 1:
        return None
    hold, generation = value.get("hold", ...), value.get("generation")
    if not isinstance(generation, int) or not (hold is None or isinstance(hold, dict)):
        return None
    if not isinstance(value.get("stop"), list) or not isinstance(value.get("continue"), dict):
        return None
    return value


def write_control(run: Folder, control: Json) -> None:
    """Publish an order; canonical, so that a hook can search its bytes."""
    run.publish(CONTROL_FILE, canonical(control) + b"\n")


def read_file(root: Path, path: PurePosixPath) -> bytes | None:
    """The bytes of a file below the root, reached without a link; None where there is none."""
    *folders, name = components(path)
    try:
        with Folder.open(root, *folders) as folder:
            found = folder.status(name)
            if found is not None and found.st_size > _TOO_LARGE:
                raise OSError(f"{path} is larger than 4 MiB")
            return folder.read(name)
    except FileNotFoundError:
        return None


def publish(root: Path, path: PurePosixPath, data: bytes, mode: int | None = None) -> None:
    """Replace a file below the root whole, through no link."""
    *folders, name = components(path)
    with Folder.open(root, *folders) as folder:
        if mode is None:
            folder.publish(name, data)
        else:
            folder.publish(name, data, mode=mode)
