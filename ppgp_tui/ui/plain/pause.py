"""The pause and the recorded life of the goal in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from ppgp_tui.session.model import Handshake, SessionSnapshot
from ppgp_tui.session.text import sentence
from ppgp_tui.ui.plain.ages import lasted
from ppgp_tui.ui.plain.facts import Fact, Facts

_SHAKEN = {
    "requested": "has not answered the pause",
    "will_hold": "will hold at its next call",
    "seen": "has seen the pause",
    "held": "is held",
    "not_seen": "has not seen the pause",
    "lost": "is not told to wait any more",
}


def pause_sentences(snapshot: SessionSnapshot) -> Iterator[str]:
    """Yield how a pause stands with every agent; nothing while none is asked."""
    return (fact.words for fact in pause_facts(snapshot).values())


def pause_facts(snapshot: SessionSnapshot) -> Facts:
    """The same by name, the order first."""
    control, now = snapshot.control.value, snapshot.at_ms
    facts: dict[str, Fact] = {}
    if control.lost:
        lost = "The pause was lost: control.json no longer orders it."
        facts["order"] = Fact("lost", lost, "The order to pause is gone: agents go on.")
    elif control.hold_id is not None:
        since = lasted(control.held_since_ms, now)
        reason = f": {control.hold_reason}" if control.hold_reason else ""
        words = sentence(f"A pause is asked for{f', for {since}' if since else ''}{reason}")
        facts["order"] = Fact(control.hold_id, words, "The pause is over: agents go on.")
    for one in control.handshake:
        if one.session != "*":
            words = f"{one.session} {_shaken(one, lasted(one.since_ms, now))}."
            facts[one.session] = Fact((one.state, one.count), words)
    if control.unclaimed_ms is not None:
        since = lasted(control.unclaimed_ms, now)
        words = f"Activity by unknown, {since} ago: something changed while every agent was held."
        facts["unclaimed"] = Fact(control.unclaimed_ms, words)
    return facts


def _shaken(one: Handshake, since: str) -> str:
    if one.state == "violated":
        return f"broke the pause, {one.count:,} {'event' if one.count == 1 else 'events'} since"
    words = _SHAKEN[one.state]
    if one.state == "not_seen" and one.count:
        return f"{words} and worked on"
    return f"{words}, for {since}" if since and one.state in ("held", "not_seen") else words


def life_sentences(snapshot: SessionSnapshot) -> Iterator[str]:
    """Yield the goal as the log has it; nothing where it has none."""
    goal = snapshot.lifecycle.value
    if goal.id is None:
        return
    since = lasted(goal.since_ms, snapshot.at_ms)
    reason = f": {goal.pause_reason}" if goal.pause_reason else ""
    yield sentence(f"Recorded goal, revision {goal.revision}, {goal.status} for {since}{reason}")
    if goal.block:
        yield (
            f"Blocked by {sentence(goal.block['blocker'])} "
            f"Evidence: {sentence(goal.block['evidence'])} "
            f"It ends when: {sentence(goal.block['unblock_condition'])}"
        )
    for claim in goal.claims[-1:]:
        ago = lasted(claim.at_ms, snapshot.at_ms)
        yield f"Claimed done by {claim.by}, {ago} ago, not verified: {claim.summary}"
