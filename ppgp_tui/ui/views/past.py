"""What views say of a moment of the past: what no log holds is said to be not recorded.

The goal document is in no log; that of the time is shown as Git has it, and said to be that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppgp_tui.session.model import Origin, SessionSnapshot
from ppgp_tui.session.picture.moment import Committed
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.rows.columns import width_of
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


def committed(snapshot: SessionSnapshot) -> Committed | None:
    """The goal document of the moment that is shown, where Git has one of it."""
    moment = snapshot.moment
    found = None if moment is None else moment.document
    return found if isinstance(found, Committed) and found.reading is not None else None


def as_committed(snapshot: SessionSnapshot) -> SessionSnapshot:
    """The picture of a moment with the goal as the document in Git says it, not as the log does.

    The same one where Git has no document, and of now.
    """
    found = committed(snapshot)
    if found is None or found.reading is None:
        return snapshot
    return replace(snapshot, goal=replace(snapshot.goal, value=found.reading))


def committed_rows(snapshot: SessionSnapshot, width: int) -> list[Row]:
    """Which commit the document is of, and how long before the moment; nothing without one."""
    found = committed(snapshot)
    if found is None:
        return []
    text = _since(found, snapshot)
    if width_of(text) > width - 2:
        text = text.removeprefix("as ")
    lines = (Line((Span(line, "wait"),), indent=1) for line in wrapped(text, width - 2))
    return [Row("", tuple(lines))]


def log_otherwise(snapshot: SessionSnapshot, width: int) -> list[Row]:
    """What the log of a moment says otherwise than the document in Git, which is older."""
    found, log = committed(snapshot), snapshot.goal.value
    if found is None or found.reading is None:
        return []
    whole = found.reading.field_named("GOAL")
    written = {_plain(found.reading.goal), _plain(whole.text if whole is not None else None)}
    rows: list[Row] = []
    if log.phase and log.phase != found.reading.phase:
        rows.append(said(f"by then the log said phase {log.phase}", width))
    if log.goal and _plain(log.goal) not in written:
        rows.append(said(f"by then the log said goal {_plain(log.goal, fold=False)}", width))
    return rows


def _plain(text: str | None, *, fold: bool = True) -> str:
    words = " ".join((text or "").split())
    return words.casefold().rstrip(".") if fold else words


def in_commit(rows: Sequence[Row], snapshot: SessionSnapshot) -> list[Row]:
    """The rows of a document with the commit that it is of: where they were read, and came by."""
    found = committed(snapshot)
    if found is None:
        return list(rows)
    return [
        row
        if row.origin is None or row.origin.path != found.path
        else row._replace(
            origin=replace(row.origin, commit=found.commit),
            thing=row.thing or f"commit:{found.commit}",
        )
        for row in rows
    ]


def _since(found: Committed, snapshot: SessionSnapshot) -> str:
    did = "as committed in" if found.data is not None else "removed by commit"
    return f"{did} {found.commit[:7]}, {age(found.at_ms, snapshot.at_ms)} before this moment"


def field_rows(snapshot: SessionSnapshot, width: int) -> Sequence[Row]:
    """The fields of the goal document, as far as the log has them."""
    rows = [heading("Goal document", "as the log had it", (Span("replay", "wait", bold=True),))]
    goal, lifecycle = snapshot.goal.value, snapshot.lifecycle
    objective = _plain(lifecycle.value.objective, fold=False) or goal.goal
    known = {"GOAL": (objective, lifecycle.value.origin), "PHASE": (goal.phase, None)}
    for name, words in FIELDS.items():
        rows.append(_field(snapshot, name, words, *known.get(name, (None, None))))
    rows += [said(""), said(_why_not(snapshot), width)]
    return rows


def _why_not(snapshot: SessionSnapshot) -> str:
    found = None if snapshot.moment is None else snapshot.moment.document
    if found is None:
        return "Git is being asked for the document of that time."
    why = _since(found, snapshot) if isinstance(found, Committed) else found
    return f"The log holds goal and phase only; {why}."


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
