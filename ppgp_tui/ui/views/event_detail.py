"""One event in full: how it came about, who did it, and its payload as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ppgp_tui.session.model import Event, EventLog, Origin
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.ages import age
from ppgp_tui.ui.columns import to_left
from ppgp_tui.ui.look import Look
from ppgp_tui.ui.rows import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.event_rows import ROLES, told
from ppgp_tui.ui.views.prose import exact_pieces, labelled, paragraph

HOPS = 6
"""Causes that are followed upwards."""
_MOST_LINES = 400
_MOST_BYTES = 8_000


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
    if event.error is not None and not event.kind:
        return _damaged(log, event, width, path)
    rows = [heading("How it came about"), *_chain(log, event, names, path, look, now_ms)]
    place = f"{path}:{event.line}" if event.line else path
    rows += [blank(), heading("The event", right=(Span(place, "soft"),))]
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
    return rows + _payload(event.payload, width, origin)


def _chain(
    log: EventLog, event: Event, names: Mapping[str, str], path: str, look: Look, now_ms: int
) -> list[Row]:
    """The causes above the event, the first one on top, each further in."""
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
        line = Line(words, (Span(age(cause.ts_ms, now_ms), "soft"),), indent=1)
        origin = Origin(path, cause.line or None, cause.offset)
        rows.append(Row(f"cause:{cause.index}", (line,), origin, cause.id))
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


def _payload(payload: Any, width: int, origin: Origin) -> list[Row]:
    try:
        text = json.dumps(payload, indent=2, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        text = str(payload)
    return _exact(text.split("\n"), width, origin)


def _exact(lines: list[str], width: int, origin: Origin) -> list[Row]:
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
        *_exact(text.split("\n"), width, origin),
    ]
    if (more := len(raw) - _MOST_BYTES) > 0:
        rows.append(Row("", (Line((Span(f"and {more:,} more bytes", "soft"),), indent=1),)))
    return rows
