"""Where JavaScript's values differ from Python's."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.pi import javascript as js

UNITS = st.text("aé漢🚀\ud83d\ude80\ufeff ", max_size=20)


@pytest.mark.parametrize("blank", [*"\t\n\v\f\r ", "\xa0", "\u1680", "\u2003", "\u2028", "\ufeff"])
def test_these_blanks_are_trimmed(blank: str) -> None:
    assert js.trim(f"{blank}x{blank}") == "x"


@pytest.mark.parametrize("kept", ["\x85", "\x1c", "\x1f", "\u200b", "\u180e"])
def test_these_are_not_blanks(kept: str) -> None:
    assert js.trim(kept) == kept


def test_lengths_count_utf16_units_or_code_points() -> None:
    assert js.length("🚀é") == 3
    assert js.code_points("🚀é") == 2
    assert js.code_points("\ud83d\ude80") == 1, "a pair, however it was written"


@given(st.text("aé漢🚀", max_size=20), st.integers(0, 25))
def test_a_cut_keeps_a_beginning_of_whole_characters(text: str, most: int) -> None:
    kept = js.cut(text, most)
    assert js.length(kept) in ((most, most - 1) if kept != text else (js.length(text),))
    assert text.startswith(kept)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (5e-324, "5e-324"),
        (2**53 + 1, "9007199254740992"),
        (123456789012345680000, "123456789012345680000"),
        (float("inf"), "Infinity"),
        (10**400, "Infinity"),
    ],
)
def test_numbers_print_as_in_javascript(value: float, text: str) -> None:
    assert js.number_text(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_printed_number_reads_back(value: float) -> None:
    assert float(js.number_text(value)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", 0),
        (" \ufeff", 0),
        ("12", 12),
        ("0b101", 5),
        ("+.5", 0.5),
        ("5.", 5),
        ("1_0", None),
        ("-0x1", None),
        ("٣", None),
        ("x", None),
    ],
)
def test_numbers_are_read_as_in_javascript(text: str, value: float | None) -> None:
    assert js.to_number(text) == value


def test_only_whole_numbers_javascript_counts_exactly_are_safe() -> None:
    assert js.is_safe_integer(2**53 - 1)
    assert js.is_safe_integer(3.0)
    for unsafe in (2**53, 1.5, True, "3", None, float("inf")):
        assert not js.is_safe_integer(unsafe), unsafe


def test_values_become_text_as_in_a_template() -> None:
    values: list[object] = [None, True, [1, None, ["a"]], {}, js.UNDEFINED]
    said = [js.to_text(value) for value in values]
    assert said == ["null", "true", "1,,a", "[object Object]", "undefined"]


def test_json_has_no_blanks_raw_unicode_and_escaped_halves() -> None:
    value: dict[str, object] = {
        "b": "é\u2028\x00\x7f\ud800",
        "2": [1.0, None],
        "1": {},
        "gone": js.UNDEFINED,
    }
    assert js.stringify(value) == ('{"1":{},"2":[1,null],"b":"é\u2028\\u0000\x7f\\ud800"}')
    assert js.stringify({"a": [1, []]}, 2) == '{\n  "a": [\n    1,\n    []\n  ]\n}'


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats() | UNITS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(UNITS, inner, max_size=3),
        max_leaves=8,
    )
)
def test_json_is_valid_utf8_and_reads_back(value: object) -> None:
    text = js.stringify(value)
    assert js.utf8_size(value) == len(text.encode())
    assert js.stringify(json.loads(text)) == text


def test_times_are_utc_with_milliseconds() -> None:
    assert js.iso_time(0) == "1970-01-01T00:00:00.000Z"
    assert js.iso_time(1_790_000_001_007) == "2026-09-21T14:13:21.007Z"
