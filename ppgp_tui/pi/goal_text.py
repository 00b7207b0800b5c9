"""What the agent and the user read about the goal; the same state always gives the same text.

Revision, ids, times and usage stay out of the prompt, so that accounting never changes a byte of it
(Pi reference sections 2.7, 2.9).
"""

from __future__ import annotations

import re

from ppgp_tui.pi.block_proof import label_of
from ppgp_tui.pi.goal import Goal, GoalState

NO_GOAL = "No Goal is active on this branch."

_OBJECTIVE_TAG = re.compile(r"</?goal_objective>", re.ASCII | re.IGNORECASE)
_UNTIL_RESUMED = "Do not resume substantive Goal work until resume_goal is called."
_ACTIVE = (
    "An active Goal continues by default. Do not stop at a progress report: if any safe, in-scope "
    "action can materially advance any part of the objective, take it.",
    "set_goal_blocked is an exceptional factual claim that autonomous progress is currently "
    "impossible. It is not a way to defer work, request review, or hand back an unfinished "
    "objective.",
    "Call abandon_goal only when the Goal should be abandoned, or complete_goal only after the "
    "objective is genuinely complete.",
)
_COMPLETE = (
    "The Goal passed its independent audit. "
    "Write one normal final response now and do not call tools."
)


def prompt_block(state: GoalState) -> str:
    """The block added to the system prompt; empty without a goal."""
    goal = state.goal
    if goal is None:
        return ""
    lines = [
        f"[PI GOAL {label_of(goal).upper()}]",
        "<goal_objective>",
        _OBJECTIVE_TAG.sub(_escaped_tag, goal.objective),
        "</goal_objective>",
        *_instructions(goal),
    ]
    if goal.last_audit_rejection:
        lines.append(f"Latest auditor objection: {goal.last_audit_rejection.report}")
    return "\n".join(lines)


def system_prompt(base: str, state: GoalState) -> str:
    """`base` with the goal's block after a blank line."""
    block = prompt_block(state)
    return f"{base}\n\n{block}" if block else base


def _escaped_tag(tag: re.Match[str]) -> str:
    return tag.group().replace("<", "&lt;").replace(">", "&gt;")


def _instructions(goal: Goal) -> list[str]:
    reason = goal.pause.reason if goal.pause else None
    action = goal.pause.suggested_action if goal.pause else None
    match label_of(goal):
        case "active":
            return list(_ACTIVE)
        case "blocked":
            return [
                f"The Goal is blocked. {_UNTIL_RESUMED}",
                str(reason),
                f"Unblock condition: {action}",
            ]
        case "paused":
            why = reason or "no reason recorded"
            paused = f"The Goal is paused by the user: {why}. {_UNTIL_RESUMED}"
            return [paused, f"Suggested resume action: {action}"] if action else [paused]
        case _:
            return [_COMPLETE]


def status_text(state: GoalState) -> str:
    """What `/goal-status` tells the user."""
    goal = state.goal
    if goal is None:
        return NO_GOAL
    label = label_of(goal)
    blocked = label == "blocked"
    lines = [
        f"Goal {label}: {goal.objective}",
        f"Revision: {state.revision}",
        f"Auto-continue: {'on' if goal.auto_continue else 'off'}",
    ]
    if goal.pause:
        lines.append(f"{'Block proof' if blocked else 'Pause reason'}: {goal.pause.reason}")
        if goal.pause.suggested_action:
            name = "Unblock condition" if blocked else "Suggested action"
            lines.append(f"{name}: {goal.pause.suggested_action}")
    if goal.last_audit_rejection:
        lines.append(f"Latest audit rejection: {goal.last_audit_rejection.report}")
    return "\n".join(lines)
