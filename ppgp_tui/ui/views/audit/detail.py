"""What stands behind a row of a verdict: evidence, both wordings, what a command printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from ppgp_tui.audit.kept import Kept, path_of
from ppgp_tui.audit.model import Alarm, Check, Found, Judged, Quote
from ppgp_tui.session.model import Origin, SessionSnapshot
from ppgp_tui.session.text import one_line, safe
from ppgp_tui.ui.looks.audit_words import OUTCOMES
from ppgp_tui.ui.looks.look import Role
from ppgp_tui.ui.looks.words import plain
from ppgp_tui.ui.rows.layout import Frame
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.audit.verdict import ALARMS, Shown, check_words
from ppgp_tui.ui.views.prose import exact_pieces, labelled, paragraph, wrapped

_OUTPUT_MOST = 40
"""Lines of a command's output that are shown."""
_WENT_AND_CAME: Mapping[str, Role] = {"-": "stop", "+": "ok"}


def detail_rows(
    snapshot: SessionSnapshot, shown: Shown, key: str, frame: Frame, width: int
) -> list[Row]:
    """Everything known of the row with `key`; empty where there is no more to it."""
    report = shown.report
    kind, _, name = key.partition(":")
    if report is None:
        return []
    if kind == "criterion":
        for one in report.verdict.judged:
            if one.criterion.id == name:
                return _criterion(snapshot, shown, report, one, frame, width)
    if kind == "check":
        for check in report.plan.checks:
            if check.id == name:
                return _check(report, check, frame, width)
    if kind == "alarm":
        group = [one for one in report.plan.alarms if one.kind == name]
        return _alarms(report, group, width) if group else []
    if kind in ("verdict", "notes", "objections"):
        return _answer(shown, report, width)
    return []


def _criterion(
    snapshot: SessionSnapshot,
    shown: Shown,
    report: Kept,
    one: Judged,
    frame: Frame,
    width: int,
) -> list[Row]:
    criterion, word = one.criterion, OUTCOMES[one.outcome]
    path = report.plan.document or snapshot.goal.value.path
    origin = Origin(path, criterion.line) if criterion.line else None
    state = "taken by a person" if one.taken_by else word.text
    title = Line((Span(_name(criterion.id), "soft"),), (Span(state, word.role),), word.sign,
                 word.role)  # fmt: skip
    rows = [
        Row(f"this:{criterion.id}", (title,), origin, criterion.text),
        paragraph(plain(criterion.text), width, "ink", key="text", indent=3, bold=True,
                  origin=origin),
        blank(),
        _fact("why", one.why, width),
    ]  # fmt: skip
    if one.outcome == "cannot_check" and shown.is_newest and snapshot.moment is None:
        key = frame.keys.get("audit.take", "y")
        said = f"{key} takes it as done, with a reason of yours" if key else "a person must take it"
        rows.append(_fact("for you", said, width, "needs"))
    if criterion.said:
        rows.append(_fact("document", f"says {criterion.said}", width))
    for number, text in enumerate(criterion.evidence):
        rows.append(_fact("" if number else "claimed", plain(text), width))
    if one.mechanical:
        rows.append(_fact("checks", OUTCOMES[one.mechanical].text, width))
    if one.auditor:
        rows.append(_fact("auditor", OUTCOMES[one.auditor].text, width))
    rows += _missing(report, criterion.id, width)
    rows += _quotes(one.quotes, width)
    for check in report.plan.checks:
        if criterion.id in check.criteria:
            rows += [blank(), *_check(report, check, frame, width)]
    return rows


def _name(criterion: str) -> str:
    kind, _, number = criterion.partition(":")
    named = {"dod": "Condition", "invariant": "Invariant", "frozen": "Frozen decision"}
    return f"{named.get(kind, kind.capitalize())} {number}"


def _fact(label: str, text: str, width: int, role: Role = "text") -> Row:
    row = labelled(label, text, width, indent=3)
    if role == "text":
        return row
    lines = tuple(
        line._replace(left=tuple(span._replace(role=role) if span.role == "text" else span
                                 for span in line.left)) for line in row.lines
    )  # fmt: skip
    return row._replace(lines=lines)


