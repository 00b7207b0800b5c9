"""Who is acting: a person or an agent, and which commands are a person's alone.

This stops mistakes, not a hostile program of the same user.
"""

from __future__ import annotations

import getpass
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ppgp_tui.session.canonical import session_key
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.process import start_of

SESSIONS: Final = {
    "CLAUDE_CODE_SESSION_ID": "claude",
    "GEMINI_SESSION_ID": "gemini",
    "PI_SESSION_ID": "pi",
}
"""Variables that hold an agent's own session id."""

SIGNS: Final = {"CLAUDECODE": "claude", "CODEX_SANDBOX": "codex", "PPGP_LOOP": "loop"}
"""Variables that say which agent this shell belongs to and not which session; any program may be
the agent of a restart loop."""

LAUNCHED: Final = "PPGP_AGENT"
"""Holds the key of a launch: of an agent that was started by us."""

_KEY = re.compile(r"[A-Za-z0-9._-]{1,160}", re.ASCII)
_DEEPEST = 256


@dataclass(frozen=True, slots=True)
class Process:
    """A process above ours; `started` as in `process.start_of`, None where nobody tells."""

    pid: int
    started: int | None = None


@dataclass(frozen=True, slots=True)
class AgentProcess:
    """A process that a connected agent's session said to be its own."""

    session: str
    pid: int
    started: int | None = None
    launched: str | None = None
    """The launch the session belongs to."""


def acting(
    environ: Mapping[str, str],
    ancestors: Sequence[Process] = (),
    agents: Iterable[AgentProcess] = (),
    login: str | None = None,
) -> Actor:
    """The actor of this process: `agent:SESSION-KEY` inside an agent's shell, else `user:LOGIN`.

    Of an agent that does not say its session the key ends in `-unknown`, unless one of the
    recorded `agents` is above us. A launch stands for its session, where that one is known.
    """
    launched = environ.get(LAUNCHED)
    agents = list(agents)
    said = [
        session_key(agent, environ[name])
        for name, agent in SESSIONS.items()
        if environ.get(name) and (launched is None or launched.startswith(f"{agent}-"))
    ]
    if launched and not said:
        known = {agent.session for agent in agents if agent.launched == launched}
        said = list(known) if len(known) == 1 else []
    if launched is not None and not said:
        plain = _KEY.fullmatch(launched) is not None
        return Actor("agent", launched if plain else session_key("agent", launched))
    if said:
        return Actor("agent", said[0])
    if above := _agent_above(ancestors, agents):
        return Actor("agent", above.session)
    for name, agent in (SIGNS | SESSIONS).items():
        if name in environ:
            return Actor("agent", session_key(agent, "unknown"))
    return Actor("user", login if login is not None else login_name())


def refuse_reason(
    environ: Mapping[str, str],
    ancestors: Sequence[Process],
    agents: Iterable[AgentProcess],
    *,
    terminal: bool,
    granting: bool,
    scripted: bool,
) -> str | None:
    """Why a person's command is refused here, or None when it may run.

    `terminal`: stdin is one. `granting` commands need that, or `scripted`, the user's setting
    `authority.scripted`. All of a person's commands are refused to agents.
    """
    for name in (LAUNCHED, *SIGNS, *SESSIONS):
        if name in environ:
            return (
                f"{name} is set, so this shell belongs to an agent; "
                "only a person may do this, in a terminal of their own"
            )
    if above := _agent_above(ancestors, agents):
        return (
            f"this runs below the agent {above.session} (process {above.pid}); "
            "only a person may do this, in a terminal of their own"
        )
    if granting and not terminal and not scripted:
        return (
            "this grants something, so it needs a terminal on stdin; "
            "authority.scripted = true in your own config.toml allows scripts"
        )
    return None


def login_name() -> str:
    """The name of the user of this process, or its number where the system has no name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())


def ancestors_now() -> list[Process]:
    """The processes above this one, nearest first, as far as the system tells."""
    parents = _parents_of_all() if sys.platform == "darwin" else None
    found: list[Process] = []
    pid = os.getppid()
    while pid > 1 and len(found) < _DEEPEST and pid not in (above.pid for above in found):
        found.append(Process(pid, start_of(pid)))
        pid = _parent_of(pid) if parents is None else parents.get(pid, 0)
    return found


def recorded_agents(root: Path) -> list[AgentProcess]:
    """The processes of the sessions that left a heartbeat in the repository at `root`."""
    from ppgp_tui.session.sources.agents import AgentsSource

    look = AgentsSource(root, lambda: 0).look()
    return [
        AgentProcess(beat.session, beat.pid, beat.pid_start, beat.launched)
        for beat in look.heartbeats
        if beat.pid is not None and beat.state != "ended"
    ]


def _agent_above(
    ancestors: Sequence[Process], agents: Iterable[AgentProcess]
) -> AgentProcess | None:
    named = {agent.pid: agent for agent in agents}
    for above in ancestors:
        agent = named.get(above.pid)
        if agent and (None in (agent.started, above.started) or agent.started == above.started):
            return agent
    return None


def _parent_of(pid: int) -> int:
    try:
        said = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return 0
    fields = said.rpartition(")")[2].split()  # the name before may hold anything
    return int(fields[1]) if len(fields) > 1 and fields[1].isdigit() else 0


def _parents_of_all() -> dict[int, int]:
    try:
        ran = subprocess.run(
            ["/bin/ps", "-A", "-o", "pid=,ppid="], capture_output=True, timeout=5, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return {}
    pairs = (line.split() for line in ran.stdout.decode("ascii", "replace").splitlines())
    return {int(pair[0]): int(pair[1]) for pair in pairs if len(pair) == 2}
