"""One row of the loops' log (persist reference section 3): written exactly, read with patience."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Final, NamedTuple

import msgspec

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_BLANKS: Final = b" \t\r\n\0"
"""NUL bytes are what a crash leaves of a block that was never written."""
_BEGINNING: Final = re.compile(r'\{"ts"')
_VALUE_BEFORE: Final = re.compile(r"[\[:,][\s\0]*$")
_VALUE_AFTER: Final = re.compile(r"[\s\0]*[\],}]")
"""What stands before and after a value that is inside another one."""
_NEAR: Final = 64
"""Characters before a row that are looked at."""
_AHEAD: Final = 8
"""Where a row inside a damaged line begins, so many further beginnings are looked past for its end:
few, for otherwise a long line of nothing but beginnings would take hours."""
DEEPEST: Final = 200
"""What is nested deeper is no row: how deep one gets depends on where one stands, and every reader
has to find the same rows."""
LONG: Final = 2 * DEEPEST
"""A shorter line is never nested so deep."""
_STRING_OR_BRACKET: Final = re.compile(rb'"(?:[^"\\]|\\.)*"?|[][{}]', re.DOTALL)
_LARGEST: Final = 2**63 - 1
_YEAR_10000_MS: Final = 253_402_300_800_000


class Row(NamedTuple):
    """What a loop did at one moment."""

    ts: str
    """UTC in whole seconds, such as `2026-11-30T02:00:00+00:00`."""
    loop_id: str
    """12 hexadecimal digits."""
    prompt_file: str
    """Absolute, links resolved."""
    iteration: int
    """0 in the first row; the number of the run after it."""
    from_state: str
    to_state: str
    extra: Mapping[str, Any]


class Told(msgspec.Struct, gc=False):
    """Whether `extra` tells more than where the loop stands; UNSET where it does not."""

    exit_code: Any = msgspec.UNSET
    """Of the run that ended before the row."""
    max_iterations: Any = msgspec.UNSET
    """The loop's budget, which stands in its first row."""


class Head(msgspec.Struct, gc=False):
    """As much of a row as says where its loop stands: quickly read, the rest only looked over."""

    loop_id: str
    to_state: str
    iteration: Annotated[int, msgspec.Meta(ge=-_LARGEST, le=_LARGEST)] = 0
    extra: Told | None = None


class _Line(msgspec.Struct):
    """A line that counts as a row: an object with these two strings, whatever else it holds."""

    loop_id: str
    to_state: str
    ts: Any = None
    prompt_file: Any = None
    iteration: Any = None
    from_state: Any = None
    extra: Any = None


NO_HEAD: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What `quick_head` raises."""
quick_head: Final = msgspec.json.Decoder(Head).decode
"""The head of a line with a row that is as rows are; raises for any other, see `head`."""
_decode = msgspec.json.Decoder(_Line).decode


def encode(row: Row) -> bytes:
    """The row as one line with its line end: keys in order, no blanks, non-ASCII escaped."""
    return json.dumps(row._asdict(), separators=(",", ":")).encode() + b"\n"


def time_text(unix_ms: int) -> str:
    """A moment as rows write it."""
    return datetime.fromtimestamp(unix_ms // 1000, UTC).isoformat()


def time_ms(text: str) -> int | None:
    """The moment that a row names, in Unix milliseconds; None where it names none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def bare(line: bytes) -> bytes:
    """A line without the blanks and NUL bytes around it; empty where nothing stands in it."""
    return line.strip(_BLANKS)


def is_deep(line: bytes) -> bool:
    """Whether a line is nested too deep to be a row."""
    if len(line) <= LONG or line.count(b"[") + line.count(b"{") <= DEEPEST:
        return False
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(line):
        depth += (found[0] in b"[{") - (found[0] in b"]}")
        if depth > DEEPEST:
            return True
    return False


def head(line: bytes) -> Head | None:
    """The head of the row that a bare line holds, or None where it holds none."""
    if is_deep(line):
        return None
    try:
        return quick_head(line)
    except NO_HEAD:
        pass
    row = decode(line)
    if row is None:
        return None
    told = Told(*(row.extra.get(name, msgspec.UNSET) for name in Told.__struct_fields__))
    return Head(row.loop_id, row.to_state, row.iteration, told)


def decode(line: bytes) -> Row | None:
    """The row that a bare line holds, or None where it holds none.

    Members of another type than a row's count as missing; bytes that are no UTF-8 and characters
    that are none become U+FFFD or `?`.
    """
    if is_deep(line):
        return None
    try:
        return _row(_decode(line))
    except (*NO_HEAD, OverflowError):
        pass
    try:
        value = json.loads(line.decode("utf-8", "replace"), parse_int=_whole)
        return _row(msgspec.convert(_sound(value), _Line))
    except (ValueError, OverflowError, RecursionError):  # msgspec.ValidationError is one
        return None


def salvage(line: bytes) -> Iterator[bytes]:
    """The whole rows inside a line that is none itself, such as two that were glued together.

    Each is a line of its own, without its end. What only looks like one, as a value inside a row
    that was torn or is none, is no row.
    """
    text = line.decode("utf-8", "replace")
    begins = [found.start() for found in _BEGINNING.finditer(text)]
    decoder, end = json.JSONDecoder(), 0
    for at, beyond in zip(begins, [*begins[_AHEAD:], *[len(text)] * _AHEAD], strict=False):
        if at < end:
            continue
        piece = text[at:beyond]
        try:
            found = piece[: decoder.raw_decode(piece)[1]]
        except (ValueError, RecursionError):
            continue
        row = found.encode()
        if is_deep(row):
            continue
        end = at + len(found)
        if _VALUE_AFTER.match(text, end) and _VALUE_BEFORE.search(text[max(0, at - _NEAR) : at]):
            continue
        if head(row) is not None:
            yield row


def _row(line: _Line) -> Row:
    return Row(
        ts=line.ts if isinstance(line.ts, str) else "",
        loop_id=line.loop_id,
        prompt_file=line.prompt_file if isinstance(line.prompt_file, str) else "",
        iteration=number(line.iteration) or 0,
        from_state=line.from_state if isinstance(line.from_state, str) else "",
        to_state=line.to_state,
        extra=line.extra if isinstance(line.extra, dict) else {},
    )


def _whole(digits: str) -> int | float:
    """A whole number; one of more digits than can be read is endless."""
    try:
        return int(digits)
    except ValueError:
        return float(digits)


def _sound(value: Any) -> Any:
    """The same without halves of surrogate pairs, which no screen and no file takes."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_sound(one) for one in value]
    if isinstance(value, dict):
        return {_sound(name): _sound(one) for name, one in value.items()}
    return value


def number(value: object) -> int | None:
    """`value` where it is a whole number that can be one of a row, else None."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST:
        return None
    return value


def amount(value: object) -> float | None:
    """`value` where it is a number that one can calculate with, else None."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if abs(value) <= _LARGEST else None  # which neither inf nor NaN is


def moment(value: object) -> int | None:
    """`value` where it is a moment with a date, in Unix milliseconds, else None."""
    found = number(value)
    return found if found is not None and 0 <= found < _YEAR_10000_MS else None
