"""What a log folds into (GASP reference section 7)."""

import json
import time
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.gasp.folding.fold import (
    Fold,
    FoldError,
    MalformedPayloadError,
    MissingNodeError,
    UnknownEventError,
    fold_until,
)
from tests.gasp.folds import (
    DATA,
    Model,
    batches,
    canonical,
    folded,
    graph_text,
    line,
    said,
    text,
)
from tests.gasp.logs import FIXTURE, YOYO, event, real

CASES = json.loads((DATA / "fold_cases.json").read_text())["cases"]
NODE = {"CreateNode": {"id": "a", "kind": "task", "props": {"x": 1}}}
UPDATE = {"UpdateNode": {"id": "a", "props": {"x": 2}}}
GHOST = {"MarkStale": {"id": "ghost", "reason": "r"}}


def log(*payloads: Any) -> bytes:
    return b"".join(line(payload, f"e{number}") + b"\n" for number, payload in enumerate(payloads))


class TestRecorded:
    @pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
    def test_a_small_fold_is_what_the_reference_recorded(self, case: dict[str, Any]) -> None:
        fold = Fold()
        try:
            fold.take(log(*case["payloads"]))
            got = said(fold)
        except FoldError as error:
            got = {"error": error.text}
        assert canonical(got) == canonical(case["expected"])

    def test_the_fixture_folds_into_its_graph(self) -> None:
        assert canonical(said(folded(FIXTURE))) == (DATA / "fixture_fold.json").read_text().strip()

    @pytest.mark.parametrize("name", ["head400", "tail400"])
    def test_a_real_log_folds_into_its_graph(self, name: str) -> None:
        fold = folded(real(f"{name}.jsonl").read_bytes())
        assert canonical(said(fold)) == (YOYO / f"{name}.fold.json").read_text().strip()

    @pytest.mark.parametrize("name", ["head400", "tail400"])
    def test_a_real_logs_counts(self, name: str) -> None:
        graph = folded(real(f"{name}.jsonl").read_bytes()).graph
        expected = json.loads((YOYO / "expected.json").read_text())[name]["graph"]
        ends = [end for one in graph.relations for end in (one.source, one.target)]
        statuses = Counter(f"{node.kind}/{node.prop('status')}" for node in graph.nodes.values())
        assert {
            "version": graph.version,
            "nodes": len(graph.nodes),
            "relations": len(graph.relations),
            "nodes_by_kind_status": statuses,
            "relations_by_rel": Counter(one.rel for one in graph.relations),
            "dangling_endpoints": sum(end not in graph.nodes for end in ends),
            "artifacts": sum(len(node.artifacts) for node in graph.nodes.values()),
        } == {key: expected[key] for key in expected if key != "sha256_canonical_graph"}


class TestMissingNodes:
    def test_a_skip_says_where_it_stood(self) -> None:
        fold = folded(b"\n" + log([NODE], [UPDATE, GHOST, UPDATE]))
        (skip,) = fold.skipped
        assert (skip.index, skip.op, skip.node, skip.line, skip.event) == (
            1, "MarkStale", "ghost", 3, "e1",
        )  # fmt: skip
        assert skip.reason == "node not found: ghost"
        assert fold.graph.version == 3

    def test_strict_mode_stops_there_as_older_runtimes_did(self) -> None:
        fold = Fold(strict=True)
        with pytest.raises(MissingNodeError, match=r"line 2 \(event e1\): node not found: ghost"):
            fold.take(log([NODE], [UPDATE, GHOST, UPDATE], [UPDATE]))
        assert fold.graph.version == 2

    @given(batches)
    def test_strict_mode_folds_the_same_while_nothing_is_missing(self, payloads: Any) -> None:
        tolerant, strict = folded(log(*payloads)), Fold(strict=True)
        missing = None
        try:
            strict.take(log(*payloads))
        except MissingNodeError as error:
            missing = error.line
        assert missing == next((skip.line for skip in tolerant.skipped), None)
        if missing is None:
            assert graph_text(strict.graph) == graph_text(tolerant.graph)


