"""The fast reading of lines gives what the exact one gives, for every JSON there is."""

import json
import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import MsgspecError

from ppgp_tui.gasp import strict_json
from ppgp_tui.gasp.folding import ops
from ppgp_tui.gasp.folding.fold import Fold, FoldError
from ppgp_tui.gasp.folding.ops_line import fast_reader, likely_lines, read
from tests.gasp.folds import batches, graph_text, line, operations, text, values
from tests.gasp.logs import FIXTURE, event, real

NODE = {"CreateNode": {"id": "a", "kind": "task", "props": {"x": 1}}}


class Exact(Fold):
    """The same fold, reading every line the exact way."""

    def _take_piece(self, piece: bytes) -> None:
        for one in piece.split(b"\n"):
            self.lines += 1
            self._take_odd_line(one, self.lines)


def outcome(fold: Fold, log: bytes) -> Any:
    try:
        fold.take(log)
    except FoldError as error:
        return graph_text(fold.graph), fold.skipped, (error.line, error.event, error.text)
    return graph_text(fold.graph), fold.skipped, None


def same(log: bytes) -> None:
    assert outcome(Fold(), log) == outcome(Exact(), log)


def written(props: bytes, name: bytes = b'"a"') -> bytes:
    return line([NODE]).replace(b'{"x":1}', props).replace(b'"a"', name)


DIFFERENT = {
    "minus zero": written(b'{"n":-0}'),
    "minus zero in a list": written(b"[1,-0]"),
    "minus zero after a blank": written(b'{"n": -0 }'),
    "an integer beyond 64 bits": written(b'{"n":18446744073709551616}'),
    "an integer below 64 bits": written(b'{"n":-9223372036854775809}'),
    "an integer of unsigned 64 bits": written(b'{"n":18446744073709551615}'),
    "an integer of 5000 digits": written(b'{"n":' + b"7" * 5000 + b"}"),
    "a double that overflows": written(b'{"n":1e400}'),
    "a double that overflows outside the operations": line([NODE]).replace(
        b'"ts_ms":', b'"ts_ms":1e400,"ts_ms":'
    ),
    "an unknown member of the event": line([NODE])[:-1] + b',"extra":1e999}',
    "an unknown member of an operation": line([{"MarkStale": {"id": "a", "reason": "r", "x": 1}}]),
    "an artifact as a list": line(
        [NODE, {"AttachArtifact": {"id": "a", "artifact": ["k", "u", None, None, 1]}}]
    ),
    "members that repeat in the properties": written(b'{"x":1,"x":{"y":2}}'),
    "members that repeat in the operation": line([NODE]).replace(b'"id":"a"', b'"id":7,"id":"a"'),
    "variants that repeat": written(b"{}").replace(b"[{", b'[{"CreateNode":5,'),
    "kinds that repeat": line([NODE]).replace(b'"kind":"state', b'"kind":"x","kind":"state'),
    "another kind after it": line([NODE])[:-1] + b',"kind":"goal.created"}',
    "two variants in one operation": line([NODE]).replace(
        b"[{", b'[{"MarkStale":{"id":"a","reason":"r"},'
    ),
    "a variant that is null": line([NODE]).replace(b"[{", b'[{"MarkStale":null,'),
    "properties that are no object": written(b"null"),
    "no properties": line([{"CreateNode": {"id": "a", "kind": "task"}}]),
    "a lone surrogate": written(b'{"x":"\\ud800"}'),
    "a lone surrogate before text": written(b'{"x":"\\ud800abcdefgh"}'),
    "surrogates in the wrong order": written(b'{"x":"\\udc00\\ud800"}'),
    "a pair of surrogates": written(b'{"x":"\\ud83d\\ude00"}'),
    "a key with a lone surrogate": written(b'{"\\udfff":1}'),
    "a surrogate as bytes": written(b'{"x":"\xed\xa0\x80"}'),
    "bytes that are no text": written(b'{"x":"\xff"}'),
    "bytes that are no text in the actor": line([NODE]).replace(b'"evolve"', b'"\xc3("'),
    "a control character": written(b'{"x":"\x01"}'),
    "an escaped control character": written(b'{"x":"\\u0000"}'),
    "escaped letters of a variant": line([NODE]).replace(b"CreateNode", b"\\u0043reateNode"),
    "escaped letters of the kind": line([NODE]).replace(b"state.", b"st\\u0061te."),
    "a byte order mark": b"\xef\xbb\xbf" + line([NODE]),
    "text after the value": line([NODE]) + b" {}",
    "a trailing comma": written(b'{"x":1,}'),
    "a leading zero": written(b'{"x":01}'),
    "nested as deep as allowed": written(b"[" * 123 + b"]" * 123),
    "nested one deeper": written(b"[" * 124 + b"]" * 124),
    "nested 200 deep": written(b"[" * 200 + b"]" * 200),
    "nested 100,000 deep": written(b"[" * 100_000 + b"]" * 100_000),
    "brackets in a string": written(b'{"x":"' + b"[{" * 300 + b'"}'),
    "no id": line([NODE]).replace(b'"id":"event_1",', b""),
    "an id that is no text": line([{"MarkStale": {"id": "g", "reason": "r"}}]).replace(
        b'"event_1"', b"7"
    ),
    "an event as a list": text(list(event("e", "state.ops_applied", [NODE]).values())),
    "an empty payload": line([]),
    "no payload": b'{"kind":"state.ops_applied"}',
    "half a line": line([NODE])[:-20],
}


