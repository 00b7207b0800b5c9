"""Doing what a person wants, through the engine. Runs in a thread beside the screen.

The engine is imported with the first deed: looking needs none of it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ppgp_tui.session.engine.result import Result
from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.acts.deeds import Deed, Doer, Mending, PersonsDeed
from ppgp_tui.ui.app.crew import Crew

if TYPE_CHECKING:
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.journal import Appended, Refused


def doer(root: Path, crew: Crew | None = None) -> Doer:
    """Return what does the deeds of the person at this terminal in the repository at `root`."""
    crew = crew or Crew()

    def do(deed: Deed) -> Result:
        why = _refusal(root)
        if why:
            return Result("act", "refused", why)
        if isinstance(deed, deeds.Mending):
            return _mend(root, deed)
        if isinstance(deed, deeds.Share):
            return Result("share", "refused", "only the app on the screen writes that down")
        if isinstance(deed, deeds.Connect):
            return crew.connect(root, deed.shown)
        if isinstance(deed, deeds.OpenPane):
            from ppgp_tui.ui.app.panes import open_pane

            return open_pane(deed.pane, deed.pid)
        if isinstance(deed, deeds.OfAudit):
            from ppgp_tui.ui.app import audit_doing

            return audit_doing.do(_engine(root), deed)
        if isinstance(deed, deeds.OfLoop):
            from ppgp_tui.ui.app import loop_doing

            return loop_doing.do(root, deed, crew, _engine(root).actor)
        return _do(root, deed)

    return do


def _refusal(root: Path) -> str | None:
    """A person's keys are a person's: an app that an agent started acts for nobody."""
    from ppgp_tui.session.authority import identity

    return identity.refuse_reason(
        os.environ,
        identity.ancestors_now(),
        identity.recorded_agents(root),
        terminal=True,
        granting=True,
        scripted=False,
    )


def _engine(root: Path) -> Engine:
    from ppgp_tui.session.authority.identity import login_name
    from ppgp_tui.session.engine.draft import Actor
    from ppgp_tui.session.engine.engine import Engine

    return Engine(root, Actor("user", login_name()))


def _do(root: Path, deed: PersonsDeed) -> Result:
    from ppgp_tui.pi.block_proof import BlockProof
    from ppgp_tui.session.actions import (
        answering,
        control,
        goal,
        plan,
        processes,
        signing,
        start,
        turns,
    )
    from ppgp_tui.session.actions.answering import Said

    engine = _engine(root)
    match deed:
        case deeds.Hold(generation, session):
            return control.hold(engine, seen_generation=generation, session=session)
        case deeds.Release(generation, session):
            return control.release(engine, seen_generation=generation, session=session)
        case deeds.StopTurn(session):
            return turns.stop_turn(engine, session)
        case deeds.Note(session, text):
            return turns.send_note(engine, text, (session,))
        case deeds.Freeze(session):
            return processes.freeze(engine, session)
        case deeds.Thaw(session):
            return processes.thaw(engine, session)
        case deeds.Kill(session):
            return processes.kill(engine, session)
        case deeds.Answer(request, digest, option, text, note):
            said = Said(option, text, note)
            return signing.answered(engine, request, said, seen_digest=digest)
        case deeds.TakeBack(request):
            return answering.take_back(engine, request)
        case deeds.NewGoal(objective):
            return goal.create(engine, objective)
        case deeds.Tweak(objective):
            return goal.tweak(engine, objective)
        case deeds.Block(blocker, evidence, why, until):
            return goal.block(engine, BlockProof(blocker, evidence, why, until))
        case deeds.Unblock():
            return goal.resume(engine)
        case deeds.Abandon(reason):
            return goal.abandon(engine, reason)
        case deeds.Adopt(drop):
            return plan.adopt(engine, drop=drop)
        case deeds.Restore():
            return start.restore(engine)
        case deeds.Init(dry_run):
            return start.init(engine, dry_run=dry_run)


def _mend(root: Path, deed: Mending) -> Result:
    """Put right what was lost; `done` only where there was something to put right."""
    from ppgp_tui.session.actions import asking, control

    engine = _engine(root)
    match deed:
        case deeds.MendHold():
            mended = control.mend_hold(engine)
            said = "the order to hold was lost; it is given again"
            return Result("mend_hold", "done" if mended else "unchanged", said)
        case deeds.MendFiles():
            return asking.restore_files(engine)
        case deeds.Flush():
            return _flushed(engine.journal.flush())


def _flushed(outcome: Appended | Refused) -> Result:
    from ppgp_tui.session.journal import Refused

    if isinstance(outcome, Refused):
        return Result("flush", outcome.code, outcome.message)
    count = len(outcome.flushed)
    noun = "event" if count == 1 else "events"
    return Result(
        "flush",
        "done" if count else "unchanged",
        f"the log is free again: {count} {noun} that waited beside it are in it now",
        warnings=outcome.warnings,
    )