def _missing(report: Kept, criterion: str, width: int) -> Iterator[Row]:
    """Quotes of the auditor that do not stand where they were said to stand."""
    answer = report.answer
    for opinion in answer.opinions if answer is not None else ():
        if opinion.criterion == criterion:
            for quote in opinion.missing:
                yield _fact("not there", f"{_place(quote)}: {quote.text}", width, "stop")


def _quotes(quotes: Sequence[Quote], width: int) -> list[Row]:
    rows: list[Row] = []
    for number, quote in enumerate(one for one in quotes if not one.path.startswith("output:")):
        if not number:
            rows += [blank(), heading("Evidence")]
        rows.append(_quote(number, quote, width))
    return rows


def _quote(number: int, quote: Quote, width: int) -> Row:
    """A place in a file, which Enter opens in the editor, and the words that stand there."""
    place = _place(quote)
    head = Line((Span(place, "ink", underline=True, link=f"file:{quote.path}"),))
    words = (Line((Span(line, "soft"),)) for line in wrapped(quote.text, width - 4))
    return Row(f"file:{number}", (head, *words), Origin(quote.path, quote.line), place, "editor")


def _place(quote: Quote) -> str:
    return f"{quote.path}:{quote.line}" if quote.line else quote.path


def _check(report: Kept, check: Check, frame: Frame, width: int) -> list[Row]:
    """What one check looked at and what it found; a command with the end of its output."""
    found = next((one for one in report.found if one.check == check.id), None)
    word = OUTCOMES[found.outcome] if found is not None else None
    state = "left out" if check.left_out else word.text if word else "not made"
    right = (Span(state, word.role if word else "soft"),)
    words = exact_pieces(check_words(check), width - 4 - len(state))
    lines = [Line((Span(words[0], "ink", bold=True, exact=True),), right,
                  word.sign if word else "open", word.role if word else "soft")]  # fmt: skip
    lines += [Line((Span(piece, "ink", bold=True, exact=True),)) for piece in words[1:]]
    why = check.left_out or (found.why if found is not None else "")
    lines += [Line((Span(line, "soft"),)) for line in (wrapped(why, width - 4) if why else ())]
    row = Row(f"made:{check.id}", tuple(lines), copy=check_words(check))
    if check.kind == "commit" and check.commit:
        row = row._replace(thing=f"commit:{check.commit}", leads=True, opens="commit")
    elif check.path:
        line = next((one.line for one in found.quotes if one.line), None) if found else None
        copy = f"{check.path}:{line}" if line else check.path
        row = row._replace(
            key=f"file:{check.id}", origin=Origin(check.path, line), copy=copy, opens="editor"
        )
    return [row, *(_output(found, frame, width) if found is not None else ())]


