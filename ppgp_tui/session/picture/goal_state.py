"""The goal as the log has it, and what is in its way, as values of the snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.ppgp.reading import BlockerClass
from ppgp_tui.session.picture.origin import Origin

GoalStatus = Literal["active", "paused", "blocked", "complete", "none"]


class Blocker(NamedTuple):
    """Something in the way that was recorded in the log and is not cleared."""

    id: str
    """To clear it by."""
    klass: BlockerClass | None
    text: str
    scope: str | None = None
    until: str | None = None
    tasks: tuple[str, ...] = ()
    """Keys of the tasks it stops, and the id of a goal it stops."""
    actor: str | None = None
    since_ms: int | None = None
    line: int | None = None
    """Where the goal document says the same: then it is one blocker, not two."""
    origin: Origin | None = None


class Claim(NamedTuple):
    """Somebody said that the goal is done; only an audit can make that true."""

    id: str
    by: str
    summary: str
    at_ms: int | None = None
    bound: Mapping[str, Any] = MappingProxyType({})
    """Digests of what it is about: contract, plan, code, commit, goal."""
    dispute: str = ""
    """Why the verdict that rejected the claim before is wrong, as the claimant sees it."""
    disputes: str | None = None
    """Id of that audit."""


class Lifecycle(NamedTuple):
    """The goal as the log has it: made by a person, tweaked, paused, blocked, claimed, settled."""

    id: str | None = None
    status: GoalStatus = "none"
    revision: int | None = None
    """Of the objective: 1 as made, one more with each tweak."""
    state_revision: int = 0
    """Of the whole goal state; never restarts."""
    objective: str | None = None
    created_ms: int | None = None
    since_ms: int | None = None
    """Since when the status is what it is."""
    pause_reason: str | None = None
    block: Mapping[str, str] = MappingProxyType({})
    """Proof of a block: what was proved, tried, is needed, unblocks it."""
    claims: tuple[Claim, ...] = ()
    """Of this goal, oldest first."""
    rejection: str | None = None
    """What the last audit objected to, until the goal is approved or reworded."""
    settled: str | None = None
    """Id of the goal that was fulfilled last, while no other has begun."""
    origin: Origin | None = None
    source: Literal["log", "pi session"] = "log"
    """Who holds it; one that a Pi agent holds can only be looked at here."""


def goal_differs(document: str | None, recorded: str | None) -> bool:
    """Whether document and log name different goals; one that says more of the same does not."""
    if not document or not recorded:
        return False
    one, other = (" ".join(text.split()).casefold() for text in (document, recorded))
    return one not in other and other not in one
