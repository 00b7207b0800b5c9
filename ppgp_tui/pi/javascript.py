"""The few places where JavaScript's values differ from Python's and Pi's outcomes depend on it.

Lengths count UTF-16 code units, `trim` strips another set of blanks, numbers print differently and
JSON escapes lone surrogates (Pi reference sections 2.2, 3.4, 3.5, 3.6). Values are JSON values as
`json.loads` gives them; numbers larger than 2^53 are rounded as JavaScript would have read them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from json.encoder import encode_basestring
from math import inf, isfinite, isinf, isnan
from typing import Any, TypeGuard

WHITESPACE = "\t\n\v\f\r \xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B)))
WHITESPACE += "\u2028\u2029\u202f\u205f\u3000\ufeff"
MAX_SAFE_INTEGER = 2**53 - 1
MAX_ARRAY_INDEX = 2**32 - 2

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# Compiled when first used: a start reads goals that need none of them.
_SURROGATE = "[\ud800-\udfff]"
_ARRAY_INDEX = r"0|[1-9][0-9]{0,9}"
_DECIMAL = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_RADIX = r"0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)"


class _Undefined:
    """What an absent member reads as; it prints as `undefined` and JSON leaves it out."""

    def __repr__(self) -> str:
        return "UNDEFINED"


UNDEFINED = _Undefined()


# Text


def trim(text: str) -> str:
    """`text` without JavaScript's blanks at its ends: U+FEFF is one, U+0085 and U+001C are not."""
    return text.strip(WHITESPACE)


def length(text: str) -> int:
    """The number of UTF-16 code units of `text`."""
    return len(text) if text.isascii() else len(_utf16(text)) // 2


def cut(text: str, most: int) -> str:
    """The first `most` UTF-16 units of `text`, one less where the cut would leave half a pair."""
    units = _utf16(text)
    if len(units) <= 2 * most:
        return text
    kept = units[: 2 * most]
    if kept and 0xD8 <= kept[-1] <= 0xDB:
        kept = kept[:-2]
    return kept.decode("utf-16-le", "surrogatepass")


def code_points(text: str) -> int:
    """The number of code points of `text`; a pair written as two surrogates counts once."""
    return len(_joined(text))


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _joined(text: str) -> str:
    """`text` with every surrogate pair as one character, as JavaScript sees it."""
    if not re.search(_SURROGATE, text):
        return text
    return _utf16(text).decode("utf-16-le", "surrogatepass")


# Numbers


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether `value` is a JavaScript number; a boolean is not one."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def number(value: float) -> int | float:
    """`value` as the double JavaScript holds, an int where that double is a whole number."""
    if isinstance(value, int) and -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER:
        return value
    try:
        double = float(value)
    except OverflowError:
        return inf if value > 0 else -inf
    return int(double) if isfinite(double) and double.is_integer() else double


def is_safe_integer(value: object) -> TypeGuard[int | float]:
    """`Number.isSafeInteger`: 3 and 3.0 are, true and 2^53 are not."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    whole = number(value)
    return isinstance(whole, int) and -MAX_SAFE_INTEGER <= whole <= MAX_SAFE_INTEGER


def to_number(text: str) -> int | float | None:
    """`Number(text)`: blank is 0, hexadecimal counts; None where JavaScript has NaN."""
    body = trim(text)
    if not body:
        return 0
    if re.fullmatch(_RADIX, body):
        return number(int(body, 0))
    if re.fullmatch(_DECIMAL, body):
        return number(float(body))
    return {"Infinity": inf, "+Infinity": inf, "-Infinity": -inf}.get(body)


def number_text(value: float) -> str:
    """`String(value)` of a number: `1e+21`, `0.000001`, `1e-7`, never `1.0`."""
    held = number(value)
    if isinstance(held, int) and abs(held) <= MAX_SAFE_INTEGER:
        return str(held)
    double = float(held)
    if isnan(double) or isinf(double):
        return "NaN" if isnan(double) else "Infinity" if double > 0 else "-Infinity"
    sign, magnitude = ("-", -double) if double < 0 else ("", double)
    mantissa, _, exponent = repr(magnitude).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = fraction.rstrip("0")
    point = len(whole) + int(exponent or 0)
    digits = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if 0 < point <= 21:
        rest = f".{digits[point:]}" if len(digits) > point else "0" * (point - len(digits))
        return f"{sign}{digits[:point]}{rest}"
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{tail}e{point - 1:+d}"


# Values


def to_text(value: object) -> str:
    """`String(value)`, what a template literal prints."""
    if value is UNDEFINED:
        return "undefined"
    if value is None:
        return "null"
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(value)
    if isinstance(value, list | tuple):
        return ",".join("" if item is None else to_text(item) for item in value)
    return "[object Object]"


def own_keys(members: Mapping[str, Any]) -> list[str]:
    """Keys in `Object.keys` order: array indexes ascending, then the others as written."""
    keys = list(members)
    indexes = [
        key for key in keys if re.fullmatch(_ARRAY_INDEX, key) and int(key) <= MAX_ARRAY_INDEX
    ]
    if not indexes:
        return keys
    taken = set(indexes)
    return sorted(indexes, key=int) + [key for key in keys if key not in taken]


def stringify(value: object, indent: int = 0) -> str:
    """`JSON.stringify(value, null, indent)`: no blanks, non-ASCII raw, lone surrogates escaped."""
    return _stringify(value, "\n" if indent else "", " " * indent)


def _stringify(value: object, line: str, step: str) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        colon = ": " if step else ":"
        items = [
            f"{_quoted(key)}{colon}{_stringify(value[key], line + step, step)}"
            for key in own_keys(value)
            if value[key] is not UNDEFINED
        ]
        return _enclosed("{", items, "}", line, step)
    if isinstance(value, list | tuple):
        items = [_stringify(item, line + step, step) for item in value]
        return _enclosed("[", items, "]", line, step)
    if isinstance(value, float) and not isfinite(value):
        return "null"
    return "null" if value is UNDEFINED else to_text(value)


def _enclosed(opening: str, items: list[str], closing: str, line: str, step: str) -> str:
    if not items:
        return opening + closing
    return opening + line + step + f",{line}{step}".join(items) + line + closing


def _quoted(text: str) -> str:
    quoted: str = encode_basestring(_joined(text))
    return re.sub(_SURROGATE, lambda lone: f"\\u{ord(lone.group()):04x}", quoted)


def utf8_size(value: object) -> int:
    """Bytes of the UTF-8 of `JSON.stringify(value)`: the measure of Pi's budgets."""
    return len(stringify(value).encode())


def iso_time(ms: int) -> str:
    """`new Date(ms).toISOString()`: UTC with milliseconds and `Z`."""
    moment = _EPOCH + timedelta(milliseconds=ms)
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
