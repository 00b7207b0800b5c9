"""Receipts: the bounded record of one change of a goal, as Pi shows it (Pi reference section 2.4).

A receipt may hold less text than the state; take the objective from the state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ppgp_tui.pi.javascript import cut, length, utf8_size

ReceiptKind = Literal[
    "goal_started",
    "goal_updated",
    "goal_blocked",
    "goal_waiting",
    "goal_paused",
    "goal_resumed",
    "goal_completion_rejected",
    "goal_completed",
    "goal_abandoned",
]
ReceiptLevel = Literal["info", "warning", "error"]

DATA_MOST_BYTES = 60 * 1024
TUI_MESSAGE_MOST = 4000

# The order in which members get the bytes: what happened first, detail last.
_MOST = {
    "goalId": 160,
    "message": 4000,
    "reason": 2000,
    "completionSummary": 4000,
    "changeSummary": 2000,
    "suggestedAction": 2000,
    "objective": 20000,
    "auditorReport": 12000,
}


@dataclass(frozen=True, slots=True)
class Receipt:
    """What happened to a goal, before it is cut to size; None members are left out."""

    kind: ReceiptKind
    level: ReceiptLevel
    tui_message: str
    emitted_at: str
    auto_continue: bool
    goal_id: str
    objective: str
    message: str | None = None
    reason: str | None = None
    completion_summary: str | None = None
    change_summary: str | None = None
    suggested_action: str | None = None
    auditor_report: str | None = None


def receipt_json(receipt: Receipt) -> dict[str, Any]:
    """`receipt` as Pi writes it, every text within its limit and all of it within 60 KiB."""
    event: dict[str, Any] = {
        "version": 1,
        "kind": receipt.kind,
        "emittedAt": cut(receipt.emitted_at, 64),
        "level": receipt.level,
        "tuiMessage": cut(receipt.tui_message, TUI_MESSAGE_MOST),
        "autoContinue": receipt.auto_continue,
    }
    texts = {
        "goalId": receipt.goal_id,
        "message": receipt.message,
        "reason": receipt.reason,
        "completionSummary": receipt.completion_summary,
        "changeSummary": receipt.change_summary,
        "suggestedAction": receipt.suggested_action,
        "objective": receipt.objective,
        "auditorReport": receipt.auditor_report,
    }
    for name, most in _MOST.items():
        text = texts[name]
        if text is not None and (kept := _fitting(event, name, cut(text, most))) is not None:
            event[name] = kept
    return event


def _fitting(event: Mapping[str, Any], name: str, text: str) -> str | None:
    """As much of `text` as the budget leaves room for; None for nothing of it."""
    if _size(event, name, text) <= DATA_MOST_BYTES:
        return text
    low, high, kept = 0, length(text), ""
    while low <= high:
        middle = (low + high) // 2
        candidate = cut(text, middle)
        if _size(event, name, candidate) <= DATA_MOST_BYTES:
            low, kept = middle + 1, candidate
        else:
            high = middle - 1
    return kept or None


def _size(event: Mapping[str, Any], name: str, text: str) -> int:
    data = {key: value for key, value in event.items() if key != "tuiMessage"}
    return utf8_size({"goal": {**data, name: text}})
