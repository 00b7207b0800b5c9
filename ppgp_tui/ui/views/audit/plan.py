"""The plan of an audit before it starts: what was narrowed, criteria, checks, commands whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppgp_tui.audit.model import AuditPlan, Check
from ppgp_tui.audit.trust import fingerprint
from ppgp_tui.audit.words import command_words
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks.look import Role
from ppgp_tui.ui.looks.words import count, plain
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.seat.audit_stay import AuditStay
from ppgp_tui.ui.views.audit.detail import alarm_rows
from ppgp_tui.ui.views.audit.lines import TITLES
from ppgp_tui.ui.views.audit.verdict import ALARMS, check_words, grouped
from ppgp_tui.ui.views.prose import exact_pieces, wrapped

_NEW = "new here"
_BOTH_COUNTS = 60
"""Cells from which on there is room for how many checks and how many commands."""


def plan_rows(stay: AuditStay, width: int) -> tuple[Row, ...]:
    """What would be looked at and run; what was narrowed stands before the start."""
    plan = stay.plan
    if plan is None:
        return (Row("", (Line((Span("no plan any more", "soft"),), indent=1),)),)
    return (
        *_alarms(plan, width),
        *_acts(plan, stay, width),
        *_criteria(plan, stay, width),
        *_whole(plan, stay, width),
        *_who(plan, stay, width),
    )


def _alarms(plan: AuditPlan, width: int) -> Iterator[Row]:
    for kind, group in grouped(plan.alarms):
        named = ALARMS[kind]
        title = f"{len(group)} {named.one if len(group) == 1 else named.many}"
        head = Line((Span(title, named.role, bold=True),), (), named.sign, named.role)
        yield Row(f"narrowed:{kind}", (head,), copy=title)
        for number, one in enumerate(group):
            for row in alarm_rows(one, number, width):
                yield row._replace(key="", opens="", leads=False)
        yield blank()


def _acts(plan: AuditPlan, stay: AuditStay, width: int) -> list[Row]:
    made = [one for one in plan.checks if not one.left_out]
    commands = dict.fromkeys(one.argv for one in made if one.argv)
    new = sum(fingerprint(argv) not in stay.trusted for argv in commands)
    said = count(len(made), "check")
    said += f", {count(len(commands), 'command')}" if width >= _BOTH_COUNTS else ""
    told = (Span(f"{new} {_NEW}", "needs"),) if new else ()
    start = Line((Span("start the audit", "ink", bold=True), Span(f"  {said}", "soft")), told,
                 "ready", "ink")  # fmt: skip
    add = Line((Span("one more command"),), (), "added", "ok")
    return [Row("audit:start", (start,), opens="start"), Row("audit:add", (add,), opens="type it")]


def _criteria(plan: AuditPlan, stay: AuditStay, width: int) -> Iterator[Row]:
    title = ""
    for one in plan.criteria:
        wanted = TITLES.get(one.kind, "Done when")
        if wanted != title:
            title = wanted
            yield blank()
            yield heading(title)
        lines = wrapped(plain(one.text), width - 4)
        first = Line((Span(lines[0]),), (), "open", "soft")
        key = f"criterion:{one.id}"
        yield Row(key, (first, *(Line((Span(line),)) for line in lines[1:])), copy=one.text)
        about = [check for check in plan.checks if one.id in check.criteria]
        for check in about:
            yield _check(check, stay, width, f"check:{check.id}:{one.id}")
        if not about:
            asked = "only the auditor is asked" if plan.auditor else "a person must take it"
            text = f"nothing here can check it: {asked}"
            yield Row("", (Line((Span(text, "needs"),), indent=5),))


def _whole(plan: AuditPlan, stay: AuditStay, width: int) -> list[Row]:
    checks = [one for one in plan.checks if not one.criteria]
    rows = [_check(check, stay, width, f"check:{check.id}") for check in checks]
    return [blank(), heading("The whole goal"), *rows] if rows else []


def _check(check: Check, stay: AuditStay, width: int, key: str) -> Row:
    """One check; a command is shown whole, with every word as it is run."""
    right: tuple[Span, ...] = ()
    role: Role = "text"
    if check.left_out:
        right, role = (Span("left out", "soft"),), "soft"
    elif check.argv and fingerprint(check.argv) not in stay.trusted:
        right = (Span(_NEW, "needs"),)
    room = width - 6 - (len(right[0].text) + 1 if right else 0)
    out = bool(check.left_out)
    if check.argv:
        pieces = exact_pieces(f"run {command_words(check.argv)}", room)
        spans = [Span(piece, role, exact=True, strike=out) for piece in pieces]
    else:
        spans = [Span(line, role, strike=out) for line in wrapped(_does(check), room)]
    lines = [Line((spans[0],), right, indent=5)]
    lines += [Line((span,), indent=5) for span in spans[1:]]
    if check.passed is not None and check.argv:
        lines.append(Line((Span(f"{check.passed} are to pass", "soft"),), indent=5))
    if check.left_out:
        lines += [Line((Span(line, "soft"),), indent=5)
                  for line in wrapped(f"because: {check.left_out}", width - 6)]  # fmt: skip
    opens = "put it back" if check.left_out else "another command" if check.argv else "leave it out"
    return Row(key, tuple(lines), copy=check_words(check), opens=opens)


def _does(check: Check) -> str:
    if check.kind == "tests":
        return f"claimed without a command: {one_line(check.says)}"
    if check.kind == "nobody":
        return f"nothing here can check: {one_line(check.says)}"
    return check_words(check)


def _who(plan: AuditPlan, stay: AuditStay, width: int) -> Iterator[Row]:
    yield blank()
    yield heading("Who looks")
    if plan.auditor:
        yield from _said(
            "auditor",
            f"{one_line(' '.join(plan.auditor))}, with a fresh context. It may read the "
            "repository and use the network, and has copies of its own credentials in a throw-away "
            "home. It is not told what the implementer says of itself.",
            width,
        )
    else:
        yield from _said("auditor", "none is set: checks alone. audit.auditor names one.", width)
    if stay.sandbox:
        yield from _said("commands", f"no sandbox: {one_line(stay.sandbox)}. They run in a copy "
                         "of the work tree, and the verdict says so.", width, "needs")  # fmt: skip
    else:
        yield from _said("commands", "in a sandbox: the repository read-only, or a copy that is "
                         "thrown away; an empty home; no network unless the settings say so.",
                         width)  # fmt: skip
    for text in plan.compared:
        yield from _said("compared", one_line(text), width)


def _said(name: str, text: str, width: int, role: Role = "soft") -> Sequence[Row]:
    lines = wrapped(text, width - 13)
    return [
        Row("", tuple(
            Line((Span("" if at else name.ljust(10)), Span(line, role)) if not at else
                 (Span(line, role),), indent=1 if not at else 11)
            for at, line in enumerate(lines)
        ))
    ]  # fmt: skip
