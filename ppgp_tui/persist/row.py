"""One row of the loops' log (persist reference section 3): written exactly, read with patience."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_BLANKS: Final = b" \t\r\n\0"
"""NUL bytes are what a crash leaves of a block that was never written."""
_BEGINNING: Final = b'{"ts"'


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


class _Line(msgspec.Struct):
    """A line that counts as a row: an object with these two strings, whatever else it holds."""

    loop_id: str
    to_state: str
    ts: Any = None
    prompt_file: Any = None
    iteration: Any = None
    from_state: Any = None
    extra: Any = None


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


def decode(line: bytes) -> Row | None:
    """The row that a bare line holds, or None where it holds none.

    Members of another type than a row's count as missing; bytes that are no UTF-8 become U+FFFD.
    """
    try:
        return _row(_decode(line))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        value = json.loads(line.decode("utf-8", "replace"))
        return _row(msgspec.convert(value, _Line))
    except (ValueError, RecursionError):  # msgspec.ValidationError is one
        return None


def salvage(line: bytes) -> Iterator[Row]:
    """The whole rows inside a line that is none itself, such as two that were glued together."""
    text = line.decode("utf-8", "replace")
    decoder = json.JSONDecoder()
    at = text.find(_BEGINNING.decode())
    while at >= 0:
        end = at + 1
        try:
            value, end = decoder.raw_decode(text, at)
            yield _row(msgspec.convert(value, _Line))
        except (ValueError, RecursionError):
            pass
        at = text.find(_BEGINNING.decode(), end)


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


def number(value: object) -> int | None:
    """`value` where it is a whole number that can be one of a row, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