class TestMalformedPayload:
    BAD = ([NODE, {"Nope": {}}], {"not": "ops"}, None, [{"CreateNode": {"id": "b"}}])

    @pytest.mark.parametrize("bad", BAD)
    def test_ends_the_fold_and_names_the_line(self, bad: Any) -> None:
        fold = Fold()
        with pytest.raises(MalformedPayloadError) as caught:
            fold.take(log([NODE], bad, [UPDATE]))
        assert (caught.value.line, caught.value.event) == (2, "e1")
        assert caught.value.text.startswith("invalid event payload for state.ops_applied: ")

    @pytest.mark.parametrize("bad", BAD)
    def test_leaves_the_graph_of_the_lines_before(self, bad: Any) -> None:
        fold = Fold()
        with pytest.raises(MalformedPayloadError):
            fold.take(log([NODE], bad, [UPDATE]))
        assert graph_text(fold.graph) == graph_text(folded(log([NODE])).graph)

    def test_no_later_line_is_folded_either(self) -> None:
        fold = Fold()
        with pytest.raises(MalformedPayloadError) as first:
            fold.take(log(None))
        with pytest.raises(MalformedPayloadError) as second:
            fold.take(log([NODE]))
        assert second.value is first.value
        assert not fold.graph.nodes


class TestWhichLinesCount:
    def kinds(self, *lines: bytes) -> list[str]:
        return list(folded(b"\n".join(lines)).graph.nodes)

    def test_another_kind_is_ignored_whatever_it_holds(self) -> None:
        assert self.kinds(line([NODE], kind="tool.called")) == []
        assert self.kinds(line(["state.ops_applied", NODE], kind="tool.called")) == []

    @pytest.mark.parametrize(
        "layout",
        [
            b'{"payload":[%s],"kind":"state.ops_applied"}',
            b' \t{ "kind" : "state.ops_applied" , "payload" : [ %s ] }\r',
            b'{"kind":"st\\u0061te.ops_applied","payload":[%s]}',
            b'{"\\u006bind":"state.ops_applied","payload":[%s]}',
            b'{"kind":"state\\u002Eops\\u005fapplied","payload":[%s]}',
            b'{"kind":"goal.created","kind":"state.ops_applied","payload":[%s]}',
            b'["e",1,2,{"kind":"agent","id":"x"},"state.ops_applied",[%s],null,null]',
        ],
    )
    def test_any_spelling_of_the_kind_is_understood(self, layout: bytes) -> None:
        assert self.kinds(layout % text(NODE)) == ["a"]

    @pytest.mark.parametrize(
        "other",
        [
            b'{"kind":"state.ops_applied","kind":"goal.created","payload":[%s]}',
            b'{"kind":"state.ops_applied ","payload":[%s]}',
            b'{"type":"state.ops_applied","payload":[%s]}',
            b'["state.ops_applied",[%s]]',
        ],
    )
    def test_what_is_no_such_event_is_not_folded(self, other: bytes) -> None:
        assert self.kinds(other % text(NODE)) == []

    def test_a_line_that_is_no_json_is_reported_and_passed_over(self) -> None:
        fold = folded(log([NODE]) + line([UPDATE])[:-5] + b"\n" + log([UPDATE]))
        assert [one.line for one in fold.unread] == [2]
        assert fold.graph.version == 2

    def test_blank_lines_and_carriage_returns_are_no_matter(self) -> None:
        crlf = log([NODE], [UPDATE]).replace(b"\n", b"\r\n\r\n \t\xe3\x80\x80\n")
        assert graph_text(folded(crlf).graph) == graph_text(folded(log([NODE], [UPDATE])).graph)

    def test_unicode_line_breaks_end_no_line(self) -> None:
        odd = {"CreateNode": {"id": "a\u2028b\x85c", "kind": "task", "props": {"x": "\u2029"}}}
        assert self.kinds(line([odd])) == ["a\u2028b\x85c"]

    def test_the_last_line_counts_without_its_newline(self) -> None:
        fold = folded(log([NODE])[:-1])
        assert (fold.lines, list(fold.graph.nodes)) == (1, ["a"])


