"""The report of an audit: everything it was about and everything it found, as one JSON object.

It is kept under `.ppgp/audits/EVAL/report.json`; its digest is in the log, so a report that was
changed afterwards shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from ppgp_tui.audit.model import Answer, AuditPlan, Found, Verdict
from ppgp_tui.pi.goal import REPORT_MOST
from ppgp_tui.session.canonical import canonical, digest_of
from ppgp_tui.session.picture.audit_report import cannot_check
from ppgp_tui.session.text import one_line

SCHEMA: Final = 1
_LIST_MOST: Final = 20

Json = dict[str, Any]


def report(
    plan: AuditPlan,
    found: Iterable[Found],
    answer: Answer | None,
    verdict: Verdict,
    *,
    eval_id: str,
    started_ms: int,
    ended_ms: int,
    bound_after: Mapping[str, str | None],
) -> Json:
    """Return the whole report as plain JSON without floating numbers."""
    return {
        "schema": SCHEMA,
        "eval": eval_id,
        "started_ms": started_ms,
        "ended_ms": ended_ms,
        "plan": plain(plan),
        "bound_after": dict(bound_after),
        "found": [plain(one) for one in found],
        "answer": None if answer is None else plain(answer),
        "verdict": plain(verdict),
    }


def encoded(said: Json) -> tuple[bytes, str]:
    """The bytes of a report's file and their digest."""
    data = canonical(said) + b"\n"
    return data, digest_of(data)


def plain(value: Any) -> Any:
    """A value of the audit as JSON: by name, tuples as lists, seconds as milliseconds."""
    if hasattr(value, "_asdict"):
        return {_name(key, one): plain(one) for key, one in value._asdict().items()}
    if isinstance(value, float):
        return round(value * 1000)
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _name(key: str, value: Any) -> str:
    return "milliseconds" if key == "seconds" and not isinstance(value, int) else key


def told(verdict: Verdict) -> str:
    """What the agent is told: the objections where it was rejected, else what stands."""
    lines = [f"Verdict: {verdict.word.replace('_', ' ')}. {one_line(verdict.why)}."]
    listed = verdict.objections if verdict.word == "rejected" else verdict.notes
    lines += [f"- {one_line(one)}" for one in listed[:_LIST_MOST]]
    if (more := len(listed) - _LIST_MOST) > 0:
        lines.append(f"- and {more} more")
    if verdict.word == "inconclusive":
        lines += [f"- {line}" for line in undecided(verdict)[:_LIST_MOST]]
    return "\n".join(lines)[:REPORT_MOST]


def undecided(verdict: Verdict) -> tuple[str, ...]:
    """What nobody could check, and why, one criterion a line."""
    return tuple(
        cannot_check(one.criterion.text, one.why)
        for one in verdict.judged
        if one.outcome == "cannot_check"
    )
