"""Names that keys and view 4 share: its panes, the row of the thing itself, how events are listed.

They stand apart from the view, which is imported when somebody looks at it.
"""

from __future__ import annotations

LIST, DETAIL, EVENT = "events.list", "events.detail", "events.event"
"""Panes: what happened, the thing with its lineage, and from 150 columns the thing itself."""
THIS = "this"
"""Key of the row of the thing itself."""
STORY_UP_TO = 50_000
"""Events that are read as a story without being asked for."""
FILTERS = ("kind", "actor", "run", "goal", "since", "until")
"""Words that narrow down what is found among events: `kind:todo.*`."""


def is_raw(chosen: bool | None, events: int) -> bool:
    """Whether events are listed one by one: as chosen, else where reading them all takes long."""
    return events > STORY_UP_TO if chosen is None else chosen