class TestInPieces:
    @given(batches, st.data())
    def test_any_way_to_cut_a_log_between_lines_folds_the_same(
        self, payloads: Any, data: st.DataObject
    ) -> None:
        lines = log(*payloads).splitlines(keepends=True)
        cuts = data.draw(st.lists(st.integers(0, len(lines)), max_size=4).map(sorted))
        whole, pieces = folded(b"".join(lines)), Fold()
        for begin, end in zip([0, *cuts], [*cuts, len(lines)], strict=True):
            if data.draw(st.booleans()):
                pieces.take(b"".join(lines[begin:end]))
            else:
                pieces.take(one[:-1] for one in lines[begin:end])
        assert graph_text(pieces.graph) == graph_text(whole.graph)
        assert pieces.skipped == whole.skipped
        assert pieces.lines == whole.lines == len(lines)

    def test_the_fixture_line_by_line(self) -> None:
        fold = Fold()
        for one in FIXTURE.split(b"\n")[:-1]:
            fold.take([one])
        assert canonical(said(fold)) == canonical(said(folded(FIXTURE)))

    def test_first_line_numbers_what_is_taken_from_the_middle(self) -> None:
        fold = Fold()
        fold.take([b"", line([GHOST])], first_line=41)
        fold.take([line([GHOST])])
        assert [skip.line for skip in fold.skipped] == [42, 43]


class TestAgainstTheModel:
    @settings(max_examples=100)
    @given(batches)
    def test_random_operations_fold_as_the_rules_say(self, payloads: Any) -> None:
        model = Model()
        for payload in payloads:
            model.take(payload)
        fold = folded(log(*payloads))
        assert graph_text(fold.graph) == canonical(model.as_json())
        assert [(s.index, s.op, s.node) for s in fold.skipped] == model.skipped

    @given(batches)
    def test_every_prefix_too(self, payloads: Any) -> None:
        model, fold = Model(), Fold()
        for payload in payloads:
            model.take(payload)
            fold.take([line(payload)])
            assert graph_text(fold.graph) == canonical(model.as_json())
            assert len(fold.graph.relations) == len(model.relations)

    @given(batches)
    def test_the_same_lines_give_the_same_graph(self, payloads: Any) -> None:
        assert graph_text(folded(log(*payloads)).graph) == graph_text(folded(log(*payloads)).graph)


class TestStoppingAtAnEvent:
    LOG = log([NODE], [UPDATE], [GHOST]) + line({}, "e9", "goal.created") + b"\n"

    @pytest.mark.parametrize(("name", "version"), [("e0", 1), ("e1", 2), ("e2", 2), ("e9", 2)])
    def test_the_event_itself_is_included(self, name: str, version: int) -> None:
        fold = fold_until(self.LOG, name)
        assert fold.graph.version == version
        assert fold.lines == 1 + ["e0", "e1", "e2", "e9"].index(name)

    def test_an_id_written_with_escapes_is_the_same_id(self) -> None:
        fold = fold_until(self.LOG.replace(b'"id":"e1"', b'"id":"\\u00651"'), "e1")
        assert fold.lines == 2

    def test_an_id_that_only_stands_in_a_payload_is_no_event(self) -> None:
        with pytest.raises(UnknownEventError, match="no event 'a' in the 4 lines"):
            fold_until(self.LOG, "a")

    def test_lines_after_it_are_not_looked_at(self) -> None:
        assert fold_until(self.LOG + log(None), "e9").error is None

    def test_the_fixture_at_every_event(self) -> None:
        versions = [fold_until(FIXTURE, f"event_{n:02}").graph.version for n in range(1, 11)]
        assert versions == [0, 1, 1, 1, 3, 3, 3, 5, 5, 8]


