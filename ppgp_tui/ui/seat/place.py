"""Where the person is: all that decides what a key does."""

from __future__ import annotations

from typing import Literal

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.model import GoalStatus
from ppgp_tui.ui.seat.audit_stay import OnAudit
from ppgp_tui.ui.seat.plan_choice import OnPlan
from ppgp_tui.ui.seat.revision_choice import OnRevisions

Sheet = Literal[
    "", "help", "origin", "palette", "card", "form", "confirm", "themes", "quiet", "blame", "audit",
]  # fmt: skip
PICKED_FROM = ("palette", "confirm", "themes", "quiet", "blame", "audit")
"""Sheets with a cursor: Enter takes the row under it."""
Asks = Literal["", "yes_no", "advised", "open"]
"""What `y` does with the request of the place: nothing, yes, the advised option, open its card."""


class OnAgent(NamedTuple):
    """The agent under the cursor, and what can be done to it."""

    name: str = ""
    """Empty: there is none."""
    over: bool = False
    """It has ended, or nobody sees it any more."""
    held: Literal["", "alone", "all"] = ""
    """It is to wait before its next call, by itself or with every other."""
    frozen: bool = False
    launched: bool = False
    """Our launcher started it."""
    stopping: bool = False
    resting: bool = False
    """Its turn is over."""
    pane: bool = False
    no_hold: str = ""
    """Why it cannot be held; empty where it can be, or nobody knows."""
    no_stop: str = ""
    no_note: str = ""


class OnLoop(NamedTuple):
    """The restart loop under the cursor, and what can be done to it."""

    here: bool = False
    """The view that lists loops is on screen."""
    name: str = ""
    """Empty: there is none."""
    open: bool = False
    orphan: bool = False
    """It is open, and the process that ran it is gone."""
    paused: bool = False
    """A person's order to rest stands."""
    listens: bool = False
    """Its runner is ours, and obeys such an order."""


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
    ribbon: bool = False
    """The screen shows one narrow list, and there are no views."""
    moves: bool = True
    """There are rows to move over or lines to scroll."""
    panes: int = 1
    """Panes the focus can be in."""
    row: bool = True
    """A row is under the cursor."""
    origin: bool = True
    """It is known where that row comes from, or something is wrong with a file."""
    file: bool = True
    """It was read from a file, or names one."""
    opens: str = ""
    """What Enter does; empty: there is nothing to open."""
    thing: bool = False
    """The row under the cursor stands for something in the log, or a commit."""
    lists: Literal["", "story", "raw"] = ""
    """How events are listed; empty in the other views."""
    family: bool = False
    """What belongs to the row under the cursor can be shown or hidden."""
    back: str = ""
    """What Esc does; empty: there is nothing to go back from."""
    finds: Literal["", "match", "finding"] = ""
    """What `n` goes to: a match of what is looked for, else a row marked as a finding."""
    acts: bool = True
    """There is somebody to do what a person wants done."""
    asks: Asks = ""
    """A request that waits is under the cursor, or its card is open."""
    closed: str = ""
    """Why the request there cannot be answered; empty where it can be, or there is none."""
    advised: str = ""
    """The advised option of that request in a few words."""
    options: str = ""
    """The letters of the options it offers."""
    words: bool = False
    """One's own words are an answer to it."""
    final: bool = False
    """What it allows cannot be undone."""
    armed: str = ""
    """In a few words the option that was chosen and waits to be confirmed."""
    settling: bool = False
    """It changed under the eyes of the person just now: they are to read it first."""
    answered: bool = False
    """It has an answer that may still be taken back."""
    held: bool = False
    """A pause stands."""
    goal: GoalStatus | Literal["unread"] = "unread"
    """How the recorded goal stands; `unread` until the log was read."""
    edited: bool = True
    """The plan's file holds an edit that nobody recorded."""
    cut: bool = True
    """Something took recorded events out of the log, as far as anyone knows."""
    begun: bool = False
    """There is a session here."""
    unchecked: bool = True
    """The log is too long to be checked before somebody asks for it."""
    agent: OnAgent = OnAgent()
    loop: OnLoop = OnLoop()
    every: bool = False
    """The list of all sessions is on screen."""
    session: bool = False
    """A session of that list is under the cursor."""
    others: bool = True
    """There is such a list."""
    home: str = ""
    """Where it goes from there: the name of the open session, or `all sessions`."""
    plan: OnPlan = OnPlan()
    revisions: OnRevisions = OnRevisions()
    audit: OnAudit = OnAudit()
    past: Literal["", "moment", "replay"] = ""
    """What is shown is a moment of the past; of a recording there is no now."""
    travels: bool = False
    """There are events to travel to."""
    pointed: bool = False
    """The log says when the thing under the cursor came about."""
    playing: bool = False
    """One moment follows the other by itself."""
