"""Checks 2, 3 and 5, sentence by sentence (reference section 11)."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

import pytest

from tests.gasp.checks.adding import NO_SNAPSHOTS, VERIFIED, Check, add, link, node, ops
from tests.gasp.checks.agent_repository import AgentRepository

# Check 2


def test_what_the_fold_passes_over_is_noted_and_fails_nothing(
    repo: AgentRepository, said: Check
) -> None:
    ops(repo, 11, {"MarkStale": {"id": "late", "reason": ""}}, node("late"),
        {"UpdateNode": {"id": "late", "props": {}}},
        {"AttachArtifact": {"id": "none", "artifact": {"kind": "k", "uri": "u", "metadata": 1}}},
        {"DeleteRelation": {"from": "a", "rel": "b", "to": "c"}})  # fmt: skip
    repo.commit()
    rest = ("The log is readable but malformed; a conformant runtime folds past this, "
            "and so does this check")  # fmt: skip
    assert said().of(2) == [
        "PASS",
        f"note: MarkStale at batch index 0 skipped — node not found: late. {rest}",
        f"note: AttachArtifact at batch index 3 skipped — node not found: none. {rest}",
        NO_SNAPSHOTS,
    ]


def test_a_payload_that_is_none_ends_the_fold_and_all_notes(
    repo: AgentRepository, said: Check
) -> None:
    ops(repo, 11, {"UpdateNode": {"id": "none", "props": {}}})
    ops(repo, 12, node("x"), {"CreateNode": {"id": "y", "kind": "goal"}})
    ops(repo, 13, "later")
    fails = [
        "FAIL",
        "fold failed: invalid event payload for state.ops_applied: missing field `props`",
    ]
    outcome = said("--fixture")
    assert outcome.of(2) == fails
    assert outcome.of(6) == ["FAIL", VERIFIED, fails[1]]
    assert [line.partition(": ")[0] for line in outcome.of(3)[1:]] == ["line 12", "line 13"]


def snapshot(repo: AgentRepository, lines: int, **change: Any) -> dict[str, Any]:
    """A snapshot of so many first lines, made by hand from the fixture's recorded fold."""
    from ppgp_tui.gasp.folding.snapshot import take  # the graph itself is not what is tested here

    prefix = b"".join(repo.read().splitlines(keepends=True)[:lines])
    record = json.loads(take(prefix).data)
    integrity = record["integrity"] = {
        "event_id": f"event_{lines:02}", "line_count": lines,
        "sha256": hashlib.sha256(prefix).hexdigest(),
    }  # fmt: skip
    integrity.update(change)
    return record


@pytest.mark.parametrize(
    ("change", "said_of_it"),
    [
        ({}, None),
        ({"event_id": None}, None),
        ({"event_id": 7}, None),
        ({"more": 1}, None),
        ({"event_id": "event_04"},
         "integrity event_id `event_04` is not the last event of the prefix"),
        ({"line_count": 0}, "line_count 0 out of range (log has 10 lines)"),
        ({"line_count": 11}, "line_count 11 out of range (log has 10 lines)"),
        ({"line_count": 2**64 - 1},
         "line_count 18446744073709551615 out of range (log has 10 lines)"),
        ({"line_count": -1}, "integrity record missing numeric `line_count`"),
        ({"line_count": 5.0}, "integrity record missing numeric `line_count`"),
        ({"line_count": 2**64}, "integrity record missing numeric `line_count`"),
        ({"line_count": True}, "integrity record missing numeric `line_count`"),
        ({"line_count": None}, "integrity record missing numeric `line_count`"),
        ({"sha256": None}, "integrity record missing `sha256`"),
        ({"sha256": 5}, "integrity record missing `sha256`"),
        ({"sha256": "0" * 64}, "integrity hash mismatch (log prefix changed?)"),
        ({"line_count": 4}, "integrity hash mismatch (log prefix changed?)"),
    ],
)  # fmt: skip
def test_a_snapshot_proves_its_lines(
    repo: AgentRepository, said: Check, change: dict[str, Any], said_of_it: str | None
) -> None:
    record = snapshot(repo, 5, **change)
    repo.write("snapshots/any name/graph.json", json.dumps(record))
    failures = [] if said_of_it is None else [f"snapshot any name: {said_of_it}"]
    assert said().of(2) == ["FAIL" if failures else "PASS", *failures]


