"""The audit as one section of the session: how far it is, or what it came to."""

from __future__ import annotations

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.audit_state import Audit
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.looks.audit_words import VERDICTS, lamp, moved_words
from ppgp_tui.ui.rows.columns import state_and_age
from ppgp_tui.ui.rows.layout import Frame
from ppgp_tui.ui.rows.row import Line, Row, Span, heading
from ppgp_tui.ui.views.audit.running import progress_bar, progress_words
from ppgp_tui.ui.views.prose import wrapped


def audit_brief(snapshot: SessionSnapshot, frame: Frame, width: int) -> list[Row]:
    """A heading and one row that Enter opens."""
    audit = snapshot.audit.value
    if audit.running is not None:
        running = audit.running
        bar = (Span("Audit", "ink", bold=True), Span("  "), *progress_bar(running, frame.look))
        right = (Span(progress_words(running, frame.now_ms), "soft"),)
        head = Row("", (Line(bar, right, indent=1),))
        line = Line((Span(running.command or running.stage),), (), "running", "run")
        return [head, Row("do:audit", (line,), opens="audit")]
    said = lamp(audit, False, frame.look)
    head = heading("Audit", right=(said._replace(text=said.text.removeprefix("audit ")),))
    return [head, _row(snapshot, audit, frame, width)]


def _row(snapshot: SessionSnapshot, audit: Audit, frame: Frame, width: int) -> Row:
    verdict, claims = audit.verdict, snapshot.lifecycle.value.claims
    if audit.state == "taken" and audit.overrides:
        one = audit.overrides[-1]
        line = Line((Span(one.reason),), _right(one.by, one.at_ms, frame), "dropped", "wait")
    elif audit.state == "claimed" and claims:
        last = claims[-1]
        line = Line((Span(last.summary),), _right(last.by, last.at_ms, frame), "claimed", "wait")
    elif verdict is not None:
        word = VERDICTS[verdict.word]
        text = verdict.why or word.text
        if verdict.stale or audit.moved:
            text = f"{word.text}, but {moved_words(audit, snapshot.plan.value.revision)}"
        first, *more = wrapped(text, width - 4 - 14)
        line = Line((Span(first),), _right("", verdict.at_ms, frame), word.sign, word.role)
        lines = (line, *(Line((Span(one),)) for one in more))
        return Row("do:audit", lines, verdict.origin, opens="audit")
    else:
        line = Line((Span("nobody has looked whether it is done", "soft"),), (), "open", "soft")
    return Row("do:audit", (line,), opens="audit")


def _right(word: str, at_ms: int | None, frame: Frame) -> tuple[Span, ...]:
    return state_and_age(Span(word, "soft"), Span(when(at_ms, frame.now_ms), "soft"))
