"""Where the completion of the goal stands, in a sentence."""

from __future__ import annotations

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.audit_state import Override
from ppgp_tui.session.text import sentence
from ppgp_tui.ui.plain.ages import lasted
from ppgp_tui.ui.plain.facts import Fact, Facts

_STATES = {
    "claimed": "The goal is claimed done; no audit has looked at it",
    "running": "An audit of the goal is running",
    "verified": "The goal is verified by an audit",
    "rejected": "The audit rejected the claim",
    "unsure": "The audit could not decide",
    "stale": "The verdict of the audit no longer fits",
    "taken": "A person let the goal count as done without a verdict",
}


def audit_facts(snapshot: SessionSnapshot) -> Facts:
    """How it stands, told when it differs; and every goal that a person took without a verdict."""
    audit = snapshot.audit.value
    taken = {
        f"override:{number}": Fact(one.reason, sentence(_taken(one)))
        for number, one in enumerate(audit.overrides)
    }
    if audit.state is None:
        return taken
    words = _STATES[audit.state]
    verdict = audit.verdict if audit.state in ("verified", "rejected", "unsure") else None
    if audit.state == "stale" and audit.moved:
        words += f": {' and '.join(audit.moved)} moved since"
    elif verdict is not None:
        since = lasted(verdict.at_ms, snapshot.at_ms)
        words += (f", {since} ago" if since else "") + (f": {verdict.why}" if verdict.why else "")
    elif audit.state == "claimed" and (claims := snapshot.lifecycle.value.claims):
        words += f": {claims[-1].summary}"
        if claims[-1].dispute:
            words += f"; it disputes the verdict before: {claims[-1].dispute}"
    state = audit.state, audit.moved, verdict and verdict.id
    return {"audit": Fact(state, sentence(words)), **taken}


def _taken(one: Override) -> str:
    return f"{one.by} closed a goal without a verdict that fits, because: {one.reason}"
