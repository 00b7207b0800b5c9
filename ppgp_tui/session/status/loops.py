"""The restart loops of a root for the status line, as far as a `Glance` asks of them.

The log of all loops is read by the app's own reader, and only when it has changed; between two rows
nothing but the last words of the loops that are open here is looked at.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ppgp_tui.session.picture.loop import Loop, LoopPause, LoopRunner
from ppgp_tui.session.picture.loops import Loops, belongs
from ppgp_tui.session.process import host_name, is_alive
from ppgp_tui.session.status.files import json_object, stamp

Json = dict[str, Any]


def loops_of(top: str, environ: Mapping[str, str], known: Json | None) -> tuple[Loops, Json | None]:
    """The open loops of the root `top`, and what the next look may be told; None without a log."""
    home = os.path.realpath(_home(environ))
    now = stamp(f"{home}/state.jsonl")
    if now is None:
        return Loops(), None
    if known is None or (known["home"], known["log"]) != (home, now):
        known = {"home": home, "log": now, "open": _open(home, top)}
    return Loops(tuple(_loop(home, one) for one in known["open"])), known


def _home(environ: Mapping[str, str]) -> str:
    """As `persist.disk.home.find`."""
    if named := environ.get("BROOMVA_PERSIST_HOME"):
        return os.path.expanduser(named)
    config = environ.get("XDG_CONFIG_HOME") or os.path.expanduser(
        f"{environ.get('HOME') or '~'}/.config"
    )
    return f"{config}/broomva/persist"


def _open(home: str, top: str) -> list[Json]:
    """The open loops here, as the log has them."""
    from pathlib import Path

    from ppgp_tui.persist.disk.home import Home, is_loop_id
    from ppgp_tui.persist.disk.log import LoopLog
    from ppgp_tui.persist.live import read_runner
    from ppgp_tui.persist.shelf import place_of
    from ppgp_tui.session.files.places import loops_memory

    place = Path(home)
    try:
        reading = LoopLog(Home(place), checkpoint=loops_memory(place)).read()
    except OSError:
        return []
    found = []
    for loop in reading.open:
        runner = read_runner(loop.spawned.get("runner"))
        if belongs(os.path.realpath(top), place_of(loop)) and is_loop_id(loop.loop_id):
            runner_now = list(runner) if runner is not None else None
            found.append({"id": loop.loop_id, "state": loop.state, "runner": runner_now})
    return found


def _loop(home: str, one: Json) -> Loop:
    folder = f"loops/{one['id']}"
    live, _ = json_object(home, f"{folder}/live.json") or ({}, None)
    asked, _ = json_object(home, f"{folder}/pause.json") or ({}, None)
    runner = _runner(one["runner"])
    speaks = runner.state != "gone"
    phase, since = live.get("phase"), live.get("since_ms")
    pause = None
    if isinstance(asked.get("by"), str) and isinstance(asked.get("at_ms"), int):
        need = asked.get("need")
        pause = LoopPause(asked["by"], asked["at_ms"], need=need if isinstance(need, str) else "")
    return Loop(
        one["id"],
        one["state"],
        open=True,
        prompt="",
        phase=phase if speaks and isinstance(phase, str) else None,  # type: ignore[arg-type]  # an odd one is nothing that is asked for
        phase_ms=since if speaks and isinstance(since, int) else None,
        pause=pause,
        runner=runner,
    )


def _runner(named: list[Any] | None) -> LoopRunner:
    if named is None:
        return LoopRunner()
    pid, started, host = named
    if host != host_name():
        return LoopRunner("elsewhere", pid, host)
    return LoopRunner("alive" if is_alive(pid, started) else "gone", pid, host)
