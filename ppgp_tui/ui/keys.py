"""The one table of actions: key line, help, palette and remapping are all made of it.

A key means one thing everywhere. Where an action cannot act it says why; it never does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from ppgp_tui.ui import refusals as needs
from ppgp_tui.ui.place import Place
from ppgp_tui.ui.refusals import Refusal

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


def action_table(views: Sequence[str]) -> tuple[Topic, ...]:
    """Every action there is, for an app with these views; the order is that of the key line."""
    return (
        Topic(
            "yes",
            "For you",
            (Action("answer.yes", ("y",), "yes, or what is advised", needs.yes),),
            _yes_hint,
        ),
        Topic(
            "no",
            "For you",
            (Action("answer.no", ("n",), "no", needs.no, ("find.next",)),),
            lambda place: "leave it" if place.sheet == "confirm" else "no",
        ),
        Topic(
            "yes, for good",
            "For you",
            (Action("answer.final", ("Y",), "yes to what cannot be undone", needs.final),),
            _final_hint,
        ),
        Topic(
            "choose",
            "For you",
            tuple(_option(letter) for letter in OPTION_KEYS),
            "choose",
            each=True,
        ),
        Topic(
            "open",
            "Look",
            (Action("row.open", ("enter",), "open", needs.opening),),
            lambda place: "" if place.sheet == "confirm" else place.opens,
        ),
        Topic(
            "own words",
            "For you",
            (Action("answer.words", ("r",), "answer in your own words", needs.words),),
            "own words",
        ),
        Topic(
            "note",
            "For you",
            (Action("answer.note", ("m",), "add a note to the answer", needs.note),),
            "note",
        ),
        Topic(
            "later",
            "For you",
            (Action("answer.later", ("d",), "leave it for later", needs.later),),
        ),
        Topic(
            "take back",
            "For you",
            (Action("answer.back", ("u",), "take the answer back", needs.take_back),),
            "take back",
        ),
        Topic(
            "pause, resume",
            "Agent",
            (Action("agents.pause", ("p",), "pause or resume every agent", needs.acting),),
            lambda place: "" if place.sheet else "resume" if place.held else "pause",
        ),
        Topic(
            "hold it, let it go on",
            "Agent",
            (Action("agent.hold", ("P",), "hold this agent, or let it go on", needs.hold_one),),
            lambda place: "let it go on" if place.agent.held else "hold it",
        ),
        Topic(
            "stop its turn",
            "Agent",
            (Action("agent.stop", ("S",), "stop this agent's turn", needs.stop_turn),),
            "stop turn",
        ),
        Topic(
            "tell it",
            "Agent",
            (
                Action(
                    "agent.note",
                    ("m",),
                    "send this agent a note",
                    needs.tell_agent,
                    ("answer.note",),
                ),
            ),
            "note",
        ),
        Topic(
            "freeze, thaw",
            "Agent",
            (Action("agent.freeze", ("F",), "freeze this agent, or thaw it", needs.processes),),
            lambda place: "thaw" if place.agent.frozen else "freeze",
        ),
        Topic(
            "its window",
            "Agent",
            (Action("agent.pane", ("w",), "go to this agent's window", needs.pane),),
            "its window",
        ),
        Topic(
            "more",
            "Agent",
            (
                Action("agent.kill", (), "kill this agent", needs.processes),
                Action("agents.connect", (), "connect an agent", needs.acting),
                Action("goal.new", (), "new goal", needs.new_goal),
                Action("goal.tweak", (), "change the goal's objective", needs.on_goal),
                Action("goal.block", (), "block the goal", needs.block),
                Action("goal.unblock", (), "let a paused or blocked goal go on", needs.unblock),
                Action("goal.abandon", (), "give the goal up", needs.on_goal),
                Action("todo.adopt", (), "adopt the plan edited by hand", needs.edited),
                Action("todo.drop", (), "drop the edit of the plan", needs.edited),
                Action("log.restore", (), "put back what was cut out of the log", needs.restore),
                Action("session.init", (), "begin a session here", needs.begin),
            ),
        ),
        Topic("back", "Look", (Action("back", ("escape",), "back", needs.back),), _back_hint),
        Topic(
            "down, up",
            "Move",
            (
                Action("move.down", ("j", "down"), "one down", needs.move),
                Action("move.up", ("k", "up"), "one up", needs.move),
            ),
            "move",
        ),
        Topic(
            "next, previous",
            "Look",
            (
                Action("find.next", ("n",), "next match", needs.next_match),
                Action("find.previous", ("N",), "previous match", needs.next_match),
            ),
            lambda place: place.finds,
        ),
        Topic(
            "lineage",
            "Look",
            (Action("lineage", ("l",), "how it came about, what came of it", needs.lineage),),
            "lineage",
        ),
        Topic(
            "find, filter",
            "Look",
            (
                Action(
                    "find", ("/",), "find; among events kind: actor: run: goal: since:", needs.find
                ),
            ),
            "find",
        ),
        Topic(
            "story, events",
            "Look",
            (Action("story", ("v",), "the story, or every event", needs.story),),
            lambda place: "story" if place.lists == "raw" else "every event",
        ),
        Topic(
            "family",
            "Look",
            (Action("family", ("space",), "show or hide what belongs to it", needs.family),),
            "show, hide",
        ),
        Topic(
            "pane",
            "Move",
            (
                Action("pane.next", ("tab",), "next pane", needs.panes),
                Action("pane.previous", ("shift+tab",), "previous pane", needs.panes),
            ),
        ),
        Topic(
            "origin",
            "Look",
            (Action("origin", ("o",), "origin", needs.origin),),
            lambda place: "" if place.sheet else "origin",
        ),
        Topic(
            "first, last",
            "Move",
            (
                Action("move.first", ("g",), "first", needs.first),
                Action("move.last", ("G",), "last", needs.move),
            ),
            "first, last",
        ),
        Topic("copy", "Look", (Action("copy", ("c",), "copy", needs.copy),), "copy"),
        Topic(
            "half a page",
            "Move",
            (
                Action("move.half_down", ("ctrl+d",), "half a page down", needs.move),
                Action("move.half_up", ("ctrl+u",), "half a page up", needs.move),
            ),
        ),
        Topic(
            "a page",
            "Move",
            (
                Action("move.page_down", ("pagedown",), "a page down", needs.move),
                Action("move.page_up", ("pageup",), "a page up", needs.move),
            ),
        ),
        Topic(
            "top, bottom",
            "Move",
            (
                Action("move.top", ("home",), "top", needs.move),
                Action("move.bottom", ("end",), "bottom", needs.move),
            ),
        ),
        Topic(
            "views" if len(views) > 1 else "view",
            "Look",
            tuple(
                Action(
                    f"view.{name}",
                    (str(number),),
                    f"view {name}",
                    needs.other_view(number - 1, name),
                )
                for number, name in enumerate(views, 1)
            ),
        ),
        Topic(
            "read again",
            "Look",
            (Action("reread", ("ctrl+r", "f5"), "read the files again", needs.no_sheet),),
        ),
        Topic("check", "Look", (Action("log.check", (), "check the log", needs.check_log),)),
        Topic(
            "every action",
            "Always",
            (Action("palette", (":", "ctrl+p"), "every action", needs.palette),),
        ),
        Topic("help", "Always", (Action("help", ("?", "f1"), "help", needs.offers_help),)),
        Topic("suspend", "Always", (Action("suspend", ("ctrl+z",), "suspend", needs.not_small),)),
        Topic("quit", "Always", (Action("quit", ("q", "ctrl+q"), "quit", needs.always),)),
        Topic(
            "twice: quit",
            "Always",
            (Action("quit.twice", ("ctrl+c",), "quit, when pressed twice", needs.always),),
        ),
    )


_UNDER = {"c": ("copy",), "d": ("answer.later",), "g": ("move.first",)}
"""Keys that mean something else outside an opened card."""


def _option(letter: str) -> Action:
    under = _UNDER.get(letter, ())
    return Action(f"answer.{letter}", (letter,), f"option {letter}", needs.option(letter), under)


def _yes_hint(place: Place) -> str:
    if place.sheet == "confirm":
        return "do it"
    if place.final:
        return ""
    advised = f"{place.advised}, advised" if place.advised else "advised"
    return {"yes_no": "yes", "advised": advised}.get(place.asks, "")


def _final_hint(place: Place) -> str:
    what = {"yes_no": "yes", "advised": "advised"}.get(place.asks, "")
    return f"{place.armed or place.advised or what}, for good"


def _back_hint(place: Place) -> str:
    return place.back if place.back != "back" else ""
