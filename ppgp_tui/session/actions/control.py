"""Holding and releasing every agent, or one of them. These need neither a goal nor a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace

from ppgp_tui.pi.javascript import trim
from ppgp_tui.session.actions.person import persons_only
from ppgp_tui.session.engine import orders, pauses
from ppgp_tui.session.engine.draft import SYSTEM, Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.orders import Orders
from ppgp_tui.session.engine.pauses import Order
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.engine.scene import Scene
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal import RefusalError

Choose = Callable[[Json], Order]
"""The order wanted in place of the one that stands."""
Record = Callable[[Scene, Draft, Json], None]
"""Drafts what is recorded of it; gets the wanted order."""


def hold(
    engine: Engine,
    *,
    reason: str = "",
    seen_generation: int | None = None,
    session: str | None = None,
) -> Result:
    """Order every session to wait before its next call, or one `session`.

    `seen_generation` is that of the order the person was shown; a newer one refuses as `stale`.
    """
    hold_id, reason = engine.ids("hold"), trim(reason)
    kept: list[str] = []

    def choose(standing: Json) -> Order:
        return pauses.hold(
            standing,
            by=str(engine.actor),
            hold_id=hold_id,
            now_ms=engine.clock(),
            reason=reason,
            seen_generation=seen_generation,
            limit_s=engine.settings.hold_limit_s,
            who=pauses.EVERYONE if session is None else (session,),
        )

    def record(scene: Scene, draft: Draft, wanted: Json) -> None:
        with suppress(OSError):  # then only the repository knows of it
            orders.keep(scene.state, wanted)
            kept.append(hold_id)
        pauses.record_hold(draft, hold_id, reason, session=session)

    asked = "pause asked" if session is None else f"pause of {session} asked"
    result = _give(engine, "pause", choose, record, said=asked, idle="a pause stands already")
    if kept and result.recorded == "none":
        _forget(engine, hold_id)
    return result


def release(
    engine: Engine, *, seen_generation: int | None = None, session: str | None = None
) -> Result:
    """Let every held call go on, or those of one `session` that is held alone.

    The program itself does it too, where what a hold came with is over.
    """

    def choose(standing: Json) -> Order:
        return pauses.release(
            standing, by=str(engine.actor), seen_generation=seen_generation, session=session
        )

    def record(scene: Scene, draft: Draft, wanted: Json) -> None:
        still: list[str] = []
        if wanted["hold"] is not None:
            still = wanted["hold"]["who"]
            orders.keep(scene.state, wanted)
        pauses.record_release(draft, scene.orders.control["hold"]["id"], session, still)

    said = "resumed" if session is None else f"{session} goes on"
    idle = "nothing is held" if session is None else f"{session} is not held"
    return _give(engine, "resume", choose, record, said=said, idle=idle)


def mend_hold(engine: Engine) -> bool:
    """Write a lost order again: `pause.json` says hold and `control.json` does not, or the reverse.

    Returns whether it had to be written. Cheap where nothing is lost.
    """
    if not _is_lost(engine):
        return False
    result = engine.perform(
        "mend_hold", lambda scene, _: {"mended": scene.orders.mended}, is_deed=False
    )
    if result.code == "not_initialised":
        with suppress(OSError, RefusalError), _unlogged(engine) as (run, state):
            return orders.mend(run, state, None).mended
    return result.ok and bool(result.data["mended"])


def _no_agent(engine: Engine) -> None:
    """Raises `RefusalError` for an agent, which may neither hold nor release."""
    if engine.actor != SYSTEM:
        persons_only(engine)


def _give(
    engine: Engine, action: str, choose: Choose, record: Record, *, said: str, idle: str
) -> Result:
    chosen: list[Order] = []
    failed: list[OSError] = []

    def act(scene: Scene, draft: Draft) -> Json:
        _no_agent(engine)
        wanted = choose(scene.orders.control)
        chosen[:] = [wanted]
        if wanted.changed:
            record(scene, draft, wanted.control)
        return _about(wanted.control)

    def after(scene: Scene, _: Json) -> list[str]:
        if chosen[0].changed:
            try:
                _write(scene.run, scene.state, chosen[0].control)
                scene.orders = Orders(chosen[0].control, None)
            except OSError as error:
                failed.append(error)
        return []

    def words(_: Json) -> str:
        return said if chosen[0].changed else idle

    result = engine.perform(action, act, after=after, said=words, is_deed=False)
    if result.code == "not_initialised":
        why = "there is no log here: nothing was recorded"
        return _without_log(engine, action, choose, said=said, idle=idle, why=why)
    if result.code == "disk" and action == "resume":  # a full disk keeps no agent waiting
        why = f"{result.message}; a goal that was paused with them stays so (goal unblock)"
        return _without_log(engine, action, choose, said=said, idle=idle, why=why)
    if failed:
        text = f"recorded, but the agents could not be told: {failed[0].strerror}"
        return replace(result, code="disk", message=f"{text}; the next act tries again")
    return result


def _without_log(
    engine: Engine, action: str, choose: Choose, *, said: str, idle: str, why: str
) -> Result:
    """The order works where nothing can be recorded; `why` says why not."""
    try:
        _no_agent(engine)
        with _unlogged(engine) as (run, state):
            wanted = choose(orders.mend(run, state, None).control)
            if wanted.changed:
                if wanted.control["hold"] is not None:
                    with suppress(OSError):
                        orders.keep(state, wanted.control)
                _write(run, state, wanted.control)
    except RefusalError as refusal:
        return Result(action, refusal.refused.code, refusal.refused.message)
    except OSError as error:
        return Result(action, "disk", f"the order could not be written: {error.strerror}")
    about = _about(wanted.control)
    return Result(
        action,
        "done" if wanted.changed else "unchanged",
        said if wanted.changed else idle,
        revisions={"goal": 0, "plan": 0, "control": about["generation"]},
        warnings=(why,),
        data=about,
    )


def _write(run: Folder, state: Folder | None, control: Json) -> None:
    """Give an order. A release is remembered first: what is killed after that is finished."""
    if control["hold"] is None:
        orders.forget(state)
    try:
        orders.give(run, control)
    except OSError:
        if control["hold"] is not None:
            raise
        run.remove(orders.CONTROL)  # no order holds nobody either


def _forget(engine: Engine, hold_id: str) -> None:
    """The hold was refused after it had been remembered."""
    with suppress(OSError, RefusalError), _unlogged(engine) as (run, state):
        kept = orders.look(run, state).kept
        if kept is not None and kept["hold"]["id"] == hold_id:
            orders.forget(state)


def _is_lost(engine: Engine) -> bool:
    with ExitStack() as stack:
        try:
            state = stack.enter_context(engine.journal.open_state(create=False))
        except OSError:
            return False
        try:
            run = stack.enter_context(Folder.open(engine.root, ".ppgp", "run"))
        except OSError:
            return state.status(orders.PAUSE) is not None
        now = orders.look(run, state)
        return bool((now.kept["hold"] if now.kept else None) != now.control["hold"])


@contextmanager
def _unlogged(engine: Engine) -> Iterator[tuple[Folder, Folder | None]]:
    """The lock, the open `.ppgp/run` and the user's state folder, without a log."""
    with engine.journal.lock() as run, ExitStack() as stack:
        state: Folder | None = None
        with suppress(OSError):
            state = stack.enter_context(engine.journal.open_state(create=True))
        yield run, state


def _about(control: Json) -> Json:
    return {"generation": control["generation"], "hold": control["hold"]}
