"""What an action is: key line, help, palette and remapping are all made of one table of them.

The table is `ui/table`. A key means one thing everywhere. Where an action cannot act it says why;
it never does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.ui.keys.refusals import Refusal
from ppgp_tui.ui.seat.place import Place

Group = Literal["For you", "Agent", "Move", "Look", "Always"]
OPTION_KEYS = "abcdefghi"


class Action(NamedTuple):
    """One thing a key does."""

    id: str
    """Stable name, by which a user gives it other keys."""
    keys: tuple[str, ...]
    """Printable characters as they are, other keys by name; the first one is shown."""
    label: str
    refuses: Refusal
    """Why it cannot act in a place; empty when it can."""
    over: tuple[str, ...] = ()
    """Actions whose keys it shares: it comes first where it can act."""


class Topic(NamedTuple):
    """One line of help: an action, or a few that belong together."""

    label: str
    group: Group
    actions: tuple[Action, ...]
    hint: str | Callable[[Place], str] = ""
    """The word beside the keys in the key line; empty: only help names it."""
    each: bool = False
    """Only those of its keys are named that act in the place."""

    def named(self, place: Place) -> tuple[Action, ...]:
        """The actions whose keys are named in `place`, if any of them acts there."""
        acting = tuple(action for action in self.actions if not action.refuses(place))
        return acting if self.each or not acting else self.actions

    def hint_in(self, place: Place) -> str:
        """The word for the key line in `place`; empty when it has no business there."""
        if any(action.refuses(place) for action in self.named(place) or self.actions):
            return ""
        return self.hint if isinstance(self.hint, str) else self.hint(place)


def actions_of(table: Sequence[Topic]) -> Iterator[Action]:
    """Every action of `table`."""
    for topic in table:
        yield from topic.actions