class TestTheTwoWaysAgree:
    @pytest.mark.parametrize("odd", DIFFERENT.values(), ids=list(DIFFERENT))
    def test_where_the_decoders_differ(self, odd: bytes) -> None:
        same(b"\n".join([line([NODE], "before"), odd, line([NODE], "after")]))

    def test_deep_nesting_is_read_up_to_the_limit_only(self) -> None:
        assert read(DIFFERENT["nested as deep as allowed"]) is not None
        with pytest.raises(strict_json.NotJsonError, match="recursion limit exceeded"):
            read(DIFFERENT["nested one deeper"])

    @settings(max_examples=100)
    @given(batches)
    def test_on_operations(self, payloads: Any) -> None:
        same(b"\n".join(line(payload, f"e{n}") for n, payload in enumerate(payloads)))

    @given(st.lists(values | st.lists(values | operations, max_size=3), max_size=4))
    def test_on_any_payload(self, payloads: Any) -> None:
        for payload in payloads:
            same(line(payload))

    @given(st.dictionaries(st.sampled_from(["id", "kind", "payload", "actor"]), values), st.data())
    def test_on_any_object(self, members: Any, data: st.DataObject) -> None:
        kind = data.draw(st.sampled_from(["state.ops_applied", "goal.created"]))
        same(text({**members, "kind": kind}))
        same(json.dumps({"kind": kind, **members}, indent=None, ensure_ascii=True).encode())

    @settings(max_examples=100)
    @given(st.data())
    def test_on_damaged_lines(self, data: st.DataObject) -> None:
        damaged = bytearray(data.draw(st.sampled_from(FIXTURE.split(b"\n")[1:2] + ODD)))
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(0, len(damaged)))
            damaged[at : at + data.draw(st.integers(0, 2))] = data.draw(
                st.sampled_from(PIECES) | st.binary(max_size=2)
            )
        same(bytes(damaged))


ODD = [line([NODE]), DIFFERENT["escaped letters of the kind"], DIFFERENT["no id"]]
PIECES = [b'"', b"{", b"}", b"[", b"]", b",", b":", b"-0", b"1e999", b"\\u00", b"\\ud800", b"null",
          b'{"a":1}', b"\n", b"\\", b"state.ops_applied", b'"kind":'] + [b""] * 3  # fmt: skip


class TestWhatIsFast:
    def test_the_reference_writers_lines_are(self) -> None:
        lines = [one for one in FIXTURE.split(b"\n") if b"ops_applied" in one]
        assert [fast_reader()(one).id for one in lines] == [
            "event_02", "event_05", "event_08", "event_10",
        ]  # fmt: skip

    @pytest.mark.parametrize("name", ["head400", "tail400"])
    def test_all_of_a_real_log_is(self, name: str) -> None:
        log = real(f"{name}.jsonl").read_bytes()
        reader = fast_reader()
        records = [reader(one) for _, one in likely_lines(log)]
        assert len(records) == log.count(b'"kind":"state.ops_applied"')

    @pytest.mark.parametrize("odd", ["minus zero", "two variants in one operation", "no id"])
    def test_what_is_odd_is_refused_not_guessed(self, odd: str) -> None:
        with pytest.raises(MsgspecError):
            fast_reader()(DIFFERENT[odd])


class TestWhichLinesAreLookedAt:
    def test_none_that_can_be_no_operations(self) -> None:
        others = [b"", line([], kind="goal.created"), line(["\\u00e9"], kind="tool.called")]
        log = b"\n".join([*others, line([NODE]), *others, line([]), *others])
        assert [one for _, one in likely_lines(log)] == [line([NODE]), line([])]

    @given(st.lists(st.sampled_from([*DIFFERENT.values(), b"", b"x", b"\\u0061"]), max_size=8))
    def test_each_with_the_place_where_it_starts(self, lines: list[bytes]) -> None:
        log = b"\n".join(lines)
        wanted = [one for one in lines if b"state.ops_applied" in one or b"\\u006" in one]
        found = list(likely_lines(log))
        assert [one for _, one in found] == wanted
        assert all(log[start : start + len(one)] == one for start, one in found)
        assert all(start == 0 or log[start - 1 : start] == b"\n" for start, _ in found)


class TestFuzz:
    """Whatever the bytes: a graph, or the named error."""

    def survives(self, log: bytes) -> None:
        fold = Fold()
        with suppress(FoldError):
            fold.take(log)
        assert fold.error is None or 1 <= fold.error.line <= log.count(b"\n") + 1
        assert json.dumps(fold.graph.as_json())

    @given(st.binary(max_size=300))
    def test_random_bytes(self, log: bytes) -> None:
        self.survives(log)
        self.survives(b'{"kind":"state.ops_applied","payload":' + log)

    def test_a_real_layout_cut_off_anywhere(self) -> None:
        for end in range(len(FIXTURE)):
            self.survives(FIXTURE[:end])

    def test_a_log_with_bytes_changed_anywhere(self) -> None:
        chance = random.Random(7)
        for _ in range(1500):
            log = bytearray(FIXTURE)
            for _ in range(chance.randint(1, 4)):
                log[chance.randrange(len(log))] = chance.choice(b'"{}[]:,\\0-9e\xff\xed\n\x00')
            self.survives(bytes(log))

    @pytest.mark.parametrize("odd", DIFFERENT.values(), ids=list(DIFFERENT))
    def test_each_odd_line(self, odd: bytes) -> None:
        self.survives(odd)


def test_operations_from_a_tolerant_reader_may_hold_half_a_surrogate() -> None:
    """The screen's reader of lines shows such text instead of refusing it."""
    fold = Fold()
    props = {"title": "\ud800", "n": 10**400}
    fold.take_ops(ops.decode([{"CreateNode": {"id": "a", "kind": "task", "props": props}}]), 1)
    fold.take_ops(ops.decode([{"UpdateNode": {"id": "a", "props": {"more": "\udfff"}}}]), 2)
    assert fold.graph.nodes["a"].props == {**props, "more": "\udfff"}
