"""A block: a pause whose text proves that no autonomous path remains (Pi reference section 2.6).

The proof has four parts. Three are written into the pause's reason with fixed labels, the fourth is
the suggested action; a pause that does not read back to exactly such a proof is a human's pause.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.pi.goal import PAUSE_REASON_MOST, SUGGESTED_ACTION_MOST, Goal, Pause
from ppgp_tui.pi.javascript import length, trim

GoalLabel = Literal["none", "active", "paused", "blocked", "complete"]

_BLOCKER = "Blocker: "
_EVIDENCE = "\nEvidence: "
_WHY = "\nWhy no autonomous path remains: "
_MOST = {
    "blocker": 600,
    "evidence": 600,
    "whyNoAutonomousPathRemains": 600,
    "unblockCondition": 2000,
}


class BlockProof(NamedTuple):
    """What stops the goal, the evidence, why nothing else can be done, and what would end it."""

    blocker: str
    evidence: str
    why_no_autonomous_path_remains: str
    unblock_condition: str


def trimmed(proof: BlockProof) -> BlockProof:
    """`proof` with every part trimmed, as it is stored."""
    return BlockProof(
        trim(proof.blocker),
        trim(proof.evidence),
        trim(proof.why_no_autonomous_path_remains),
        trim(proof.unblock_condition),
    )


def fault(proof: BlockProof) -> str | None:
    """Pi's text about the first part of a trimmed `proof` that is blank or too long."""
    parts = (
        proof.blocker,
        proof.evidence,
        proof.why_no_autonomous_path_remains,
        proof.unblock_condition,
    )
    for (name, most), text in zip(_MOST.items(), parts, strict=True):
        if not text:
            return f"set_goal_blocked requires non-empty {name}."
        if length(text) > most:
            return f"{name} exceeds the {most}-character producer state bound."
    return None


def encode(proof: BlockProof) -> Pause:
    """The pause that stands for a trimmed `proof`."""
    reason = (
        f"{_BLOCKER}{proof.blocker}{_EVIDENCE}{proof.evidence}"
        f"{_WHY}{proof.why_no_autonomous_path_remains}"
    )
    return Pause(reason, proof.unblock_condition)


def decode(pause: Pause | None) -> BlockProof | None:
    """The proof in `pause`, or None when a person paused.

    Where a part itself contains the labels several readings fit; the one with the earliest evidence
    label, then the earliest why label, is taken. That the pause is a block is certain all the same.
    """
    if pause is None or pause.suggested_action is None:
        return None
    if length(pause.reason) > PAUSE_REASON_MOST:
        return None
    if length(pause.suggested_action) > SUGGESTED_ACTION_MOST:
        return None
    for proof in _readings(pause.reason, pause.suggested_action):
        tidy = trimmed(proof)
        if fault(tidy) is None and encode(tidy) == pause:
            return tidy
    return None


def _readings(reason: str, condition: str) -> Iterator[BlockProof]:
    if not reason.startswith(_BLOCKER):
        return
    for evidence in _positions(reason, _EVIDENCE, len(_BLOCKER)):
        for why in _positions(reason, _WHY, evidence + len(_EVIDENCE)):
            yield BlockProof(
                reason[len(_BLOCKER) : evidence],
                reason[evidence + len(_EVIDENCE) : why],
                reason[why + len(_WHY) :],
                condition,
            )


def _positions(text: str, label: str, start: int) -> Iterator[int]:
    position = text.find(label, start)
    while position >= 0:
        yield position
        position = text.find(label, position + 1)


def label_of(goal: Goal | None) -> GoalLabel:
    """The word people see for the state of `goal`."""
    if goal is None:
        return "none"
    if goal.status == "paused" and decode(goal.pause):
        return "blocked"
    return goal.status
