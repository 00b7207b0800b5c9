"""What the log says about the pause that stands: what agents recorded since it was asked.

Values are plain and nothing heavy is imported: the status line keeps the same between two calls.
"""

from __future__ import annotations

from typing import Any, Final

from ppgp_tui.session.members import text
from ppgp_tui.session.picture.handshake import Recorded

Json = dict[str, Any]

ASKED: Final = "human.interrupted"
HELD: Final = "agent.held"

_RELEASED_KEPT: Final = 32
_DEEDS_KEPT: Final = 10_000
"""Of one agent; nobody reads a higher count."""


def nothing() -> Json:
    """What is known before the first event."""
    return {"hold": None, "released": [], "deeds": {}, "held": {}}


def copied(state: Json) -> Json:
    """The same, to go on by itself."""
    deeds = {actor: [*times] for actor, times in state["deeds"].items()}
    held = {**state["held"]}
    return {"hold": state["hold"], "released": [*state["released"]], "deeds": deeds, "held": held}


def take(state: Json, kind: str, actor_id: str, ts_ms: int | None, payload: Any) -> None:
    """Take in a pause, a release, or a call that was held."""
    said = payload if isinstance(payload, dict) else {}
    hold = text(said.get("hold"))
    if kind == HELD:
        session = text(said.get("session")) or actor_id
        if hold and hold == state["hold"] and ts_ms is not None:
            state["held"].setdefault(session, ts_ms)
    elif said.get("what") == "pause" and hold and hold not in (state["hold"], *state["released"]):
        state.update(hold=hold, deeds={}, held={})
    elif said.get("what") == "resume" and hold and not said.get("still"):
        state["released"] = [*state["released"], hold][-_RELEASED_KEPT:]
        if hold == state["hold"]:
            state.update(hold=None, deeds={}, held={})


def is_deed(kind: str) -> bool:
    """Whether an agent's event of this kind is work: most that hooks write about it is not."""
    return not kind.startswith(("agent.", "run.", "context."))


def count(state: Json, actor_id: str, ts_ms: int | None) -> None:
    """Take in a deed of an agent, recorded while a pause stands."""
    times = state["deeds"].setdefault(actor_id, [])
    times.append(ts_ms)
    del times[:-_DEEDS_KEPT]


def recorded(state: Json, hold: str | None) -> Recorded:
    """What the log says about that hold; nothing where its beginning is not in the log."""
    if hold is None or state["hold"] != hold:
        return Recorded({}, {})
    return Recorded(
        {actor: tuple(times) for actor, times in state["deeds"].items()}, dict(state["held"])
    )
