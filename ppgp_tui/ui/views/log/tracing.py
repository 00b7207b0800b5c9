"""What the folded log knows of one thing, taken out as values so that nothing waits while drawn."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.views.log.lineage_rows import short_name
from ppgp_tui.ui.views.log.story_list import StoryLists

if TYPE_CHECKING:
    from ppgp_tui.gasp.tracing.lineage import Lineage
    from ppgp_tui.session.log.graph import Contents

MOST_TOLD = 60
"""Events of a node that are listed, the newest ones."""
_KEPT = 64
"""Names that are kept."""
_MOST_PROPS = 20_000
"""Characters of a node's properties that are shown."""


class NodeLook(NamedTuple):
    """A node as the log left it."""

    id: str
    kind: str
    props: str
    """As JSON with an indent of two, its end left out where it is very long."""


class Traced(NamedTuple):
    """One thing, where it comes from, and what came of it."""

    lineage: Lineage
    node: NodeLook | None
    events: tuple[int, ...]
    """Those that made or changed the node, the newest first; not all of very many."""
    more_events: int
    sentence: str
    """What happened, in the words of the story; empty for a node."""


class Tracer:
    """Remembers the last answer: it is asked for with every picture."""

    def __init__(self, stories: StoryLists) -> None:
        self._stories = stories
        self._key: tuple[object, ...] = ()
        self._found: Traced | None = None
        self._names: dict[tuple[object, str], str] = {}

    def name(self, snapshot: SessionSnapshot, thing: str) -> str:
        """A thing in two or three words; empty where the log does not have it."""
        folded = snapshot.graph.value.folded
        if folded is None:
            return ""
        key = (folded, thing)
        if key not in self._names:
            with folded.reading() as inside:
                number = _number(inside, thing)
                said = "" if number is None else short_name(inside.things.thing(number))
            if len(self._names) >= _KEPT:
                self._names.clear()
            self._names[key] = said
        return self._names[key]

    def trace(
        self, snapshot: SessionSnapshot, thing: str, depth: int, breadth: int
    ) -> Traced | None:
        """Return what is known of `thing` (see `Row.thing`); None where the log does not have it.

        Also None while it is not folded so far.
        """
        look = snapshot.graph.value
        if look.folded is None or not thing:
            return None
        key = (look.folded, look.lines, thing, depth, breadth)
        if key != self._key:
            with look.folded.reading() as inside:
                self._found = _traced(inside, thing, depth, breadth)
                if self._found is not None and thing.startswith("event:"):
                    said = self._sentence(inside, int(thing[6:]), snapshot.events.value.names)
                    self._found = self._found._replace(sentence=said)
            self._key = key
        return self._found

    def _sentence(self, inside: Contents, event: int, names: Mapping[str, str]) -> str:
        from ppgp_tui.gasp.telling.chapters import Chapters

        told = self._stories.sentence_of(inside, event)
        return (
            Chapters(inside.things, inside.story, names).telling(list(told)).words if told else ""
        )


def _traced(inside: Contents, thing: str, depth: int, breadth: int) -> Traced | None:
    from ppgp_tui.gasp.tracing.lineage import lineage

    number = _number(inside, thing)
    if number is None:
        return None
    kind, _, name = thing.partition(":")
    asked = name if kind == "node" else ""
    found = lineage(inside.things, number, asked, depth=depth, breadth=breadth)
    events = _history(inside, number)
    return Traced(
        found,
        _node(inside, number),
        tuple(events[: -MOST_TOLD - 1 : -1]),
        max(0, len(events) - MOST_TOLD),
        "",
    )


def _number(inside: Contents, thing: str) -> int | None:
    from ppgp_tui.gasp.tracing.lineage import find

    kind, _, name = thing.partition(":")
    if kind != "event":
        return find(inside.links, name)
    at = int(name) if name.isdecimal() else -1
    return inside.links.homes[at] if 0 <= at < len(inside.links) else None


def _history(inside: Contents, number: int) -> list[int]:
    index = inside.links
    return list(dict.fromkeys(index.history.values(~number))) if number < 0 else [number]


def _node(inside: Contents, number: int) -> NodeLook | None:
    node = inside.things.node(~number) if number < 0 else None
    if node is None:
        return None
    return NodeLook(node.id, node.kind, as_text(node.props))


def as_text(value: Any) -> str:
    """A JSON value as readable text, its end left out where it is very long."""
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        text = str(value)
    return text if len(text) <= _MOST_PROPS else f"{text[:_MOST_PROPS]}\n…"
