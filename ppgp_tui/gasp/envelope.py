"""One line of an event log, as values (GASP reference section 4).

Reading is tolerant: a damaged line gives what could be read of it and says in `error` what is
wrong. Nothing here raises for any bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, NoReturn

from ppgp_tui.named_tuple import NamedTuple

DEEPEST = 127
"""Arrays and objects nested deeper than this are refused, as the protocol's readers do."""

_BOM = b"\xef\xbb\xbf"
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_MISSING: Any = object()


class Envelope(NamedTuple):
    """What one line says. Members that could not be read are empty or None."""

    id: str = ""
    ts_ms: int | None = None
    actor_kind: str = ""
    actor_id: str = ""
    kind: str = ""
    payload: Any = None
    causation_id: str | None = None
    correlation_id: str | None = None
    error: str | None = None
    """What is wrong with the line, in words; None when it is sound."""


class Head(NamedTuple):
    """The part of an envelope that finding and counting events need."""

    id: str
    ts_ms: int | None
    actor_kind: str
    actor_id: str
    kind: str
    payload: Callable[[], Any]
    """Decodes the payload when it is wanted; None where it cannot be."""
    error: str | None = None
    """What is wrong with the line, where that was noticed; `read_line` tells all of it."""


def is_blank(line: bytes) -> bool:
    """Whether nothing but Unicode White_Space stands on the line (section 4, line splitting)."""
    if line[:1] == b"{":
        return False
    bare = line.strip()
    if not bare or bare[0] < 0x80:
        return not bare
    return not bare.decode("utf-8", "replace").strip(WHITE_SPACE)


def read_line(line: bytes) -> Envelope:
    """Return what `line` (without its newline) says."""
    try:
        value, error = _decode(line)
    except RecursionError:
        value, error = None, f"nested deeper than {DEEPEST} levels"
    if not isinstance(value, dict):
        return Envelope(error=error or f"not an event: {_type(value)} instead of an object")
    return _from_members(value, error)


def head_reader() -> Callable[[bytes], Head]:
    """Return a fast `line -> Head`; what it cannot read it gives to `read_line`."""
    import msgspec

    actor = msgspec.defstruct("Actor", [("id", str), ("kind", str)])
    time = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
    members: list[tuple[str, Any]] = [("id", str), ("ts_ms", time), ("actor", actor), ("kind", str)]
    shape = msgspec.defstruct("Line", [*members, ("payload", msgspec.Raw, msgspec.Raw(b"null"))])
    decode: Callable[[bytes], Any] = msgspec.json.Decoder(shape).decode
    value = msgspec.json.Decoder().decode

    def payload(raw: msgspec.Raw) -> Any:
        try:
            return None if _too_deep(bytes(raw)) else value(raw)
        except (msgspec.DecodeError, RecursionError, ValueError):
            return None

    def read(line: bytes) -> Head:
        try:
            found = decode(line)
        except (msgspec.DecodeError, RecursionError, ValueError):
            whole = read_line(line)
            return Head(
                whole.id,
                whole.ts_ms,
                whole.actor_kind,
                whole.actor_id,
                whole.kind,
                lambda: whole.payload,
                whole.error,
            )
        actor = found.actor
        return Head(
            found.id, found.ts_ms, actor.kind, actor.id, found.kind, lambda: payload(found.payload)
        )

    return read


def _decode(line: bytes) -> tuple[Any, str | None]:
    """The JSON value of a line and what is wrong with its text."""
    error = None
    if line.startswith(_BOM):
        line, error = line[3:], "begins with a byte order mark"
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as bad:
        text, error = line.decode("utf-8", "replace"), f"not UTF-8 at byte {bad.start + 1}"
    if "\x00" in text:
        error = "contains a NUL byte"
    if _too_deep(line):
        return None, f"nested deeper than {DEEPEST} levels"
    try:
        return _DECODER.decode(text), error
    except json.JSONDecodeError as bad:
        return None, error or f"not JSON: {_plain(bad.msg)} at column {bad.colno}"
    except ValueError as bad:  # a number too long to read, NaN, Infinity
        return None, error or f"not JSON: {str(bad).partition(';')[0]}"


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _plain(message: str) -> str:
    return message[:1].lower() + message[1:].removesuffix(" at")


def _too_deep(line: bytes) -> bool:
    if line.count(b"[") + line.count(b"{") <= DEEPEST:
        return False
    depth = 0
    in_text = skip = False
    for byte in line:
        if skip:
            skip = False
        elif byte == 0x22:
            in_text = not in_text
        elif in_text:
            skip = byte == 0x5C
        elif byte in b"[{":
            depth += 1
            if depth > DEEPEST:
                return True
        elif byte in b"]}":
            depth -= 1
    return False


def _from_members(members: dict[str, Any], error: str | None) -> Envelope:
    wrong: list[str] = [error] if error else []

    def text(name: str, *, of: dict[str, Any] = members, label: str = "") -> str:
        value = of.get(name, _MISSING)
        if isinstance(value, str):
            if not _sound(value):
                wrong.append(f"{label or name} has half a surrogate pair")
            return value
        wrong.append(_mismatch(label or name, value, "text"))
        return ""

    def optional(name: str) -> str | None:
        value = members.get(name)
        if value is None or isinstance(value, str):
            return value
        wrong.append(_mismatch(name, value, "text or null"))
        return None

    ts_ms = members.get("ts_ms", _MISSING)
    if isinstance(ts_ms, bool) or not isinstance(ts_ms, int) or not -(2**63) <= ts_ms < 2**63:
        wrong.append(_mismatch("ts_ms", ts_ms, "a 64-bit integer"))
        ts_ms = None
    actor = members.get("actor", _MISSING)
    if not isinstance(actor, dict):
        wrong.append(_mismatch("actor", actor, "an object"))
        actor_kind = actor_id = ""
    else:
        actor_kind = text("kind", of=actor, label="actor.kind")
        actor_id = text("id", of=actor, label="actor.id")
    return Envelope(
        id=text("id"),
        ts_ms=ts_ms,
        actor_kind=actor_kind,
        actor_id=actor_id,
        kind=text("kind"),
        payload=members.get("payload"),
        causation_id=optional("causation_id"),
        correlation_id=optional("correlation_id"),
        error="; ".join(wrong) or None,
    )


def _mismatch(name: str, value: Any, wanted: str) -> str:
    if value is _MISSING:
        return f"{name} is missing"
    return f"{name} is {_type(value)} instead of {wanted}"


def _type(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "text"}
    return names.get(type(value), "a list" if isinstance(value, list) else "an object")


def _sound(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
