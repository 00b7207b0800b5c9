"""What hooks record: runs, held calls, interruptions, compactions, limits, tool calls.

Through the journal like every other act, but without an action's projections: the standard library
is enough. Only where there is a log, and nothing that goes wrong here changes a hook's answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any, Final

from ppgp_tui.agents.hook.place import Place, now_ms
from ppgp_tui.session.authority.identity import login_name
from ppgp_tui.session.canonical import UnserialisableError, digest, loop_session, new_id
from ppgp_tui.session.engine import runs
from ppgp_tui.session.engine.draft import SYSTEM, Actor, Draft
from ppgp_tui.session.engine.fold import fold
from ppgp_tui.session.journal import Journal, Refused, View

Json = dict[str, Any]
Act = Callable[[Draft], None]

WAIT_S: Final = 5.0
"""For another writer; an agent waits for its hooks."""
SHORT_S: Final = 1.0
"""Where the agent gives a hook but a second or two, or kills it."""
SUMMARY_MOST: Final = 200

_LOOP = re.compile(r"[0-9a-f]{12}", re.ASCII)
_NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)


def observe(place: Place, act: Act, *, wait_s: float = WAIT_S) -> list[str]:
    """Record what `act` drafts; return the ids of the events, none where nothing was recorded."""
    if not place.has_log:
        return []
    log = PurePosixPath(place.settings.log)

    def decide(view: View) -> list[Json]:
        def citable(event_id: str) -> bool:
            return view.where(event_id) in ("log", "outbox")

        draft = Draft(fold(view), Actor("agent", place.key), now_ms(), new_id, citable)
        act(draft)
        return draft.events

    with place.unhurt("an event was not recorded"):
        try:
            outcome = Journal(place.root, place.state, log=log, wait_s=wait_s).append(decide)
        except UnserialisableError as error:
            place.problem(f"an event was not recorded: {error}")
            return []
        if not isinstance(outcome, Refused):
            return list(outcome.events)
        place.problem(f"an event was not recorded: {outcome.message}")
    return []


# Runs ---------------------------------------------------------------------------------------------


def run_started(
    place: Place, *, injected: str = "", told: Json | None = None, resumed_from: str = ""
) -> str:
    """A session began: a run of its own, after the one that nobody ended. Returns the run's id.

    `injected` is the digest of what the agent was told, `told` is about it (`memory.told`).
    Inside an iteration of a restart loop the run names both and comes from that iteration's own.
    """
    run_id = new_id("run")

    def act(draft: Draft) -> None:
        before = draft.ledger.open_run(place.key)
        if before is not None:
            runs.finish(draft, before, "interrupted", {}, SYSTEM)
        inside = _iteration(place)
        loop = draft.ledger.open_run(loop_session(inside["loop"])) if inside else None
        about = {
            "agent": place.adapter.name,
            "session": place.moment.session,
            "source": place.moment.detail or "unknown",
            "model": place.moment.model,
            "resumed_from": resumed_from,
            "injected": injected,
            "told": told,
            **inside,
        }
        metadata = {name: value for name, value in about.items() if value}
        cause = loop["event"] if loop is not None else None
        runs.start(draft, run_id, "session", metadata, cause=cause)

    return run_id if observe(place, act) else ""


def run_finished(place: Place, outcome: str, *, wait_s: float) -> None:
    """The session ended."""

    def act(draft: Draft) -> None:
        run = draft.ledger.open_run(place.key)
        if run is not None:
            reason = {"reason": place.moment.detail} if place.moment.detail else {}
            runs.finish(draft, run, outcome, reason)

    observe(place, act, wait_s=wait_s)


def _iteration(place: Place) -> Json:
    """The iteration of a restart loop that the session runs in, as its environment says."""
    loop, number = place.environ.get("PPGP_LOOP", ""), place.environ.get("PPGP_ITERATION", "")
    if not _LOOP.fullmatch(loop) or not _NUMBER.fullmatch(number):
        return {}
    return {"loop": loop, "iteration": int(number)}


# Pauses -------------------------------------------------------------------------------------------


def held(place: Place, hold: str) -> str:
    """A call began to wait. Returns the event's id, empty where it was not recorded."""

    def act(draft: Draft) -> None:
        paused = (draft.ledger.hold(hold) or {}).get("paused")
        draft.record("agent.held", _call(place, draft, hold), cause=paused)

    return next(reversed(observe(place, act)), "")


