"""Codex CLI, as tried with 0.171.0.

Its schema is strict: one key it does not know, or a refusal without a reason, and the whole answer
is dropped and the call runs. No hook ends a turn that is under way, so calls are refused until it
ends. A permission hook runs before the prompt and hides it, so it may wait a short while only.
"""

from __future__ import annotations

from collections.abc import Mapping

from ppgp_tui.agents.adapters.shape import (
    KINDS,
    LONG_S,
    Ability,
    Adapter,
    Answer,
    Decision,
    HookEntry,
    Json,
    Kind,
    Moment,
    Question,
    said,
    specific,
    text,
    told,
)

PERMISSION_S = 3600
"""Told to Codex for permission prompts; we wait as the setting `permission.codex_wait_s` says."""

_TELLS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse")
_OWN_PROMPT = "<hook_prompt"


def read(event: str, kind: Kind, payload: Json) -> Moment:
    """The event as Codex tells it; a model request that failed is a failure."""
    status = text(payload, "status")
    if kind == "after_model" and status == "failed":
        kind = "failure"
    error = payload.get("error")
    if isinstance(error, dict):
        error = text(error, "message", "code", "type")
    return told(
        event,
        kind,
        payload,
        detail=(error if isinstance(error, str) else "")
        or text(payload, "source", "reason", "trigger")
        or (status if kind == "failure" else ""),
        by_person=not text(payload, "prompt").lstrip().startswith(_OWN_PROMPT),
    )


def deny(moment: Moment, reason: str) -> Answer | None:
    """Refuse a call that has not begun."""
    if moment.kind != "before_tool":
        return None
    return specific(
        moment.event, permissionDecision="deny", permissionDecisionReason=reason or "Denied."
    )


def end_turn(_moment: Moment, _reason: str) -> Answer | None:
    """No hook can."""
    return None


def tell(moment: Moment, words: str) -> Answer | None:
    """A text beside the start, the prompt or a call, as a message of its developer."""
    return specific(moment.event, additionalContext=words) if moment.event in _TELLS else None


def keep_going(moment: Moment, words: str) -> Answer | None:
    """Another round instead of the end of the turn; without a reason it would be dropped."""
    if moment.kind != "stop" or not words.strip():
        return None
    return said({"decision": "block", "reason": words})


def permit(moment: Moment, decision: Decision) -> Answer | None:
    """What a person decided; Codex keeps no rule of it."""
    if moment.kind != "permission":
        return None
    answer: Json = {"behavior": "allow"}
    if not decision.allow:
        answer = {"behavior": "deny", "message": decision.note or "Denied by the operator."}
    return specific(moment.event, decision=answer)


def questions(_moment: Moment) -> tuple[Question, ...]:
    """It asks nothing through its hooks."""
    return ()


def reply(_moment: Moment, _answers: Mapping[str, str]) -> Answer | None:
    """See `questions`."""
    return None


ADAPTER = Adapter(
    name="codex",
    title="Codex",
    tried="0.171.0",
    abilities={
        "hold_tool": Ability(True),
        "hold_model": Ability(True),
        "stop_turn": Ability(True, "every further call is refused until the turn ends"),
        "note": Ability(True, "with the next call, prompt or end of turn"),
        "permission": Ability(True, "for a short while, then its own prompt comes"),
        "permission_session": Ability(False, "it keeps no rule; allowed once"),
        "question": Ability(False),
        "continue": Ability(True, "it has no cap of its own; ours counts"),
        "boot": Ability(True),
        "boot_again": Ability(True, "with the next prompt where it does not start anew"),
        "interrupt": Ability(True),
        "limits": Ability(True),
    },
    hooks=(
        HookEntry("SessionStart", 60, 45),
        HookEntry("UserPromptSubmit", 60, 45),
        HookEntry("PreToolUse", LONG_S, 0),
        HookEntry("PermissionRequest", PERMISSION_S, PERMISSION_S - 60),
        HookEntry("PostToolUse", 60, 45),
        HookEntry("PreModelRequest", LONG_S, 0),
        HookEntry("PostModelRequest", 60, 45),
        HookEntry("PreCompact", 60, 45),
        HookEntry("PostCompact", 60, 45),
        HookEntry("Stop", 60, 45),
        HookEntry("Interrupt", 3, 2),
        HookEntry("SessionEnd", 3, 2),
    ),
    kinds={
        **KINDS,
        "PreModelRequest": "before_model",
        "PostModelRequest": "after_model",
        "Interrupt": "interrupt",
    },
    read=read,
    deny=deny,
    end_turn=end_turn,
    tell=tell,
    keep_going=keep_going,
    permit=permit,
    reply=reply,
    questions=questions,
)
