"""Payloads as operations, with the reference's words for what is none (GASP section 6)."""

import json
from typing import Any

import pytest

from ppgp_tui.gasp.folding import ops
from tests.gasp.folds import DATA

LINK = {"from": "a", "rel": "serves", "to": "b"}
ARTIFACT = {"kind": "file", "uri": "a.txt", "metadata": {}}


def recorded() -> list[tuple[Any, str]]:
    """Payloads of the recorded mutations and the detail that check 3 gave."""
    found = []
    for case in json.loads((DATA / "mutations.json").read_text())["cases"]:
        if case["group"] == "combo":
            continue
        payloads = [
            step.get("event", {"payload": step.get("set", {}).get("payload")})["payload"]
            for step in case["steps"]
            if step["op"] == "event" or "payload" in step.get("set", {})
        ]
        mark = "payload does not parse as ops: "
        details = [one.split(mark)[1] for one in case["expected"]["stdout"] if mark in one]
        if len(details) == len(payloads) == 1:
            found.append((payloads[0], details[0]))
    return found


class TestDecoding:
    def test_each_variant(self) -> None:
        payload = [
            {"CreateNode": {"id": "a", "kind": "task", "props": {"x": 1}}},
            {"UpdateNode": {"id": "a", "props": None}},
            {"TombstoneNode": {"id": "a", "reason": "r"}},
            {"CreateRelation": {**LINK, "props": {"w": 1}}},
            {"DeleteRelation": LINK},
            {"MarkStale": {"id": "a", "reason": "r"}},
            {"AttachArtifact": {"id": "a", "artifact": ARTIFACT}},
        ]
        made, updated, buried, linked, cut, stale, attached = ops.decode(payload)
        assert made == ops.CreateNode("a", "task", {"x": 1})
        assert updated == ops.UpdateNode("a", None)
        assert buried == ops.TombstoneNode("a", "r")
        assert isinstance(linked, ops.CreateRelation)
        assert linked.relation.as_json() == {**LINK, "props": {"w": 1}}
        assert cut == ops.DeleteRelation("a", "serves", "b")
        assert stale == ops.MarkStale("a", "r")
        assert attached == ops.AttachArtifact("a", {**ARTIFACT, "hash": None, "summary": None})

    def test_no_operation_at_all_is_fine(self) -> None:
        assert ops.decode([]) == []

    def test_unknown_members_are_left_out(self) -> None:
        body = {"id": "a", "artifact": {**ARTIFACT, "size": 3}, "by": "me"}
        (attached,) = ops.decode([{"AttachArtifact": body}])
        assert attached == ops.AttachArtifact("a", {**ARTIFACT, "hash": None, "summary": None})

    def test_an_artifact_may_be_a_list_of_its_members(self) -> None:
        listed = ["file", "a.txt", None, "short", {}]
        (attached,) = ops.decode([{"AttachArtifact": {"id": "a", "artifact": listed}}])
        assert attached == ops.AttachArtifact("a", {**ARTIFACT, "hash": None, "summary": "short"})


class TestRefusing:
    @pytest.mark.parametrize(("payload", "detail"), recorded())
    def test_says_what_the_reference_said(self, payload: Any, detail: str) -> None:
        with pytest.raises(ops.MalformedOpsError) as caught:
            ops.decode(payload)
        assert caught.value.detail == detail

    def test_there_are_recorded_cases(self) -> None:
        assert len(recorded()) >= 14

    @pytest.mark.parametrize(
        ("op", "detail"),
        [
            ("Nope", "unknown variant `Nope`, expected one of `CreateNode`, `UpdateNode`, "
             "`TombstoneNode`, `CreateRelation`, `DeleteRelation`, `MarkStale`, `AttachArtifact`"),
            (7, "invalid type: integer `7`, expected string or map"),
            ({"createNode": {}}, "unknown variant `createNode`, expected one of `CreateNode`, "
             "`UpdateNode`, `TombstoneNode`, `CreateRelation`, `DeleteRelation`, `MarkStale`, "
             "`AttachArtifact`"),
            ({"MarkStale": "a"}, 'invalid type: string "a", expected struct variant'),
            ({"MarkStale": {"id": 5}}, "invalid type: integer `5`, expected a string"),
            ({"MarkStale": {"id": 1.5}}, "invalid type: floating point `1.5`, expected a string"),
            ({"MarkStale": {"id": 1.0}}, "invalid type: floating point `1`, expected a string"),
            ({"MarkStale": {"id": 1e20}},
             "invalid type: floating point `100000000000000000000`, expected a string"),
            ({"CreateNode": "\x1b"}, 'invalid type: string "\\u{1b}", expected struct variant'),
            ({"MarkStale": {"id": True}}, "invalid type: boolean `true`, expected a string"),
            ({"MarkStale": {"id": None}}, "invalid type: null, expected a string"),
            ({"MarkStale": {"id": "a"}}, "missing field `reason`"),
            ({"MarkStale": {}}, "missing field `id`"),
            ({"DeleteRelation": {"from": "a", "to": "b"}}, "missing field `rel`"),
            ({"UpdateNode": {"id": "a"}}, "missing field `props`"),
            ({"AttachArtifact": {"id": "a"}}, "missing field `artifact`"),
            ({"AttachArtifact": {"id": "a", "artifact": {"kind": "x", "uri": "y"}}},
             "missing field `metadata`"),
            ({"AttachArtifact": {"id": "a", "artifact": {**ARTIFACT, "hash": 1}}},
             "invalid type: integer `1`, expected a string"),
            ({"AttachArtifact": {"id": "a", "artifact": ["file"]}},
             "invalid length 1, expected struct ArtifactRef with 5 elements"),
        ],
    )  # fmt: skip
    def test_one_bad_operation_spoils_the_payload(self, op: Any, detail: str) -> None:
        with pytest.raises(ops.MalformedOpsError) as caught:
            ops.decode([{"DeleteRelation": LINK}, op])
        assert caught.value.detail == detail
