"""The words and signs of every state, once, so that all views say the same."""

from __future__ import annotations

import re

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.ppgp.reading import CriterionState
from ppgp_tui.session.model import AgentState, RequestState, Task, TaskState
from ppgp_tui.ui.looks.look import Role, Sign


class Word(NamedTuple):
    """How a state is shown."""

    sign: Sign
    role: Role
    text: str


TASKS: dict[TaskState, Word] = {
    "for_you": Word("for_you", "needs", "for you"),
    "running": Word("running", "run", "running"),
    "ready": Word("ready", "ink", "ready"),
    "blocked": Word("blocked", "stop", "blocked"),
    "waits": Word("waits", "soft", "waits"),
    "done": Word("done", "ok", "done"),
}
"""In the order in which they matter to a person."""

CRITERIA: dict[CriterionState, Word] = {
    "done": Word("done", "ok", "done"),
    "claimed": Word("claimed", "soft", "claimed"),
    "partial": Word("partial", "run", "partly"),
    "open": Word("open", "soft", "open"),
    "blocked": Word("blocked", "stop", "blocked"),
    "unknown": Word("unknown", "soft", "not said"),
}

VERIFIED = Word("verified", "ok", "verified")
"""A criterion that is done, as a verdict says that fits what is here now."""

AGENTS: dict[AgentState, Word] = {
    "waiting_for_you": Word("for_you", "needs", "waiting for you"),
    "violated": Word("failed", "stop", "violated"),
    "frozen": Word("held", "held", "frozen"),
    "held": Word("held", "held", "held"),
    "stopping": Word("held", "held", "stopping"),
    "limited": Word("failed", "stop", "limited"),
    "working": Word("running", "run", "working"),
    "idle": Word("unknown", "text", "idle"),
    "quiet": Word("unknown", "soft", "no evidence"),
    "ended": Word("dropped", "soft", "ended"),
    "gone": Word("unknown", "soft", "gone"),
}

REQUESTS: dict[RequestState, Word] = {
    "waiting": Word("for_you", "needs", "waits"),
    "taken_back": Word("for_you", "needs", "taken back"),
    "answered": Word("done", "ok", "answered"),
    "delivered": Word("done", "ok", "delivered"),
    "acted_on": Word("done", "ok", "acted on"),
    "expired": Word("unknown", "soft", "expired, nobody answered"),
    "withdrawn": Word("dropped", "soft", "withdrawn"),
}

CLASSES = {"A": "solvable", "B": "external", "C": "authority", "D": "dependency"}
"""What a blocker class means (PPGP reference section 5)."""

_STRONG = re.compile(r"\*\*(?=\S)([^*]+?)(?<=\S)\*\*")
_CODE = re.compile(r"`([^`]+)`")


def task_word(task: Task) -> Word:
    """A task's sign, role and state word; a stopped one says its class and who."""
    word = TASKS[task.state]
    if task.state == "blocked" and task.stopped_by:
        return word._replace(text=task.stopped_by)
    return word


def criterion_word(state: CriterionState, *, verified: bool) -> Word:
    """How the state of a criterion is shown; what is done is verified where a verdict says so."""
    return VERIFIED if verified and state == "done" else CRITERIA[state]


def stopped_words(stopped_by: str) -> str:
    """What the state word of a stopped task stands for.

    `C you` is `C, your answer`; `B 02:00` is `B external, until 02:00`; `D` is `D dependency`.
    """
    klass, _, rest = stopped_by.partition(" ")
    if rest == "you":
        return f"{klass}, your answer"
    named = f"{klass} {CLASSES.get(klass, '')}".strip()
    return f"{named}, until {rest}" if rest else named


def count(number: int, noun: str) -> str:
    """`1 blocker`, `3 blockers`, `1,204 events`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def plain(text: str) -> str:
    """`text` without the marks of Markdown emphasis and code, which only make it longer."""
    return _CODE.sub(r"\1", _STRONG.sub(r"\1", text))
