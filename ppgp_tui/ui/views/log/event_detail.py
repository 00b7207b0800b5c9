"""One event in full: how it came about, who did it, and its payload as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ppgp_tui.session.model import Event, EventLog, Origin
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.rows.columns import to_left
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.log.event_rows import ROLES, told
from ppgp_tui.ui.views.prose import exact_pieces, labelled, paragraph

HOPS = 6
"""Causes that are followed upwards."""
_MOST_LINES = 400
_MOST_BYTES = 8_000
_MOST_VALUES = 2_000
"""Values of a payload among which commits are looked for."""
_HASH = re.compile(r"[0-9a-f]{7,64}")


def event_detail(
    log: EventLog,
    event: Event,
    names: Mapping[str, str],
    width: int,
    path: str,
    look: Look,
    now_ms: int,
) -> list[Row]:
    """Everything the line says: its words, its causes, its members, its payload."""
    if is_damaged(event):
        return the_event(log, event, width, path)
    chain = cause_rows(log, event, names, path, look, now_ms)
    return [heading("How it came about"), *chain, blank(), *the_event(log, event, width, path)]


def is_damaged(event: Event) -> bool:
    """Whether nothing of the line could be read."""
    return event.error is not None and not event.kind


def the_event(log: EventLog, event: Event, width: int, path: str) -> list[Row]:
    """Everything the line says of itself: its members, commits it names, its payload."""
    if is_damaged(event):
        return _damaged(log, event, width, path)
    place = f"{path}:{event.line}" if event.line else path
    rows = [heading("The event", right=(Span(place, "soft"),))]
    if event.error is not None:
        rows.append(paragraph(f"damaged: {event.error}", width, "stop"))
    origin = Origin(path, event.line or None, event.offset)
    about = (
        ("kind", event.kind),
        ("id", event.id),
        ("actor", f"{event.actor_kind} {event.actor_id}".strip()),
        ("cause", event.causation_id or "none"),
        ("part of", event.correlation_id or "nothing"),
    )
    rows += [labelled(name, text, width, origin=origin, column=8) for name, text in about if text]
    rows += [commit_row(commit, width) for commit in commits_in(event.payload)]
    return rows + payload_rows(event.payload, width, origin)


def commit_row(commit: str, width: int) -> Row:
    """A commit that is named, to be looked at with Enter."""
    row = labelled("commit", commit, width, column=8)
    return row._replace(copy=commit, opens="diff", thing=f"commit:{commit}", leads=True)


def commits_in(payload: Any) -> list[str]:
    """The hashes of commits that a payload names as artifacts or references, each once."""
    found: list[str] = []
    waiting = [payload]
    looked_at = 0
    while waiting and looked_at < _MOST_VALUES:
        value = waiting.pop(0)
        looked_at += 1
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            found += _commits_of(value)
            waiting += value.values()
    return list(dict.fromkeys(found))


def _commits_of(value: dict[str, Any]) -> list[str]:
    named = [value.get("references_commit")]
    if value.get("kind") == "git-commit":
        uri = value.get("uri")
        after = uri.rpartition("@")[2] if isinstance(uri, str) else ""
        digest = value.get("hash")
        named.append(digest if isinstance(digest, str) and _HASH.fullmatch(digest) else after)
    return [name for name in named if isinstance(name, str) and _HASH.fullmatch(name)]


def cause_rows(
    log: EventLog,
    event: Event,
    names: Mapping[str, str],
    path: str,
    look: Look,
    now_ms: int,
    *,
    ahead: bool = False,
) -> list[Row]:
    """The causes above the event, the first one on top, each further in.

    `ahead`: the log goes on beyond that time.
    """
    chain, ends = _causes(log, event)
    rows = []
    if ends:
        rows.append(Row("", (Line((Span(ends, "soft"),), indent=1),)))
    for depth, cause in enumerate(reversed(chain)):
        said = told(cause, names)
        this = cause is event
        hook = f"{'  ' * depth}{look.sign('elsewhere')} " if depth else ""
        words = (
            Span(hook, "soft", exact=True),
            *to_left(Span(look.sign(said.sign), ROLES.get(said.sign, "soft"), bold=True), 2),
            Span(said.words, "ink" if this else "text", bold=this),
        )
        line = Line(words, (Span(when(cause.ts_ms, now_ms, ahead=ahead), "soft"),), indent=1)
        origin = Origin(path, cause.line or None, cause.offset)
        row = Row(f"cause:{cause.index}", (line,), origin, cause.id)
        if not this:
            row = row._replace(opens="go there", thing=f"event:{cause.index}", leads=True)
        rows.append(row)
    return rows


def _causes(log: EventLog, event: Event) -> tuple[list[Event], str]:
    """The event and the causes above it, nearest first; and why the chain ends there."""
    chain = [event]
    seen = {event.id}
    while (wanted := chain[-1].causation_id) and wanted not in seen:
        if len(chain) > HOPS:
            return chain, "earlier causes are not shown"
        index = log.index_of(wanted)
        if index is None:
            return chain, f"its cause {one_line(wanted)[:40]} is not in this log"
        seen.add(wanted)
        chain.append(log.event(index))
    return chain, "it names itself as a cause" if chain[-1].causation_id else ""


def payload_rows(payload: Any, width: int, origin: Origin | None) -> list[Row]:
    """A JSON value as readable text."""
    try:
        text = json.dumps(payload, indent=2, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        text = str(payload)
    return exact_rows(text.split("\n"), width, origin)


def exact_rows(lines: list[str], width: int, origin: Origin | None) -> list[Row]:
    """`lines` as they are, wrapped; every row can be stood on, so a long payload scrolls."""
    rows = []
    for number, text in enumerate(lines[:_MOST_LINES]):
        pieces = exact_pieces(text[:_MOST_BYTES], width - 2)
        drawn = tuple(Line((Span(piece, exact=True),), indent=1) for piece in pieces)
        rows.append(Row(f"payload:{number}", drawn, origin, text.strip()))
    if (more := len(lines) - _MOST_LINES) > 0:
        rows.append(Row("", (Line((Span(f"and {more:,} more lines", "soft"),), indent=1),)))
    return rows


def _damaged(log: EventLog, event: Event, width: int, path: str) -> list[Row]:
    raw = log.raw(event.index)
    place = f"{path}:{event.line}" if event.line else path
    origin = Origin(path, event.line or None, event.offset)
    text = raw[:_MOST_BYTES].decode("utf-8", "replace")
    rows = [
        heading("A damaged line", right=(Span(place, "soft"),)),
        paragraph(event.error or "", width, "stop", origin=origin),
        blank(),
        *exact_rows(text.split("\n"), width, origin),
    ]
    if (more := len(raw) - _MOST_BYTES) > 0:
        rows.append(Row("", (Line((Span(f"and {more:,} more bytes", "soft"),), indent=1),)))
    return rows
