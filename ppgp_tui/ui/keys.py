"""The one table of actions: key line, help, palette and remapping are all made of it.

A key means one thing everywhere. Where an action cannot act it says why; it never does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

Group = Literal["Move", "Look", "Always"]
Sheet = Literal["", "help", "origin", "palette"]


class Place(NamedTuple):
    """Where the person is: all that decides what a key does."""

    view: int = 0
    """Index of the view."""
    views: int = 1
    sheet: Sheet = ""
    typing: bool = False
    """A line is being typed, so characters are text."""
    small: bool = False
    """The screen is too small to draw: only quit and help act."""
    moves: bool = True
    """There are rows to move over or lines to scroll."""
    panes: int = 1
    """Panes the focus can be in."""
    row: bool = True
    """A row is under the cursor."""
    origin: bool = True
    """It is known where that row comes from, or something is wrong with a file."""
    opens: str = ""
    """What Enter does; empty: there is nothing to open."""
    back: str = ""
    """What Esc does; empty: there is nothing to go back from."""
    finds: Literal["", "match", "finding"] = ""
    """What `n` goes to: a match of what is looked for, else a row marked as a finding."""


Refusal = Callable[[Place], str]
"""Why an action cannot act in a place; empty when it can."""


class Action(NamedTuple):
    """One thing a key does."""

    id: str
    """Stable name, by which a user gives it other keys."""
    keys: tuple[str, ...]
    """Printable characters as they are, other keys by name; the first one is shown."""
    label: str
    refuses: Refusal


class Topic(NamedTuple):
    """One line of help: an action, or a few that belong together."""

    label: str
    group: Group
    actions: tuple[Action, ...]
    hint: str | Callable[[Place], str] = ""
    """The word beside the keys in the key line; empty: only help names it."""

    def hint_in(self, place: Place) -> str:
        """The word for the key line in `place`; empty when it has no business there."""
        if any(action.refuses(place) for action in self.actions):
            return ""
        return self.hint if isinstance(self.hint, str) else self.hint(place)


def actions_of(table: Sequence[Topic]) -> Iterator[Action]:
    """Every action of `table`."""
    for topic in table:
        yield from topic.actions


def action_table(views: Sequence[str]) -> tuple[Topic, ...]:
    """Every action there is, for an app with these views; the order is that of the key line."""
    return (
        Topic(
            "open",
            "Look",
            (Action("row.open", ("enter",), "open", _open),),
            lambda place: place.opens,
        ),
        Topic("back", "Look", (Action("back", ("escape",), "back", _back),), _back_hint),
        Topic(
            "down, up",
            "Move",
            (
                Action("move.down", ("j", "down"), "one down", _move),
                Action("move.up", ("k", "up"), "one up", _move),
            ),
            "move",
        ),
        Topic(
            "next, previous",
            "Look",
            (
                Action("find.next", ("n",), "next match", _next_match),
                Action("find.previous", ("N",), "previous match", _next_match),
            ),
            lambda place: place.finds,
        ),
        Topic("find", "Look", (Action("find", ("/",), "find", _find),), "find"),
        Topic(
            "pane",
            "Move",
            (
                Action("pane.next", ("tab",), "next pane", _panes),
                Action("pane.previous", ("shift+tab",), "previous pane", _panes),
            ),
        ),
        Topic(
            "origin",
            "Look",
            (Action("origin", ("o",), "origin", _origin),),
            lambda place: "" if place.sheet else "origin",
        ),
        Topic(
            "first, last",
            "Move",
            (
                Action("move.first", ("g",), "first", _move),
                Action("move.last", ("G",), "last", _move),
            ),
            "first, last",
        ),
        Topic("copy", "Look", (Action("copy", ("c",), "copy", _copy),), "copy"),
        Topic(
            "half a page",
            "Move",
            (
                Action("move.half_down", ("ctrl+d",), "half a page down", _move),
                Action("move.half_up", ("ctrl+u",), "half a page up", _move),
            ),
        ),
        Topic(
            "a page",
            "Move",
            (
                Action("move.page_down", ("pagedown",), "a page down", _move),
                Action("move.page_up", ("pageup",), "a page up", _move),
            ),
        ),
        Topic(
            "top, bottom",
            "Move",
            (
                Action("move.top", ("home",), "top", _move),
                Action("move.bottom", ("end",), "bottom", _move),
            ),
        ),
        Topic(
            "views" if len(views) > 1 else "view",
            "Look",
            tuple(
                Action(
                    f"view.{name}", (str(number),), f"view {name}", _other_view(number - 1, name)
                )
                for number, name in enumerate(views, 1)
            ),
        ),
        Topic(
            "read again",
            "Look",
            (Action("reread", ("ctrl+r", "f5"), "read the files again", _no_sheet),),
        ),
        Topic(
            "every action",
            "Always",
            (Action("palette", (":", "ctrl+p"), "every action", _palette),),
        ),
        Topic("help", "Always", (Action("help", ("?", "f1"), "help", _always),)),
        Topic("suspend", "Always", (Action("suspend", ("ctrl+z",), "suspend", _not_small),)),
        Topic("quit", "Always", (Action("quit", ("q", "ctrl+q"), "quit", _always),)),
        Topic(
            "twice: quit",
            "Always",
            (Action("quit.twice", ("ctrl+c",), "quit, when pressed twice", _always),),
        ),
    )


def _always(_: Place) -> str:
    return ""


def _not_small(place: Place) -> str:
    return "the screen is too small" if place.small else ""


def _no_sheet(place: Place) -> str:
    return _not_small(place) or ("Esc closes this first" if place.sheet else "")


def _other_view(index: int, name: str) -> Refusal:
    def refuses(place: Place) -> str:
        return _no_sheet(place) or (f"this is the view {name}" if place.view == index else "")

    return refuses


def _palette(place: Place) -> str:
    return "" if place.sheet == "help" and not place.small else _no_sheet(place)


def _move(place: Place) -> str:
    if place.small and not place.sheet:
        return "the screen is too small"
    return "" if place.moves else "nothing to move over here"


def _panes(place: Place) -> str:
    return _no_sheet(place) or ("" if place.panes > 1 else "there is one pane here")


def _open(place: Place) -> str:
    if place.small:
        return "the screen is too small"
    return "" if place.opens or (place.row and not place.sheet) else "nothing to open here"


def _back(place: Place) -> str:
    return "" if place.back else "nothing to go back from"


def _back_hint(place: Place) -> str:
    return place.back if place.back != "back" else ""


def _find(place: Place) -> str:
    if place.sheet == "help" and not place.small:
        return ""
    return _no_sheet(place)


def _next_match(place: Place) -> str:
    return _no_sheet(place) or ("" if place.finds else "nothing is looked for: / finds")


def _origin(place: Place) -> str:
    if place.sheet == "origin":
        return ""
    return _no_sheet(place) or ("" if place.origin else "nothing here was read from a file")


def _copy(place: Place) -> str:
    return _no_sheet(place) or ("" if place.row else "no row to copy")
