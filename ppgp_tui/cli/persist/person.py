"""Closing, pausing and resuming a loop is a person's act, not an agent's."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ppgp_tui.persist.loop import Loop
    from ppgp_tui.session.engine.draft import Actor


def person(loop: Loop | None) -> tuple[Actor, str | None]:
    """Who acts here, and why they may not: the shell belongs to an agent.

    Agents are known by their variables, and by the heartbeats of this folder's repository and of
    the loop's.
    """
    from ppgp_tui.session.authority import identity

    above = identity.ancestors_now()
    agents = [agent for root in _roots(loop) for agent in identity.recorded_agents(root)]
    why = identity.refuse_reason(
        os.environ, above, agents, terminal=_at_terminal(), granting=False, scripted=False
    )
    return identity.acting(os.environ, above, agents), why


def _roots(loop: Loop | None) -> set[Path]:
    from ppgp_tui.session.actions.loops import session_of
    from ppgp_tui.session.files.root import RootError, find_root

    roots = set()
    with suppress(RootError, OSError):  # where the folder is gone, loops are still there
        root = find_root(Path.cwd(), None, os.environ)
        if (root / ".ppgp").is_dir():
            roots.add(root)
    named = session_of(loop) if loop is not None else None
    return roots | {named} if named is not None else roots


def _at_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()