@pytest.mark.parametrize("missing", ["graph", "integrity"])
def test_a_snapshot_needs_both_members(repo: AgentRepository, said: Check, missing: str) -> None:
    record = snapshot(repo, 5)
    del record[missing]
    words = "missing `graph` or `integrity` record"
    for text in (json.dumps(record), "[]", "1", '"x"'):
        repo.write("snapshots/s/graph.json", text)
        assert said().of(2) == ["FAIL", f"snapshot s: {words}"]


@pytest.mark.parametrize(
    "graph",
    [
        {"nodes": {}, "relations": [], "version": 3},
        {"nodes": {}, "relations": [], "version": 3, "more": []},
    ],
)
def test_a_snapshot_of_another_graph_differs(
    repo: AgentRepository, said: Check, graph: dict[str, Any]
) -> None:
    record = snapshot(repo, 5)
    record["graph"] = graph
    repo.write("snapshots/s/graph.json", json.dumps(record))
    assert said().of(2) == ["FAIL", "snapshot s: snapshot differs from folding its log prefix"]


@pytest.mark.parametrize("graph", [None, [], {}, {"nodes": [], "relations": [], "version": 1}, 7])
def test_a_snapshot_whose_graph_is_none_does_not_parse(
    repo: AgentRepository, said: Check, graph: Any
) -> None:
    record = snapshot(repo, 5)
    record["graph"] = graph
    repo.write("snapshots/s/graph.json", json.dumps(record))
    assert said().normal[2] == "       snapshot s: graph does not parse: "


def test_numbers_of_a_snapshot_compare_by_their_kind(repo: AgentRepository, said: Check) -> None:
    record = snapshot(repo, 10)
    record["graph"]["nodes"]["eval_5"]["props"]["score"] = 1
    repo.write("snapshots/s/graph.json", json.dumps(record))
    assert said().of(2) == ["FAIL", "snapshot s: snapshot differs from folding its log prefix"]


def test_what_lies_in_snapshots_and_is_none(repo: AgentRepository, said: Check) -> None:
    repo.write("snapshots/a/other.json", "x")
    repo.write("snapshots/b", "x")
    repo.write("snapshots/c/graph.json/x", "x")
    os.mkfifo(repo.root / "snapshots/d")
    (repo.root / "snapshots/e").symlink_to("nowhere")
    (repo.root / "snapshots/f").mkdir()
    os.mkfifo(repo.root / "snapshots/f/graph.json")
    notes = [f"note: snapshot {name}: no graph.json — not verified" for name in "abcdef"]
    assert said().of(2) == ["PASS", *notes]


def test_a_folder_snapshots_that_is_a_file_is_none(repo: AgentRepository, said: Check) -> None:
    repo.write("snapshots", "x")
    assert said().of(2) == ["PASS", NO_SNAPSHOTS]


def test_an_empty_folder_of_snapshots_has_nothing_to_say(
    repo: AgentRepository, said: Check
) -> None:
    (repo.root / "snapshots").mkdir()
    assert said().of(2) == ["PASS"]


def test_a_damaged_snapshot_is_told(repo: AgentRepository, said: Check) -> None:
    repo.write("snapshots/s/graph.json", b"\xff{")
    why = "snapshot s: unreadable: stream did not contain valid UTF-8"
    assert said().of(2) == ["FAIL", why]
    for text in ("", "{", "\ufeff{}", "[" * 5000):
        repo.write("snapshots/s/graph.json", text)
        assert said().normal[2] == "       snapshot s: not JSON: "


# Check 3

PACK = {
    "id": "p", "name": "n", "version": "1", "policies": [], "prompts": [], "settings": None,
    "object_types": {"experiment": {"kind": "x", "required_props": []}},
    "relation_types": {"measured_by": {"rel": "x", "from_kinds": [], "to_kinds": []}},
}  # fmt: skip


