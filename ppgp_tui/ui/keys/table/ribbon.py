"""What still acts in a ribbon: everything about requests and agents, nothing that needs a view."""

from __future__ import annotations

from ppgp_tui.ui.keys.action import Action, Topic
from ppgp_tui.ui.seat.place import Place

ACTING = (
    "answer.", "agents.pause", "row.open", "back", "move.", "origin", "copy", "reread", "palette",
    "help", "suspend", "quit", "editor", "theme", "goal.", "session.init", "todo.", "log.restore",
    "travel.now",
)  # fmt: skip
"""Beginnings of the ids of actions that need no more room than it has."""
WHY = "the ribbon shows one list: this needs 40 columns"


def narrowed(topic: Topic) -> Topic:
    """`topic` with actions that say in a ribbon that they need more room."""
    return topic._replace(actions=tuple(_narrowed(action) for action in topic.actions))


def _narrowed(action: Action) -> Action:
    if action.id.startswith(ACTING):
        return action

    def refuses(place: Place) -> str:
        return WHY if place.ribbon else action.refuses(place)

    return action._replace(refuses=refuses)
