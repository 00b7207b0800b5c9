"""One event as a line of the log, and back (GASP reference section 4)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from ppgp_tui.session.canonical import encode, ordered

Event = Mapping[str, Any]
"""The eight members of an envelope."""

KEYS: Final = (
    "id", "schema_version", "ts_ms", "actor", "kind", "payload", "causation_id", "correlation_id",
)  # fmt: skip


class MalformedEventError(ValueError):
    """No event; the message says what is wrong with it."""


def line_of(event: Event) -> bytes:
    """Return the line of `event` with its newline: eight keys in order, the payload's sorted.

    Raises `MalformedEventError` for another shape and `UnserialisableError` for a value without
    canonical form.
    """
    _check(event)
    line = {key: ordered(event[key], key, 1) for key in KEYS}
    line["actor"] = {key: line["actor"][key] for key in ("kind", "id")}
    return encode(line) + b"\n"


def event_of(line: bytes) -> dict[str, Any]:
    """Return the event written on `line`, with or without its newline.

    Raises `MalformedEventError` unless it is one JSON object with exactly the eight keys and their
    types. The payload is taken as it is.
    """
    try:
        event = json.loads(line.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise MalformedEventError(f"not JSON: {error}") from None
    if not isinstance(event, dict):
        raise MalformedEventError("not a JSON object")
    _check(event)
    return event


def _check(event: Event) -> None:
    if event.keys() != set(KEYS):
        odd = ", ".join(sorted(event.keys() ^ set(KEYS)))
        raise MalformedEventError(f"missing or unknown members: {odd}")
    actor = event["actor"]
    if not isinstance(actor, Mapping) or actor.keys() != {"kind", "id"}:
        raise MalformedEventError("actor is not an object of kind and id")
    texts = (event["id"], actor["kind"], actor["id"], event["kind"])
    if not all(isinstance(text, str) for text in texts):
        raise MalformedEventError("id, actor and kind are texts")
    for key in ("schema_version", "ts_ms"):
        if not isinstance(event[key], int) or isinstance(event[key], bool):
            raise MalformedEventError(f"{key} is no integer")
    for key in ("causation_id", "correlation_id"):
        if not isinstance(event[key], str | None):
            raise MalformedEventError(f"{key} is neither text nor null")


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")
