"""Snapshots (GASP reference sections 10 and 11, check 2)."""

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.gasp.folding import snapshot
from ppgp_tui.gasp.folding.fold import Fold, FoldError
from ppgp_tui.gasp.folding.snapshot import (
    NothingToKeepError,
    SnapshotError,
    digest,
    resume,
    take,
    verify,
)
from tests.gasp.folds import DATA, batches, canonical, folded, graph_text, line, text, values
from tests.gasp.logs import FIXTURE, event, real

MUTATIONS = [
    case for case in json.loads((DATA / "mutations.json").read_text())["cases"]
    if case["group"] == "snapshot"
]  # fmt: skip
FIVE = b"".join(FIXTURE.splitlines(keepends=True)[:5])
SAVED = take(FIVE)


def changed(change: Callable[[Any], Any]) -> bytes:
    record = json.loads(SAVED.data)
    change(record)
    return text(record)


def recorded() -> list[Any]:
    """Each recorded `graph.json`, its log, and what the reference said of it."""
    found = []
    for case in MUTATIONS:
        log, data, name = FIXTURE, None, ""
        for step in case["steps"]:
            if step["op"] == "insert_line":
                lines = log.split(b"\n")
                lines.insert(step["line"] - 1, step["text"].encode())
                log = b"\n".join(lines)
            elif step["op"] == "write" and step["path"].endswith("graph.json"):
                name = step["path"].split("/")[1]
                data = base64.b64decode(step["b64"]) if "b64" in step else step["text"].encode()
        if data is not None:
            mark = f"snapshot {name}: "
            said = [one.split(mark)[1] for one in case["expected"]["stdout"] if mark in one]
            found.append(pytest.param(data, log, said, id=case["name"]))
    return found


class TestVerifying:
    @pytest.mark.parametrize(("data", "log", "said"), recorded())
    def test_says_what_the_reference_said(self, data: bytes, log: bytes, said: list[str]) -> None:
        if not said:
            verify(data, log)
            return
        with pytest.raises(SnapshotError) as caught:
            verify(data, log)
        assert [str(caught.value)] == said

    def test_there_are_recorded_cases(self) -> None:
        assert len(recorded()) >= 14

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b"{", "not JSON: EOF while parsing an object at line 1 column 1"),
            (b"[1,2]", "missing `graph` or `integrity` record"),
            (changed(lambda r: r["integrity"].update(line_count=True)),
             "integrity record missing numeric `line_count`"),
            (changed(lambda r: r["integrity"].update(line_count=-1)),
             "integrity record missing numeric `line_count`"),
            (changed(lambda r: r.update(integrity=None)),
             "integrity record missing numeric `line_count`"),
            (changed(lambda r: r["integrity"].update(sha256=5)),
             "integrity record missing `sha256`"),
            (changed(lambda r: r["integrity"].update(line_count=11)),
             "line_count 11 out of range (log has 10 lines)"),
            (changed(lambda r: r.update(graph=None)),
             "graph does not parse: invalid type: null, expected struct Graph"),
            (changed(lambda r: r["graph"].pop("version")),
             "graph does not parse: missing field `version`"),
            (changed(lambda r: r["graph"]["relations"][0].update({"from": 1})),
             "graph does not parse: invalid type: integer `1`, expected a string"),
            (changed(lambda r: r["graph"]["relations"][0]["props"].update(w=1)),
             "snapshot differs from folding its log prefix"),
        ],
    )  # fmt: skip
    def test_says_what_is_wrong(self, data: bytes, said: str) -> None:
        with pytest.raises(SnapshotError) as caught:
            verify(data, FIXTURE)
        assert str(caught.value) == said

    def test_an_event_id_that_is_no_text_is_not_compared(self) -> None:
        verify(changed(lambda r: r["integrity"].update(event_id=None)), FIXTURE)

    def test_numbers_compare_by_their_kind(self) -> None:
        log = line([{"CreateNode": {"id": "a", "kind": "eval", "props": {"n": 1, "f": 2.0}}}])
        kept = take(log + b"\n")
        verify(kept.data, log + b"\n")
        for other in (b'"n":1.0', b'"n":true'):
            with pytest.raises(SnapshotError, match="differs"):
                verify(kept.data.replace(b'"n":1', other), log + b"\n")

    def test_a_log_that_does_not_fold_has_no_right_snapshot(self) -> None:
        log = line({"not": "ops"}) + b"\n"
        integrity = {"event_id": "event_1", "line_count": 1,
                     "sha256": hashlib.sha256(log).hexdigest()}  # fmt: skip
        empty = {"nodes": {}, "relations": [], "version": 0}
        with pytest.raises(SnapshotError, match="prefix does not parse: line 1"):
            verify(text({"graph": empty, "integrity": integrity}), log)

    @given(values | st.fixed_dictionaries({"graph": values, "integrity": values}))
    def test_any_json_is_refused_in_words(self, value: Any) -> None:
        with pytest.raises(SnapshotError):
            verify(text(value), FIXTURE)

    @given(st.binary(max_size=60))
    def test_any_bytes_too(self, data: bytes) -> None:
        with pytest.raises(SnapshotError):
            verify(data, FIXTURE)


