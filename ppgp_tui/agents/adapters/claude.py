"""Claude Code, as tried with 2.1.197.

Two calls of one answer run one after the other, so a hold of the first holds the second. A hook
cannot end the turn before a tool call; there the call is refused and the end of the batch, or of a
call that is under way, ends it. Nothing tells of Esc but the death of a hook that waits.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

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

ROUNDS = 8
"""Continuations in a row without a tool call; the turn is ended at the next one."""
ROUNDS_SET_BY = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"

_OVER = ("completed", "failed", "killed", "stopped", "cancelled", "done")
_PEOPLE = ("", "user", "sdk")
_TELLS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure")


def read(event: str, kind: Kind, payload: Json) -> Moment:
    """The event as Claude Code tells it."""
    offered = payload.get("permission_suggestions")
    suggestions = (
        tuple(one for one in offered if isinstance(one, dict))
        if (isinstance(offered, list))
        else ()
    )
    return told(
        event,
        kind,
        payload,
        detail=text(payload, "error", "source", "reason", "trigger"),
        by_person=text(payload, "source") in _PEOPLE,
        background=_runs(payload.get("background_tasks")),
        suggestions=suggestions,
        rules=tuple(text for one in suggestions for text in _in_words(one)),
    )


def _in_words(suggestion: Json) -> Iterator[str]:
    """What a suggestion allows: a rule as Claude writes it, anything else as it stands."""
    said = {name: value for name, value in suggestion.items() if name != "destination"}
    rules = said.get("rules")
    plain = said == {"type": "addRules", "behavior": "allow", "rules": rules}
    if plain and isinstance(rules, list) and all(map(_is_rule, rules)):
        for rule in rules:
            content = f"({rule['ruleContent']})" if "ruleContent" in rule else ""
            yield f"{rule['toolName']}{content}"
    else:
        yield json.dumps(said, ensure_ascii=False)


def _is_rule(rule: object) -> bool:
    """Whether a rule names a tool, what of it, and nothing else."""
    return (
        isinstance(rule, dict)
        and "toolName" in rule
        and {*rule} <= {"toolName", "ruleContent"}
        and all(isinstance(value, str) for value in rule.values())
    )


def deny(moment: Moment, reason: str) -> Answer | None:
    """Refuse a call that has not begun."""
    if moment.kind != "before_tool":
        return None
    return specific(moment.event, permissionDecision="deny", permissionDecisionReason=reason)


def end_turn(moment: Moment, reason: str) -> Answer | None:
    """After a call or a batch nothing more is asked of the model; the reason is for the person."""
    if moment.kind in ("after_tool", "after_failure", "after_batch"):
        return said({"continue": False, "stopReason": reason})
    return None


def tell(moment: Moment, words: str) -> Answer | None:
    """A text beside the start, the prompt or the result of a call."""
    if moment.event not in _TELLS:
        return None
    return specific(moment.event, additionalContext=words)


def keep_going(moment: Moment, words: str) -> Answer | None:
    """Another round instead of the end of the turn."""
    return said({"decision": "block", "reason": words}) if moment.kind == "stop" else None


def permit(moment: Moment, decision: Decision) -> Answer | None:
    """What a person decided; for the session only what Claude itself offers to add."""
    if moment.kind != "permission":
        return None
    if not decision.allow:
        message = decision.note or "Denied by the operator."
        return _decided(moment, {"behavior": "deny", "message": message})
    answer: Json = {"behavior": "allow"}
    if decision.for_session and moment.rules:
        answer["updatedPermissions"] = [
            {**rule, "destination": "session"} for rule in moment.suggestions
        ]
    return _decided(moment, answer)


def questions(moment: Moment) -> tuple[Question, ...]:
    """The questions of AskUserQuestion; none where one of them is not as expected."""
    given = moment.tool_input.get("questions") if isinstance(moment.tool_input, dict) else None
    if moment.tool != "AskUserQuestion" or not isinstance(given, list):
        return ()
    found = [_question(one) for one in given]
    return tuple(one for one in found if one) if all(found) else ()


def reply(moment: Moment, answers: Mapping[str, str]) -> Answer | None:
    """Answer AskUserQuestion for its user."""
    if moment.kind != "permission" or not isinstance(moment.tool_input, dict):
        return None
    given = {"questions": moment.tool_input.get("questions"), "answers": dict(answers)}
    return _decided(moment, {"behavior": "allow", "updatedInput": given})


def rounds(environ: Mapping[str, str]) -> int | None:
    """The cap, or what its variable says; 0 or less takes it away."""
    try:
        most = int(environ.get(ROUNDS_SET_BY, ROUNDS))
    except ValueError:
        return ROUNDS
    return most if most > 0 else None


def _decided(moment: Moment, decision: Json) -> Answer:
    return specific(moment.event, decision=decision)


def _question(given: object) -> Question | None:
    if not isinstance(given, dict) or not isinstance(given.get("options"), list):
        return None
    words = text(given, "question")
    labels = [text(one, "label") if isinstance(one, dict) else "" for one in given["options"]]
    if not words or not labels or not all(labels):
        return None
    return Question(words, tuple(labels), given.get("multiSelect") is True)


def _runs(tasks: object) -> bool:
    """Whether one of the background tasks is not over; what says nothing of itself runs."""
    if not isinstance(tasks, list):
        return False
    return any(not isinstance(one, dict) or one.get("status") not in _OVER for one in tasks)


ADAPTER = Adapter(
    name="claude",
    title="Claude Code",
    tried="2.1.197",
    abilities={
        "hold_tool": Ability(True),
        "hold_model": Ability(False, "it tells of no model request"),
        "stop_turn": Ability(True, "after the call under way; a call not begun is refused"),
        "note": Ability(True, "with the next call, prompt or end of turn"),
        "permission": Ability(True, "here or in its own dialog, the first answer counts"),
        "permission_session": Ability(True, "where it offers a rule"),
        "question": Ability(True),
        "continue": Ability(True, f"below its {ROUNDS} rounds without a tool call"),
        "boot": Ability(True),
        "boot_again": Ability(True),
        "interrupt": Ability(False, "only a hook that waits notices Esc"),
        "limits": Ability(True),
    },
    hooks=(
        HookEntry("SessionStart", 60, 45),
        HookEntry("UserPromptSubmit", 60, 45),
        HookEntry("PreToolUse", LONG_S, 0),
        HookEntry("PermissionRequest", LONG_S, 0),
        HookEntry("PostToolUse", 60, 45),
        HookEntry("PostToolUseFailure", 60, 45),
        HookEntry("PostToolBatch", 60, 45),
        HookEntry("PreCompact", 60, 45),
        HookEntry("PostCompact", 60, 45),
        HookEntry("Stop", 60, 45),
        HookEntry("StopFailure", 60, 45),
        HookEntry("SessionEnd", 15, 10),
    ),
    kinds={
        **KINDS,
        "PostToolUseFailure": "after_failure",
        "PostToolBatch": "after_batch",
    },
    read=read,
    deny=deny,
    end_turn=end_turn,
    tell=tell,
    keep_going=keep_going,
    permit=permit,
    reply=reply,
    questions=questions,
    rounds=rounds,
)
