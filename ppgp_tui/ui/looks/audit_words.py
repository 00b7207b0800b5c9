"""The words and signs of an audit, once, so that lamps, lists and sections say the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ppgp_tui.session import text as clean
from ppgp_tui.ui.looks.look import Look, Role
from ppgp_tui.ui.looks.words import Word
from ppgp_tui.ui.rows.row import Span

if TYPE_CHECKING:
    from ppgp_tui.session.picture.audit_state import Audit

OUTCOMES: Mapping[str, Word] = {
    "pass": Word("done", "ok", "pass"),
    "fail": Word("failed", "stop", "fail"),
    "cannot_check": Word("for_you", "needs", "cannot check"),
    "running": Word("running", "run", "running"),
    "queued": Word("open", "soft", "queued"),
}
"""Of one criterion."""
VERDICTS: Mapping[str, Word] = {
    "approved": Word("done", "ok", "approved"),
    "approved_with_notes": Word("done", "ok", "approved with notes"),
    "rejected": Word("failed", "stop", "rejected"),
    "inconclusive": Word("for_you", "needs", "undecided"),
}
"""What an audit came to, whether it still fits or not."""
_LAMPS: Mapping[str, tuple[str, str, Role]] = {
    "claimed": ("claimed", "A {claimed}", "wait"),
    "rejected": ("audit rejected", "A {failed}", "stop"),
    "stale": ("audit stale", "A old", "stop"),
    "unsure": ("audit unsure", "A ?", "needs"),
    "taken": ("audit taken", "A /", "wait"),
}
"""By state: the words from 60 columns, those below, and the role."""


def is_verified(audit: Audit) -> bool:
    """Whether a verdict says that the goal is done, and is known to fit what is here now."""
    return audit.state == "verified" and audit.stale is False


def step_of(audit: Audit) -> str:
    """`3/7`: the check under way, of how many; empty where nobody audits."""
    running = audit.running
    if running is None:
        return ""
    return f"{min(running.done + 1, running.checks)}/{running.checks}" if running.checks else "…"


def lamp(audit: Audit, short: bool, look: Look) -> Span:
    """The audit as one lamp says it; `short` for screens below 60 columns."""
    state = audit.state
    if state is None:
        return Span("A -" if short else "no audit", "soft")
    if state == "running" or audit.running is not None:
        step = step_of(audit)
        return Span(f"A {step}" if short else f"audit {step}", "wait", bold=True)
    if state == "verified":
        fits = is_verified(audit)
        sign = look.sign("verified" if fits else "done")
        word = "verified" if fits else "approved"
        return Span(f"A {sign}" if short else f"{sign} {word}", "ok" if fits else "soft", bold=fits)
    if state in _LAMPS:
        wide, narrow, role = _LAMPS[state]
        narrow = narrow.format(claimed=look.sign("claimed"), failed=look.sign("failed"))
        return Span(narrow if short else wide, role, bold=True)
    words = clean.one_line(state)
    return Span(f"A {words[:4]}" if short else f"audit {words}", "wait", bold=True)


def moved_words(audit: Audit, plan_revision: int | None) -> str:
    """What a verdict no longer fits: `plan moved to r15`, `code and contract moved`."""
    if audit.moved == ("plan",) and plan_revision is not None:
        return f"plan moved to r{plan_revision}"
    names = ["another goal" if one == "goal" else one for one in audit.moved]
    if names == ["another goal"]:
        return "this is another goal"
    if not names:
        return "something moved while it was made"
    return f"{' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))} moved"
