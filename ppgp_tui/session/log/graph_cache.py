"""The folded graph of a long log, kept outside the repository for the next time (CONTRACTS 3).

It is a memory, never a source. It counts only while the log is the file it was made from (same
device and inode, not shorter, the same 64 KiB before the offset), while every byte before the
offset is the same, while the code that made it is this code, and while it is whole itself. Whatever
disagrees, the log is folded anew.

The file: one line of JSON that says all this, then the parts, pickled. They are not unpickled
before their hash was compared, and then only classes that a graph consists of are.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import pickle
import sys
import time
from array import array
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from ppgp_tui.gasp.folding import fold, graph
from ppgp_tui.gasp.folding.fold import Fold
from ppgp_tui.gasp.telling import story
from ppgp_tui.gasp.telling.story import Story
from ppgp_tui.gasp.tracing import chains, edges, id_table, log_index
from ppgp_tui.gasp.tracing.id_table import IdTable
from ppgp_tui.gasp.tracing.log_index import DAMAGED, LogIndex
from ppgp_tui.session.journal.checkpoint import Mark, agrees, mark
from ppgp_tui.session.log.feed import Position
from ppgp_tui.session.log.lines import LogFile
from ppgp_tui.session.log.view import LogView

NAME: Final = "graph.cache"
_SCHEMA: Final = 1
_CHUNK: Final = 2_000
"""Nodes or relations pickled in one go, so that other threads are not held up."""
_READ: Final = 4 * 1024 * 1024
_MODULES: Final = (chains, edges, fold, graph, id_table, log_index, story)
_KNOWN: Final = {
    ("ppgp_tui.gasp.folding.graph", "Node"), ("ppgp_tui.gasp.folding.graph", "Relation"),
    ("ppgp_tui.gasp.folding.fold", "Skip"), ("ppgp_tui.gasp.folding.fold", "Unread"),
    ("ppgp_tui.gasp.tracing.chains", "Chains"), ("ppgp_tui.gasp.tracing.edges", "Edges"),
    ("ppgp_tui.gasp.telling.story", "Group"),
    ("array", "array"), ("array", "_array_reconstructor"),
}  # fmt: skip


class Kept(NamedTuple):
    """What a log folds into, up to a position."""

    fold: Fold
    links: LogIndex
    story: Story


def store(folder: Path, view: LogView, position: Position, kept: Kept) -> None:
    """Keep what the lines before `position` fold into; failing is no error.

    A reader sees the old cache or the new one, never a part. Of two that write at once one writes.
    """
    if kept.fold.error is not None:
        return
    try:
        folder.mkdir(parents=True, mode=0o700, exist_ok=True)
        fresh = folder / f"{NAME}.new"
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(fresh, flags, 0o600), "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.path.samestat(fresh.stat(), os.fstat(file.fileno())):
                return  # another writer has just put it in place
            file.truncate(0)
            _write(file, view, position, kept)
            fresh.rename(folder / NAME)
    except (OSError, pickle.PicklingError, _UnknownCodeError):
        return


def load(folder: Path, view: LogView) -> tuple[Kept, Position] | None:
    """What was kept of the log of `view`, and up to where; None unless all of it is proved."""
    try:
        with (folder / NAME).open("rb") as file:
            if os.fstat(file.fileno()).st_uid != os.geteuid():
                return None
            head = json.loads(file.readline(64 * 1024))
            position = Position(*head["position"])
            if (
                head["schema"] != _SCHEMA
                or head["code"] != _code()
                or not agrees(_Marked(view.file), Mark(**head["log"]))
                or not _is_at(view, position)
                or _digest_of(file) != head["parts"]
                or _digest(view.file, position.offset) != head["lines"]
            ):
                return None
            file.seek(0)
            file.readline()
            return _opened(file, view, position), position
    except (OSError, ValueError, LookupError, TypeError, AttributeError, EOFError):
        return None
    except (pickle.UnpicklingError, RecursionError, _UnknownCodeError):
        return None


def _write(file: BinaryIO, view: LogView, position: Position, kept: Kept) -> None:
    head = {
        "schema": _SCHEMA,
        "code": _code(),
        "log": asdict(mark(_Marked(view.file), position.offset)),
        "position": list(position),
        "lines": _digest(view.file, position.offset),
        "parts": "0" * 64,
    }
    line = json.dumps(head, separators=(",", ":")).encode() + b"\n"
    file.write(line)
    digest = hashlib.sha256()
    for part in _parts(kept):
        data = pickle.dumps(part, 5)
        digest.update(data)
        file.write(data)
        time.sleep(0)  # let the screen draw between two parts
    head["parts"] = digest.hexdigest()
    file.seek(0)
    file.write(json.dumps(head, separators=(",", ":")).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())


def _parts(kept: Kept) -> Iterator[Any]:
    made, index = kept.fold.graph, vars(kept.links)
    counts = len(made.nodes), len(made.relations), made.version, kept.fold.lines
    yield counts, kept.fold.skipped, kept.fold.unread
    yield from _chunks(iter(made.nodes.values()))
    yield from _chunks(iter(made.relations))
    for name in index:
        if name != "event_ids":  # secret to the process that made it
            yield name, index[name]
    yield None
    yield {name: value for name, value in vars(kept.story).items() if name != "index"}


def _chunks(items: Iterator[Any]) -> Iterator[list[Any]]:
    while chunk := list(islice(items, _CHUNK)):
        yield chunk


def _opened(file: BinaryIO, view: LogView, position: Position) -> Kept:
    parts = _Parts(file)
    (nodes, relations, version, lines), skipped, unread = parts.next()
    made = graph.Graph()
    while len(made.nodes) < nodes:
        made.nodes.update((node.id, node) for node in parts.next())
    left = relations
    while left > 0:
        for relation in (chunk := parts.next()):
            made.relate(relation)
        left -= len(chunk)
    made.version = version
    folded = Fold(graph=made, lines=lines)
    folded.skipped, folded.unread = skipped, unread
    index = LogIndex()
    while (part := parts.next()) is not None:
        setattr(index, *part)
    index.event_ids = IdTable.of_hashes(_hashes(view, position.events, index))
    told = Story(index)
    vars(told).update(parts.next())
    return Kept(folded, index, told)


def _hashes(view: LogView, count: int, index: LogIndex) -> array[int]:
    """The hashes of the events' ids, as this process has them of reading the log."""
    hashes = view.lines.ids[:count]
    nameless = hash("")
    for event, wanted in enumerate(index.states):
        if wanted == DAMAGED and hashes[event] == nameless:
            hashes[event] = hash(f"\0{event}")
    return hashes


