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

from msgspec import MsgspecError, Struct

from ppgp_tui.gasp import strict_json
from ppgp_tui.gasp.folding import ops
from ppgp_tui.gasp.folding.graph import Graph, Node, Relation
from ppgp_tui.gasp.folding.ops_line import event_id as event_id
from ppgp_tui.gasp.folding.ops_line import fast_reader, likely_lines, read
from ppgp_tui.gasp.folding.props import EMPTY, pack, pack_sound, updated
from ppgp_tui.gasp.lines import LineNumbers, count_lines, in_pieces
from ppgp_tui.gasp.vocabulary import OPS_EVENT

Json = Any


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
        self._read_fast = fast_reader()

    def take(self, lines: bytes | Iterable[bytes], first_line: int | None = None) -> None:
        """Fold more lines in: whole lines of a log as they stand in it, or lines without newlines.

        `first_line` is the number of the first of them, when it does not follow the last one taken.
        Raises `FoldError`.
        """
        if self.error is not None:
            raise self.error
        if first_line is not None:
            self.lines = first_line - 1
        for piece in [lines] if isinstance(lines, bytes) else in_pieces(lines):
            self._take_piece(piece)

    def take_ops(self, batch: Iterable[ops.Op], line: int, event: str = "") -> None:
        """Apply the operations of one event.

        Raises `MissingNodeError` in strict mode.
        """
        for index, op in enumerate(batch):
            if not apply(op, self.graph):
                self._pass_over(op, index, line, event)

    def _take_piece(self, piece: bytes) -> None:
        numbers = LineNumbers(piece, self.lines)
        self.lines += count_lines(piece)
        graph, read_fast = self.graph, self._read_fast
        nodes, get, relate = graph.nodes, graph.nodes.get, graph.relate
        for start, line in likely_lines(piece):
            try:
                event = read_fast(line)
            except MsgspecError:
                self._take_odd_line(line, numbers.at(start))
                continue
            # `apply` once more: a call for each operation would cost as much as what it does.
            for index, op in enumerate(event.payload):
                if (new := op.CreateNode) is not None:
                    nodes[new.id] = Node(new.id, new.kind, pack_sound(new.props))
                elif (new := op.CreateRelation) is not None:
                    packed = pack_sound(new.props) if new.props != {} else EMPTY
                    relate(Relation(new.source, new.rel, new.target, packed))
                elif (new := op.DeleteRelation) is not None:
                    graph.unrelate(new.source, new.rel, new.target)
                else:
                    new = op.UpdateNode or op.AttachArtifact or op.MarkStale or op.TombstoneNode
                    if (node := get(new.id)) is None:
                        self._pass_over(new, index, numbers.at(start), event.id)
                        continue
                    if op.UpdateNode is not None:
                        node.packed = updated(node.packed, pack_sound(new.props))
                    elif op.AttachArtifact is not None:
                        node.attach(pack_sound(new.artifact))
                    elif op.MarkStale is not None:
                        node.age(new.reason)
                    else:
                        node.bury(new.reason)
                graph.version += 1

    def _take_odd_line(self, line: bytes, number: int) -> None:
        try:
            said = read(line)
        except strict_json.NotJsonError as error:
            self.unread.append(Unread(number, f"not JSON: {error.detail}"))
            return
        if said is None:
            return
        try:
            batch = ops.decode(said.payload)
        except ops.MalformedOpsError as error:
            self.error = MalformedPayloadError(error.detail, number, said.event)
            raise self.error from error
        self.take_ops(batch, number, said.event)

    def _pass_over(self, op: Any, index: int, line: int, event: str) -> None:
        """Note that the node of an operation does not exist; `op` is named as its variant."""
        reason = f"node not found: {op.id}"
        if self.strict:
            self.error = MissingNodeError(reason, line, event)
            raise self.error
        self.skipped.append(Skip(index, type(op).__name__, op.id, reason, line, event))


def apply(op: ops.Op, graph: Graph) -> bool:
    """Apply one operation; False when the node it needs is missing, and nothing was changed."""
    if isinstance(op, ops.CreateNode):
        graph.nodes[op.id] = Node(op.id, op.kind, pack(op.props))
    elif isinstance(op, ops.CreateRelation):
        graph.relate(op.relation)
    elif isinstance(op, ops.DeleteRelation):
        graph.unrelate(op.source, op.rel, op.target)
    elif (node := graph.nodes.get(op.id)) is None:
        return False
    elif isinstance(op, ops.UpdateNode):
        node.update(pack(op.props))
    elif isinstance(op, ops.AttachArtifact):
        node.attach(pack(op.artifact))
    elif isinstance(op, ops.MarkStale):
        node.age(op.reason)
    else:
        node.bury(op.reason)
    graph.version += 1
    return True


def fold_until(log: bytes, event: str, *, strict: bool = False) -> Fold:
    """Fold a whole log up to the event with that id and including it; its first place counts.

    Raises `UnknownEventError`, and `FoldError` as `Fold.take` does.
    """
    word = event.encode("utf-8", "replace")
    begin = 0
    while begin < len(log):
        end = log.find(b"\n", begin) + 1 or len(log)
        line = log[begin:end]
        if (word in line or b"\\" in line) and event_id(line) == event:
            fold = Fold(strict=strict)
            fold.take(log[:end])
            return fold
        begin = end
    raise UnknownEventError(event, count_lines(log))