def test_words_are_the_baseline_s_or_a_pack_s_by_the_name_in_its_map(
    repo: AgentRepository, said: Check
) -> None:
    ops(repo, 11, node("e", "experiment"), link("measured_by"), link("x"), node("y", "x"))
    unknown = ["line 11: CreateRelation from a b uses undeclared rel `x`",
               "line 11: CreateNode y uses undeclared kind `x`"]  # fmt: skip
    kind = "line 11: CreateNode e uses undeclared kind `experiment`"
    rel = "line 11: CreateRelation from a b uses undeclared rel `measured_by`"
    assert sorted(said().of(3)) == sorted(["FAIL", kind, rel, *unknown])
    repo.write(".agent/packs/a.json", json.dumps({**PACK, "relation_types": {}}))
    assert sorted(said().of(3)) == sorted(["FAIL", rel, *unknown])
    repo.write(".agent/packs/b.c.json", json.dumps(PACK))
    assert sorted(said().of(3)) == sorted(["FAIL", *unknown])


def test_the_order_of_operations_in_one_event_is_the_order_of_what_is_said(
    repo: AgentRepository, said: Check
) -> None:
    ops(repo, 11, link("r1"), node("n1", "k1"), link("r2"), node("n2", "k2"))
    assert [line[-4:] for line in said().of(3)[1:]] == ["`r1`", "`k1`", "`r2`", "`k2`"]


@pytest.mark.parametrize("name", ["P.JSON", "x.json5", "json", ".json", "a.json.bak", "a.json~"])
def test_only_files_with_the_ending_json_are_packs(
    repo: AgentRepository, said: Check, name: str
) -> None:
    repo.write(f".agent/packs/{name}", "nonsense")
    assert said().of(3) == ["PASS"]


def test_packs_that_are_none_are_told(repo: AgentRepository, said: Check) -> None:
    repo.write(".agent/packs/a.json/x", "x")
    assert said().of(3) == ["FAIL", "pack a.json unreadable: Is a directory (os error 21)"]
    repo.delete(".agent/packs/a.json")
    (repo.root / ".agent/packs/a.json").symlink_to("nowhere")
    why = "No such file or directory (os error 2)"
    assert said().of(3) == ["FAIL", f"pack a.json unreadable: {why}"]
    repo.delete(".agent/packs/a.json")
    os.mkfifo(repo.root / ".agent/packs/a.json")
    assert said().of(3) == ["FAIL", "pack a.json unreadable: not a regular file"]


@pytest.mark.parametrize("missing", list(PACK))
def test_a_pack_needs_all_its_members(repo: AgentRepository, said: Check, missing: str) -> None:
    pack = {key: value for key, value in PACK.items() if key != missing}
    repo.write(".agent/packs/a.json", json.dumps(pack))
    why = f"pack a.json does not parse as a Pack: missing field `{missing}`"
    assert said().of(3)[1].startswith(why)


def test_without_an_agent_folder_there_are_no_packs(repo: AgentRepository, said: Check) -> None:
    repo.delete(".agent")
    assert said().of(3) == ["PASS"]
    repo.write(".agent", "a file")
    assert said().of(3) == ["PASS"]


# Check 5


@pytest.mark.parametrize("kind", ["a.created", "a.started", ".created", "state.ops_applied"])
def test_a_beginning_needs_no_cause(repo: AgentRepository, said: Check, kind: str) -> None:
    add(repo, 11, kind, [], None)
    assert said().of(5) == ["PASS"]


@pytest.mark.parametrize("kind", ["created", "started", "", "a.created ", "A.CREATED", "x"])
def test_anything_else_needs_one(repo: AgentRepository, said: Check, kind: str) -> None:
    add(repo, 11, kind, [], None)
    assert said().of(5) == [
        "FAIL",
        f"line 11: root event (null causation) has kind `{kind}`, "
        "expected *.created / *.started / state.ops_applied",
    ]


def test_cause_and_id_of_one_event_are_both_told_cause_first(
    repo: AgentRepository, said: Check
) -> None:
    add(repo, 6, "x", {}, "event_12")
    add(repo, 12, "x", {}, "event_12")
    add(repo, 13, "x", {}, "")
    unknown = "does not reference an earlier event"
    assert said().of(5) == [
        "FAIL",
        f"line 11: causation_id event_12 {unknown}",
        "line 11: duplicate event id event_06 (ids must be unique for the causal order to be"
        " well-defined)",
        f"line 12: causation_id event_12 {unknown}",
        f"line 13: causation_id  {unknown}",
    ]