class TestTaking:
    def test_the_record_is_the_references(self) -> None:
        assert (SAVED.event, SAVED.lines) == ("event_05", 5)
        assert json.loads(SAVED.data) == {
            "graph": folded(FIVE).graph.as_json(),
            "integrity": {
                "event_id": "event_05",
                "line_count": 5,
                "sha256": "45756522ad03d46627de5f0edb271390de402c83a195d555d03e7c59d169a0eb",
            },
        }

    def test_its_bytes_are_canonical(self) -> None:
        assert SAVED.data == canonical(json.loads(SAVED.data)).encode() + b"\n"

    @given(batches)
    def test_every_prefix_of_any_log_gives_one_that_verifies(self, payloads: Any) -> None:
        log = b"\n" + b"".join(line(payload) + b"\r\n \n" for payload in payloads)
        for end in [at for at, byte in enumerate(log, 1) if byte == 0x0A]:
            try:
                kept = take(log[:end])
            except NothingToKeepError:
                assert not log[:end].strip()
            else:
                verify(kept.data, log)

    def test_a_torn_end_is_left_out(self) -> None:
        assert take(FIVE + b'{"id":"event_06","sche').data == SAVED.data

    def test_blank_lines_count(self) -> None:
        kept = take(b"\n\n" + FIVE + b" \n")
        assert (kept.event, kept.lines) == ("event_05", 8)
        verify(kept.data, b"\n\n" + FIVE + b" \n")

    @pytest.mark.parametrize("log", [b"", b"\n \n", b"{}\n", b"no json\n", FIVE[:100]])
    def test_a_log_without_a_last_event_gives_none(self, log: bytes) -> None:
        with pytest.raises(NothingToKeepError, match="whole event"):
            take(log)

    def test_a_real_log(self) -> None:
        log = real("head400.jsonl").read_bytes()
        verify(take(log).data, log)


class TestResuming:
    @given(batches, st.data())
    def test_from_any_snapshot_is_the_same_as_folding_all(
        self, payloads: Any, data: st.DataObject
    ) -> None:
        log = b"".join(line(payload) + b"\n" for payload in [[], *payloads])
        ends = [at for at, byte in enumerate(log, 1) if byte == 0x0A]
        kept = take(log[: data.draw(st.sampled_from(ends))])
        whole = folded(log)
        resumed = resume(kept.data, log, digest(kept.data))
        assert (resumed.reason, resumed.from_line) == (None, kept.lines)
        assert graph_text(resumed.fold.graph) == graph_text(whole.graph)
        assert resumed.fold.lines == whole.lines
        assert resumed.fold.skipped == [s for s in whole.skipped if s.line > kept.lines]

    def test_goes_on_taking_lines(self) -> None:
        fold = resume(SAVED.data, FIVE, digest(SAVED.data)).fold
        fold.take(FIXTURE[len(FIVE) :])
        assert graph_text(fold.graph) == graph_text(folded(FIXTURE).graph)

    @pytest.mark.parametrize(
        ("data", "known", "log", "reason"),
        [
            (SAVED.data, None, FIXTURE, "its bytes are not the ones that were made here"),
            (SAVED.data, digest(b"other"), FIXTURE,
             "its bytes are not the ones that were made here"),
            (SAVED.data, digest(SAVED.data), FIXTURE.replace(b"evolve", b"yoyo", 1),
             "integrity hash mismatch (log prefix changed?)"),
            (SAVED.data, digest(SAVED.data), FIXTURE[:700],
             "line_count 5 out of range (log has 3 lines)"),
            (b"{}", digest(b"{}"), FIXTURE, "missing `graph` or `integrity` record"),
        ],
        ids=["not made here", "another one", "log changed", "log cut", "no snapshot"],
    )  # fmt: skip
    def test_what_cannot_be_trusted_is_not_used_and_the_reason_said(
        self, data: bytes, known: str | None, log: bytes, reason: str
    ) -> None:
        resumed = resume(data, log, known)
        assert (resumed.from_line, resumed.reason) == (0, reason)
        assert graph_text(resumed.fold.graph) == graph_text(folded(log).graph)

    def test_a_snapshot_with_another_graph_is_never_believed(self) -> None:
        forged = SAVED.data.replace(b"Make retry reliable", b"Anything else at all")
        resumed = resume(forged, FIXTURE, digest(SAVED.data))
        assert graph_text(resumed.fold.graph) == graph_text(folded(FIXTURE).graph)

    def test_a_log_that_does_not_fold_beyond_it_raises(self) -> None:
        with pytest.raises(FoldError, match="line 6 "):
            resume(SAVED.data, FIVE + line({"not": "ops"}), digest(SAVED.data))


class TestEquality:
    @given(batches)
    def test_a_graph_is_the_one_read_back_from_its_text(self, payloads: Any) -> None:
        graph = folded(b"\n".join(map(line, payloads))).graph
        again = snapshot.read_graph(json.loads(snapshot.canonical(graph.as_json())))
        assert snapshot.same_graph(graph, again)

    def test_the_order_of_relations_counts(self) -> None:
        ops = [{"CreateRelation": {"from": name, "rel": "r", "to": "x", "props": {}}}
               for name in "ab"]  # fmt: skip
        one, other = folded(line(ops)).graph, folded(line(ops[::-1])).graph
        assert not snapshot.same_graph(one, other)

    def test_minus_zero_equals_zero_as_doubles_do(self) -> None:
        graphs = []
        for number in (0.0, -0.0):
            fold = Fold()
            fold.take([line([{"CreateNode": {"id": "a", "kind": "k", "props": number}}])])
            graphs.append(fold.graph)
        assert snapshot.same_graph(*graphs)


def test_an_event_of_another_kind_may_be_the_last() -> None:
    log = FIVE + text(event("e6", "run.started")) + b"\n"
    assert take(log).event == "e6"
    verify(take(log).data, log)
