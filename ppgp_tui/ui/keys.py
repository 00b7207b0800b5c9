"""The one table of actions: key line, help, palette and remapping are all made of it.

A key means one thing everywhere. Where an action cannot act it says why; it never does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

Group = Literal["For you", "Agent", "Move", "Look", "Always"]
Sheet = Literal["", "help", "origin", "palette", "card", "form", "confirm"]
Asks = Literal["", "yes_no", "advised", "open"]
"""What `y` does with the request of the place: nothing, yes, the advised option, open its card."""
OPTION_KEYS = "abcdefghi"


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
    asks: Asks = ""
    """A request that waits is under the cursor, or its card is open."""
    advised: str = ""
    """The advised option of that request in a few words."""
    options: int = 0
    """Options offered in the open card."""
    final: bool = False
    """What that request allows cannot be undone."""
    answered: bool = False
    """A request with an answer that may still be taken back is under the cursor."""
    held: bool = False
    """A pause stands."""
    acts: bool = True
    """A person's deeds can be done here: the picture is of now."""


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
    over: tuple[str, ...] = ()
    """Actions whose keys it shares: it comes first where it can act."""


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
            "yes",
            "For you",
            (Action("answer.yes", ("y",), "yes, or what is advised", _yes),),
            _yes_hint,
        ),
        Topic(
            "no",
            "For you",
            (Action("answer.no", ("n",), "no", _no, ("find.next",)),),
            lambda place: "leave it" if place.sheet == "confirm" else "no",
        ),
        Topic(
            "yes, for good",
            "For you",
            (Action("answer.final", ("Y",), "yes to what cannot be undone", _final),),
            "for good",
        ),
        Topic(
            "choose",
            "For you",
            tuple(
                Action(f"answer.{key}", (key,), f"option {key}", _option(at), _UNDER.get(key, ()))
                for at, key in enumerate(OPTION_KEYS)
            ),
        ),
        Topic(
            "own words",
            "For you",
            (Action("answer.words", ("r",), "answer in your own words", _in_card),),
            "own words",
        ),
        Topic(
            "note",
            "For you",
            (Action("answer.note", ("m",), "add a note to the answer", _in_card),),
            "note",
        ),
        Topic(
            "later",
            "For you",
            (Action("answer.later", ("d",), "leave it for later", _later),),
            "later",
        ),
        Topic(
            "take back",
            "For you",
            (Action("answer.back", ("u",), "take the answer back", _take_back),),
            "take back",
        ),
        Topic(
            "open",
            "Look",
            (Action("row.open", ("enter",), "open", _open),),
            lambda place: place.opens,
        ),
        Topic(
            "pause, resume",
            "Agent",
            (Action("agents.pause", ("p",), "pause or resume every agent", _acting),),
            lambda place: "" if place.sheet else "resume" if place.held else "pause",
        ),
        Topic(
            "more",
            "Agent",
            (
                Action("goal.new", (), "new goal", _acting),
                Action("goal.tweak", (), "change the goal's objective", _acting),
                Action("goal.block", (), "block the goal", _acting),
                Action("goal.unblock", (), "let a paused or blocked goal go on", _acting),
                Action("goal.abandon", (), "give the goal up", _acting),
                Action("todo.adopt", (), "adopt the plan edited by hand", _acting),
                Action("todo.drop", (), "drop the edit of the plan", _acting),
                Action("log.restore", (), "put events back that were cut out of the log", _acting),
                Action("session.init", (), "begin a session here", _acting),
            ),
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


_UNDER = {"c": ("copy",), "d": ("answer.later",), "g": ("move.first",)}
"""Keys that mean something else outside an opened card."""


def _acting(place: Place) -> str:
    return _no_sheet(place) or ("" if place.acts else "this shows the past: nothing can be done")


def _on_request(place: Place) -> str:
    if place.sheet not in ("", "card"):
        return "Esc closes this first"
    if place.small:
        return "the screen is too small"
    return "" if place.asks else "no request that waits is under the cursor"


def _yes(place: Place) -> str:
    return "" if place.sheet == "confirm" else _on_request(place)


def _yes_hint(place: Place) -> str:
    if place.sheet == "confirm":
        return "do it"
    words = {"yes_no": "yes", "advised": f"{place.advised}, advised", "open": ""}
    return words.get(place.asks, "") if not place.final else ""


def _no(place: Place) -> str:
    if place.sheet == "confirm":
        return ""
    if place.finds == "match" and not place.sheet:
        return "n goes to the next match while something is looked for"
    return _on_request(place) or (
        "" if place.asks == "yes_no" else "this asks for one of its options"
    )


def _final(place: Place) -> str:
    return _on_request(place) or ("" if place.final else "y is enough: this can be undone")


def _option(at: int) -> Refusal:
    def refuses(place: Place) -> str:
        if place.sheet != "card":
            return "options are chosen in the opened request"
        return "" if at < place.options else f"there is no option {OPTION_KEYS[at]}"

    return refuses


def _in_card(place: Place) -> str:
    return "" if place.sheet == "card" else "Enter opens the request first"


def _later(place: Place) -> str:
    return _no_sheet(place) or _on_request(place)


def _take_back(place: Place) -> str:
    return _no_sheet(place) or ("" if place.answered else "nothing here can be taken back")


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
