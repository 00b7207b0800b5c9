"""What an independent auditor decided, read so that anything unclear is a rejection.

Only the auditor's last message counts, and only if it ended normally (Pi reference section 2.11).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppgp_tui.pi.javascript import trim

APPROVED = "<approved/>"


@dataclass(frozen=True, slots=True)
class AuditResult:
    """The end of an audit: the verdict, everything the auditor wrote, and what went wrong."""

    approved: bool
    output: str
    error: str | None = None


def is_approval(message: str) -> bool:
    """Whether the last line of `message` that is not blank is exactly the tag of approval."""
    lines = [line for line in map(trim, message.split("\n")) if line]
    return bool(lines) and lines[-1] == APPROVED


def audit_result(messages: Sequence[Sequence[str]], stop_reason: str | None) -> AuditResult:
    """The result of an auditor's `messages`, each the text blocks of one, of which the last counts.

    `stop_reason` is how the last message ended; None when there is none.
    """
    report = trim("\n\n".join(block for message in messages for block in message))
    if stop_reason != "stop":
        said = stop_reason if stop_reason is not None else "missing"
        error = f"Auditor did not complete normally (stopReason: {said})."
        return AuditResult(False, report, error)
    last = trim("\n\n".join(messages[-1])) if messages else ""
    return AuditResult(is_approval(last), report)
