"""A loop that is bound to the repository's goal (`--goal`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.persist.surroundings import Iteration, Need
from ppgp_tui.pi.javascript import cut
from ppgp_tui.session.actions import closing, objections
from ppgp_tui.session.actions.recorded import recorded, recorded_if_any
from ppgp_tui.session.canonical import loop_session
from ppgp_tui.session.engine import goals
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.looping.errors import NoGoalError
from ppgp_tui.session.picture import briefing

CLAIM_MOST: Final = 4_000
"""Characters of how the claim stands that are repeated where the packet was cut before it."""

_AUDITED: Final = (
    " When everything holds, claim the goal (complete_goal, or `ppgp-tui goal claim`) and end your"
    " turn: the loop has the claim audited, and ends when it is verified."
)


class Bound(NamedTuple):
    """What a loop is bound to."""

    goal: str | None
    """The id of the log's goal; None for one that only the document has."""
    document: str
    """Path of the goal document."""
    has_document: bool = True
    """It was there."""

    @property
    def name(self) -> str:
        """As the loop's first row names it."""
        return self.goal or self.document


def goal_of(engine: Engine) -> Bound:
    """The goal there is now, in the log or in the document. Raises `NoGoalError`."""
    document = engine.read_document()
    try:
        seen = recorded_if_any(engine)
    except RefusalError as refusal:
        raise NoGoalError(f"--goal: {refusal.refused.message}") from None
    goal = seen.ledger.goal
    if goal is None and document.data is None:
        if document.why:
            raise NoGoalError(f"--goal: {document.why}")
        raise NoGoalError(
            f"--goal: there is no goal here, neither {document.path} nor one in the log;"
            " write the document, or propose one: ppgp-tui goal propose OBJECTIVE"
        )
    has_document = document.data is not None
    return Bound(goal["id"] if goal is not None else None, document.path, has_document)


def gone(engine: Engine, served: Bound) -> Need | None:
    """What to say of a goal that is not there any more; None while it is.

    One that was closed or replaced in the log does not come back: there is nothing left to do. A
    document that was removed may: that is for a person. Raises `RefusalError`.
    """
    ledger = recorded_if_any(engine).ledger
    if served.goal is not None:
        now, settled = ledger.goal, ledger.settled or {}
        if now is not None and now["id"] != served.goal:
            return Need(served.goal, "another goal stands in the place of its own", is_over=True)
        if now is None and settled.get("id") == served.goal:
            how = "closed" if settled["status"] == "Satisfied" else "abandoned"
            return Need(served.goal, f"its goal was {how}", is_over=True)
    document = engine.read_document()
    if not served.has_document or document.data is not None or document.why:
        return None
    why = f"its goal document {served.document} is gone"
    return Need(served.document, why, "put it back, Git may have it, or abandon the loop")


class Told(NamedTuple):
    """What stands before the prompt of a run."""

    text: str
    objections: bool
    """Those of the verdict that rejected the last claim are in it."""


def told_before(
    root: Path, iteration: Iteration, clock: Callable[[], int], *, audited: bool = False
) -> Told:
    """The boot packet, how the claim stands where it was cut before that, and which run this is.

    `audited`: the loop has claims audited. Raises OSError.
    """
    snapshot = briefing.looked(LiveSession(root, clock=clock), clock)
    text = briefing.packet(snapshot, root)
    rejection = snapshot.lifecycle.value.rejection
    stands = "\n".join(briefing.claim_lines(root, snapshot)).strip()
    if stands not in text:
        text += f"\n## LAST CLAIM\n{cut(stands, CLAIM_MOST)}\n"
    number, most = iteration.number, iteration.max_iterations
    again = f", attempt {iteration.attempt}" if iteration.attempt > 1 else ""
    text += (
        f"\n## THIS RUN\nIteration {number} of at most {most}{again} of loop {iteration.loop_id}."
        " Nothing is carried over from one run to the next but files and the log."
        f"{_AUDITED if audited else ''} What follows is the prompt of every run.\n\n"
    )
    # No argument can hold a NUL, and a file of the repository may.
    return Told(text.replace("\0", "\ufffd"), rejection is not None)


def settle(engine: Engine, loop_id: str) -> str | None:
    """A goal that this loop claimed and an audit verified is settled with the loop's last run.

    Returns why that was not possible, or None.
    """
    try:
        ledger = recorded(engine).ledger
        goal = goals.state_of(ledger).goal
        if goal is None or goal.status != "complete" or not ledger.claims:
            return None
        if ledger.claims[-1]["by"] != loop_session(loop_id):
            return None
        result = closing.settle(engine)
    except RefusalError as refusal:
        return refusal.refused.message
    return None if result.ok else result.message


def heard(engine: Engine) -> None:
    """The objections were told with the packet: no hook needs to tell them again."""
    objections.heard(engine)
