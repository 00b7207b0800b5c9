"""What views say of a moment of the past: what no log holds is said to be not recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppgp_tui.session.model import Origin, SessionSnapshot
from ppgp_tui.ui.rows.row import Line, Row, Span, heading
from ppgp_tui.ui.views.goal.fields import FIELDS
from ppgp_tui.ui.views.prose import wrapped

NOT_RECORDED = "not recorded"


def untold(title: str) -> Row:
    """A heading over nothing: no log holds what would stand below it."""
    return heading(title, right=(Span(NOT_RECORDED, "soft"),))


def said(text: str, width: int = 0) -> Row:
    """One soft sentence, wrapped where a width is given."""
    lines = wrapped(text, width - 2) if width else [text]
    return Row("", tuple(Line((Span(line, "soft"),), indent=1) for line in lines))


def whole_log(snapshot: SessionSnapshot) -> SessionSnapshot:
    """The picture of a moment with all events there are by now, for a view that marks the moment.

    One of now is returned as it is.
    """
    moment = snapshot.moment
    if moment is None or moment.log is None:
        return snapshot
    events = replace(
        snapshot.events.value, log=moment.log, count=len(moment.log), names=moment.names
    )
    return replace(snapshot, events=replace(snapshot.events, value=events))


def field_rows(snapshot: SessionSnapshot) -> Sequence[Row]:
    """The fields of the goal document, as far as the log has them."""
    goal, lifecycle = snapshot.goal.value, snapshot.lifecycle
    known = {"GOAL": (goal.goal, lifecycle.value.origin), "PHASE": (goal.phase, None)}
    rows = [heading("Goal document", "as the log had it", (Span("replay", "wait", bold=True),))]
    for name, words in FIELDS.items():
        text, origin = known.get(name, (None, None))
        rows.append(_field(snapshot, name, words, text, origin))
    rows.append(said(""))
    rows.append(said("The log holds goal and phase only; Git may hold the document of that time."))
    return rows


def _field(
    snapshot: SessionSnapshot, name: str, words: str, text: str | None, origin: Origin | None
) -> Row:
    if not text:
        line = Line((Span(words, "soft"),), (Span(NOT_RECORDED, "soft"),), "unknown")
        return Row(f"field:{name}", (line,), copy=words)
    lines = [Line((Span(words),), (Span("recorded", "soft"),), "done", "ok")]
    lines.append(Line((Span(text, "ink" if name == "PHASE" else "text"),)))
    thing = f"node:{snapshot.lifecycle.value.id}" if name == "GOAL" else ""
    return Row(f"field:{name}", tuple(lines), origin, text, thing=thing)


def nobody(width: int) -> list[Row]:
    """No agent had begun a run."""
    return [
        untold("Agents"),
        said("no run of an agent was in the log by then", width),
    ]