def _output(found: Found, frame: Frame, width: int) -> list[Row]:
    lines = [line.rstrip() for line in safe(found.output).splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        return []
    cut = len(lines) - _OUTPUT_MOST
    kept = [f"{frame.look.sign('cut')} {cut} lines before", *lines[cut:]] if cut > 0 else lines
    pieces = [piece for line in kept for piece in exact_pieces(line, width - 5)]
    shown = tuple(Line((Span(piece, "soft", exact=True),), indent=4) for piece in pieces)
    return [Row(f"output:{found.check}", shown, copy=found.output)]


def _alarms(report: Kept, group: Sequence[Alarm], width: int) -> list[Row]:
    named = ALARMS[group[0].kind]
    title = f"{len(group)} {named.one if len(group) == 1 else named.many}"
    rows = [heading(title)]
    for number, one in enumerate(group):
        rows += [blank(), *alarm_rows(one, number, width)]
    rows.append(blank())
    rows += [paragraph(one_line(said), width, "soft") for said in report.plan.compared]
    return rows


def alarm_rows(one: Alarm, number: int, width: int) -> list[Row]:
    """What was narrowed: both wordings, what differs between them, why, and since when."""
    rows: list[Row] = []
    before = one.before or one.what
    if one.kind in ("criterion_removed", "task_dropped", "command_removed", "test_deleted"):
        named = one.what if one.kind != "task_dropped" else f"{one.what}  {one.before}"
        rows.append(_wording(f"alarm:{number}", "-", ((named, True),), "stop", width))
    elif one.diff and not one.before:
        rows.append(paragraph(one.what, width, "ink", key=f"what:{number}", bold=True))
    else:
        if one.what != before:
            rows.append(paragraph(one.what, width, "ink", key=f"what:{number}", bold=True))
        old, new = _apart(before, one.after)
        rows.append(_wording(f"before:{number}", "-", old, "stop", width))
        rows.append(_wording(f"after:{number}", "+", new or (("nothing", False),), "ok", width))
    if one.diff:
        rows.append(_diff(one.diff, number, width))
    said = one.reason or "nobody said"
    rows.append(labelled("why", said, width, indent=3))
    if one.commit:
        row = labelled("since", f"commit {one.commit[:10]}", width, indent=3)
        row = row._replace(thing=f"commit:{one.commit}", leads=True, opens="commit")
        rows.append(row._replace(key=f"since:{number}"))
    if one.path:
        place = f"{one.path}:{one.line}" if one.line else one.path
        row = labelled("in", place, width, indent=3, origin=Origin(one.path, one.line))
        rows.append(row._replace(key=f"file:{number}", opens="editor"))
    return rows


def _wording(key: str, mark: str, parts: Sequence[tuple[str, bool]], role: Role, width: int) -> Row:
    """One wording; the words that the other one does not have stand out."""
    lines: list[list[Span]] = [[]]
    used, room = 0, max(8, width - 6)
    for text, differs in parts:
        for word in one_line(text).split():
            if used and used + 1 + len(word) > room:
                lines.append([])
                used = 0
            lines[-1].append(Span(f"{' ' if used else ''}{word}", role if differs else "text",
                                  bold=differs))  # fmt: skip
            used += len(word) + (1 if used else 0)
    shown = tuple(
        Line((Span("  " if at else f"{mark} ", role, bold=True), *spans))
        for at, spans in enumerate(lines)
    )
    return Row(key, shown, copy=" ".join(one_line(text) for text, _ in parts))


def _diff(diff: Sequence[str], number: int, width: int) -> Row:
    """The lines of a test that went and came, as they are written."""
    lines = tuple(
        Line((Span(piece, _WENT_AND_CAME.get(text[:1], "soft"), exact=True),), indent=3)
        for text in diff
        for piece in exact_pieces(text, width - 5)
    )
    return Row(f"diff:{number}", lines, copy="\n".join(diff))


def _apart(before: str, after: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Both texts in parts, and whether each part is in one of them only."""
    one, other = before.split(), after.split()
    old, new = list[tuple[str, bool]](), list[tuple[str, bool]]()
    for kind, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if a < b:
            old.append((" ".join(one[a:b]), kind != "equal"))
        if c < d:
            new.append((" ".join(other[c:d]), kind != "equal"))
    return old, new


def _answer(shown: Shown, report: Kept, width: int) -> list[Row]:
    """The verdict's reason, where the report is, and all that the auditor wrote."""
    rows = [
        heading("This audit"),
        labelled("why", shown.verdict.why or report.verdict.why, width),
        labelled("report", path_of(shown.verdict.id), width)._replace(
            key="file:report", origin=Origin(path_of(shown.verdict.id)), opens="editor"
        ),
        labelled("id", shown.verdict.id, width),
    ]
    answer = report.answer
    if answer is not None and answer.text.strip():
        text = [
            Line((Span(piece, "soft", exact=True),), indent=1)
            for line in safe(answer.text).splitlines()
            for piece in exact_pieces(line, width - 2)
        ]
        rows += [blank(), heading("What the auditor wrote"), Row("wrote", tuple(text),
                                                                copy=answer.text)]  # fmt: skip
    return rows
