"""The fold: a log's lines become a graph (GASP reference section 7).

Lines are counted as they stand in the file, from 1, blank ones too. Only `state.ops_applied`
changes the graph, so only lines that may be one are decoded at all: a line that holds neither that
word nor an escape that could spell it is something else, whatever it is.

The fold judges no envelope. A line of JSON that says it is `state.ops_applied` is folded; what is
wrong with the rest of it is the business of conformance check 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from ppgp_tui.gasp import ops, strict_json
from ppgp_tui.gasp.graph import Graph, Node
from ppgp_tui.gasp.vocabulary import OPS_EVENT

Json = Any

_WORD = OPS_EVENT.encode()
_ESCAPE = b"\\u00"


class Skip(Struct, frozen=True):
    """An operation that was passed over, for its node does not exist."""

    index: int
    """Its place in its batch, from 0."""
    op: str
    """`UpdateNode`, `TombstoneNode`, `MarkStale` or `AttachArtifact`."""
    node: str
    reason: str
    line: int
    event: str
    """The event's id; empty where it has none."""

    def as_json(self) -> dict[str, Json]:
        """The four members that the reference reports."""
        return {"index": self.index, "op": self.op, "node": self.node, "reason": self.reason}


class Unread(Struct, frozen=True):
    """A line that may have held operations and is no event."""

    line: int
    detail: str


class FoldError(ValueError):
    """The log cannot be folded beyond a line. The graph stays as the lines before it made it."""

    def __init__(self, text: str, line: int, event: str) -> None:
        named = f"line {line}" + (f" (event {event})" if event else "")
        super().__init__(f"{named}: {text}")
        self.text = text
        """The reason alone, in the reference's words."""
        self.line = line
        self.event = event


class MalformedPayloadError(FoldError):
    """A `state.ops_applied` whose payload is no list of operations (section 7)."""

    def __init__(self, detail: str, line: int, event: str) -> None:
        super().__init__(f"invalid event payload for {OPS_EVENT}: {detail}", line, event)
        self.detail = detail


class MissingNodeError(FoldError):
    """In strict mode: an operation on a node that does not exist."""


class UnknownEventError(LookupError):
    """The event at which a fold should stop is not in the log."""

    def __init__(self, event: str, lines: int) -> None:
        super().__init__(
            f"no event {event!r} in the {lines} lines of the log; name the id of one of its events"
        )
        self.event = event


class Fold:
    """One graph and what was noticed while it was made.

    `strict` stops at operations on missing nodes, as older runtimes did, instead of passing over
    them. Once a line raised, every later `take` raises the same: the reference's fold ends there.
    """

    def __init__(self, *, strict: bool = False, graph: Graph | None = None, lines: int = 0) -> None:
        """`graph` and `lines`: go on from a graph that so many lines were folded into."""
        self.strict = strict
        self.graph = Graph() if graph is None else graph
        self.skipped: list[Skip] = []
        self.unread: list[Unread] = []
        self.lines = lines
        """How many lines were taken."""
        self.error: FoldError | None = None

    def take(self, lines: bytes | Iterable[bytes], first_line: int | None = None) -> None:
        """Fold more lines in: whole lines of a log as they stand in it, or one by one.

        `first_line` is the number of the first of them, when it does not follow the last one taken.
        Raises `FoldError`.
        """
        if self.error is not None:
            raise self.error
        if first_line is not None:
            self.lines = first_line - 1
        if isinstance(lines, bytes):
            lines = lines.split(b"\n")
            if not lines[-1]:
                lines.pop()
        for line in lines:
            self.lines += 1
            if _WORD in line or _ESCAPE in line:
                self._take_line(line)

    def take_ops(self, batch: Iterable[ops.Op], line: int, event: str = "") -> None:
        """Apply the operations of one event. The fold changes their values: do not use them again.

        Raises `MissingNodeError` in strict mode.
        """
        graph = self.graph
        for index, op in enumerate(batch):
            if isinstance(op, ops.CreateNode):
                graph.nodes[op.id] = Node(op.id, op.kind, op.props)
            elif isinstance(op, ops.CreateRelation):
                graph.relate(op.relation)
            elif isinstance(op, ops.DeleteRelation):
                graph.unrelate(op.source, op.rel, op.target)
            else:
                node = graph.nodes.get(op.id)
                if node is None:
                    self._missing(index, op, line, event)
                    continue
                _change(node, op)
            graph.version += 1

    def _take_line(self, line: bytes) -> None:
        try:
            event = strict_json.decode(line)
        except strict_json.NotJsonError as error:
            self.unread.append(Unread(self.lines, f"not JSON: {error.detail}"))
            return
        if isinstance(event, list) and len(event) == 8:
            event = dict(zip(("id", "", "", "", "kind", "payload"), event, strict=False))
        if not isinstance(event, dict) or event.get("kind") != OPS_EVENT:
            return
        name = event.get("id")
        name = name if isinstance(name, str) else ""
        try:
            batch = ops.decode(event.get("payload"))
        except ops.MalformedOpsError as error:
            self.error = MalformedPayloadError(error.detail, self.lines, name)
            raise self.error from error
        self.take_ops(batch, self.lines, name)

    def _missing(self, index: int, op: ops.Op, line: int, event: str) -> None:
        node = op.id  # type: ignore[union-attr]  # only operations on a node get here
        reason = f"node not found: {node}"
        if self.strict:
            self.error = MissingNodeError(reason, line, event)
            raise self.error
        self.skipped.append(Skip(index, type(op).__name__, node, reason, line, event))


def merge(into: Json, value: Json) -> Json:
    """Merge `value` into `into` and return the result; objects of both may be changed and shared.

    Members of objects are merged one by one; anything else replaces what was there.
    """
    if not (isinstance(into, dict) and isinstance(value, dict)):
        return value
    for name, item in value.items():
        old = into.get(name)
        into[name] = merge(old, item) if isinstance(old, dict) else item
    return into


def _change(
    node: Node, op: ops.UpdateNode | ops.TombstoneNode | ops.MarkStale | ops.AttachArtifact
) -> None:
    if isinstance(op, ops.UpdateNode):
        node.props = merge(node.props, op.props)
    elif isinstance(op, ops.AttachArtifact):
        node.artifacts = (*node.artifacts, op.artifact)
    elif isinstance(op, ops.TombstoneNode):
        node.tombstoned = True
        node.props = merge(node.props, {"tombstone_reason": op.reason})
    else:
        node.stale = True
        node.props = merge(node.props, {"stale_reason": op.reason})


def fold_until(log: bytes, event: str, *, strict: bool = False) -> Fold:
    """Fold a whole log up to the event with that id and including it; its first place counts.

    Raises `UnknownEventError`, and `FoldError` as `Fold.take` does.
    """
    lines = log.split(b"\n")
    if not lines[-1]:
        lines.pop()
    word = event.encode("utf-8", "replace")
    for number, line in enumerate(lines, 1):
        if (word in line or b"\\" in line) and event_id(line) == event:
            fold = Fold(strict=strict)
            fold.take(lines[:number])
            return fold
    raise UnknownEventError(event, len(lines))


def event_id(line: bytes) -> str | None:
    """The id that a line gives its event; None where it gives none."""
    try:
        event = strict_json.decode(line)
    except strict_json.NotJsonError:
        return None
    if isinstance(event, list):
        event = {"id": event[0]} if len(event) == 8 else None
    name = event.get("id") if isinstance(event, dict) else None
    return name if isinstance(name, str) else None
