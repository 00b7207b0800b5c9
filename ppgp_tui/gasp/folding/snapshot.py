"""Snapshots: a graph with the proof of which lines it was folded from (GASP reference section 10).

A record is `{"graph": …, "integrity": {"event_id", "line_count", "sha256"}}`. Lines are physical
ones, blank ones too; the hash covers their bytes as they stand in the log.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import msgspec

from ppgp_tui.gasp import strict_json
from ppgp_tui.gasp.envelope import is_blank
from ppgp_tui.gasp.folding.fold import Fold, FoldError
from ppgp_tui.gasp.folding.graph import Graph, Node, Relation
from ppgp_tui.gasp.folding.ops import artifact_ref
from ppgp_tui.gasp.folding.ops_line import event_id
from ppgp_tui.gasp.folding.props import pack
from ppgp_tui.gasp.records import (
    Member,
    MismatchError,
    Record,
    anything,
    by_name,
    count,
    each,
    text,
    truth,
)

Json = Any


class SnapshotError(ValueError):
    """A snapshot cannot be used; the message is the reference's failure text."""


class NothingToKeepError(ValueError):
    """The log has no whole event line that a snapshot could end with."""


class Snapshot(NamedTuple):
    """A snapshot of a log's beginning, ready to be written."""

    event: str
    """The last event in it; the reference's name for the snapshot's folder."""
    lines: int
    data: bytes
    """The record as canonical JSON with a newline: keys sorted, no blanks."""


class Resumed(NamedTuple):
    """A fold of a whole log, and how it came to be."""

    fold: Fold
    """Its `skipped` and `unread` tell of the lines after the snapshot only, when it was used."""
    from_line: int
    """How many lines the snapshot saved; 0 when everything was folded."""
    reason: str | None
    """Why the snapshot was not used; None when it was."""


def take(log: bytes) -> Snapshot:
    """Fold the whole lines of `log` and return their snapshot.

    Raises `NothingToKeepError`, and `FoldError` when the log does not fold.
    """
    whole = log[: log.rfind(b"\n") + 1]
    fold = Fold()
    fold.take(whole)
    return of_fold(fold, whole)


def of_fold(fold: Fold, prefix: bytes) -> Snapshot:
    """Return the snapshot of `fold`, into which exactly the lines in `prefix` were folded.

    Raises `NothingToKeepError`.
    """
    event = _last_event(prefix)
    if event is None or not prefix.endswith(b"\n"):
        raise NothingToKeepError(
            "the log does not end with a whole event: record one first, or let doctor mend its end"
        )
    record = {
        "graph": fold.graph.as_json(),
        "integrity": {
            "event_id": event,
            "line_count": fold.lines,
            "sha256": hashlib.sha256(prefix).hexdigest(),
        },
    }
    return Snapshot(event, fold.lines, canonical(record) + b"\n")


def canonical(value: Json) -> bytes:
    """The value as compact JSON, keys sorted: equal values, equal bytes, whatever their order."""
    return msgspec.json.encode(value, order="deterministic")


def digest(data: bytes) -> str:
    """What to remember of a snapshot's bytes, in order to know them again."""
    return hashlib.sha256(data).hexdigest()


def verify(data: bytes, log: bytes) -> None:
    """Check a snapshot file against the log as check 2 does, folding its lines again.

    Raises `SnapshotError` with the reference's text.
    """
    graph, prefix, _ = _opened(data, log)
    fold = Fold()
    try:
        fold.take(prefix)
    except FoldError as error:
        raise SnapshotError(f"prefix does not parse: {error}") from error
    if not same_graph(graph, fold.graph):
        raise SnapshotError("snapshot differs from folding its log prefix")


def resume(data: bytes, log: bytes, known: str | None = None) -> Resumed:
    """Fold `log`, beginning from the snapshot where it can be trusted to be right.

    It is trusted when `known` is its `digest`, remembered from when it was made, and the log still
    begins with the lines it was made of. Otherwise everything is folded, and the reason said.
    Raises `FoldError`.
    """
    try:
        if known is None or known != digest(data):
            raise SnapshotError("its bytes are not the ones that were made here")
        graph, prefix, lines = _opened(data, log)
    except SnapshotError as error:
        fold = Fold()
        fold.take(log)
        return Resumed(fold, 0, str(error))
    fold = Fold(graph=graph, lines=lines)
    fold.take(log[len(prefix) :])
    return Resumed(fold, lines, None)


