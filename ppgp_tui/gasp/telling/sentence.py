"""One event in a few readable words.

A payload is data from outside: whatever is missing or of the wrong type is left out, and an unknown
kind is shown by its name and its first telling word. The words are not cleaned for a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ppgp_tui.gasp.telling.phrases import (
    PHRASES,
    Payload,
    SentenceSign,
    inside,
    text,
    unknown_kind,
)
from ppgp_tui.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ppgp_tui.gasp.telling.eventful import Eventful

_SESSION = re.compile(r"(?=[A-Za-z._-]*[0-9])[A-Za-z0-9._-]{4,}")


class Sentence(NamedTuple):
    """An event as a row says it."""

    sign: SentenceSign
    words: str
    about: str
    """What it concerns, as short as possible: a task's key, `plan`, an agent; may be empty."""
    actor: str
    """Who did it, short: `claude`, `you`."""


def sentence(event: Eventful, names: Mapping[str, str]) -> Sentence:
    """Return `event` as words.

    `names` gives short words for ids: of nodes their titles, of `user:LOGIN` what to call that
    person, of an event that revised a plan or a status what it changed (`+2 ~1`, `InProgress`), of
    `by:RUN` who is at work in that run: a tool is named in the words, so who called it is said.
    """
    actor = names.get(f"{event.actor_kind}:{event.actor_id}") or short_actor(
        event.actor_kind, event.actor_id
    )
    if event.error is not None and not event.kind:
        return Sentence("finding", f"damaged line: {event.error}", "", actor)
    payload = event.payload if isinstance(event.payload, dict) else {}
    if event.actor_kind == "tool":
        actor = names.get(f"by:{text(payload, 'run_id')}") or actor
    say = PHRASES.get(event.kind)
    sign, words = say(payload, event, names) if say else unknown_kind(event)
    return Sentence(sign, words or event.kind, _about(event.kind, payload), actor)


def short_actor(kind: str, name: str) -> str:
    """An actor in one word: `claude` for `claude-0f3a9c21`; the kind where there is no name."""
    agent, dash, session = name.partition("-")
    if kind == "agent" and dash and agent and _SESSION.fullmatch(session):
        return agent
    return name or kind


def _about(kind: str, payload: Payload) -> str:
    if kind.startswith("todo."):
        return "plan"
    for member in ("task_id", "id", "task"):
        value = payload.get(member)
        if isinstance(value, str) and value.startswith("todo:"):
            return value[5:]
    for member in ("blocks", "frees"):
        nodes = payload.get(member) or inside(payload, "request").get(member)
        if isinstance(nodes, list) and nodes and isinstance(nodes[0], str):
            return nodes[0].removeprefix("todo:")
    if kind.startswith("goal."):
        return "goal"
    if session := text(payload, "session"):
        return short_actor("agent", session)
    return text(inside(payload, "request") or payload, "scope")[:24]