class TestNumbers:
    def props(self, written: str) -> Any:
        op = text(NODE).replace(b'"x":1', b'"n":' + written.encode())
        fold = folded(b'{"kind":"state.ops_applied","payload":[' + op + b"]}")
        return fold.graph.nodes["a"].prop("n") if fold.graph.nodes else fold.unread[0].detail

    @pytest.mark.parametrize(
        ("written", "value"),
        [
            ("1", 1), ("1.0", 1.0), ("1e3", 1000.0), ("18446744073709551615", 2**64 - 1),
            ("18446744073709551616", float(2**64)), ("-9223372036854775808", -(2**63)),
            ("-9223372036854775809", -float(2**63)), ("9223372036854775808", 2**63),
            ("123456789012345678901234567890", 1.2345678901234568e29), ("1e-400", 0.0),
        ],
    )  # fmt: skip
    def test_are_kept_in_their_kind(self, written: str, value: Any) -> None:
        got = self.props(written)
        assert (type(got), got) == (type(value), value)

    def test_minus_zero_is_a_double(self) -> None:
        assert repr(self.props("-0")) == "-0.0"
        assert repr(self.props("[0, -0]")) == "[0, -0.0]"

    @pytest.mark.parametrize("written", ["1e400", "-1e999", "1" * 400, "NaN", "01", "1.", "+1"])
    def test_that_are_none_make_the_line_no_json(self, written: str) -> None:
        assert self.props(written).startswith("not JSON: ")


class TestSize:
    def test_a_hundred_thousand_removals_cost_no_more_than_as_many_relations(self) -> None:
        ends = [{"from": f"n{number}", "rel": "serves", "to": "goal"} for number in range(100_000)]
        made = b"\n".join(line([{"CreateRelation": {**one, "props": {}}}]) for one in ends)
        removed = b"\n".join(line([{"DeleteRelation": one}]) for one in reversed(ends))
        fold = Fold()
        begin = time.process_time()
        fold.take(made)
        half = time.process_time()
        fold.take(removed)
        assert not fold.graph.relations
        assert fold.graph.version == 200_000
        assert time.process_time() - half < 20 * (half - begin)  # one by one it would be thousands

    def test_relations_are_as_the_model_has_them_while_many_come_and_go(self) -> None:
        model, fold = Model(), Fold()
        for number in range(600):
            ends = {"from": f"n{number % 7}", "rel": "serves", "to": f"m{number % 3}"}
            op = "DeleteRelation" if number % 5 == 4 else "CreateRelation"
            batch = [{op: ends if op == "DeleteRelation" else {**ends, "props": {"n": number}}}]
            model.take(batch)
            fold.take([line(batch)])
            assert len(fold.graph.relations) == len(model.relations)
        assert graph_text(fold.graph) == canonical(model.as_json())


def test_an_event_of_the_log_that_is_no_object_is_no_operation() -> None:
    fold = folded(
        b'"state.ops_applied"\n[1,"state.ops_applied"]\n3\n' + text(event("e", "x.created"))
    )
    assert (fold.graph.version, fold.unread, fold.lines) == (0, [], 4)


def test_very_many_updates_of_one_node_merge_in_their_order() -> None:
    model, fold = Model(), Fold()
    updates = [{"UpdateNode": {"id": "a", "props": {f"k{n % 7}": n, "m": {f"x{n % 3}": [n]}}}}
               for n in range(200)]  # fmt: skip
    for batch in ([NODE], *([one] for one in updates), [{"MarkStale": {"id": "a", "reason": "r"}}]):
        model.take(batch)
        fold.take([line(batch)])
        assert graph_text(fold.graph) == canonical(model.as_json())
