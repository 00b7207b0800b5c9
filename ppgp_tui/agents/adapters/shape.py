"""What an adapter is: how one agent tells of its doings, and how it is answered.

An adapter is a module of values and pure functions. It knows the words of its agent and nothing of
files; the hook program knows files and nothing of those words. Facts about agents: what was tried
with the versions named in each module.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

Kind = Literal[
    "start", "end", "prompt", "before_tool", "after_tool", "after_failure", "after_batch",
    "before_model", "after_model", "permission", "stop", "failure", "interrupt",
    "before_compaction", "after_compaction", "other",
]  # fmt: skip
"""What happens, whatever the agent calls it. `other` is an event nobody waits for."""

KINDS: Final[Mapping[str, Kind]] = {
    "SessionStart": "start",
    "SessionEnd": "end",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "before_tool",
    "PostToolUse": "after_tool",
    "PermissionRequest": "permission",
    "PreCompact": "before_compaction",
    "PostCompact": "after_compaction",
    "Stop": "stop",
    "StopFailure": "failure",
}
"""What events are that agents call alike."""

Json = dict[str, Any]

HOUR_S: Final = 3600
LONG_S: Final = 24 * HOUR_S
"""Longest time-out an agent is told. Claude Code cancels every hook at once from 2^31 ms on."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One event of an agent, in the words of no agent. Absent texts are empty."""

    event: str
    """The agent's own name of it."""
    kind: Kind
    session: str
    cwd: str = ""
    subagent: str = ""
    tool: str = ""
    tool_use_id: str = ""
    tool_input: Any = None
    detail: str = ""
    """Why or how: source of a start, reason of an end, trigger of a compaction, an error."""
    model: str = ""
    mode: str = ""
    """How the agent asks for permissions."""
    prompt: str = ""
    by_person: bool = True
    """Whether a person wrote the prompt."""
    answer: str = ""
    """The agent's last words in the turn that stops."""
    continued: bool = True
    """Whether a hook kept this turn going before; unknown counts as yes."""
    background: bool = False
    """Whether something the agent began still runs and will wake it."""
    suggestions: tuple[Json, ...] = ()
    """Rules the agent offers to add with a permission."""
    rules: tuple[str, ...] = ()
    """The same in words, all that they allow; empty where they cannot be told."""


class Answer(NamedTuple):
    """What the hook program prints and returns; nothing at all lets the agent go on."""

    stdout: str = ""
    stderr: str = ""
    code: int = 0


GO_ON: Final = Answer()


class Decision(NamedTuple):
    """What a person said to a permission."""

    allow: bool
    for_session: bool = False
    note: str = ""


class HookEntry(NamedTuple):
    """One event that is to be hooked: the time-out the agent is told, and our own before it."""

    event: str
    timeout_s: int
    limit_s: float
    """0: as long as the settings let a call be held."""


class Ability(NamedTuple):
    """Whether an agent can be made to do something, and what a person should know of how."""

    can: bool
    how: str = ""


ABILITIES: Final = {
    "hold_tool": "hold before the next tool call",
    "hold_model": "hold before the next model request",
    "stop_turn": "stop the turn",
    "note": "take a note",
    "permission": "answer permission prompts here",
    "permission_session": "allow for the rest of the session",
    "question": "answer its questions here",
    "continue": "go on with the goal at the end of a turn",
    "boot": "read the boot packet at the start",
    "boot_again": "read it again after compaction",
    "interrupt": "tell when a person interrupts it",
    "limits": "tell of limits and errors of its model",
}
"""Everything an adapter says yes or no to, in the order a person reads it."""


@dataclass(frozen=True)
class Adapter:
    """One agent: what it can do, what is to be hooked, its words read and its answers made.

    A function that makes an answer returns None where the agent cannot be told so at that moment.
    """

    name: str
    """Ours, and the first word of every session key."""
    title: str
    tried: str
    """The version everything here was tried with."""
    abilities: Mapping[str, Ability]
    hooks: tuple[HookEntry, ...]
    kinds: Mapping[str, Kind]
    """What each of its events is; others are `other`."""
    read: Callable[[str, Kind, Json], Moment]
    deny: Callable[[Moment, str], Answer | None]
    """Refuse the call; the reason goes to the model."""
    end_turn: Callable[[Moment, str], Answer | None]
    """End the turn now."""
    tell: Callable[[Moment, str], Answer | None]
    """Give the model a text, whatever else happens."""
    keep_going: Callable[[Moment, str], Answer | None]
    """Begin another round with this text, at the end of a turn."""
    permit: Callable[[Moment, Decision], Answer | None]
    reply: Callable[[Moment, Mapping[str, str]], Answer | None]
    """Answer the agent's own questions: what was asked, and the label or the words for it."""
    questions: Callable[[Moment], tuple[Question, ...]]
    """The questions a permission prompt really is; none where it is about a permission."""
    rounds: Callable[[Mapping[str, str]], int | None] = field(default=lambda _: None)
    """Rounds without a tool call after which the agent ends the turn by itself."""

    def moment(self, payload: Mapping[str, Any]) -> Moment | None:
        """The event in a hook's JSON; None where it does not say which, and of which session."""
        event = text(payload, "hook_event_name")
        if not event or not text(payload, "session_id"):
            return None
        return self.read(event, self.kinds.get(event, "other"), dict(payload))

    def hook(self, event: str) -> HookEntry | None:
        """How that event is hooked."""
        return next((entry for entry in self.hooks if entry.event == event), None)


class Question(NamedTuple):
    """A question an agent puts to its user: the words and the labels it offers."""

    text: str
    options: tuple[str, ...]
    several: bool = False
    """More than one of them may be chosen."""


def text(payload: Mapping[str, Any], *names: str) -> str:
    """The first of these members that is a text with something in it; empty without one."""
    for name in names:
        value = payload.get(name)
        if isinstance(value, str) and value:
            return value.encode("utf-8", "replace").decode()  # half a character is none
    return ""


def told(event: str, kind: Kind, payload: Json, **own: Any) -> Moment:
    """A moment with the members that agents tell alike, and those that are this agent's `own`."""
    return Moment(
        event=event,
        kind=kind,
        session=text(payload, "session_id"),
        cwd=text(payload, "cwd"),
        subagent=text(payload, "agent_id"),
        tool=text(payload, "tool_name"),
        tool_use_id=text(payload, "tool_use_id"),
        tool_input=payload.get("tool_input"),
        model=text(payload, "model"),
        mode=text(payload, "permission_mode"),
        prompt=text(payload, "prompt"),
        answer=text(payload, "last_assistant_message"),
        continued=payload.get("stop_hook_active") is not False,
        **own,
    )


def said(answer: Json) -> Answer:
    """An answer in JSON; ASCII, for no agent reads half a surrogate pair."""
    return Answer(stdout=json.dumps(answer))


def specific(event: str, **members: Any) -> Answer:
    """An answer under `hookSpecificOutput`."""
    return said({"hookSpecificOutput": {"hookEventName": event, **members}})
