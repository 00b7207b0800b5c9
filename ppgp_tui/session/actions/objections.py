"""What an audit objects to goes back to the agent that claimed, by its hook.

It waits among the notes like a word of a person, but nobody pretends that a person interrupted: the
decision in the log is what is recorded. The boot packet repeats it for whoever begins afresh.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Final

from ppgp_tui.pi.javascript import cut, length
from ppgp_tui.session.actions import turns
from ppgp_tui.session.actions.recorded import events
from ppgp_tui.session.engine import orders, pauses
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.scene import Scene
from ppgp_tui.session.engine.verdicts import AUDITOR
from ppgp_tui.session.files import notes
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.journal.lock import open_run
from ppgp_tui.session.picture import briefing
from ppgp_tui.session.picture.audit_report import NotKeptError

BY: Final = str(AUDITOR)
"""Whose notes these are."""
WHAT_TO_DO: Final = (
    "The completion audit rejected the claim that the goal is done; the goal goes on. Address the "
    "objections and claim again; or dispute them in your next claim, with reasons (complete_goal "
    "with dispute, or `ppgp-tui goal claim --dispute WHY`); or ask the person."
)


def tell(scene: Scene, data: Json, report: str, path: str) -> None:
    """Have the next hook of the agent that claimed tell it what the audit said. Raises OSError.

    `data` is what `verdicts.record` returned, `report` the objections in words, `path` that of the
    whole report. Earlier objections that nobody was told are taken back: this verdict counts now.
    """
    if data["stale"]:
        return
    notes.withdraw(scene.run, BY)
    if data["verdict"] == "rejected":
        end = f"\nEverything it found: {path}"
        room = notes.TEXT_MOST - length(f"{WHAT_TO_DO}\n\n{end}")
        said = f"{WHAT_TO_DO}\n\n{cut(report, room)}{end}"
        to = _claimant(scene, data.get("claim"))
        notes.send(scene.run, said, (to,), by=BY, at_ms=scene.now_ms)
    control = scene.orders.control
    orders.give(scene.run, pauses.stopped(control, control["stop"], by=BY))


def heard(engine: Engine) -> None:
    """The agent was told with its claim: no hook needs to tell it again."""
    with suppress(OSError, RefusalError):
        with open_run(engine.root) as run:
            notes.withdraw(run, BY)
        turns.notes_taken(engine)


def undecided(engine: Engine, eval_id: str) -> tuple[str, ...]:
    """What that audit could not check, and why, one criterion a line; empty where that is gone."""
    for event in events(engine, "eval.finished"):
        if event["payload"]["id"] == eval_id:
            digest = event["payload"]["metadata"]["report_digest"]
            with suppress(NotKeptError):
                return briefing.undecided_lines(engine.root, eval_id, digest)
    return ()


def _claimant(scene: Scene, claim_id: str | None) -> str:
    """The session that claimed, while it is there; else whoever comes next."""
    claim = next((one for one in scene.ledger.claims if one["id"] == claim_id), None)
    if claim is None or claim["kind"] != "agent":
        return notes.EVERYBODY
    session: str = claim["by"]
    with suppress(OSError, ValueError), scene.run.child("agents") as folder:
        said = json.loads(folder.read(f"{session}.json"))
        if isinstance(said, dict) and said.get("state") != "ended":
            return session
    return notes.EVERYBODY
