"""The iterations of a restart loop as runs in the repository's log.

An iteration is the runner's: it begins and ends with the agent's process, and its outcome is the
exit code. A session is the agent's: one process may begin several of them or none that we hear of.
So each iteration is one run of the loop (`source: "persist"`), and a session that a connected
agent begins in it is a run of its own below: it names the same loop and iteration, and its cause
is the iteration's `run.started` (`agents.hook.observe.run_started`). Whoever counts iterations
counts the former; what an agent without hooks records belongs to the iteration's run.

A run that cannot be recorded never stops a loop: it is told, once for each reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ppgp_tui.persist import limits
from ppgp_tui.persist.course import Ran
from ppgp_tui.persist.surroundings import Iteration
from ppgp_tui.session.canonical import loop_session, new_id
from ppgp_tui.session.engine import runs
from ppgp_tui.session.engine.draft import SYSTEM, Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.scene import Scene

SOURCE: Final = "persist"
TIMED_OUT: Final = ("iteration-timeout", "wall-clock")


def outcome_of(ran: Ran, phrases: tuple[str, ...] = limits.PHRASES) -> str:
    """How a run ended, in one word.

    `completed`, `limited` (by a rate limit), `truncated` (by a time limit of ours), `interrupted`
    (by a person or a signal to the runner), `error` (any other failure).
    """
    if ran.cut in TIMED_OUT:
        return "truncated"
    if ran.cut is not None:
        return "interrupted"
    if ran.exit_code == 0:
        return "completed"
    return "limited" if limits.is_limited(ran.exit_code, ran.last_lines, phrases) else "error"


def began(engine: Engine, iteration: Iteration, agent: str, *, audits: bool = False) -> str | None:
    """Record that an iteration begins; runs that a killed runner left open are over.

    `agent` is the name of its program; `audits`: its loop has claims audited. Returns why nothing
    was recorded, or None.
    """
    session = loop_session(iteration.loop_id)

    def act(_: Scene, draft: Draft) -> Json:
        for left in _of_loops(draft):
            runs.finish(draft, left, "interrupted", {"reason": "its runner is gone"}, SYSTEM)
        run_id = new_id("run")
        metadata: Json = {
            "agent": agent,
            "session": session,
            "source": SOURCE,
            "loop": iteration.loop_id,
            "iteration": iteration.number,
        }
        if audits:
            metadata["audits"] = True
        if iteration.attempt > 1:
            metadata["attempt"] = iteration.attempt
        task = f"iteration {iteration.number} of {iteration.max_iterations}"
        runs.start(draft, run_id, task, metadata)
        return {"run": run_id}

    return _recorded(engine, "run.start", act)


def ended(engine: Engine, loop_id: str, ran: Ran, phrases: tuple[str, ...]) -> str | None:
    """Record how the iteration ended, and with it every session that its agent left open.

    Returns why nothing was recorded, or None.
    """
    session = loop_session(loop_id)

    def act(_: Scene, draft: Draft) -> Json:
        own = draft.ledger.open_run(session)
        for left in _of_loops(draft):
            if own is None or left["run_id"] != own["run_id"]:
                runs.finish(draft, left, "interrupted", {"reason": "its process ended"}, SYSTEM)
        if own is not None:
            runs.finish(draft, own, outcome_of(ran, phrases), _about(ran))
        return {}

    return _recorded(engine, "run.finish", act)


def broken_off(engine: Engine) -> str | None:
    """Record that the open run of a loop, if there is one, has no end that anybody saw.

    Returns why nothing was recorded, or None.
    """

    def act(_: Scene, draft: Draft) -> Json:
        for left in _of_loops(draft):
            runs.finish(draft, left, "interrupted", {"reason": "its loop ended"}, SYSTEM)
        return {}

    return _recorded(engine, "run.finish", act)


def _about(ran: Ran) -> dict[str, Any]:
    about: dict[str, Any] = {
        "exit_code": ran.exit_code,
        "duration_ms": round(ran.duration_s * 1000),
    }
    if ran.signal is not None:
        about["signal"] = ran.signal
    if ran.cut is not None:
        about["cut"] = ran.cut
    return about


def _of_loops(draft: Draft) -> list[Json]:
    """Open runs of loops: sessions first, for they began inside the iterations.

    A work tree has one live loop that is bound to its goal, so whatever an earlier one left open
    is over.
    """
    found = [(key, run) for key, run in draft.ledger.open_runs.items() if run.get("loop")]
    found.sort(key=lambda one: one[0] == loop_session(one[1]["loop"]))
    return [run for _, run in found]


def _recorded(engine: Engine, action: str, act: Callable[[Scene, Draft], Json]) -> str | None:
    result = engine.perform(action, act, is_deed=False)
    return None if result.ok else result.message
