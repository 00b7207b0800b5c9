"""The calls of a session, `.ppgp/run/agents/KEY.calls`, written and read off the fast path.

Lines are `MS pre|post|fail GENERATION go|held|deny ID|- SUBAGENT|- TOOL`.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Final, Literal, NamedTuple

from ppgp_tui.agents.hook.place import AGENTS, Place, now_ms
from ppgp_tui.session.files.safe import Folder, write_all

What = Literal["pre", "post", "fail"]
Decided = Literal["go", "held", "deny"]

WORD_MOST: Final = 96
TRIM_ABOVE: Final = 1024 * 1024
TRIM_TO: Final = 256 * 1024
TAIL: Final = 256 * 1024
"""Bytes at the end that are read."""

_FOREIGN = re.compile(r"[^A-Za-z0-9_.:-]", re.ASCII)


class Call(NamedTuple):
    """One line."""

    ms: int
    what: str
    generation: int
    decided: str
    id: str
    subagent: str
    tool: str

    @property
    def name(self) -> tuple[str, ...]:
        """What the lines of one call have in common."""
        return (self.id,) if self.id != "-" else (self.subagent, self.tool)


def word(text: str) -> str:
    """`text` as one word of a line."""
    return _FOREIGN.sub("_", text)[:WORD_MOST] or "-"


def write(place: Place, what: What, generation: int, decided: Decided) -> None:
    """Write one line about the call of this moment."""
    moment = place.moment
    words = word(moment.tool_use_id), word(moment.subagent), word(moment.tool)
    append(place, [f"{now_ms()} {what} {generation} {decided} {' '.join(words)}\n"])


def append(place: Place, lines: list[str]) -> None:
    """Append whole lines with one write."""
    if place.run is None or not lines:
        return
    with (
        place.unhurt("a call was not written down"),
        place.run.child(AGENTS, create=True) as folder,
    ):
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        descriptor = folder.open_file(f"{place.key}.calls", flags)
        try:
            write_all(descriptor, "".join(lines).encode())
        finally:
            os.close(descriptor)


def last(place: Place) -> list[Call]:
    """The newest calls, oldest first; none where they cannot be read."""
    if place.run is None:
        return []
    data = b""
    with suppress(OSError), place.run.child(AGENTS) as folder:
        data = _tail(folder, f"{place.key}.calls", TAIL)
    found = (_call(line) for line in data.decode("ascii", "replace").split("\n")[:-1])
    return [call for call in found if call is not None]


def open_calls(calls: list[Call], subagent: str | None = None) -> list[Call]:
    """The calls that began and have not ended, of one subagent (`-`: of none) or of all."""
    running: dict[tuple[str, ...], Call] = {}
    for call in calls:
        if call.what == "pre" and call.decided != "deny":
            running[call.name] = call
        else:
            running.pop(call.name, None)
    return [call for call in running.values() if subagent in (None, call.subagent)]


def close_open(place: Place) -> None:
    """The turn is over: what the agent itself began and nobody saw end has ended with it."""
    left = open_calls(last(place), "-")
    now = now_ms()
    append(place, [f"{now} fail {c.generation} go {c.id} - {c.tool}\n" for c in left])


def trim(place: Place) -> None:
    """Keep the newest part of a long file."""
    if place.run is None:
        return
    with place.unhurt("the calls were not trimmed"), place.run.child(AGENTS, create=True) as folder:
        name = f"{place.key}.calls"
        found = folder.status(name)
        if found is not None and found.st_size > TRIM_ABOVE:
            folder.publish(name, _tail(folder, name, TRIM_TO))


def _tail(folder: Folder, name: str, most: int) -> bytes:
    """The last whole lines of a file, `most` bytes of them."""
    with os.fdopen(folder.open_file(name, os.O_RDONLY), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        file.seek(max(0, size - most))
        data = file.read(most)
    return data if size <= most else data[data.find(b"\n") + 1 :]


def _call(line: str) -> Call | None:
    words = line.split(" ")
    if len(words) != 7 or not (words[0].isdecimal() and words[2].isdecimal()):
        return None
    return Call(int(words[0]), words[1], int(words[2]), *words[3:])
