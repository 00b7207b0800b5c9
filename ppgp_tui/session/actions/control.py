"""Holding and releasing every agent. These need neither a goal nor a log."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from ppgp_tui.session.canonical import canonical
from ppgp_tui.session.engine import pauses, projections
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine, Scene
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.pauses import Order
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.safefiles import Folder

PAUSE_FILE = "pause.json"


def hold(engine: Engine, *, reason: str = "", seen_generation: int | None = None) -> Result:
    """Order every session to wait before its next call.

    `seen_generation` is that of the order the person was shown; a newer one refuses as `stale`.
    """
    hold_id = engine.ids("hold")

    def order(control: Json) -> Order:
        return pauses.hold(
            control,
            by=f"{engine.actor.kind}:{engine.actor.id}",
            hold_id=hold_id,
            now_ms=engine.clock(),
            reason=reason,
            seen_generation=seen_generation,
        )

    def record(draft: Draft, standing: Json) -> None:
        pauses.record_hold(draft, standing["id"], reason)

    return _give(engine, "pause", order, record, said="pause asked", idle="a pause stands already")


def release(engine: Engine, *, seen_generation: int | None = None) -> Result:
    """Let every held call go on."""

    def order(control: Json) -> Order:
        by = f"{engine.actor.kind}:{engine.actor.id}"
        return pauses.release(control, by=by, seen_generation=seen_generation)

    def record(draft: Draft, standing: Json) -> None:
        pauses.record_release(draft, standing["id"])

    return _give(engine, "resume", order, record, said="resumed", idle="nothing is held")


def mend_hold(engine: Engine) -> bool:
    """Write a lost order again: `pause.json` says hold and `control.json` does not.

    Returns whether it had to be written. A release always removes `pause.json` first, so what is
    found here was lost to somebody else's hands.
    """
    with suppress(OSError, RefusalError), engine.journal.lock() as run:
        kept = _read_pause(engine)
        control = projections.read_control(run)
        if kept is None or (control is not None and control["hold"] == kept["hold"]):
            return False
        base = control or pauses.nothing_ordered()
        generation = max(base["generation"], kept["generation"]) + 1
        projections.write_control(
            run, {**base, "hold": kept["hold"], "generation": generation, "slow": True}
        )
        _keep_pause(engine, kept["hold"], generation)
        return True
    return False


def _give(
    engine: Engine,
    action: str,
    order: Any,
    record: Any,
    *,
    said: str,
    idle: str,
) -> Result:
    if engine.journal.missing():
        return _without_log(engine, action, order, said=said, idle=idle)
    wanted: list[Order] = []

    def act(scene: Scene, draft: Draft) -> Json:
        standing = _standing(engine, scene.run)
        wanted[:] = [order(standing)]
        if not wanted[0].changed:
            return {"unchanged": True, "said": idle, **_about(standing)}
        held = wanted[0].control["hold"] or standing["hold"]
        record(draft, held)
        return {"said": said, **_about(wanted[0].control)}

    def after(scene: Scene, _: Json) -> list[str]:
        if wanted[0].changed:
            _write(engine, scene.run, wanted[0].control)
        return []

    return engine.perform(action, act, after=after, said=lambda data: str(data.pop("said")))


def _without_log(engine: Engine, action: str, order: Any, *, said: str, idle: str) -> Result:
    """No session here: the order still works, and nothing is recorded."""
    try:
        with engine.journal.lock() as run:
            standing = _standing(engine, run)
            wanted = order(standing)
            if wanted.changed:
                _write(engine, run, wanted.control)
    except RefusalError as refusal:
        return Result(action, refusal.refused.code, refusal.refused.message)
    except OSError as error:
        return Result(action, "disk", f"the order could not be written: {error.strerror}")
    about = _about(wanted.control)
    return Result(
        action,
        "done" if wanted.changed else "unchanged",
        said if wanted.changed else idle,
        revisions={"control": about["generation"]},
        warnings=("there is no log here: nothing was recorded",),
        data=about,
    )


def _standing(engine: Engine, run: Folder) -> Json:
    """The order that stands; after a loss, one whose generation no hook has seen yet."""
    control = projections.read_control(run)
    if control is not None:
        return control
    kept = _read_pause(engine)
    base = pauses.nothing_ordered()
    if kept is not None:
        base = {**base, "hold": kept["hold"], "generation": kept["generation"], "slow": True}
    return base


def _write(engine: Engine, run: Folder, control: Json) -> None:
    """The safety net first when holding, last when releasing: a kill never loses a hold."""
    if control["hold"] is None:
        with suppress(OSError):
            (engine.state / PAUSE_FILE).unlink(missing_ok=True)
    else:
        _keep_pause(engine, control["hold"], control["generation"])
    projections.write_control(run, control)


def _keep_pause(engine: Engine, hold: Json, generation: int) -> None:
    with suppress(OSError):
        engine.state.mkdir(0o700, parents=True, exist_ok=True)
        with Folder.open(engine.state) as state:
            kept = {"schema": 1, "hold": hold, "generation": generation}
            state.publish(PAUSE_FILE, canonical(kept) + b"\n")


def _read_pause(engine: Engine) -> Json | None:
    try:
        with Folder.open(engine.state) as state:
            kept = json.loads(state.read(PAUSE_FILE))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(kept, dict) or not isinstance(kept.get("hold"), dict):
        return None
    return kept if isinstance(kept.get("generation"), int) else None


def _about(control: Json) -> Json:
    return {"generation": control["generation"], "hold": control["hold"]}
