"""Who changed one task: every change of it, the newest first."""

from __future__ import annotations

from ppgp_tui.session.model import Origin
from ppgp_tui.session.plan_history.blame import TaskChange, Touch, blame
from ppgp_tui.session.plan_history.history import PlanHistory
from ppgp_tui.ui.looks.ages import when, width
from ppgp_tui.ui.looks.look import Role, Sign
from ppgp_tui.ui.looks.words import TASKS
from ppgp_tui.ui.rows.columns import to_left, to_right, widest
from ppgp_tui.ui.rows.row import Line, Row, Span, blank
from ppgp_tui.ui.views.plan.revision_rows import MARKS, made_by, thing_of
from ppgp_tui.ui.views.prose import wrapped

MOST = 50
"""Changes of one task that are told; the command line tells them all."""
_STATUS = {"pending": "open", "in_progress": TASKS["running"].text, "completed": TASKS["done"].text}


def blame_rows(history: PlanHistory, key: str, pane: int, now_ms: int) -> tuple[Row, ...]:
    """A row for each revision that changed the task, and where all this is known from."""
    changes = _blamed(history, key)
    names = widest([change.revision.name for change in changes], 3)
    rows = [_row(history, change, names, pane, now_ms) for change in changes]
    if not rows:
        said = "no revision that is known changed this task"
        rows.append(Row("", (Line((Span(said, "soft"),), indent=1),)))
    note = history.words()
    if len(changes) == MOST:
        note += f", only the last {MOST} changes: `ppgp-tui todo blame` tells all"
    if older := history.revisions.older:
        note += f", {older:,} older revisions are not kept"
    lines = tuple(Line((Span(line, "soft"),), indent=1) for line in wrapped(note, pane - 2))
    return (*rows, blank(), Row("", lines))


_last: dict[str, tuple[PlanHistory, tuple[TaskChange, ...]]] = {}
"""What was told last, while the history stays the same value: every paint asks again."""


def _blamed(history: PlanHistory, key: str) -> tuple[TaskChange, ...]:
    known = _last.get(key)
    if known is None or known[0] is not history:
        _last.clear()
        known = _last[key] = (history, blame(history, key, MOST))
    return known[1]


def _row(history: PlanHistory, change: TaskChange, names: int, pane: int, now_ms: int) -> Row:
    revision = change.revision
    by = made_by(history, revision) or "nobody named"
    word, sign, role = _told(change.touches[0])
    adopted = ", edited by hand" if revision.origin == "adopted" else ""
    event = f"  event {revision.at + 1:,}" if revision.origin in ("call", "adopted") else ""
    left = (
        *to_left(Span(revision.name, "soft"), names),
        Span("  "),
        Span(by, "ink", bold=True),
        Span(f"{adopted}{event}", "soft"),
    )
    right = (Span(word, role), *to_right(Span(when(revision.ts_ms, now_ms), "soft"), width() + 2))
    lines = [Line(left, right, sign, role)]
    indent = 3 + names + 2
    for touch in change.touches:
        lines += [
            Line((Span(line, "text"),), indent=indent)
            for line in wrapped(_words(touch), pane - indent - 1)
        ]
    thing = thing_of(history, revision)
    opens = "its event" if thing.startswith("event") else "its commit" if thing else ""
    copy = f"{revision.name}, {by}: {'; '.join(_words(touch) for touch in change.touches)}"
    origin = Origin(history.where) if history.where else None
    return Row(f"blame:{change.at}:{revision.id}", tuple(lines), origin, copy, opens, thing)


def _told(touch: Touch) -> tuple[str, Sign, Role]:
    if touch.deed == "unknown":
        return "not recorded", "unknown", "soft"
    return MARKS["rewired" if touch.deed == "re-wired" else touch.deed]


def _words(touch: Touch) -> str:
    """What was done, in a sentence."""
    if touch.deed == "added":
        return touch.now
    if touch.deed == "removed":
        return f"why: {touch.why}" if touch.why else "no reason was given"
    if touch.deed == "restated":
        return f"{_STATUS.get(touch.was, touch.was)}, now {_STATUS.get(touch.now, touch.now)}"
    if touch.deed == "reworded":
        return f"{touch.now or 'not described'}, was “{touch.was or 'not described'}”"
    if touch.deed == "re-wired":
        return f"needs {touch.now or 'nothing'}, was {touch.was or 'nothing'}"
    return "its plan cannot be read any more"
