"""The agents there are, as the app is told of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ppgp_tui.ui.app.crew import Ability, Crew, Kind

if TYPE_CHECKING:
    from ppgp_tui.session.engine.result import Result


@cache
def kind(name: str) -> Kind:
    """What the adapter of that name says of its agent."""
    from ppgp_tui.agents.adapters import adapter
    from ppgp_tui.agents.adapters.shape import ABILITIES

    known = adapter(name)
    if known is None:
        return Kind()
    abilities = (
        Ability(ability, what, known.abilities[ability].can, known.abilities[ability].how)
        for ability, what in ABILITIES.items()
        if ability in known.abilities
    )
    return Kind(known.title, known.tried, tuple(abilities))


def connect(root: Path, shown: str) -> Result:
    """See `Crew.connect`."""
    from ppgp_tui.agents.connect.together import connect_all

    return connect_all(root, os.environ, shown)


def start_loop(root: Path, options: Sequence[str]) -> Result:
    """See `Crew.start_loop`."""
    from ppgp_tui.cli import loop_start

    return loop_start.start_loop(root, options)


CREW = Crew(kind, connect, start_loop)
