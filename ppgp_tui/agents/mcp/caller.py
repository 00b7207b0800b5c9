"""Who calls: the agent whose process started the server, and never a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ppgp_tui.session.authority.identity import AgentProcess, Process, acting
from ppgp_tui.session.engine.draft import Actor

_NOT_PLAIN = re.compile(r"[^A-Za-z0-9._]+", re.ASCII)
_NAME_MOST: Final = 64


def caller(
    environ: Mapping[str, str],
    ancestors: Sequence[Process],
    agents: Iterable[AgentProcess],
    client: str | None,
) -> Actor:
    """The actor of a call: the agent session we were started by, else `agent:mcp-CLIENT`.

    `client` is the name the client gave of itself. It is trusted for nothing but to be shown.
    """
    actor = acting(environ, ancestors, agents, login="")
    return actor if actor.kind == "agent" else Actor("agent", f"mcp-{_plain(client)}")


def _plain(name: str | None) -> str:
    return _NOT_PLAIN.sub("-", name or "")[:_NAME_MOST].strip("-.") or "unknown"