class _Parts:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def next(self) -> Any:
        time.sleep(0)
        return _Unpickler(self._file).load()


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _KNOWN:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a graph")
        return super().find_class(module, name)


class _Marked:
    """A log as `checkpoint` looks at it."""

    def __init__(self, file: LogFile) -> None:
        self._file = file
        self.identity = file.identity
        self.size = file.stat().st_size

    def read(self, begin: int, end: int) -> bytes:
        return self._file.read(begin, end - begin)


def _is_at(view: LogView, position: Position) -> bool:
    """Whether the log of `view` has just as many events up to there."""
    count = position.events
    return 0 < count <= view.count and view.lines.after(count - 1) == position.offset


def _digest(log: LogFile, end: int) -> str:
    """The SHA-256 of the log's bytes before `end`; hashing keeps no other thread waiting."""
    digest = hashlib.sha256()
    for begin in range(0, end, _READ):
        digest.update(log.read(begin, min(_READ, end - begin)))
    return digest.hexdigest()


def _digest_of(file: BinaryIO) -> str:
    """The SHA-256 of what follows in `file`."""
    digest = hashlib.sha256()
    while data := file.read(_READ):
        digest.update(data)
    return digest.hexdigest()


class _UnknownCodeError(Exception):
    """The code cannot be read, so nobody could tell later what a cache was made by."""


def _code() -> str:
    """What made a cache: this code, this Python."""
    digest = hashlib.sha256(sys.version.encode())
    for module in _MODULES:
        try:
            digest.update(Path(module.__file__ or "").read_bytes())
        except OSError as error:
            raise _UnknownCodeError from error
    return digest.hexdigest()
