"""One line of a log: sound lines are read whole, damaged ones as far as they go."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.gasp.envelope import DEEPEST, Envelope, head_reader, is_blank, read_line

SOUND: dict[str, Any] = {
    "id": "event_1",
    "schema_version": 1,
    "ts_ms": 1790000000000,
    "actor": {"kind": "agent", "id": "demo"},
    "kind": "run.started",
    "payload": {"run_id": "run_1"},
    "causation_id": None,
    "correlation_id": "run_1",
}


def line(**changes: Any) -> bytes:
    return json.dumps({**SOUND, **changes}).encode()


def without(name: str) -> bytes:
    return json.dumps({key: value for key, value in SOUND.items() if key != name}).encode()


def test_a_sound_line_is_read_whole() -> None:
    assert read_line(line()) == Envelope(
        "event_1", 1790000000000, "agent", "demo", "run.started", {"run_id": "run_1"}, None, "run_1"
    )


@pytest.mark.parametrize("payload", [None, [], [1], "text", 5, 1.5, True, {"a": [{}]}])
def test_any_json_may_be_the_payload(payload: Any) -> None:
    found = read_line(line(payload=payload))
    assert (found.payload, found.error) == (payload, None)


def test_unknown_members_and_kinds_are_no_damage() -> None:
    found = read_line(line(kind="weather.changed", more=1))
    assert (found.kind, found.error) == ("weather.changed", None)


@pytest.mark.parametrize(
    ("damaged", "said"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b'{"id":"x"', "not JSON"),
        (b"null", "null instead of an object"),
        (b"[1]", "a list instead of an object"),
        (b'"text"', "text instead of an object"),
        (without("id"), "id is missing"),
        (without("actor"), "actor is missing"),
        (without("kind"), "kind is missing"),
        (without("ts_ms"), "ts_ms is missing"),
        (line(id=5), "id is a number instead of text"),
        (line(ts_ms="5"), "ts_ms is text"),
        (line(ts_ms=1.0), "ts_ms is a number instead of a 64-bit integer"),
        (line(ts_ms=True), "ts_ms is true or false"),
        (line(ts_ms=2**63), "ts_ms is a number"),
        (line(actor="demo"), "actor is text instead of an object"),
        (line(actor={"kind": "agent"}), "actor.id is missing"),
        (line(causation_id=5), "causation_id is a number instead of text or null"),
        (line().replace(b'"run_1"}', b"NaN}"), "NaN is no number of JSON"),
        (line(id="\ud800"), "half a surrogate pair"),
        (line().replace(b"demo", b"d\xff"), "not UTF-8 at byte"),
        (b"\xef\xbb\xbf" + line(), "byte order mark"),
        (line() + b" x", "not JSON"),
        (b"\x00" * 5, "NUL"),
    ],
)
def test_damage_is_named(damaged: bytes, said: str) -> None:
    error = read_line(damaged).error
    assert error is not None
    assert said in error


def test_what_can_be_read_of_a_damaged_line_is_kept() -> None:
    found = read_line(line(ts_ms="soon", causation_id=[]))
    assert (found.id, found.kind, found.ts_ms, found.causation_id) == (
        "event_1", "run.started", None, None,
    )  # fmt: skip


def test_the_last_of_two_equal_keys_counts() -> None:
    found = read_line(line()[:-1] + b',"kind":"other"}')
    assert (found.kind, found.error) == ("other", None)


@pytest.mark.parametrize("depth", [DEEPEST + 2, 1_000, 100_000])
@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_deep_nesting_is_refused_and_never_crashes(depth: int, opening: bytes) -> None:
    closing = b"]" if opening == b"[" else b"}"
    deep = opening * depth + b"1" + closing * depth
    found = read_line(line(payload="P").replace(b'"P"', deep))
    assert found.error == f"nested deeper than {DEEPEST} levels"


def test_brackets_inside_text_are_not_nesting() -> None:
    found = read_line(line(payload='[{"\\' * 500))
    assert found.error is None


def test_huge_numbers_never_crash() -> None:
    found = read_line(line(payload=7).replace(b"7}", b"9" * 10_000 + b"}"))
    assert isinstance(found, Envelope)
    assert read_line(line(ts_ms=0).replace(b'"ts_ms": 0', b'"ts_ms": ' + b"9" * 10_000)).error


@pytest.mark.parametrize(
    "blank",
    [b"", b" ", b"\t\r", b"\x0b\x0c", "\u2028\u2029\u3000".encode(), "\u0085\xa0".encode()],
)
def test_white_space_makes_a_blank_line(blank: bytes) -> None:
    assert is_blank(blank)


@pytest.mark.parametrize("line", [b"{}", b"x", b"\x1c", b"\x00", "\u200b".encode(), b"\xff"])
def test_anything_else_does_not(line: bytes) -> None:
    assert not is_blank(line)


# The fast reader must agree


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
envelopes = st.fixed_dictionaries(
    {},
    optional={
        "id": st.text(max_size=5) | json_values,
        "ts_ms": st.integers(-(2**70), 2**70) | json_values,
        "actor": st.fixed_dictionaries({"kind": st.text(max_size=3), "id": st.text(max_size=3)})
        | json_values,
        "kind": st.sampled_from(["run.started", "x"]) | json_values,
        "payload": json_values,
        "causation_id": st.none() | st.text(max_size=3),
        "more": json_values,
    },
)


@given(envelopes, st.booleans())
def test_the_fast_reader_agrees_with_the_tolerant_one(value: dict[str, Any], raw: bool) -> None:
    data = json.dumps(value, ensure_ascii=not raw).encode("utf-8", "surrogatepass")
    assert_agree(data)


@given(st.binary(max_size=60))
def test_both_readers_take_any_bytes(data: bytes) -> None:
    assert_agree(data)


@given(st.data())
def test_both_readers_take_any_damage_of_a_sound_line(data: st.DataObject) -> None:
    sound = line()
    at = data.draw(st.integers(0, len(sound) - 1))
    until = data.draw(st.integers(at, min(len(sound), at + 4)))
    assert_agree(sound[:at] + data.draw(st.binary(max_size=3)) + sound[until:])


def assert_agree(data: bytes) -> None:
    whole, head = read_line(data), head_reader()(data)
    assert (head.id, head.ts_ms, head.actor_kind, head.actor_id, head.kind) == (
        whole.id, whole.ts_ms, whole.actor_kind, whole.actor_id, whole.kind,
    )  # fmt: skip
    if whole.error is None:
        assert head.payload() == whole.payload


def test_the_real_slices_have_no_damaged_line(shared_cases: Any) -> None:
    for name in ("head400", "tail400"):
        data = (shared_cases / "gasp" / "yoyo" / f"{name}.jsonl").read_bytes()
        lines = data.split(b"\n")[:-1]
        assert len(lines) == 400
        assert [read_line(line).error for line in lines] == [None] * 400
