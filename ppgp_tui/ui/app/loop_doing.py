"""Doing what a person wants with a restart loop. Runs in a thread beside the screen."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ppgp_tui.persist.disk.home import find
from ppgp_tui.persist.disk.log import LockTimeoutError, LoopLog
from ppgp_tui.session.actions import loops
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.files.places import loops_memory
from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.app.crew import Crew

if TYPE_CHECKING:
    from ppgp_tui.session.engine.draft import Actor


def do(root: Path, deed: deeds.OfLoop, crew: Crew, actor: Actor) -> Result:
    """Do it and say how it went; a loop's agents are those of its repository."""
    if isinstance(deed, deeds.StartLoop):
        return crew.start_loop(root, deed.options)
    name = f"persist.{type(deed).__name__.removesuffix('Loop').lower()}"
    try:
        did = _did(deed, actor)
    except LockTimeoutError as error:
        return Result(name, "busy", str(error))
    except OSError as error:
        said = f"{error.filename or 'the disk'}: {(error.strerror or str(error)).lower()}"
        return Result(name, "disk", said)
    message = "; ".join((did.said.removeprefix("persist: "), *did.notes))
    if not did.ok:
        return Result(name, "refused", message)
    return Result(name, "done" if did.changed else "unchanged", message)


def _did(deed: deeds.OfLoop, actor: Actor) -> loops.Did:
    home, now_ms = find(os.environ), time.time_ns() // 1_000_000
    if isinstance(deed, deeds.AbandonLoop):
        return loops.abandon(home, deed.loop, actor, deed.reason, now_ms)
    assert not isinstance(deed, deeds.StartLoop)
    log = LoopLog(home, checkpoint=loops_memory(home.path))
    loop = log.read().loop(deed.loop)
    if loop is None:
        return loops.Did(f"loop {deed.loop} not found", ok=False)
    match deed:
        case deeds.PauseLoop():
            return loops.pause(home, loop, actor, "", now_ms)
        case deeds.ResumeLoop():
            return loops.resume(home, loop, actor)
        case deeds.CloseOrphan():
            return loops.close_orphan(home, loop, actor, now_ms)
