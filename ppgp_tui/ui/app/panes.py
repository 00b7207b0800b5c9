"""Going to the window an agent runs in, where it and this app share a tmux server."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping

from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.process import is_alive

LIMIT_S = 3.0
_PANE = re.compile(r"%[0-9]{1,9}", re.ASCII)


def open_pane(pane: str, pid: int | None, environ: Mapping[str, str] | None = None) -> Result:
    """Make the agent's pane the one on screen; refused where it is not one of our tmux server.

    A pane's id says nothing of its server, so the agent's process must run below it.
    """
    environ = os.environ if environ is None else environ
    if not _PANE.fullmatch(pane):
        return _refused(pane, "that is no tmux pane")
    if not environ.get("TMUX"):
        return _refused(pane, "this app does not run inside tmux")
    try:
        listed = _tmux("list-panes", "-a", "-F", "#{pane_id} #{pane_pid}").splitlines()
        leader = next((int(line.split()[1]) for line in listed if line.split()[0] == pane), None)
        if leader is None:
            return _refused(pane, "this tmux server has no such pane")
        if pid is not None and is_alive(pid, None) and leader not in _above(pid):
            return _refused(pane, "another program runs in the pane of that number here")
        _tmux("select-window", "-t", pane)
        _tmux("select-pane", "-t", pane)
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        return _refused(pane, f"tmux did not answer ({type(error).__name__})")
    return Result("pane", "done", f"pane {pane}")


def _tmux(*words: str) -> str:
    ran = subprocess.run(
        ["tmux", *words], capture_output=True, text=True, timeout=LIMIT_S, check=True
    )
    return ran.stdout


def _above(pid: int) -> set[int]:
    """The process and those it descends from."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="],
        capture_output=True, text=True, timeout=LIMIT_S, check=True,
    )  # fmt: skip
    pairs = (line.split() for line in listed.stdout.splitlines())
    parents = {int(child): int(parent) for child, parent in pairs}
    found: set[int] = set()
    while pid and pid not in found:
        found.add(pid)
        pid = parents.get(pid, 0)
    return found


def _refused(pane: str, why: str) -> Result:
    text = f"{why}; {pane} is copied"
    return Result("pane", "refused", text, data={"copy": pane})
