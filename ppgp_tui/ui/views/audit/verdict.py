"""A verdict: its band, what it is about, what was narrowed, every criterion, and who said so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ppgp_tui.audit.kept import Kept
from ppgp_tui.audit.model import Alarm, AlarmKind, Check, Found, Judged
from ppgp_tui.audit.words import command_words, evidence_of
from ppgp_tui.session.model import Origin, SessionSnapshot
from ppgp_tui.session.picture.audit_state import Verdict
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.looks.audit_words import OUTCOMES, VERDICTS, moved_words
from ppgp_tui.ui.looks.look import Role, Sign
from ppgp_tui.ui.looks.words import count, plain
from ppgp_tui.ui.rows.columns import cells, in_band, to_left
from ppgp_tui.ui.rows.layout import Frame
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.audit.lines import TITLES, criterion_lines
from ppgp_tui.ui.views.prose import wrapped

BANDS = {
    "approved": "VERIFIED",
    "approved_with_notes": "VERIFIED",
    "rejected": "REJECTED",
    "inconclusive": "UNDECIDED",
}
_NAME = 12
"""Cells of who said so."""


class Shown(NamedTuple):
    """One verdict to be shown, and what of it is known."""

    verdict: Verdict
    report: Kept | None
    why: str
    """Why there is no report to go by; empty with one, and while it is being read."""
    is_newest: bool


class Narrowed(NamedTuple):
    """How alarms of one kind are named: for one, for several, with which sign."""

    one: str
    many: str
    sign: Sign
    role: Role


ALARMS: dict[AlarmKind, Narrowed] = {
    "criterion_removed": Narrowed(
        "criterion gone since FREEZE", "criteria gone since FREEZE", "dropped", "stop"
    ),
    "criterion_reworded": Narrowed(
        "criterion reworded since FREEZE", "criteria reworded since FREEZE", "changed", "wait"
    ),
    "task_dropped": Narrowed(
        "task dropped unfinished", "tasks dropped unfinished", "dropped", "wait"
    ),
    "dependency_cut": Narrowed("dependency cut", "dependencies cut", "elsewhere", "wait"),
    "command_removed": Narrowed(
        "command taken out of the settings", "commands taken out of the settings", "dropped", "stop"
    ),
    "check_changed": Narrowed(
        "script or setting of a check changed", "scripts or settings of checks changed", "changed",
        "wait",
    ),
    "test_deleted": Narrowed("test deleted", "tests deleted", "dropped", "stop"),
    "test_skipped": Narrowed(
        "test file skips more", "test files skip more", "changed", "wait"
    ),
    "test_emptied": Narrowed(
        "test asserts nothing any more", "tests assert nothing any more", "changed", "stop"
    ),
    "test_changed": Narrowed(
        "test asserts otherwise", "tests assert otherwise", "changed", "wait"
    ),
}  # fmt: skip
"""In the order in which they are shown."""


def verdict_rows(snapshot: SessionSnapshot, shown: Shown, frame: Frame, width: int) -> list[Row]:
    """Everything of one verdict, removed criteria above the checklist."""
    rows = [_band(snapshot, shown, frame, width), _bound(snapshot, shown, width)]
    rows += _taken(snapshot, shown, width)
    rows += _warning(shown, width)
    report = shown.report
    if report is None:
        return [*rows, *_as_the_log_says(shown, width)]
    for kind, group in grouped(report.plan.alarms):
        rows += [blank(), alarm_row(kind, group, frame, width, removed_role="soft")]
    rows += [blank(), *_checklist(snapshot, report, width)]
    rows += _whole(report, width)
    rows += [blank(), heading("Who said so"), *_who(report, width)]
    return [*rows, *_noted(report, width)]


# --- the band -----------------------------------------------------------------------------------


def _band(snapshot: SessionSnapshot, shown: Shown, frame: Frame, width: int) -> Row:
    verdict, audit, look = shown.verdict, snapshot.audit.value, frame.look
    word = VERDICTS[verdict.word]
    since = Span(_ago(verdict.at_ms, frame.now_ms), "soft")
    counted = Span(counts(shown.report) if shown.report else verdict.why, "text")
    fits = not verdict.stale and not (shown.is_newest and audit.moved)
    if not fits:
        moved = "something moved while it was made"
        if shown.is_newest and audit.moved:
            moved = moved_words(audit, snapshot.plan.value.revision)
        text = f"{look.sign(word.sign)} {word.text}, but {moved}"
        left: tuple[Span, ...] = (Span(text, word.role, bold=True), Span("  "), counted)
    else:
        left = (_stamp(shown, frame), Span("  "), counted)
    if cells(*left, since) + 3 > width:
        since = since._replace(text=since.text.removesuffix(" ago"))
    if cells(*left, since) + 3 > width:
        left = left[:1] if not fits else left
    right = (since,) if since.text else ()
    row = Row("verdict", (Line(left, right, indent=1),), verdict.origin, copy=_said(shown))
    return row._replace(thing=f"node:{verdict.id}", opens="read")


def _stamp(shown: Shown, frame: Frame) -> Span:
    """The word in its colour: filled where somebody must act, or the claim was no good."""
    word, look = VERDICTS[shown.verdict.word], frame.look
    good = word.role == "ok"
    sign = "verified" if good and shown.is_newest else word.sign
    text = BANDS[shown.verdict.word] if shown.is_newest or not good else "APPROVED"
    span = Span(f"{look.sign(sign)} {text}", word.role, bold=True)
    return span if good or not shown.is_newest else in_band(span)


def _ago(at_ms: int | None, now_ms: int) -> str:
    since = when(at_ms, now_ms)
    return f"{since} ago" if since and since[-1] in "smhd0123456789" and ":" not in since else since


def counts(report: Kept) -> str:
    """`4 pass, 2 fail, 1 for you`."""
    outcomes = [one.outcome for one in report.verdict.judged]
    names = (("pass", "pass"), ("fail", "fail"), ("cannot_check", "for you"))
    said = [f"{outcomes.count(one)} {name}" for one, name in names if one in outcomes]
    return ", ".join(said) or "nothing was to be judged"


def _said(shown: Shown) -> str:
    counted = counts(shown.report) if shown.report else ""
    return f"{VERDICTS[shown.verdict.word].text}: {shown.verdict.why}. {counted}".strip()


def _bound(snapshot: SessionSnapshot, shown: Shown, width: int) -> Row:
    """What the verdict is about, and whether that is still so."""
    verdict, report, audit = shown.verdict, shown.report, snapshot.audit.value
    parts = []
    if report is not None:
        plan = report.plan
        parts += [f"goal r{plan.goal_revision}"] if plan.goal_revision is not None else []
        parts += [f"plan r{plan.plan_revision}"] if plan.plan_revision is not None else []
    commit = verdict.bound.get("commit")
    parts += [f"commit {commit[:7]}"] if isinstance(commit, str) and commit else []
    parts += [_tree(report)] if report is not None else []
    left = (Span(", ".join(filter(None, parts)) or "not said what it is about", "soft"),)
    fits: tuple[Span, ...] = ()
    if shown.is_newest and snapshot.moment is None:
        if audit.stale is False:
            fits = (Span("still fits", "ok"),)
        elif audit.stale:
            fits = (Span("no longer fits", "stop"),)
        else:
            fits = (Span("not known whether it fits", "soft"),)
    if cells(*left, *fits) + 3 > width:
        fits = ()
    return Row("", (Line(left, fits, indent=1),))


def _tree(report: Kept) -> str:
    for check in report.plan.checks:
        if check.kind == "clean" and not check.criteria:
            one = next((one for one in report.found if one.check == check.id), None)
            if one is not None and one.outcome != "cannot_check":
                return "tree clean" if one.outcome == "pass" else "tree not clean"
    return ""


def _taken(snapshot: SessionSnapshot, shown: Shown, width: int) -> list[Row]:
    """That a person let this goal count as done, whatever the verdict says."""
    goal = snapshot.lifecycle.value.id or shown.verdict.goal
    mine = [one for one in snapshot.audit.value.overrides if one.goal == goal]
    if not mine or not shown.is_newest:
        return []
    text = f"taken as done by {mine[-1].by}: {mine[-1].reason}"
    first, *more = wrapped(text, width - 4)
    lines = (Line((Span(first, "wait"),), (), "dropped", "wait"),
             *(Line((Span(line, "wait"),)) for line in more))  # fmt: skip
    return [Row("taken", lines, mine[-1].origin, mine[-1].reason)]


def _warning(shown: Shown, width: int) -> list[Row]:
    if not shown.why:
        return []
    lines = wrapped(shown.why, width - 4)
    first = Line((Span(lines[0], "stop"),), (), "finding", "stop")
    rest = (Line((Span(line, "stop"),)) for line in lines[1:])
    return [blank(), Row("report", (first, *rest), copy=shown.why)]


def _as_the_log_says(shown: Shown, width: int) -> list[Row]:
    """All that is known without the report."""
    verdict = shown.verdict
    who = "checks alone" if verdict.auditor in ("", "none") else f"checks and {verdict.auditor}"
    said = [verdict.why, f"by {who}"] if verdict.why else [f"by {who}"]
    if verdict.isolation == "copy":
        said.append("commands ran in a copy of the work tree, not in a sandbox")
    if not shown.why:
        said.append("reading the report")
    lines = [line for text in said for line in wrapped(text, width - 2)]
    return [blank(), Row("", tuple(Line((Span(line, "soft"),), indent=1) for line in lines))]


# --- what was narrowed --------------------------------------------------------------------------


def grouped(alarms: Iterable[Alarm]) -> Iterator[tuple[AlarmKind, list[Alarm]]]:
    """Alarms by kind, removed criteria first."""
    kept = list(alarms)
    for kind in ALARMS:
        if group := [one for one in kept if one.kind == kind]:
            yield kind, group


def alarm_row(
    kind: AlarmKind, group: Sequence[Alarm], frame: Frame, width: int, *, removed_role: Role
) -> Row:
    """How many things were narrowed in one way, and what they were."""
    named, number = ALARMS[kind], len(group)
    title = f"{number} {named.one if number == 1 else named.many}"
    key = frame.keys.get("row.open", "Enter")
    opens = (Span(key, "ink", bold=True), Span(" see it" if number == 1 else " see them", "soft"))
    first = Line((Span(title, named.role, bold=True),), opens, named.sign, named.role)
    lines = [first]
    for one in group[:3]:
        text = _narrowed(one)
        lines += [
            Line((Span(line, removed_role, strike=named.sign == "dropped"),))
            for line in wrapped(text, width - 4)
        ]
    if number > 3:
        lines.append(Line((Span(f"and {number - 3} more", "soft"),)))
    return Row(f"alarm:{kind}", tuple(lines), copy=title, opens="see it")


def _narrowed(one: Alarm) -> str:
    if one.kind == "dependency_cut":
        return f"{one.what} no longer {one.before}"
    return f"{one.what} {one.before}" if one.kind == "task_dropped" else one.what


# --- criteria -----------------------------------------------------------------------------------


def _checklist(snapshot: SessionSnapshot, report: Kept, width: int) -> list[Row]:
    path = report.plan.document or snapshot.goal.value.path
    found = {one.check: one for one in report.found}
    rows, title = list[Row](), ""
    for one in report.verdict.judged:
        wanted = TITLES.get(one.criterion.kind, "")
        if wanted and wanted != title:
            title = wanted
            rows += [blank(), heading(title)]
        rows.append(_judged(one, report, found, path, width))
    return rows or [Row("", (Line((Span("nothing says what done means", "soft"),), indent=1),))]


def _judged(one: Judged, report: Kept, found: dict[str, Found], path: str, width: int) -> Row:
    word = OUTCOMES[one.outcome]
    if one.taken_by:
        word = word._replace(sign="dropped", role="wait", text="taken")
    shown = evidence_of(one, report.plan, found)
    why = "" if one.outcome == "pass" and not one.taken_by else shown
    lines = criterion_lines(one.criterion.text, word, shown, width, why=why)
    line = one.criterion.line
    origin = Origin(path, line) if line else None
    key = f"criterion:{one.criterion.id}"
    return Row(key, lines, origin, plain(one.criterion.text), opens="evidence")


def _whole(report: Kept, width: int) -> list[Row]:
    """Checks about the whole goal: commands of the settings, and what they and Git say."""
    found = {one.check: one for one in report.found}
    rows = []
    for check in report.plan.checks:
        one = found.get(check.id)
        if check.criteria or check.left_out or one is None:
            continue
        if check.kind == "clean" and one.outcome == "pass":
            continue
        word = OUTCOMES[one.outcome]
        why = one.why.removeprefix("exit 0, ")
        told = why if one.outcome != "pass" else ""
        lines = criterion_lines(check_words(check), word, why, width, why=told)
        rows.append(Row(f"check:{check.id}", lines, copy=check_words(check), opens="evidence"))
    return [blank(), heading("The whole goal"), *rows] if rows else []


def check_words(check: Check) -> str:
    """What a check looks at, in a few words."""
    if check.argv:
        return command_words(check.argv)
    return {
        "clean": "everything is committed",
        "evidence_age": f"{check.path} is newer than the code",
        "file": f"{check.path} is there",
        "commit": f"commit {check.commit} is in the history",
    }.get(check.kind, check.says)


# --- who said so --------------------------------------------------------------------------------


def _who(report: Kept, width: int) -> list[Row]:
    rows = [_said_by("mechanical", *_mechanical(report))]
    if report.answer is None:
        said = "none was asked: checks alone" if not report.plan.auditor else "was not asked"
        rows.append(_said_by("auditor", said, None))
    else:
        rows.append(_said_by("auditor", *_auditor(report)))
        if not report.answer.usable:
            rows += [_soft(text) for text in wrapped(report.answer.why, width - 2 - _NAME)]
    if report.verdict.isolation == "copy":
        said = "a copy of the work tree, no sandbox"
        line = Line((*to_left(Span("commands"), _NAME), Span(said, "needs")), indent=1)
        rows.append(Row("", (line,)))
    return rows


def _said_by(name: str, said: str, word: str | None) -> Row:
    left = (*to_left(Span(name), _NAME), Span(said, "soft"))
    shown = VERDICTS[word] if word else None
    right = (Span(shown.text, shown.role),) if shown else ()
    return Row("", (Line(left, right, indent=1),))


def _mechanical(report: Kept) -> tuple[str, str]:
    found = report.found
    failed = sum(one.outcome == "fail" for one in found)
    unknown = sum(one.outcome == "cannot_check" for one in found)
    parts = [count(len(found), "check")]
    parts += [f"{failed} fail"] if failed else []
    parts += [f"{unknown} cannot check"] if unknown and not failed else []
    outcomes = [one.mechanical for one in report.verdict.judged]
    if failed or "fail" in outcomes:
        return ", ".join(parts), "rejected"
    return ", ".join(parts), "inconclusive" if "cannot_check" in outcomes else "approved"


def _auditor(report: Kept) -> tuple[str, str]:
    answer = report.answer
    assert answer is not None
    said = f"{' '.join(report.plan.auditor)}, fresh context"
    if not answer.usable:
        return f"{said}, answer not usable", "inconclusive"
    outcomes = {one.outcome for one in answer.opinions}
    if "fail" in outcomes:
        return said, "rejected"
    return said, "inconclusive" if "cannot_check" in outcomes or not outcomes else "approved"


def _noted(report: Kept, width: int) -> list[Row]:
    """What the auditor and the checks had to say beside."""
    own = report.answer.objections if report.answer and report.answer.usable else ()
    rows: list[Row] = []
    for title, said in (("Objections", own), ("Notes", report.verdict.notes)):
        if said:
            rows += [blank(), heading(title)]
            rows += [_note(title, number, text, width) for number, text in enumerate(said)]
    return rows


def _note(title: str, number: int, text: str, width: int) -> Row:
    lines = tuple(Line((Span(line, "text"),)) for line in wrapped(text, width - 4))
    first = lines[0]._replace(sign="finding", sign_role="wait")
    return Row(f"{title.lower()}:{number}", (first, *lines[1:]), copy=text)


def _soft(text: str) -> Row:
    return Row("", (Line((Span(text, "soft"),), indent=1 + _NAME),))
