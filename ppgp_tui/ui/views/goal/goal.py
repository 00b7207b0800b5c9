"""View 5: the goal document, field by field on one side and word for word on the other."""

from __future__ import annotations

from ppgp_tui.ppgp.reading import Finding, GoalReading
from ppgp_tui.session.model import Origin, SessionSnapshot
from ppgp_tui.ui.looks.look import Role
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.columns import to_right
from ppgp_tui.ui.rows.layout import Frame, Layout, Pane
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.screen.notices import quiet_problems
from ppgp_tui.ui.views.goal.fields import FIELDS, field_row, is_sound
from ppgp_tui.ui.views.goal.pi import pi_goal_rows
from ppgp_tui.ui.views.goal.text import TextRows
from ppgp_tui.ui.views.past import (
    as_committed,
    committed,
    committed_rows,
    field_rows,
    in_commit,
    log_otherwise,
)
from ppgp_tui.ui.views.prose import wrapped
from ppgp_tui.ui.views.room import TWO_COLUMNS, found, opens, split, tall, under_cursor

_ROOMY = 24
"""Rows of a view from which on a blank one parts what is fixed from what scrolls."""
_HEALTH: dict[str, Role] = {
    "CONFORMANT": "ok", "PARTIAL": "wait", "MALFORMED": "stop", "MISSING": "soft",
}  # fmt: skip


class GoalView:
    """The thirteen fields, whatever else the document holds, its findings and its text."""

    name = "goal"

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        """Return the fields, and the text beside them or, where it is narrow, when opened."""
        if snapshot.moment is not None and committed(snapshot) is None:
            recorded = found(field_rows(snapshot, frame.width), frame.filter)
            return ((Pane("goal.list", recorded, frame.width),),)
        if frame.width >= TWO_COLUMNS:
            left, right = split(frame.width, 0.45)
            rows = found(_list(snapshot, frame, left), frame.filter)
            key = under_cursor(frame, "goal.list", rows)
            fields = Pane("goal.list", rows, left)
            return ((*_then(snapshot, frame, left), fields), _text(snapshot, frame, key, right))
        rows = found(_list(snapshot, frame, frame.width), frame.filter)
        if frame.opened and frame.document:
            return (_text(snapshot, frame, frame.opened, frame.width),)
        return ((*_then(snapshot, frame, frame.width), Pane("goal.list", rows, frame.width)),)


def _then(snapshot: SessionSnapshot, frame: Frame, width: int) -> tuple[Pane, ...]:
    """Above the fields of the past, wherever they are scrolled to: of which commit they are."""
    if committed(snapshot) is None:
        return ()
    head = [_heading(as_committed(snapshot).goal.value), *committed_rows(snapshot, width)]
    head += log_otherwise(snapshot, width)
    head += [blank()] if frame.height >= _ROOMY else []
    return (Pane("goal.then", head, width, height=tall(head)),)


def _list(then: SessionSnapshot, frame: Frame, width: int) -> list[Row]:
    snapshot = as_committed(then)
    goal = snapshot.goal.value
    enter = opens(frame, "text") if frame.document else ""
    general = [finding for finding in goal.reasons if finding.line is None]
    placed = [finding for finding in goal.reasons if finding.line is not None]
    rows = [] if committed(then) else [_heading(goal)]
    rows += [_finding(goal, finding, width, enter) for finding in general]
    if goal.health in ("CONFORMANT", "PARTIAL"):
        rows += [_field(snapshot, name, frame, enter) for name in FIELDS]
    elif goal.health == "MISSING":
        rows += pi_goal_rows(snapshot, width)
        rows += _elsewhere(snapshot, width)
    else:
        rows += [field_row(goal, field.name, frame.look, enter) for field in goal.fields]
    rows += _sections(goal, enter)
    if placed:
        rows += [blank(), heading("Findings", right=(Span(str(len(goal.reasons)), "soft"),))]
        rows += [_finding(goal, finding, width, enter) for finding in placed]
    return in_commit(rows + _other_files(snapshot, width), then)


def _field(snapshot: SessionSnapshot, name: str, frame: Frame, enter: str) -> Row:
    """A field; that of the goal stands for the goal of the log."""
    row = field_row(snapshot.goal.value, name, frame.look, enter)
    recorded = snapshot.lifecycle.value.id if name == "GOAL" else None
    return row._replace(thing=f"node:{recorded}") if recorded else row


def _heading(goal: GoalReading) -> Row:
    health = Span(goal.health.lower(), _HEALTH[goal.health], bold=True)
    if goal.health in ("MISSING", "MALFORMED"):
        return heading("Goal document", goal.path, (health,))
    sound = sum(is_sound(goal, name) for name in FIELDS)
    return heading("Goal document", f"{sound} of {len(FIELDS)} sound", (health,))


