"""What a person wants of one agent's turn: that it ends, or that a note is read in it.

The wish waits in `control.json` or among the notes until a hook of that session comes by. What
hooks report back when it is done is here too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Final

from ppgp_tui.pi.javascript import length
from ppgp_tui.session.actions.person import persons_only
from ppgp_tui.session.engine import orders, pauses
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.engine.scene import Scene
from ppgp_tui.session.files import notes
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal import RefusalError

NOT_INITIALISED: Final = "there is no log here: nothing was recorded"


def stop_turn(engine: Engine, session: str) -> Result:
    """A person wants the turn of `session` (its key) to end."""

    def wish(run: Folder, control: Json) -> None:
        if session not in control["stop"]:
            stop = [*control["stop"], session]
            orders.give(run, pauses.stopped(control, stop, by=str(engine.actor)))

    payload = {"what": "stop_turn", "session": session}
    return _wish(engine, "stop_turn", payload, wish, f"{session} is asked to end its turn")


def send_note(engine: Engine, text: str, to: tuple[str, ...] = (notes.EVERYBODY,)) -> Result:
    """A person says something to agents; it is delivered at their next hook point."""
    text = text.strip()
    if not text or length(text) > notes.TEXT_MOST:
        said = f"a note has 1 to {notes.TEXT_MOST} characters; nothing was sent"
        return Result("note", "refused", said)

    def wish(run: Folder, control: Json) -> None:
        by = str(engine.actor)
        notes.send(run, text, to, by=by, at_ms=engine.clock())
        orders.give(run, pauses.stopped(control, control["stop"], by=by))

    payload: Json = {"what": "note"}
    if to != (notes.EVERYBODY,):
        payload["session"] = to[0]
    return _wish(engine, "note", payload, wish, "the note waits for the next hook point")


def turn_ended(engine: Engine, session: str) -> None:
    """The turn of `session` is over: nothing more is wanted of it. Raises `RefusalError`, OSError.

    Cheap where nothing was.
    """

    def ended(control: Json) -> Json:
        return {**control, "stop": [one for one in control["stop"] if one != session]}

    _restate(engine, ended)


def notes_taken(engine: Engine) -> None:
    """Notes were claimed: hooks need not look for them any more. Raises as `turn_ended`."""
    _restate(engine, lambda control: control)


def match_settings(engine: Engine) -> None:
    """Have the order say what the settings say: limits, and whether every call is recorded.

    Hooks leave their fast path for that. Raises as `turn_ended`.
    """
    settings = engine.settings

    def matched(control: Json) -> Json:
        rounds = {**control["continue"], "limit": settings.continue_limit}
        wanted = {**control, "hold_limit_s": settings.hold_limit_s, "continue": rounds}
        wanted.pop("tools", None)
        return {**wanted, "tools": True} if settings.events_tools else wanted

    _restate(engine, matched)


def _wish(
    engine: Engine, action: str, payload: Json, wish: Callable[[Folder, Json], None], said: str
) -> Result:
    def act(_: Scene, draft: Draft) -> Json:
        persons_only(engine)
        draft.record("human.interrupted", payload)
        return {}

    def after(scene: Scene, _: Json) -> list[str]:
        wish(scene.run, scene.orders.control)
        return []

    result = engine.perform(action, act, after=after, said=said, is_deed=False)
    if result.code != "not_initialised":
        return result
    try:
        persons_only(engine)
        with engine.journal.lock() as run, ExitStack() as stack:
            wish(run, orders.look(run, _state(engine, stack)).control)
    except RefusalError as refusal:
        return Result(action, refusal.refused.code, refusal.refused.message)
    except OSError as error:
        return Result(action, "disk", f"the wish could not be written: {error.strerror}")
    return Result(action, "done", said, warnings=(NOT_INITIALISED,))


def _restate(engine: Engine, change: Callable[[Json], Json]) -> None:
    """Give the order anew where it says something else than it should."""
    with engine.journal.lock() as run, ExitStack() as stack:
        now = orders.look(run, _state(engine, stack))
        if now.damage:
            return
        wanted = change(now.control)
        wanted = {**wanted, "slow": orders.is_slow(run, wanted)}
        if wanted != now.control:
            orders.give(run, pauses.stopped(wanted, wanted["stop"], by=str(engine.actor)))


def _state(engine: Engine, stack: ExitStack) -> Folder | None:
    with suppress(OSError):
        return stack.enter_context(engine.journal.open_state(create=False))
    return None
