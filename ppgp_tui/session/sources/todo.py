"""`.ppgp/todo.json`: the plan as a file."""

from __future__ import annotations

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.pi.todo import TodoReading, read_todo
from ppgp_tui.session.canonical import UnserialisableError, digest
from ppgp_tui.session.sources.document import DamagedError
from ppgp_tui.session.sources.jsonfile import json_object


class TodoFile(NamedTuple):
    """What the file says."""

    reading: TodoReading
    digest: str | None
    """None when the value has no canonical form: then it equals no recorded plan."""


def parse_todo(data: bytes | None, path: str) -> TodoFile | None:
    """The plan within `data`, None for no file; raises `DamagedError`."""
    if data is None:
        return None
    mend = f"mend it, or restore it with git checkout -- {path}"
    value = json_object(data, path, mend)
    reading = read_todo(value)
    if reading is None:
        raise DamagedError(f"{path} holds no list of tasks", 1, mend)
    try:
        return TodoFile(reading, digest(value))
    except UnserialisableError:
        return TodoFile(reading, None)