def _finding(goal: GoalReading, finding: Finding, width: int, enter: str) -> Row:
    """The whole sentence, wrapped, and what mends it."""
    place = "" if finding.line is None else str(finding.line)
    role: Role = "stop" if goal.health == "MALFORMED" else "wait"
    lines = wrapped(finding.text, width - 4 - (1 + max(3, len(place)) if place else 0))
    right = to_right(Span(place, "soft"), 3) if place else ()
    rest = [(text, "text") for text in lines[1:]]
    rest += [(text, "soft") for text in wrapped(finding.mend, width - 4) if text]
    return Row(
        f"finding:{finding.code}:{finding.line}:{finding.text}",
        (
            Line((Span(lines[0]),), right, "finding", role),
            *(Line((Span(text, "soft" if kind == "soft" else "text"),)) for text, kind in rest),
        ),
        Origin(goal.path, finding.line),
        finding.text,
        enter if place else "",
    )


def _other_files(snapshot: SessionSnapshot, width: int) -> list[Row]:
    """Findings in settings, plan and heartbeats: this is where all of them can be read."""
    rows = []
    for problem in quiet_problems(snapshot):
        place = problem.path if problem.line is None else f"{problem.path}:{problem.line}"
        texts = [(line, "text") for line in wrapped(problem.text, width - 4)]
        texts += [
            (line, "soft")
            for line in wrapped(", ".join(filter(None, (place, problem.mend))), width - 4)
        ]
        lines = tuple(
            Line(
                (Span(text, "soft" if role == "soft" else "text"),),
                sign=None if at else "finding",
                sign_role="wait",
            )
            for at, (text, role) in enumerate(texts)
        )
        key = f"problem:{problem.code}:{place}:{problem.text}"
        rows.append(Row(key, lines, Origin(problem.path, problem.line), problem.text))
    if not rows:
        return []
    return [blank(), heading("In other files", right=(Span(str(len(rows)), "soft"),)), *rows]


def _sections(goal: GoalReading, enter: str) -> list[Row]:
    """What the document holds besides the fields; all there is when it holds no field."""
    if not goal.sections:
        return []
    title = "Also in the document" if goal.fields else "Headings seen"
    rows = [
        Row(
            f"section:{section.line}",
            (
                Line(
                    (Span(section.title or "(no title)"),),
                    to_right(Span(str(section.line), "soft"), 3),
                    "unknown",
                ),
            ),
            Origin(goal.path, section.line),
            section.title,
            enter,
        )
        for section in goal.sections
    ]
    return [blank(), heading(title, right=(Span(str(len(rows)), "soft"),)), *rows]


def _elsewhere(snapshot: SessionSnapshot, width: int) -> list[Row]:
    """Goals on other refs are named, never switched to."""
    others = snapshot.repo.value.other_goals
    if not others:
        return []
    rows = [
        Row("", tuple(Line((Span(text),), indent=1) for text in wrapped(other, width - 2)))
        for other in others[:20]
    ]
    return [blank(), heading("On other refs", "not switched to"), *rows]


def finding_rows(snapshot: SessionSnapshot, width: int) -> list[Row]:
    """Every finding whole: those of the document, then those in other files; none, no row."""
    goal = snapshot.goal.value
    if goal.health == "MISSING" or not goal.reasons:
        return _other_files(snapshot, width)[1:]
    title = heading("Findings", goal.path, (Span(str(len(goal.reasons)), "soft"),))
    found = [_finding(goal, finding, width, "") for finding in goal.reasons]
    return [title, *found, *_other_files(snapshot, width)]


def _text(then: SessionSnapshot, frame: Frame, key: str, width: int) -> tuple[Pane, ...]:
    """The text pane under its heading, scrolled to what `key` stands for."""
    goal = as_committed(then).goal.value
    if not frame.document:
        return (Pane("goal.text", [], width),)
    past = committed(then)
    first, last = _lines_of(goal, key)
    noted = {finding.line: finding.text for finding in goal.reasons if finding.line is not None}
    rows = TextRows(
        frame.document,
        width,
        goal.path,
        found=noted,
        first_line=first,
        last_line=last,
        wanted=frame.filter,
        commit=past.commit if past else "",
    )
    size = f"{count(goal.line_count, 'line')}, {_bytes(goal.bytes)}"
    said = f"found in {count(rows.matching(), 'line')}" if frame.filter else size
    head = [
        heading(
            f"{goal.path} in {past.commit[:7]}" if past else goal.path, right=(Span(said, "soft"),)
        )
    ]
    reveal = f"line:{first}" if first else ""
    return (
        Pane("goal.text.head", head, width, height=tall(head)),
        Pane("goal.text", rows, width, uniform=True, reveal=reveal),
    )


def _lines_of(goal: GoalReading, key: str) -> tuple[int, int]:
    """First and last line of what the row with `key` is about; (0, -1) when it is about none."""
    kind, _, name = key.partition(":")
    if kind == "field" and (field := goal.field_named(name)):
        return field.line, field.end_line
    if kind == "section":
        for section in goal.sections:
            if str(section.line) == name:
                return section.line, section.end_line
    if kind == "finding":
        line = name.partition(":")[2].partition(":")[0]
        if line.isdecimal():
            return int(line), int(line)
    return 0, -1


def _bytes(number: int) -> str:
    if number < 1024:
        return f"{number} B"
    return f"{number / 1024:.1f} kB" if number < 1024 * 1024 else f"{number / 1024 / 1024:.1f} MB"
