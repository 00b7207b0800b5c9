"""A line of a log read as a batch of operations: fast where the line is ordinary, exact anywhere.

The fast reading decodes a line at once into typed records, which skip nothing and know no member
but the protocol's. So whatever the decoder and the protocol see differently makes it fail (strings
that are no Unicode, numbers out of range, deep nesting, unknown members, several variants in one
operation), and who called it reads the line again with `read` and `ops.decode`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import UnsetType, defstruct
from msgspec.structs import astuple

from ppgp_tui.gasp import strict_json
from ppgp_tui.gasp.vocabulary import OPS_EVENT

Json = Any

_WORD = OPS_EVENT.encode()
_ESCAPE = b"\\u00"
_SPELLING = re.compile(rb"\\u00[2-7]").search  # letters, digits and signs of ASCII
_NESTED = 6
"""How deep properties may be nested on the fast way."""


class OpsLine(NamedTuple):
    """What a `state.ops_applied` line says."""

    event: str
    """The event's id; empty where it has none."""
    payload: Json
    """Any JSON value: whether it is a list of operations, `ops.decode` says."""


def read(line: bytes) -> OpsLine | None:
    """Return what a line says; None when it is another event or none at all.

    Raises `strict_json.NotJsonError`.
    """
    event = strict_json.decode(line)
    if isinstance(event, list) and len(event) == 8:  # an envelope without its names
        event = {"id": event[0], "kind": event[4], "payload": event[5]}
    if not isinstance(event, dict) or event.get("kind") != OPS_EVENT:
        return None
    name = event.get("id")
    return OpsLine(name if isinstance(name, str) else "", event.get("payload"))


def event_id(line: bytes) -> str | None:
    """The id that a line gives its event; None where it gives none."""
    try:
        event = strict_json.decode(line)
    except strict_json.NotJsonError:
        return None
    if isinstance(event, list):
        event = {"id": event[0]} if len(event) == 8 else None
    name = event.get("id") if isinstance(event, dict) else None
    return name if isinstance(name, str) else None


def likely_lines(log: bytes) -> Iterator[tuple[int, bytes]]:
    """Find the lines that may hold operations, and where they start, without decoding any.

    A line without the word, and without an escape that could spell it, is certainly another event.
    """
    find, rfind = log.find, log.rfind
    escapes = b"\\" in log
    begin = 0
    while (found := find(_WORD, begin)) >= 0:
        start = rfind(b"\n", begin, found) + 1 or begin
        if escapes and find(_ESCAPE, begin, start) >= 0:
            yield from _escaping(log, begin, start)
        end = find(b"\n", found)
        if end < 0:
            end = len(log)
        begin = end + 1
        yield start, log[start:end]
    if escapes and find(_ESCAPE, begin) >= 0:
        yield from _escaping(log, begin, len(log))


def _escaping(log: bytes, begin: int, stop: int) -> Iterator[tuple[int, bytes]]:
    """The lines between two places in which such an escape stands."""
    while (found := log.find(_ESCAPE, begin, stop)) >= 0:
        start = log.rfind(b"\n", begin, found) + 1 or begin
        end = log.find(b"\n", found, stop)
        if end < 0:
            end = stop
        begin = end + 1
        if _SPELLING(line := log[start:end]):
            yield start, line


@cache
def fast_reader() -> Callable[[bytes], Any]:
    """Return a `line -> record` with the members `id` and `payload`.

    It raises `msgspec.MsgspecError` for any line that is not an ordinary `state.ops_applied`.
    `payload` lists records with one member of each variant's name, all but one of them None.
    """
    # The decoder takes `-0` for the integer 0, so no integer below 1 is read without another look.
    usual = msgspec.json.Decoder(_line(1)).decode
    rarer = msgspec.json.Decoder(_line(-(2**63))).decode
    has_odd_number = strict_json.has_odd_number

    def read_fast(line: bytes) -> Any:
        try:
            found = usual(line)
        except msgspec.ValidationError:
            if has_odd_number(line):
                raise
            found = rarer(line)
        for op in found.payload:
            if astuple(op).count(None) != _ALL_BUT_ONE:
                raise msgspec.ValidationError("several variants in one operation")
        return found

    return read_fast


_ALL_BUT_ONE = 6


def _line(least: int) -> Any:
    """The type of a line in which no integer inside properties is below `least`."""
    integer = Annotated[int, msgspec.Meta(ge=least, le=2**63 - 1)]
    value: Any = None | bool | integer | float | str
    for _ in range(_NESTED):
        value = None | bool | integer | float | str | list[value] | dict[str, value]
    name, reason = ("id", str), ("reason", str)
    ends = [("source", str), ("rel", str), ("target", str)]
    artifact = _record(
        "ArtifactRef", ("kind", str), ("uri", str), ("hash", str | None, None),
        ("summary", str | None, None), ("metadata", value),
    )  # fmt: skip
    variants = [
        _record("CreateNode", name, ("kind", str), ("props", value)),
        _record("CreateRelation", *ends, ("props", value)),
        _record("UpdateNode", name, ("props", value)),
        _record("AttachArtifact", name, ("artifact", artifact)),
        _record("TombstoneNode", name, reason),
        _record("MarkStale", name, reason),
        _record("DeleteRelation", *ends),
    ]
    op: Any = _record("Op", *((one.__name__, one | UnsetType, None) for one in variants))
    return _record(
        "Line",
        name,
        ("schema_version", int),
        ("ts_ms", int),
        ("actor", _record("Actor", ("kind", str), name)),
        ("kind", Literal[OPS_EVENT]),
        ("payload", list[op]),
        ("causation_id", str | None, None),
        ("correlation_id", str | None, None),
    )


def _record(name: str, *members: Any) -> Any:
    ends = {"source": "from", "target": "to"}
    return defstruct(name, members, gc=False, forbid_unknown_fields=True, rename=ends, kw_only=True)
