"""Claims and what became of them, earlier audits, and what people took: kept for ever."""

from __future__ import annotations

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.audit_state import Audit, Verdict
from ppgp_tui.session.picture.goal_state import Claim
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.looks.audit_words import VERDICTS
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.columns import to_right
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.prose import wrapped

_AGE = 5


def history_rows(snapshot: SessionSnapshot, now_ms: int, width: int) -> list[Row]:
    """Everything that stands below the newest verdict, newest first."""
    return [
        *_taken(snapshot.audit.value, snapshot.lifecycle.value.id, now_ms, width),
        *_earlier(snapshot.audit.value, now_ms),
        *_claims(snapshot, now_ms, width),
    ]


def _taken(audit: Audit, goal: str | None, now_ms: int, width: int) -> list[Row]:
    if not audit.overrides:
        return []
    rows = [blank(), heading("Taken by a person", right=(Span(str(len(audit.overrides)), "soft"),))]
    for number, one in enumerate(reversed(audit.overrides)):
        of = "" if one.goal == goal else ", an earlier goal"
        right = (Span(f"{one.by}{of}", "wait"), *_age(one.at_ms, now_ms))
        lines = wrapped(one.reason, width - 4 - sum(len(span.text) for span in right) - 2)
        first = Line((Span(lines[0]),), right, "dropped", "wait")
        more = (Line((Span(line),)) for line in lines[1:])
        rows.append(Row(f"taken:{number}", (first, *more), one.origin, one.reason))
    return rows


def _earlier(audit: Audit, now_ms: int) -> list[Row]:
    older = audit.verdicts[1:]
    if not older:
        return []
    head = heading("Earlier audits", right=(Span(str(len(older)), "soft"),))
    return [blank(), head, *(_verdict(one, now_ms) for one in older)]


def _verdict(one: Verdict, now_ms: int) -> Row:
    word = VERDICTS[one.word]
    text = f"{word.text}, stale" if one.stale else word.text
    right = (Span(text, word.role), *_age(one.at_ms, now_ms))
    line = Line((Span(one.why or word.text),), right, word.sign, word.role)
    return Row(
        f"audit:{one.id}", (line,), one.origin, f"{text}: {one.why}", "read", f"node:{one.id}"
    )


def _claims(snapshot: SessionSnapshot, now_ms: int, width: int) -> list[Row]:
    claims, audit = snapshot.lifecycle.value.claims, snapshot.audit.value
    if not claims:
        return []
    rows = [blank(), heading("Claims", right=(Span(count(len(claims), "claim"), "soft"),))]
    for claim in reversed(claims):
        state = _became(claim, audit)
        right = (state, *_age(claim.at_ms, now_ms))
        room = width - 6 - sum(len(span.text) for span in right)
        lines = wrapped(f"{claim.by}: {claim.summary}", room)
        first = Line((Span(lines[0]),), right, "claimed", "soft")
        more = (Line((Span(line),)) for line in lines[1:])
        rows.append(Row(f"claim:{claim.id}", (first, *more), copy=claim.summary))
    return rows


def _became(claim: Claim, audit: Audit) -> Span:
    """What the newest audit of the claim said; a claim that nobody looked at stays one."""
    mine = next((one for one in audit.verdicts if one.claim == claim.id), None)
    if mine is None:
        return Span("not looked at", "soft")
    word = VERDICTS[mine.word]
    return Span(f"{word.text}, stale" if mine.stale else word.text, word.role)


def _age(at_ms: int | None, now_ms: int) -> tuple[Span, ...]:
    since = when(at_ms, now_ms)
    return (Span("  "), *to_right(Span(since, "soft"), _AGE)) if since else ()
