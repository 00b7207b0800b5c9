"""Canonical JSON: one value, one text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.canonical import (
    UnserialisableError,
    canonical,
    digest,
    digest_of,
    is_id,
    new_id,
    session_key,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
SAFE_INT = st.integers(-(2**53) + 1, 2**53 - 1)
JSON = st.recursive(
    st.none() | st.booleans() | SAFE_INT | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


def test_keys_are_sorted_by_code_point_and_nothing_is_escaped_without_need():
    value = {"b": 1, "a": {"é": "→", "z": None}, "B": [True, {"y": 1, "x": 2}], "😀": "\n", "～": 0}
    assert canonical(value).decode() == (
        '{"B":[true,{"x":2,"y":1}],"a":{"z":null,"é":"→"},"b":1,"～":0,"😀":"\\n"}'
    )


def test_control_characters_are_escaped_in_lower_case_and_delete_is_not():
    assert canonical("\x00\x1f\x7f\u2028") == '"\\u0000\\u001f\x7f\u2028"'.encode()


@given(JSON)
def test_reading_it_back_gives_the_value_again(value):
    assert json.loads(canonical(value)) == value


@given(JSON)
def test_writing_what_was_read_gives_the_same_bytes(value):
    assert canonical(json.loads(canonical(value))) == canonical(value)


@given(st.dictionaries(TEXT, SAFE_INT, min_size=2), st.randoms())
def test_the_order_in_which_a_mapping_was_built_does_not_matter(value, random):
    items = list(value.items())
    random.shuffle(items)
    assert canonical(dict(items)) == canonical(value)
    assert digest(dict(items)) == digest(value)


@given(JSON)
def test_it_is_one_line(value):
    assert b"\n" not in canonical(value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": 1.0}, "value.a: floats have no single form"),
        ([float("nan")], r"value\[0\]: floats"),
        ({"a": [2**53]}, r"value.a\[0\]: integers end below 2\^53"),
        (-(2**53), r"integers end below 2\^53"),
        ("\ud800", "a lone surrogate is not text"),
        ({"\udfff": 1}, "a lone surrogate is not text"),
        ({1: 2}, "key 1 is not text"),
        ({"a": b"x"}, "value.a: bytes is not JSON"),
        ({"a": {1, 2}}, "value.a: set is not JSON"),
    ],
)
def test_what_has_no_single_form_is_refused_with_its_place(value, message):
    with pytest.raises(UnserialisableError, match=message):
        canonical(value)


def test_the_largest_integers_readers_keep_exact_are_allowed():
    assert canonical([2**53 - 1, -(2**53) + 1]) == b"[9007199254740991,-9007199254740991]"


def test_nesting_is_allowed_as_deep_as_the_readers_of_the_log_go():
    deep = 0
    for _ in range(127):
        deep = [deep]
    assert canonical(deep).startswith(b"[" * 127)
    with pytest.raises(UnserialisableError, match="nested deeper than 127"):
        canonical([deep])


def test_a_digest_is_over_the_bytes_without_a_newline():
    assert digest({}) == digest_of(b"{}")
    assert digest({}) == "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_ids_are_random_and_recognised():
    made = {new_id("event") for _ in range(100)}
    assert len(made) == 100
    assert all(is_id(each) and is_id(each, "event") and not is_id(each, "req") for each in made)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "event_",
        "event_" + "0" * 31,
        "event_" + "0" * 33,
        "event_" + "A" * 32,
        "Event_" + "0" * 32,
        "event_" + "0" * 32 + "\n",
        "../event_" + "0" * 32,
        "event_" + "٣" * 32,
        "_" + "0" * 32,
    ],
)
def test_anything_else_is_no_id_and_never_becomes_a_file_name(text):
    assert not is_id(text)


def test_a_prefix_that_would_make_an_unreadable_id_is_refused():
    with pytest.raises(ValueError, match="lower-case letters"):
        new_id("Event_")


def test_a_session_name_is_kept_when_it_is_plain_and_hashed_when_it_is_not():
    assert session_key("claude", "0f3a-9.c_X") == "claude-0f3a-9.c_X"
    assert session_key("codex", "../../etc") == session_key("codex", "../../etc")
    for strange in ("../../etc", "", "a" * 97, "a\n", "\ud800"):
        key = session_key("codex", strange)
        assert len(key) == len("codex-") + 32
        assert key[6:].isalnum()
