"""A Pi session file, read while Pi writes it: which branch is current, and what it says.

Lines come one by one, each with its offset. No plan and no goal is kept: each is found again by the
offset of its line (Pi reference sections 1.2 to 1.7).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ppgp_tui.pi.javascript import trim
from ppgp_tui.pi.plan import Removal

TODO: Final = "pi-todo-state-v1"
GOAL: Final = "pi-goal-state-v1"


class NoSessionError(ValueError):
    """The first line that can be read is no header of a session."""


class Header(NamedTuple):
    """The first line."""

    id: str
    cwd: str
    version: int = 1


class Entry(NamedTuple):
    """One entry of the tree, without its content."""

    id: str
    parent: str | None
    offset: int
    timestamp: str
    kind: str = ""
    """The custom type of a snapshot of plan or goal, else empty."""
    removals: tuple[Removal, ...] = ()
    """For the result of an accepted `todo` call: why tasks left."""
    revision: int | None = None
    """For a snapshot of the plan, and for such a result: the revision it speaks of."""


class PlanEntry(NamedTuple):
    """A revision of the plan on the current branch."""

    entry: str
    offset: int
    timestamp: str
    revision: int | None
    removals: tuple[Removal, ...]


class SessionFile:
    """Everything needed of one session file, gathered line by line."""

    def __init__(self) -> None:
        self.header: Header | None = None
        self.broken = 0
        """Lines that could not be read; Pi skips them too."""
        self._entries: dict[str, Entry] = {}
        self._branch: list[Entry] = []
        self._calls: dict[str, tuple[Removal, ...]] = {}
        self.model = ""
        """The model that spoke last."""

    def take(self, line: bytes, offset: int) -> None:
        """Take in one line without its line end. Raises `NoSessionError` for another file."""
        if not line.strip():
            return
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            self.broken += 1
            return
        if not isinstance(said, dict):
            self.broken += 1
            return
        if self.header is None:
            self.header = _header(said)
            return
        entry = self._entry(said, offset)
        self._entries[entry.id] = entry
        follows = not self._branch or entry.parent == self._branch[-1].id
        self._branch = [*self._walk(entry)] if not follows else self._branch
        if follows:
            self._branch.append(entry)

    @property
    def branch(self) -> Sequence[Entry]:
        """The entries from the root to the last one in the file, which is the current branch."""
        return self._branch

    def plans(self) -> tuple[PlanEntry, ...]:
        """The revisions of the plan on the current branch, oldest first.

        A copy that compaction wrote is no revision of its own.
        """
        found: list[PlanEntry] = []
        reasons = {one.revision: one.removals for one in self._branch if one.removals}
        for entry in self._branch:
            if entry.kind != TODO:
                continue
            if found and entry.revision is not None and found[-1].revision == entry.revision:
                continue
            why = reasons.get(entry.revision, ())
            found.append(PlanEntry(entry.id, entry.offset, entry.timestamp, entry.revision, why))
        return tuple(found)

    def newest(self, kind: str) -> Entry | None:
        """The newest snapshot of `kind` on the current branch, or None."""
        return next((entry for entry in reversed(self._branch) if entry.kind == kind), None)

    def _walk(self, leaf: Entry) -> Sequence[Entry]:
        """The chain of parents up to `leaf`; an unknown parent, or a circle, ends it."""
        found: list[Entry] = []
        seen: set[str] = set()
        at: str | None = leaf.id
        while at is not None and at in self._entries and at not in seen:
            seen.add(at)
            found.append(self._entries[at])
            at = self._entries[at].parent
        return found[::-1]

    def _entry(self, said: Mapping[str, Any], offset: int) -> Entry:
        linear = self.header is not None and self.header.version < 2
        name, parent = said.get("id"), said.get("parentId")
        if linear or not isinstance(name, str):
            name, parent = f"line-{offset}", self._branch[-1].id if self._branch else None
        kind = said.get("customType") if said.get("type") == "custom" else None
        kind = kind if kind in (TODO, GOAL) else ""
        removals: tuple[Removal, ...] = ()
        revision = _revision(said.get("data")) if kind else None
        message = said.get("message")
        if said.get("type") == "message" and isinstance(message, Mapping):
            self._note_calls(message)
            removals, revision = self._result(message)
        return Entry(
            id=name,
            parent=parent if isinstance(parent, str) else None,
            offset=offset,
            timestamp=_text(said.get("timestamp")),
            kind=kind,
            removals=removals,
            revision=revision,
        )

    def _note_calls(self, message: Mapping[str, Any]) -> None:
        """Remember why a call wants tasks removed, until its result says that it was accepted."""
        if message.get("role") != "assistant":
            return
        self.model = _text(message.get("model")) or self.model
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            if isinstance(block, Mapping) and block.get("name") == "todo":
                removals = tuple(_removals(block.get("arguments")))
                if removals:
                    self._calls[_text(block.get("id"))] = removals

    def _result(self, message: Mapping[str, Any]) -> tuple[tuple[Removal, ...], int | None]:
        """The reasons of an accepted `todo` call and the revision it made."""
        if message.get("role") != "toolResult" or message.get("toolName") != "todo":
            return (), None
        removals = self._calls.pop(_text(message.get("toolCallId")), ())
        accepted = message.get("isError") is False
        return (removals, _revision(message.get("details"))) if accepted else ((), None)


def _header(said: Mapping[str, Any]) -> Header:
    if said.get("type") != "session" or not isinstance(said.get("id"), str):
        raise NoSessionError("no session of Pi: its first line is no header")
    version = said.get("version", 1)
    return Header(said["id"], _text(said.get("cwd")), version if isinstance(version, int) else 1)


def _revision(data: Any) -> int | None:
    revision = data.get("revision") if isinstance(data, Mapping) else None
    return revision if isinstance(revision, int) and not isinstance(revision, bool) else None


def _removals(arguments: Any) -> Iterator[Removal]:
    listed = arguments.get("remove") if isinstance(arguments, Mapping) else None
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, Mapping) and isinstance(item.get("key"), str):
            yield Removal(trim(item["key"]), trim(_text(item.get("reason"))))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
