"""The history of the plan for a command that reads it once: of the log, else of Pi or Git."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ppgp_tui.gasp.envelope import Head
from ppgp_tui.session.actions.recorded import events
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.log.plans import PlanLog
from ppgp_tui.session.picture.origin import Origin
from ppgp_tui.session.plan_history.history import Decoded, PlanHistory
from ppgp_tui.session.plan_history.revision import Revision

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """A history, and who made each of its revisions."""

    history: PlanHistory
    actor: Callable[[Revision], Json]


def told(engine: Engine) -> Told:
    """Every revision that is recorded, also beside the log and cut out of it.

    Where the log holds none, what a Pi session or Git says. Raises `RefusalError` where there is
    no log and nothing else either.
    """
    try:
        found = events(engine, "todo.revised")
    except RefusalError as refusal:
        other = _elsewhere(engine) if refusal.refused.code == "not_initialised" else None
        if other is None:
            raise
        return other
    log = PlanLog()
    for at, event in enumerate(found):
        payload = event["payload"] if isinstance(event["payload"], dict) else {}
        log.take(_head(event), payload, at, lambda: Origin(engine.settings.log))
    if log.now is None:
        return _elsewhere(engine) or Told(PlanHistory(), lambda _: {})

    def state(revision: Revision) -> Any:
        return found[revision.at]["payload"].get("state")

    history = PlanHistory("log", log.now.history, engine.settings.log, states=Decoded(state))
    return Told(history, lambda revision: found[revision.at]["actor"])


def _elsewhere(engine: Engine) -> Told | None:
    from ppgp_tui.session.live.store import LiveSession

    history = LiveSession(engine.root).read_all().history.value
    return Told(history, _actor) if history.source in ("pi session", "git", "file") else None


def _actor(revision: Revision) -> Json:
    return {"kind": "agent" if revision.origin == "pi" else "user", "id": revision.by}


def _head(event: Json) -> Head:
    actor = event["actor"]
    return Head(
        event["id"], event["ts_ms"], actor["kind"], actor["id"], event["kind"],
        lambda: event["payload"],
    )  # fmt: skip
