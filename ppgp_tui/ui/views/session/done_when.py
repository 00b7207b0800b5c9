"""Done when: the criteria with their state and evidence; Blocked: what stands in the way."""

from __future__ import annotations

import re

from ppgp_tui.ppgp.reading import Criterion, GoalReading
from ppgp_tui.session.model import Origin, SessionSnapshot
from ppgp_tui.session.picture.blockers import InTheWay, in_the_way
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.looks.audit_words import is_verified
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.looks.words import criterion_word, plain
from ppgp_tui.ui.rows.columns import cut, state_and_age, to_right, width_of
from ppgp_tui.ui.rows.linked import target_of
from ppgp_tui.ui.rows.row import Line, Row, Span, heading

_BAR = 10
"""Most cells of a bar; up to here one cell is one criterion."""
_NUMBERED = re.compile(r"^(?:DoD|condition|criterion)\s+\d+\s*[:.)-]\s+(?=\S)", re.I)
"""Which condition an entry of the evidence proves: it stands beside it."""
_STATE = 8
"""Cells of a criterion's state word in wide lists; `not said` is the widest."""


def done_when_rows(
    snapshot: SessionSnapshot, width: int, look: Look, now_ms: int, *, evidence: bool
) -> list[Row]:
    """The definition of done; `evidence` adds what supports each state, and its age."""
    if snapshot.moment is None:
        return _rows(snapshot, width, look, now_ms, evidence=evidence)
    from ppgp_tui.ui.views.past import as_committed, committed_rows, in_commit, untold

    then = as_committed(snapshot)
    if not then.goal.value.dod:
        return [untold("Done when")]
    head, *rows = _rows(then, width, look, now_ms, evidence=evidence)
    return in_commit([head, *committed_rows(snapshot, width), *rows], snapshot)


def _rows(
    snapshot: SessionSnapshot, width: int, look: Look, now_ms: int, *, evidence: bool
) -> list[Row]:
    goal = snapshot.goal.value
    if not goal.dod:
        return [heading("Done when"), *_nothing(goal, width)]
    ages = {
        criterion.line: when(snapshot.repo.value.goal_line_ms.get(criterion.line), now_ms)
        for criterion in goal.dod
        if evidence
    }
    age_width = max(map(len, ages.values()), default=0)
    verified = snapshot.moment is None and is_verified(snapshot.audit.value)
    rows = [_heading(goal, look)]
    for criterion in goal.dod:
        word = criterion_word(criterion.state, verified=verified)
        state = Span(word.text, word.role)
        right: tuple[Span, ...] = (state,)
        if evidence:
            since = Span(ages[criterion.line], "soft")
            right = state_and_age(state, since, _STATE - 1, roomy=True, age_width=age_width)
        words = Span(plain(criterion.text), "soft" if criterion.state == "done" else "text")
        line = Line(
            (words,),
            right,
            word.sign,
            word.role,
            tab=43 + max(0, width - 80) // 2 if evidence else None,
            columns=(_linked(_support(criterion)),) if evidence else (),
        )
        origin = Origin(goal.path, criterion.line)
        rows.append(Row(f"dod:{criterion.number}", (line,), origin, criterion.text, "read"))
    return rows


def _heading(goal: GoalReading, look: Look) -> Row:
    total = len(goal.dod)
    done = sum(criterion.state == "done" for criterion in goal.dod)
    claimed = sum(criterion.state == "claimed" for criterion in goal.dod)
    room = min(total, _BAR)
    full = done if total <= _BAR or not done else max(1, done * room // total)
    note = f"{done} of {total} done" + (f", {claimed} claimed" if claimed else "")
    left = (
        Span("Done when", "ink", bold=True),
        Span("  "),
        Span(look.sign("bar_full") * full, "ok"),
        Span(look.sign("bar_empty") * (room - full), "soft"),
    )
    return Row("", (Line(left, (Span(note, "soft"),), indent=1),))


def _nothing(goal: GoalReading, width: int) -> list[Row]:
    """Why there are no criteria: no document, one that cannot be read, or none in it."""
    from ppgp_tui.ui.views.prose import wrapped  # most goals have some

    if goal.health == "MISSING":
        texts = [f"no goal document: looked for {goal.path}"]
    elif goal.goal is None and not goal.fields:
        texts = [f"{goal.path} holds no goal"]
        texts += [finding.text for finding in goal.reasons if finding.line is None][:2]
    else:
        texts = [f"{goal.path} names no criteria"]
    lines = [line for text in texts for line in wrapped(text, width - 2)]
    shown = tuple(Line((Span(line, "soft"),), indent=1) for line in lines)
    return [Row("", shown, Origin(goal.path))]


def _linked(text: str) -> Span:
    return Span(text, "soft", link=target_of(text))


def _support(criterion: Criterion) -> str:
    if criterion.evidence:
        return _NUMBERED.sub("", plain(criterion.evidence[0].text))
    return "no evidence yet" if criterion.state == "claimed" else ""


def blocked_rows(snapshot: SessionSnapshot, look: Look, now_ms: int) -> list[Row]:
    """What stands in the way, each with its class and scope; nothing at all when nothing does."""
    blockers = in_the_way(snapshot)
    if not blockers:
        return []
    ages = [when(blocker.since_ms, now_ms) for blocker in blockers]
    age_width = max(map(len, ages))
    rows = [heading("Blocked", str(len(blockers)))]
    for number, (blocker, since) in enumerate(zip(blockers, ages, strict=True), 1):
        scope = cut(blocker.scope or "", 14, look.sign("cut"))
        right = [Span(scope or _until(blocker), "soft")]
        if age_width:
            right += [Span("  "), *to_right(Span(since, "soft"), age_width)]
        line = Line(
            (Span(_class(blocker), "ink", bold=True), Span(" "), Span(_heart(blocker))),
            tuple(right),
            "blocked",
            "stop",
        )
        thing = f"node:{blocker.id}" if blocker.id else ""
        key = f"blocker:{number}"
        rows.append(Row(key, (line,), blocker.origin, blocker.text, "read", thing))
    return rows


def _heart(blocker: InTheWay) -> str:
    """The words of a blocker without the scope and class that stand in columns of their own."""
    text = plain(blocker.text)
    if blocker.scope:
        text = re.sub(rf"^{re.escape(blocker.scope)}(?: only)?\s*:\s+", "", text, flags=re.I)
    if blocker.klass and not blocker.inferred:
        named = rf"^(?:(?:type|class)\s+)?{blocker.klass}\b[\w ,()-]{{0,40}}[.:]\s+"
        text = re.sub(named, "", text, flags=re.I)
    return text.strip() or plain(blocker.text)


def _class(blocker: InTheWay) -> str:
    if blocker.klass is None:
        return "no class:"
    return f"{blocker.klass}, inferred:" if blocker.inferred else blocker.klass


def _until(blocker: InTheWay) -> str:
    return f"until {blocker.until}" if blocker.until and width_of(blocker.until) <= 12 else ""