def released(
    place: Place,
    hold: str,
    waited_ms: int | None,
    outcome: str,
    *,
    cause: str,
    call: Json | None = None,
    wait_s: float = WAIT_S,
    esc: bool = False,
) -> None:
    """A call waits no longer: `resumed`, `limit` or `killed`. `esc`: a person broke it off.

    `waited_ms` is None where nobody knows when a hook was killed; `call` names another call than
    that of the moment.
    `cause` is the event of its beginning; without one nothing is recorded, for nothing was before.
    """

    def act(draft: Draft) -> None:
        about = {**_call(place, draft, hold), **(call or {})}
        payload = {**about, "outcome": outcome}
        if waited_ms is not None:
            payload["waited_ms"] = max(0, waited_ms)
        event = draft.record("agent.released", payload, cause=cause)
        if esc:
            _interrupted(draft, {"what": "esc", "session": place.key, "hold": hold}, event)

    if cause:
        observe(place, act, wait_s=wait_s)


def _call(place: Place, draft: Draft, hold: str) -> Json:
    moment, run = place.moment, draft.ledger.open_run(place.key)
    about = {
        "run_id": run["run_id"] if run else "",
        "session": place.key,
        "hold": hold,
        "tool": moment.tool or moment.event,
        "tool_use_id": moment.tool_use_id,
    }
    return {name: value for name, value in about.items() if value}


# The person, the model, the memory ----------------------------------------------------------------


def interrupted(place: Place, what: str, *, wait_s: float = WAIT_S) -> None:
    """A person wrote a prompt, or broke the turn off."""
    payload = {"what": what, "session": place.key}
    observe(place, lambda draft: _interrupted(draft, payload, None), wait_s=wait_s)


def _interrupted(draft: Draft, payload: Json, cause: str | None) -> None:
    actor = Actor("user", login_name())
    draft.record("human.interrupted", payload, cause=cause, actor=actor)


def limited(place: Place, error: str) -> None:
    """The model refused or failed."""

    def act(draft: Draft) -> None:
        run = draft.ledger.open_run(place.key)
        about = {"run_id": run["run_id"]} if run else {}
        draft.record("agent.limited", {**about, "error": error})

    observe(place, act)


def compacted(
    place: Place, trigger: str, before: str, after: str, injected: str, told: Json
) -> None:
    """The agent's memory was cut down: digests of what mattered, and of what it was told anew."""

    def act(draft: Draft) -> None:
        run = draft.ledger.open_run(place.key)
        payload: Json = {"run_id": run["run_id"]} if run else {}
        payload |= {"trigger": trigger, "before": before, "after": after, "injected": injected}
        payload["told"] = told
        draft.record("context.compacted", payload, cause=run["event"] if run else None)

    observe(place, act)


def tool_called(place: Place, *, success: bool) -> None:
    """One call, where the settings want them recorded."""
    moment = place.moment

    def act(draft: Draft) -> None:
        run = draft.ledger.open_run(place.key)
        metadata = {"tool_use_id": moment.tool_use_id, "subagent": moment.subagent}
        payload = {
            "id": new_id("call"),
            "run_id": run["run_id"] if run else "",
            "tool": moment.tool,
            "input_summary": _summary(moment.tool_input),
            "success": success,
            "metadata": {name: value for name, value in metadata.items() if value},
        }
        actor = Actor("tool", moment.tool or "unknown")
        draft.record("tool.called", payload, cause=run["event"] if run else None, actor=actor)

    observe(place, act)


def _summary(given: Any) -> str:
    """The words of a call that a person recognises it by."""
    import json

    from ppgp_tui.session.text import one_line

    if isinstance(given, dict):
        for name in ("command", "file_path", "path", "pattern", "url", "query", "prompt"):
            if isinstance(given.get(name), str):
                return one_line(given[name])[:SUMMARY_MOST]
    try:
        return one_line(json.dumps(given, ensure_ascii=False))[:SUMMARY_MOST]
    except (ValueError, RecursionError):
        return ""


def text_digest(text: str) -> str:
    """The digest of a text that an agent was told; empty for none."""
    try:
        return digest(text) if text else ""
    except UnserialisableError:
        return ""
