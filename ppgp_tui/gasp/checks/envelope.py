"""Check 1, envelope round-trip: every line is one event, and says nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from ppgp_tui.gasp import strict_json
from ppgp_tui.gasp.checks.event import MEMBERS, Event
from ppgp_tui.gasp.checks.event_text import InvalidEventError, read_event
from ppgp_tui.gasp.strict_parser import NotJsonError, too_deep

_SHALLOW: Final = 7
"""Lists and objects that payloads are commonly nested in; the decoder's type doubles with each."""


def _common_event() -> Any:
    """`Event` with a payload not nested deeper than `_SHALLOW`, its integers within 64 bits."""
    integer = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
    scalar: Any = None | bool | integer | float | str
    value = scalar
    for _ in range(_SHALLOW):
        value = scalar | list[value] | dict[str, value]  # type: ignore[valid-type]
    return msgspec.defstruct("Event", [("payload", value)], bases=(Event,), gc=False)


# A line is sound when `encode(decode_common(line))` is the line; see `sound_event`.
decode_common = msgspec.json.Decoder(_common_event()).decode
_decode = msgspec.json.Decoder(Event).decode
encode = msgspec.json.Encoder().encode
encode_into = msgspec.json.Encoder().encode_into


class Fault(NamedTuple):
    """What is wrong with one line."""

    rule: str
    text: str


class Judged(NamedTuple):
    """A line and what came of it."""

    event: Event | None
    """None where the line is no event for the protocol's readers."""
    faults: tuple[Fault, ...] = ()
    id: str | None = None
    """The event's id, wherever it could be read."""


def sound_event(line: bytes) -> Event | None:
    """Return the event of a line in which nothing is wrong; None where that is not plain to see.

    A line that is written as the protocol's writer writes it is equal to what its event is written
    as. That proves everything at once: the types, all members there once, none unknown.
    """
    event: Event
    try:
        event = decode_common(line)
    except (msgspec.DecodeError, RecursionError, ValueError):
        try:
            event = _decode(line)
        except (msgspec.DecodeError, RecursionError, ValueError):
            return None
        if too_deep(line) or strict_json.has_odd_number(line):
            return None
    if encode(event) == line or _says_everything_once(line, event):
        return event
    return None


def judge(line: bytes) -> Judged:
    """Say what is wrong with a line that is not blank; its newline is left out."""
    event = sound_event(line)
    if event is not None:
        return Judged(event, id=event.id)
    try:
        value = strict_json.decode(line)
    except NotJsonError as error:
        return Judged(None, (Fault("not_json", f"not JSON: {error.detail}"),))
    if not isinstance(value, dict):
        faults = (Fault("not_object", "not a JSON object"),)
        try:
            event, _ = read_event(line)
        except InvalidEventError:
            return Judged(None, faults)
        return Judged(event, faults, event.id)
    found = list(_member_faults(value))
    try:
        event, exact = read_event(line)
    except InvalidEventError as error:
        found.append(Fault("invalid_envelope", f"not a valid envelope: {error}"))
        name = value.get("id")
        return Judged(None, tuple(found), name if isinstance(name, str) else None)
    if not exact:
        found.append(Fault("no_round_trip", "does not round-trip structurally"))
    return Judged(event, tuple(found), event.id)


def _member_faults(value: dict[str, Any]) -> Iterator[Fault]:
    for name in MEMBERS:
        if name not in value:
            yield Fault("missing_member", f"missing envelope field `{name}`")
    for name in sorted(value.keys() - set(MEMBERS)):
        yield Fault("unknown_member", f"unknown top-level field `{name}`")


def _says_everything_once(line: bytes, event: Event) -> bool:
    """Whether a line of another style (blanks, escapes, order) repeats no member of the envelope.

    msgspec has read it, so it is JSON with the right members and types; but it lets a member be
    repeated, and takes `-0` for an integer.
    """
    if event.ts_ms == 0 or event.schema_version == 0:
        return False
    try:
        text = json.loads(line, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return False
    members = dict(text)
    numbers = (members["schema_version"], members["ts_ms"])
    return (
        len(text) == len(MEMBERS)
        and len(members["actor"]) == 2
        and all(type(number) is int for number in numbers)
    )


class _Pairs(list[tuple[str, Any]]):
    """The members of an object as they stand in the text."""
