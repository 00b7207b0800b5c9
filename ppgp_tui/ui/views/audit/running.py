"""The audit under way: criteria as they are decided, and what the running check prints."""

from __future__ import annotations

from ppgp_tui.session.model import Origin, SessionSnapshot
from ppgp_tui.session.picture.audit_state import Running
from ppgp_tui.ui.looks.audit_words import OUTCOMES
from ppgp_tui.ui.looks.look import Look, Role
from ppgp_tui.ui.looks.words import Word, plain
from ppgp_tui.ui.rows.layout import Frame, Layout, Pane
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.audit.lines import TITLES, Asked, asked, criterion_lines, lasted
from ppgp_tui.ui.views.room import TWO_COLUMNS, split

LIST = "audit.list"
_BAR = 10
"""Most cells of the progress bar; up to here one cell is one check."""
_STAGES = {
    "planning": "looking at the repository",
    "checking": "looking at the repository",
    "asking": "asking the auditor",
    "recording": "recording the verdict",
}
_ISOLATION = {"bubblewrap": "read-only sandbox", "copy": "a copy, no sandbox"}


def running_layout(snapshot: SessionSnapshot, running: Running, frame: Frame) -> Layout:
    """Criteria and, below them or beside them, the output of the running check."""
    if frame.width >= TWO_COLUMNS:
        left, right = split(frame.width, 0.55)
        rows = [*_head(snapshot, running, frame, left), *_criteria(snapshot, running, left)]
        beside = _command(running, frame)
        return ((Pane(LIST, rows, left, about="running"),), (Pane("audit.output", beside, right),))
    rows = [
        *_head(snapshot, running, frame, frame.width),
        *_criteria(snapshot, running, frame.width),
        blank(),
        *_command(running, frame),
    ]
    return ((Pane(LIST, rows, frame.width, about="running"),),)


def progress_bar(running: Running, look: Look, room: int = _BAR) -> tuple[Span, ...]:
    """One cell for each check, or fewer that stand for them."""
    cells = min(running.checks, room)
    full = min(cells, running.done * cells // running.checks if running.checks else 0)
    return (
        Span(look.sign("bar_full") * full, "wait"),
        Span(look.sign("bar_empty") * (cells - full), "soft"),
    )


def progress_words(running: Running, now_ms: int) -> str:
    """`check 3 of 7, 1m10 of 10m`."""
    took = lasted((now_ms - running.started_ms) // 1000)
    limit = f" of {lasted(running.limit_s)}" if running.limit_s else ""
    if running.stage == "asking":
        return f"the auditor, {took}{limit}"
    step = min(running.done + 1, running.checks)
    return f"check {step} of {running.checks}, {took}{limit}"


def _head(snapshot: SessionSnapshot, running: Running, frame: Frame, width: int) -> list[Row]:
    bar = (Span("Audit", "ink", bold=True), Span("  "), *progress_bar(running, frame.look))
    right = (Span(progress_words(running, frame.now_ms), "soft"),)
    claims = snapshot.lifecycle.value.claims
    said = f"claim by {claims[-1].by}: {claims[-1].summary}" if claims else "nobody claims it yet"
    kept = _ISOLATION.get(running.isolation, "")
    if width < 44:
        kept = ""
    role: Role = "needs" if running.isolation == "copy" else "soft"
    about = Line((Span(said, "soft"),), (Span(kept, role),) if kept else (), indent=1)
    return [Row("", (Line(bar, right, indent=1),)), Row("", (about,)), blank()]


def _criteria(snapshot: SessionSnapshot, running: Running, width: int) -> list[Row]:
    known = list(asked(snapshot))
    ids = {one.id for one in known}
    known += [Asked(one, one, None) for one in running.states if one not in ids]
    path, rows, title = snapshot.goal.value.path, list[Row](), ""
    for one in known:
        state = running.states.get(one.id)
        if state is None:
            continue
        wanted = TITLES.get(one.kind, "")
        if wanted and wanted != title:
            title = wanted
            rows += [blank(), heading(title)]
        word = OUTCOMES.get(state, Word("unknown", "soft", state))
        shown = running.command if state == "running" else running.evidence.get(one.id, "")
        why = running.evidence.get(one.id, "") if state in ("fail", "cannot_check") else ""
        lines = criterion_lines(one.text, word, shown, width, why=why)
        origin = Origin(path, one.line) if one.line else None
        rows.append(Row(f"criterion:{one.id}", lines, origin, plain(one.text)))
    return rows


def _command(running: Running, frame: Frame) -> list[Row]:
    """The running command, how long it runs, and the end of what it prints."""
    if running.stage != "checking" or not running.command:
        said = f": {running.command}" if running.stage == "asking" and running.command else ""
        title = f"{_STAGES.get(running.stage, running.stage)}{said}"
    else:
        title = running.command
    right: tuple[Span, ...] = ()
    if running.command_ms is not None and running.command:
        took = f"{max(0, frame.now_ms - running.command_ms) // 1000}s"
        limit = running.command_limit_s
        of = "" if limit is None else f" of {limit}s" if limit <= 600 else f" of {lasted(limit)}"
        right = (Span(took + of, "soft"),)
    head = Row("", (Line((Span(title, "ink", bold=True),), right, indent=1),))
    output = (
        Row("", (Line((Span(line, "soft", exact=True),), indent=1),)) for line in running.output
    )
    return [head, *output]
