"""For tests of the fold: lines of operations, and a small fold of another make to compare with."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from ppgp_tui.gasp.folding.fold import Fold
from ppgp_tui.gasp.folding.graph import Graph
from tests.gasp.logs import event

DATA = Path(__file__).parent.parent / "data/gasp"


def line(payload: Any, name: str = "event_1", kind: str = "state.ops_applied") -> bytes:
    """One line without its newline, as the reference's writer lays it out."""
    return text(event(name, kind, payload))


def text(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def canonical(value: Any) -> str:
    """The text that recorded graphs are compared by."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def folded(log: bytes) -> Fold:
    fold = Fold()
    fold.take(log)
    return fold


def said(fold: Fold) -> dict[str, Any]:
    """Graph and skips in the form of the recorded cases."""
    return {"graph": fold.graph.as_json(), "skipped": [skip.as_json() for skip in fold.skipped]}


def graph_text(graph: Graph) -> str:
    return canonical(graph.as_json())


class Model:
    """The rules of the fold once more, as plainly as they can be said, on dictionaries."""

    def __init__(self) -> None:
        self.nodes: dict[str, Any] = {}
        self.relations: list[dict[str, Any]] = []
        self.version = 0
        self.skipped: list[tuple[int, str, str]] = []

    def take(self, payload: list[dict[str, Any]]) -> None:
        for index, op in enumerate(payload):
            ((variant, body),) = deepcopy(op).items()
            if variant == "CreateNode":
                self.nodes[body["id"]] = {**body, "stale": False, "tombstoned": False,
                                          "artifacts": []}  # fmt: skip
            elif variant == "CreateRelation":
                self.relations.append(body)
            elif variant == "DeleteRelation":
                self.relations = [
                    one for one in self.relations
                    if (one["from"], one["rel"], one["to"])
                    != (body["from"], body["rel"], body["to"])
                ]  # fmt: skip
            elif body["id"] not in self.nodes:
                self.skipped.append((index, variant, body["id"]))
                continue
            else:
                self._change(self.nodes[body["id"]], variant, body)
            self.version += 1

    def _change(self, node: dict[str, Any], variant: str, body: dict[str, Any]) -> None:
        if variant == "UpdateNode":
            node["props"] = self._merged(node["props"], body["props"])
        elif variant == "AttachArtifact":
            node["artifacts"].append({"hash": None, "summary": None, **body["artifact"]})
        elif variant == "TombstoneNode":
            node["tombstoned"] = True
            node["props"] = self._merged(node["props"], {"tombstone_reason": body["reason"]})
        else:
            node["stale"] = True
            node["props"] = self._merged(node["props"], {"stale_reason": body["reason"]})

    def _merged(self, old: Any, new: Any) -> Any:
        if not (isinstance(old, dict) and isinstance(new, dict)):
            return new
        return {**old, **{key: self._merged(old.get(key), new[key]) for key in new}}

    def as_json(self) -> dict[str, Any]:
        return {"nodes": self.nodes, "relations": self.relations, "version": self.version}


words = st.sampled_from(["a", "b", "c", "d", "", "goal_1", 'odd " id\\\n\t é\u2028 🙂'])
numbers = (
    st.integers(-(2**63), 2**64 - 1)
    | st.sampled_from([0, 1, -1, 2**53, 2**63, 2**64 - 1, -(2**63)])
    | st.floats(allow_nan=False, allow_infinity=False)
)
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=12,
)
props = st.dictionaries(words, values, max_size=4) | values
artifacts = st.fixed_dictionaries(
    {"kind": words, "uri": words, "metadata": values},
    optional={"hash": st.none() | words, "summary": st.none() | words},
)


def _op(variant: str, **members: Any) -> st.SearchStrategy[dict[str, Any]]:
    names = {"source": "from", "target": "to"}
    body = st.fixed_dictionaries({names.get(name, name): of for name, of in members.items()})
    return body.map(lambda members: {variant: members})


operations = st.one_of(
    _op("CreateNode", id=words, kind=words, props=props),
    _op("UpdateNode", id=words, props=props),
    _op("TombstoneNode", id=words, reason=words),
    _op("MarkStale", id=words, reason=words),
    _op("AttachArtifact", id=words, artifact=artifacts),
    _op("CreateRelation", source=words, rel=words, target=words, props=props),
    _op("DeleteRelation", source=words, rel=words, target=words),
)
batches = st.lists(st.lists(operations, max_size=6), max_size=12)
