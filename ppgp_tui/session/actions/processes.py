"""Freezing, thawing and ending an agent by signals, where our launcher started it.

The last rungs: what a person wants of the process when holding its calls is not enough. A signal
goes to nothing but the process group that the launcher recorded, and only while the process that
leads it is still the one that was started.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal, NamedTuple

from ppgp_tui.session.actions.person import persons_only
from ppgp_tui.session.actions.turns import NOT_INITIALISED
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.engine.scene import Scene
from ppgp_tui.session.files.launches import mark, read
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.launched import Launch, launch_of, why_not_its_group
from ppgp_tui.session.sources.heartbeat import is_session_name

What = Literal["freeze", "thaw", "kill"]

GRACE_S: Final = 5.0
"""Between asking a process to end and ending it."""

_LOOK_S: Final = 0.05
_UNRECORDED: Final = ("not_initialised", "disk", "busy")
_COST: Final = "a model request under way may fail for it; thaw it as soon as you can"
_SERVICE: Final = (
    "Codex with trusted hooks works in a background service of its own; "
    "where that runs, only the window is stopped"
)
_WITHOUT: Final = (
    "was not started by ppgp-tui run, so it cannot be stopped safely: a terminal multiplexer "
    "wakes a stopped window at once, and a shell takes its terminal back"
)


def freeze(engine: Engine, session: str) -> Result:
    """Stop the processes of `session` where they are, until `thaw`."""

    def idle(launch: Launch) -> str:
        if not launch.has_launcher:
            text = f"the launcher of {session} is gone, so nobody would look after its terminal"
            raise RefusalError("refused", f"{text}; nothing was done")
        return "" if launch.frozen_ms is None else f"{session} is frozen already"

    def act(target: _Target, agents: Folder) -> None:
        mark(agents, target.key, engine.clock())  # first: the launcher asks what a stop means
        send(target.launch, signal.SIGSTOP)

    result = _perform(engine, "freeze", session, act, idle=idle, said=f"{session} is frozen")
    if result.code != "done":
        return result
    costs = (_COST, _SERVICE) if session.partition("-")[0] == "codex" else (_COST,)
    return replace(result, warnings=(*result.warnings, *costs))


def thaw(engine: Engine, session: str) -> Result:
    """Let frozen processes go on."""

    def idle(launch: Launch) -> str:
        return "" if launch.frozen_ms is not None else f"{session} is not frozen"

    def act(target: _Target, agents: Folder) -> None:
        mark(agents, target.key, None)
        send(target.launch, signal.SIGCONT)

    return _perform(engine, "thaw", session, act, idle=idle, said=f"{session} goes on")


def kill(engine: Engine, session: str, *, grace_s: float = GRACE_S) -> Result:
    """End the processes of `session`: asked first, made to after `grace_s` seconds."""
    asked: list[Launch] = []

    def act(target: _Target, agents: Folder) -> None:
        with suppress(OSError):
            mark(agents, target.key, None)
        asked.append(target.launch)
        send(target.launch, signal.SIGTERM)
        with suppress(RefusalError):
            send(target.launch, signal.SIGCONT)  # a frozen process hears of nothing else

    result = _perform(engine, "kill", session, act, said=f"{session} was asked to end")
    if not asked:
        return result
    return _finished(result, session, asked[0], time.monotonic() + grace_s)


def send(launch: Launch, number: signal.Signals) -> None:
    """Signal the group of a launch. Raises `RefusalError` where it is not the agent's any more."""
    why = why_not_its_group(launch)
    if why is not None:
        raise RefusalError("refused", f"{why}; nothing was done")
    with suppress(ProcessLookupError):
        os.killpg(launch.group, number)


class _Target(NamedTuple):
    """The launch behind a session."""

    key: str
    launch: Launch


def _perform(
    engine: Engine,
    what: What,
    session: str,
    act: Callable[[_Target, Folder], None],
    *,
    idle: Callable[[Launch], str] = lambda _: "",
    said: str,
) -> Result:
    """Find the launch, record the act and do it, all under the lock.

    `idle` says why there is nothing to do. What cannot be recorded is done all the same: a full
    disk is no reason to let an agent go on.
    """

    def record(_: Scene, draft: Draft) -> Json:
        persons_only(engine)
        launch = _find(engine.root, session).launch
        if not idle(launch):
            draft.record("human.interrupted", {"what": what, "session": session})
        return {"idle": idle(launch)}

    def do() -> str:
        with _agents(engine.root) as agents:
            target = _target(agents, session)
            why = idle(target.launch)
            if not why:
                act(target, agents)
            return why

    def after(_: Scene, __: Json) -> list[str]:
        do()
        return []

    try:
        result = engine.perform(
            what, record, after=after, said=lambda data: data["idle"] or said, is_deed=False
        )
        if result.code in _UNRECORDED:
            persons_only(engine)
            why = do()
            warning = NOT_INITIALISED if result.code == "not_initialised" else result.message
            code: Literal["done", "unchanged"] = "unchanged" if why else "done"
            result = Result(what, code, why or said, warnings=(warning,))
    except RefusalError as refusal:
        result = Result(what, refusal.refused.code, refusal.refused.message)
    except OSError as error:
        result = Result(what, "disk", f"{session} could not be reached: {error.strerror}")
    return result


def _find(root: Path, session: str) -> _Target:
    with _agents(root) as agents:
        return _target(agents, session)


def _target(agents: Folder, session: str) -> _Target:
    said = read(agents, session) if is_session_name(session) else None
    if said is None:
        raise RefusalError("refused", f"no session here is called {session}; nothing was done")
    key, launch = session, launch_of(said)
    if launch is None:
        key = str(said.get("launched") or "")
        above = read(agents, key) if is_session_name(key) else None
        launch = launch_of(above) if above is not None else None
    if launch is None:
        raise RefusalError("refused", f"{session} {_WITHOUT}; nothing was done")
    why = why_not_its_group(launch)
    if why is not None:
        raise RefusalError("refused", f"{session}: {why}; nothing was done")
    return _Target(key, launch)


def _finished(result: Result, session: str, launch: Launch, until: float) -> Result:
    """Wait for the end of a process that was asked to end; then end it."""
    while launch.is_there and time.monotonic() < until:
        time.sleep(_LOOK_S)
    if not launch.is_there:
        return replace(result, message=f"{session} has ended")
    with suppress(RefusalError):
        send(launch, signal.SIGKILL)
    return replace(result, message=f"{session} did not end by itself and was killed")


@contextmanager
def _agents(root: Path) -> Iterator[Folder]:
    try:
        folder = Folder.open(root, ".ppgp", "run", "agents")
    except FileNotFoundError:
        raise RefusalError("refused", "no agent is connected here; nothing was done") from None
    with folder:
        yield folder