def same_graph(one: Graph, other: Graph) -> bool:
    """Whether two graphs are equal: nodes, relations in their order, version.

    Numbers compare by their kind in JSON: `1` and `1.0` differ.
    """
    mine, theirs = one.as_json(), other.as_json()
    return canonical(mine) == canonical(theirs) or strict_json.equal(mine, theirs)


_node = Record(
    "Node",
    Member("id", text),
    Member("kind", text),
    Member("props", anything),
    Member("stale", truth),
    Member("tombstoned", truth),
    Member("artifacts", each(artifact_ref)),
)
_relation = Record(
    "Relation",
    Member("from", text),
    Member("rel", text),
    Member("to", text),
    Member("props", anything),
)
_graph = Record(
    "Graph",
    Member("nodes", by_name(_node)),
    Member("relations", each(_relation)),
    Member("version", count),
)


def read_graph(value: Json) -> Graph:
    """Return the graph that a snapshot's `graph` member holds. Raises `MismatchError`."""
    members = _graph(value)
    graph = Graph()
    for key, node in members["nodes"].items():
        name, kind, props, stale, tombstoned, artifacts = node.values()
        attached = [pack(artifact) for artifact in artifacts]
        graph.nodes[key] = Node(name, kind, pack(props), stale, tombstoned, attached or ())
    for relation in members["relations"]:
        source, rel, target, props = relation.values()
        graph.relate(Relation(source, rel, target, pack(props)))
    graph.version = members["version"]
    return graph


def _opened(data: bytes, log: bytes) -> tuple[Graph, bytes, int]:
    """The record's graph, the bytes of the log it claims to be of, and how many lines they are."""
    try:
        record = strict_json.decode(data.decode())
    except UnicodeDecodeError as error:
        raise SnapshotError("unreadable: stream did not contain valid UTF-8") from error
    except strict_json.NotJsonError as error:
        raise SnapshotError(f"not JSON: {error.detail}") from error
    if not (isinstance(record, dict) and "graph" in record and "integrity" in record):
        raise SnapshotError("missing `graph` or `integrity` record")
    integrity = record["integrity"] if isinstance(record["integrity"], dict) else {}
    lines, sha256 = integrity.get("line_count"), integrity.get("sha256")
    if isinstance(lines, bool) or not isinstance(lines, int) or lines < 0:
        raise SnapshotError("integrity record missing numeric `line_count`")
    if not isinstance(sha256, str):
        raise SnapshotError("integrity record missing `sha256`")
    has = log.count(b"\n") + (not log.endswith(b"\n") and log != b"")
    if not 0 < lines <= has:
        raise SnapshotError(f"line_count {lines} out of range (log has {has} lines)")
    prefix = _first(log, lines)
    if hashlib.sha256(prefix).hexdigest() != sha256:
        raise SnapshotError("integrity hash mismatch (log prefix changed?)")
    event = integrity.get("event_id")
    if isinstance(event, str) and event != _last_event(prefix):
        raise SnapshotError(f"integrity event_id `{event}` is not the last event of the prefix")
    try:
        return read_graph(record["graph"]), prefix, lines
    except MismatchError as error:
        raise SnapshotError(f"graph does not parse: {error}") from error


def _first(log: bytes, lines: int) -> bytes:
    """The first so many lines with their newlines."""
    if lines == log.count(b"\n"):
        return log[: log.rfind(b"\n") + 1]
    end = 0
    for _ in range(lines):
        end = log.find(b"\n", end) + 1
        if not end:
            return log
    return log[:end]


def _last_event(prefix: bytes) -> str | None:
    end = len(prefix)
    while end > 0:
        begin = prefix.rfind(b"\n", 0, end - 1) + 1 if end > 0 else 0
        line = prefix[begin:end].removesuffix(b"\n")
        if not is_blank(line):
            return event_id(line)
        end = begin
    return None
