"""A request for a person's authority, and what became of it, as values of the snapshot."""

from __future__ import annotations

from typing import Literal

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.picture.origin import Origin

RequestState = Literal[
    "waiting", "answered", "delivered", "acted_on", "expired", "withdrawn", "taken_back"
]
AgentState = Literal[
    "waiting_for_you", "violated", "frozen", "held", "stopping", "limited", "working", "idle",
    "quiet", "ended", "gone",
]  # fmt: skip


class Option(NamedTuple):
    """One answer a request offers."""

    key: str
    label: str
    detail: str | None = None


class Answer(NamedTuple):
    """What a person said to a request."""

    decision: str
    attempt: int
    by: str
    at_ms: int | None = None
    option: str | None = None
    text: str | None = None
    note: str | None = None
    signature: Literal["verified", "unsigned", "unchecked"] = "unchecked"
    """`unchecked`: there is one, and nothing on disk to check it against any more."""
    recorded: bool = True
    """False for an answer on disk that is not in the log: waiters take it, nobody recorded it."""


class RefusedAnswer(NamedTuple):
    """An answer on disk that does not count and releases nobody."""

    attempt: int
    word: str
    """How a person is told: `forged or damaged`, `other repository`, `unsigned` …"""
    why: str


class Request(NamedTuple):
    """One thing that needs a person."""

    id: str
    state: RequestState
    digest: str
    kind: str
    klass: str
    question: str
    scope: str = ""
    why: str | None = None
    evidence: str | None = None
    options: tuple[Option, ...] = ()
    recommended: str | None = None
    irreversible: bool = False
    frees: tuple[str, ...] = ()
    """Keys of the tasks an answer sets free."""
    asker: str | None = None
    created_ms: int | None = None
    """None when nobody recorded when it was asked (a bullet in the document)."""
    expires_ms: int | None = None
    origin: Origin | None = None
    frees_then: tuple[str, ...] = ()
    """Keys of the unfinished tasks that depend on those, directly or not, in plan order."""
    state_ms: int | None = None
    """Since when it is in this state; None while it never was in another one, or unknown."""
    reason: str = ""
    """Why it was withdrawn."""
    answer: Answer | None = None
    """The answer that stands, or that was taken back."""
    refused: tuple[RefusedAnswer, ...] = ()
    """Answers on disk that do not count, newest first."""
    damage: str = ""
    """Why no answer to it can count; empty while nothing is known against it."""
    asker_pid: int | None = None
    """The process that asked, and waits if it still runs."""
    asker_pid_start: int | None = None
    cwd: str | None = None
    tool: str | None = None
    tool_input: str | None = None
    """What the tool would be called with, as JSON text."""
    for_session: tuple[str, ...] = ()
    """What else its agent would not ask about till its session ends; empty: it offers nothing."""
    asker_state: AgentState | None = None
    """`waiting_for_you` while the process that asked waits; else how the agent is that asked.

    None when neither is known.
    """
    asker_quiet_ms: int | None = None
    """Since when the one that asked has done nothing; None when it works or nobody knows."""

    of: str = ""
    """The session it is of, where requests of several sessions are listed together."""

    @property
    def is_open(self) -> bool:
        """Whether a person still has to answer."""
        return self.state in ("waiting", "taken_back")
