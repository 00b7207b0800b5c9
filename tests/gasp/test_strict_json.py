"""JSON as the protocol's readers take it (reference sections 7 and 11, appendix A)."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ppgp_tui.gasp.strict_json import NotJsonError, decode, encode, equal
from ppgp_tui.gasp.strict_parser import Parser

WORDS = {
    "": "EOF while parsing a value at line 1 column 0",
    "[": "EOF while parsing a list at line 1 column 1",
    "[1,": "EOF while parsing a value at line 1 column 3",
    "[1 2]": "expected `,` or `]` at line 1 column 4",
    "[1,]": "trailing comma at line 1 column 4",
    "{": "EOF while parsing an object at line 1 column 1",
    '{"a"': "EOF while parsing an object at line 1 column 4",
    '{"a":': "EOF while parsing a value at line 1 column 5",
    '{"a" 1}': "expected `:` at line 1 column 6",
    '{"a":1 "b"}': "expected `,` or `}` at line 1 column 8",
    '{"a":1,}': "trailing comma at line 1 column 8",
    "{1:1}": "key must be a string at line 1 column 2",
    "nul": "EOF while parsing a value at line 1 column 3",
    "nulx": "expected ident at line 1 column 4",
    "truex": "trailing characters at line 1 column 5",
    "1 2": "trailing characters at line 1 column 3",
    "// x": "expected value at line 1 column 1",
    "\ufeff1": "expected value at line 1 column 1",
    "NaN": "expected value at line 1 column 1",
    "-Infinity": "invalid number at line 1 column 2",
    "01": "invalid number at line 1 column 2",
    "-01": "invalid number at line 1 column 3",
    "1.": "EOF while parsing a value at line 1 column 2",
    "1.x": "invalid number at line 1 column 3",
    "1e+": "EOF while parsing a value at line 1 column 3",
    "1e400": "number out of range at line 1 column 5",
    '"a': "EOF while parsing a string at line 1 column 2",
    '"\t"': "control character (\\u0000-\\u001F) found while parsing a string at line 1 column 2",
    '"\\q"': "invalid escape at line 1 column 3",
    '"\\ud800 "': "unexpected end of hex escape at line 1 column 8",
    '"\\udc00"': "lone leading surrogate in hex escape at line 1 column 7",
    "\n\n  x": "expected value at line 3 column 3",
    "[" * 128: "recursion limit exceeded at line 1 column 128",
}


@pytest.mark.parametrize(("text", "detail"), WORDS.items())
def test_what_is_no_json_is_refused_with_words_and_place(text: str, detail: str) -> None:
    with pytest.raises(NotJsonError, match=f"^{re.escape(detail)}$"):
        decode(text)


@pytest.mark.parametrize("bad", [b"\xff", b'"\xc0\x80"', b'"\xed\xa0\x80"'])
def test_bytes_that_are_no_utf8_are_refused(bad: bytes) -> None:
    with pytest.raises(NotJsonError):
        decode(bad)
    with pytest.raises(NotJsonError):
        decode('"\ud800"')


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("18446744073709551615", 2**64 - 1), ("-9223372036854775808", -(2**63)),
        ("18446744073709551616", 2.0**64), ("-9223372036854775809", -(2.0**63)),
        ("-0", -0.0), ("-0.0", -0.0), ("0", 0), ("1.0", 1.0), ("1e2", 100.0), ("1E-400", 0.0),
        ("0e99999999999", 0.0), (" \t\r\n1 \r", 1), ('"\\ud83d\\ude00\\/"', "😀/"),
        ('{"a":1,"\\u0061":2}', {"a": 2}), ("[" * 127 + "]" * 127, None),
    ],
)  # fmt: skip
def test_numbers_are_integers_of_64_bits_or_doubles(text: str, value: Any) -> None:
    for wrapped, unwrap in ((text, False), (f'{{"x":{text}}}', True), (f"[ {text}]", True)):
        if value is None and unwrap:
            continue
        found = decode(wrapped)
        inner = found if not unwrap else found["x"] if isinstance(found, dict) else found[0]
        if value is not None:
            assert type(inner) is type(value)
            assert inner == value
            if isinstance(value, float):
                assert math.copysign(1, inner) == math.copysign(1, value)


def test_a_number_that_looks_odd_within_a_string_stays_text() -> None:
    assert decode('{"a":"x, -0, 12345678901234567890123"}') == {
        "a": "x, -0, 12345678901234567890123"
    }


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False) | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=12,
)  # fmt: skip


@given(VALUES, st.booleans(), st.sampled_from([None, " "]))
def test_any_value_in_any_style_is_read_as_what_it_is(
    value: Any, ascii_only: bool, indent: str | None
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert equal(decode(text), value)
    assert equal(Parser(text.encode()).whole(), value)
    assert equal(decode(encode(value)), value)


@given(st.text('[]{}:,"\\u0d8c19-+.eE ntrfalsu\t\x01é\u2028', max_size=14))
@example('{"a":-0}')
@example("[1e5.3]")
@example('"\\ud800\\udc00"')
def test_the_fast_way_never_takes_what_the_slow_way_refuses(text: str) -> None:
    def outcome(read: Any) -> str:
        try:
            return encode(read())
        except NotJsonError as error:
            return f"refused: {error.detail}"

    assert outcome(lambda: decode(text)) == outcome(lambda: Parser(text.encode()).whole())
    accepted = not outcome(lambda: decode(text)).startswith("refused")
    assert accepted == _accepted_by_the_standard_library(text)


def _accepted_by_the_standard_library(text: str) -> bool:
    def refuse(word: str) -> None:
        raise ValueError(word)

    try:
        value = json.loads(text, parse_constant=refuse)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("one", "other"), [(1, 1.0), (1, True), (0, False), ([1], [1.0]), ({"a": 1}, {"a": True}),
                       ({}, []), (None, False), ({"a": 1}, {"b": 1}), ([1], [1, 1])],
)  # fmt: skip
def test_equality_is_that_of_json(one: Any, other: Any) -> None:
    assert not equal(one, other)
    assert equal(one, one)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e16, "1e16"), (1e15, "1000000000000000.0"), (1e-5, "0.00001"), (-1.5e-5, "-0.000015"),
        (1e-6, "1e-6"), (1.25e-7, "1.25e-7"), (1e22, "1e22"), (5e-324, "5e-324"), (-0.0, "-0.0"),
        ({"b": 1, "a": ["é", "\x1f\x7f"]}, '{"a":["é","\\u001f\x7f"],"b":1}'),
        ({}, "{}"), ([], "[]"),
    ],
)  # fmt: skip
def test_values_are_written_as_the_protocol_s_library_writes_them(value: Any, text: str) -> None:
    assert encode(value) == text
