"""How the log stands with the seven checks: its lamp in the key line, and what the sheet says."""

from __future__ import annotations

from collections.abc import Iterator

from ppgp_tui.session.model import CheckLook, Conformance, Finding, SessionSnapshot
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.look import Role
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.row import Line, Row, Span, blank

_NARROW = 60
_LABEL = 7
_WORDS: dict[str, str] = {
    "passed": "passed",
    "failed": "failed",
    "checking": "being checked",
    "unchecked": "not checked",
    "unknown": "not checked yet",
}


def log_lamp(snapshot: SessionSnapshot, width: int) -> Span:
    """Return what is known of the log's conformance; empty while nothing is."""
    known = snapshot.conformance.value
    narrow = width < _NARROW
    if known.state == "failed":
        findings = f"{known.findings:,}" if narrow else count(known.findings, "finding")
        return Span(f"log: {findings}", "stop")
    if known.state == "checking":
        part = "" if known.progress is None else f" {int(known.progress * 100)} %"
        return Span(f"log{part or ' …'}" if narrow else f"checking log{part}", "wait")
    if known.state == "unchecked":
        return Span("log ?" if narrow else "log not checked", "soft")
    if known.state in ("ok", "incomplete"):
        return Span("log ok" + ("" if narrow or not known.lacks else _lacking(known)), "soft")
    return Span("")


def has_more_to_say(snapshot: SessionSnapshot) -> bool:
    """Whether the sheet tells something that the lamp only hints at."""
    return snapshot.conformance.value.state in ("failed", "unchecked", "incomplete")


def conformance_rows(snapshot: SessionSnapshot, width: int, now_ms: int) -> Iterator[Row]:
    """Say the findings with their line, event and mend, then each check."""
    known = snapshot.conformance.value
    if known.state in ("unknown", "absent"):
        return
    since = age(known.since_ms, now_ms)
    yield _said(_headline(known), "ink", f"since {since}" if since else "", bold=True)
    if known.lines is not None:
        words = f"{count(known.lines, 'line')}, {known.offset or 0:,} bytes"
        yield from _fact("about", words, width)
    if known.why:
        yield from _fact("why", known.why, width)
    for finding in known.first:
        yield blank()
        yield from _finding(finding, width)
    more = known.findings - len(known.first)
    if more > 0:
        yield blank()
        yield from _fact("more", f"{more:,} more: ppgp-tui gasp check . --explain", width)
    yield blank()
    for one in known.checks:
        yield _check(one)


def _headline(known: Conformance) -> str:
    if known.state == "ok":
        return "The log passes all seven checks"
    if known.state == "incomplete":
        return "The log is sound" + _lacking(known)
    if known.state == "failed":
        return f"The log has {count(known.findings, 'finding')}"
    return "The log is being checked" if known.state == "checking" else "The log is not checked"


def _lacking(known: Conformance) -> str:
    return f", no {known.lacks[0]}" if known.lacks else ""


def _check(one: CheckLook) -> Row:
    role: Role = "stop" if one.state == "failed" else "text" if one.state == "passed" else "soft"
    state = _WORDS[one.state]
    if one.state == "failed":
        state = count(one.findings, "finding")
    left = (Span(f"{one.number}".ljust(_LABEL), "soft"), Span(one.name))
    return Row("", (Line(left, (Span(state, role),), indent=1),))


def _finding(finding: Finding, width: int) -> Iterator[Row]:
    from ppgp_tui.ui.views.prose import wrapped  # the lamp has no use for it

    for text in wrapped(f"check {finding.check}: {finding.text}", width - 3):
        yield _said(text, "stop")
    yield from _fact("file", finding.path, width)
    if finding.line is not None:
        yield from _fact("line", f"{finding.line:,}", width)
    if finding.event_id:
        yield from _fact("event", finding.event_id, width)
    if finding.mend:
        yield from _fact("mend", finding.mend, width)


def _said(text: str, role: Role, right: str = "", *, bold: bool = False) -> Row:
    return Row("", (Line((Span(text, role, bold=bold),), (Span(right, "soft"),), indent=1),))


def _fact(name: str, value: str, width: int) -> Iterator[Row]:
    label = name
    from ppgp_tui.ui.views.prose import wrapped

    for text in wrapped(one_line(value), width - _LABEL - 3):
        yield Row("", (Line((Span(label.ljust(_LABEL), "soft"), Span(text, "ink")), indent=1),))
        label = ""
