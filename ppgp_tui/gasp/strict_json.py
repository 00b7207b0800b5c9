"""JSON as the protocol's readers take it: what they refuse is refused, and in their words.

GASP reference sections 7 (numbers) and 11 (JSON strictness), appendix A (texts). The common text is
decoded by msgspec; only what msgspec refuses, or reads as another number, is parsed here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from ppgp_tui.gasp.strict_parser import NotJsonError as NotJsonError
from ppgp_tui.gasp.strict_parser import Parser, too_deep

Json = Any

_fast = msgspec.json.Decoder().decode

# `-0` and integers beyond 64 bits are doubles to the protocol, and integers to msgspec.
_NUMBER_CLASSES = bytearray(256)
_NUMBER_CLASSES[0x30:0x3A] = b"0" * 10
_NUMBER_CLASSES[0x2D] = 0x2D
for _code in b" \t\r\n:,[":
    _NUMBER_CLASSES[_code] = 0x31
_LONG = b"1" + b"0" * 19
_ODD_NUMBER = re.compile(rb"(?:^|[\s:,\[])(?:-0|-?[0-9]{19})(?![.eE])").search


def decode(text: str | bytes) -> Json:
    """Return the value of `text`; of members that repeat in an object the last one counts.

    Integers of −2^63 … 2^64−1 are `int`, all other numbers are `float` (`-0` too). Raises
    `NotJsonError` for anything else than one JSON value.
    """
    if isinstance(text, str):
        try:
            text = text.encode()
        except UnicodeEncodeError as error:
            raise NotJsonError("half a surrogate pair stands in the text") from error
    try:
        value = _fast(text)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return Parser(text).whole()
    if too_deep(text) or has_odd_number(text):
        return Parser(text).whole()
    return value


def has_odd_number(text: bytes) -> bool:
    """Whether a number may stand in `text` that msgspec reads as an integer wrongly."""
    if text[:1] not in b"{[":
        return True
    classes = text.translate(_NUMBER_CLASSES)
    return (b"1-0" in classes or _LONG in classes) and _ODD_NUMBER(text) is not None


def equal(one: Json, other: Json) -> bool:
    """Whether two values are the same JSON: `1`, `1.0` and `true` are three values."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(equal, one, other))
    return bool(one == other)


def encode(value: Json) -> str:
    """The value as the protocol's library writes it: compact, keys sorted, numbers its way."""
    return "".join(_pieces(value))


def _pieces(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        before = "{"
        for key in sorted(value):
            yield f"{before}{json.dumps(key, ensure_ascii=False)}:"
            yield from _pieces(value[key])
            before = ","
        yield "{}" if before == "{" else "}"
    elif isinstance(value, list):
        before = "["
        for item in value:
            yield before
            yield from _pieces(item)
            before = ","
        yield "[]" if before == "[" else "]"
    elif isinstance(value, float):
        yield _float(value)
    else:
        yield json.dumps(value, ensure_ascii=False)


def _float(number: float) -> str:
    """The shortest text of a double: an exponent without `+` and zeros, below 0.00001 only."""
    mantissa, sign, exponent = repr(number).partition("e")
    if not sign:
        return mantissa
    if exponent != "-05":
        return f"{mantissa}e{int(exponent)}"
    minus = "-" if mantissa.startswith("-") else ""
    return f"{minus}0.0000{mantissa.lstrip('-').replace('.', '')}"
