"""The few words that stand for a command, and for what decided a criterion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ppgp_tui.audit.model import AuditPlan, Check, Criterion, Found, Judged
from ppgp_tui.session.text import one_line

_PLAIN = "-_./:=,@%+"


def command_words(argv: Sequence[str]) -> str:
    """A command so that every word of it can be told apart."""
    return " ".join(one_line(word) if _is_plain(word) else repr(word) for word in argv)


def shown_by(criterion: Criterion, plan: AuditPlan, found: Mapping[str, Found]) -> str:
    """Where a criterion was decided: `docs/a.md:3`, `4e1f09c`, `41 passed`; else why."""
    about = [one for one in plan.checks if criterion.id in one.criteria and one.id in found]
    about.sort(key=lambda one: found[one.id].outcome == "pass")
    return _of_check(about[0], found[about[0].id]) if about else ""


def evidence_of(judged: Judged, plan: AuditPlan, found: Mapping[str, Found]) -> str:
    """The same for one that was judged: what an auditor quoted counts where no check decides."""
    if judged.outcome != "pass" or judged.taken_by:
        return one_line(judged.why)
    if said := shown_by(judged.criterion, plan, found):
        return said
    quote = next((one for one in judged.quotes if not one.path.startswith("output:")), None)
    if quote is not None:
        return f"{quote.path}:{quote.line}" if quote.line else quote.path
    return one_line(judged.why)


def _of_check(check: Check, found: Found) -> str:
    if found.outcome == "pass" and check.kind == "commit":
        return check.commit[:10]
    if found.outcome == "pass" and check.path:
        line = next((quote.line for quote in found.quotes if quote.line), None)
        return f"{check.path}:{line}" if line else check.path
    return one_line(found.why.removeprefix("exit 0, "))


def _is_plain(word: str) -> bool:
    return bool(word) and all(one.isalnum() or one in _PLAIN for one in word)
