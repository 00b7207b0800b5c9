"""The scanner of the fast path against a JSON parser."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.agents.hook.fast import WANTED, Surprise, generation_of, scan
from ppgp_tui.session.canonical import canonical
from ppgp_tui.session.engine.pauses import nothing_ordered
from tests.agents.hook.scene import DATA

NAMES = [name.decode() for name in WANTED]
WORDS = st.sampled_from(NAMES) | st.text(max_size=6)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=20,
)
OBJECTS = st.dictionaries(WORDS, VALUES, max_size=9)


def wanted(said: dict[str, Any]) -> dict[bytes, bytes]:
    return {
        name.encode(): said[name].encode("utf-8", "surrogatepass")
        for name in NAMES
        if isinstance(said.get(name), str)
    }


@given(OBJECTS, st.sampled_from([None, 0, 2]), st.booleans())
def test_what_is_found_is_what_a_parser_finds(
    said: dict[str, Any], indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(said, indent=indent, ensure_ascii=ascii_only)
    data = text.encode("utf-8", "surrogatepass")
    with suppress(Surprise):
        assert scan(data) == wanted(json.loads(text))


@given(st.dictionaries(st.sampled_from(NAMES), st.text(alphabet="aB0 -_./ü", max_size=20)), OBJECTS)
def test_plain_texts_are_always_found(plain: dict[str, str], nested: dict[str, Any]) -> None:
    data = json.dumps({"tool_input": nested, **plain, "last": [nested]}, ensure_ascii=False)
    assert scan(data.encode("utf-8", "surrogatepass")) == wanted(plain)


@given(st.binary(max_size=200) | st.text('{}[]":,\\ nul0u\n', max_size=60).map(str.encode))
def test_no_bytes_are_too_much_for_it(data: bytes) -> None:
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError):
        parsed = None
    with suppress(Surprise):
        found = scan(data)
        if isinstance(parsed, dict):
            assert found == wanted(parsed)


@pytest.mark.parametrize("path", sorted(DATA.glob("*/*.json")), ids=lambda path: path.stem)
def test_every_recorded_payload_is_read_without_a_parser(path: Any) -> None:
    data = path.read_bytes()
    assert scan(data) == wanted(json.loads(data))


@pytest.mark.parametrize(
    "text",
    [
        '{"session_id": "a", "session_id": "b"}',
        '{"session\\u005fid": "a"}',
        '{"session_id": "a\\u0062"}',
        '{"session_id": ["a"]}',
        '{"session_id": 7}',
        '{"session_id": {"session_id": "a"}}',
        "[]",
        '"session_id"',
        '{"session_id": "a"',
        "",
        "{'session_id': 'a'}",
        "\ufeff{}",
    ],
)
def test_what_may_mean_something_else_is_left_to_the_parser(text: str) -> None:
    with pytest.raises(Surprise):
        scan(text.encode())


def test_a_member_of_a_member_is_not_the_events_own() -> None:
    nested = {"tool_input": {"session_id": "planted", "cwd": "/"}, "session_id": "own"}
    assert scan(json.dumps(nested).encode()) == {b"session_id": b"own"}


@given(st.integers(0, 2**52), st.text(max_size=40), st.text(max_size=40))
def test_the_generation_of_a_quiet_order_is_read(number: int, words: str, item: str) -> None:
    order = nothing_ordered() | {"generation": number, "next": item}
    order["continue"] = {**order["continue"], "text": words}
    with suppress(ValueError):  # half a character, which no order can hold
        data = canonical(order) + b"\n"
        assert generation_of(data) == str(number).encode()


@pytest.mark.parametrize(
    "changed",
    [
        {"slow": True},
        {
            "hold": {
                "id": "hold_1",
                "reason": '"hold":null,"slow":false',
                "since_ms": 0,
                "who": ["*"],
            }
        },
        {"schema": 2},
        {"generation": -1},
    ],
)
def test_an_order_that_wants_something_is_left_to_the_package(changed: dict[str, Any]) -> None:
    with pytest.raises(Surprise):
        generation_of(canonical(nothing_ordered() | changed) + b"\n")


@pytest.mark.parametrize("data", [b"", b"{}", b"{}\n", b'{"generation":1', b"\xff"])
def test_a_damaged_order_is_left_to_the_package(data: bytes) -> None:
    with pytest.raises(Surprise):
        generation_of(data)
