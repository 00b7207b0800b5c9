"""What the app is told of the kinds of agents there are: what each can do, and how to connect one.

The app knows no agent by itself; whoever starts it does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ppgp_tui.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ppgp_tui.session.engine.result import Result


class Ability(NamedTuple):
    """Whether a kind of agent can be made to do something."""

    name: str
    """`hold_tool`, `stop_turn`, `note` and so on."""
    what: str
    """In words that follow `can` and `cannot`."""
    can: bool
    how: str = ""
    """What a person should know of it."""


class Kind(NamedTuple):
    """What is known of one kind of agent; nothing of one that has no adapter."""

    title: str = ""
    tried: str = ""
    """The version everything was tried with."""
    abilities: tuple[Ability, ...] = ()

    def why_not(self, name: str) -> str:
        """Why it cannot do that; empty where it can, or nobody knows."""
        for ability in self.abilities:
            if ability.name == name and not ability.can:
                return ability.how or f"it cannot {ability.what}"
        return ""

    def cannot(self, name: str) -> bool:
        """Whether it is known that it cannot do that."""
        return any(ability.name == name and not ability.can for ability in self.abilities)


def _unknown(_: str) -> Kind:
    return Kind()


def _not_from_here(_: Path, __: str) -> Result:
    from ppgp_tui.session.engine.result import Result

    why = "agents cannot be connected from here; use ppgp-tui connect"
    return Result("connect", "refused", why)


def _no_start(_: Path, __: Sequence[str]) -> Result:
    from ppgp_tui.session.engine.result import Result

    why = "loops cannot be started from here; use ppgp-tui persist iterate"
    return Result("persist.start", "refused", why)


class Crew(NamedTuple):
    """The kinds of agents, by the name each goes by."""

    kind: Callable[[str], Kind] = _unknown
    connect: Callable[[Path, str], Result] = _not_from_here
    """Show what connecting the installed agents would write, or write it: the second argument is
    what was shown (`data["shown"]`), empty for showing."""
    start_loop: Callable[[Path, Sequence[str]], Result] = _no_start
    """Start a restart loop in a folder: the words after `persist iterate`. Says where it runs."""
