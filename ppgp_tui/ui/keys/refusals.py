"""Why an action cannot act in a place, for every action; empty when it can."""

from __future__ import annotations

from collections.abc import Callable

from ppgp_tui.ui.seat.place import Place

Refusal = Callable[[Place], str]

TOO_SMALL = "the screen is too small: make it 40 columns by 12 lines, or larger"
ONLY_LOOKS = "this screen only looks: nothing can be done from it"


# --- anywhere -----------------------------------------------------------------------------------


def always(_: Place) -> str:
    """Nothing keeps it from acting."""
    return ""


def not_small(place: Place) -> str:
    """Needs a screen on which something can be laid out."""
    return TOO_SMALL if place.small else ""


def no_sheet(place: Place) -> str:
    """Needs a view that nothing covers."""
    return not_small(place) or ("Esc closes this first" if place.sheet else "")


def all_sessions(place: Place) -> str:
    """Needs a list of sessions, or from there an open one to go back to."""
    if why := no_sheet(place):
        return why
    if place.every:
        return "" if place.home else "no session is open yet: Enter opens the one under the cursor"
    return "" if place.others else "this screen shows one session only"


def in_session(place: Place) -> str:
    """Needs one session on the screen, not the list of all."""
    if why := no_sheet(place):
        return why
    return "this acts in one session: Enter opens the one under the cursor" if place.every else ""


def offers_help(place: Place) -> str:
    """Help would take the line away that is being typed."""
    typing = place.typing and place.sheet in ("card", "form")
    return "Enter or Esc ends the typing first" if typing else ""


# --- answering ----------------------------------------------------------------------------------


def _on_request(place: Place) -> str:
    if place.sheet not in ("", "card"):
        return "Esc closes this first"
    if place.small:
        return TOO_SMALL
    if place.asks:
        return "" if place.acts else ONLY_LOOKS
    return place.closed or "no request that waits is under the cursor: the inbox lists them"


def yes(place: Place) -> str:
    """Needs a request that waits, or an effect to confirm."""
    return not_small(place) if place.sheet == "confirm" else _on_request(place)


def no(place: Place) -> str:
    """Needs a question of yes or no, or an effect to confirm."""
    if place.sheet == "confirm":
        return not_small(place)
    if place.finds == "match" and not place.sheet:
        return "n goes to the next match while something is looked for"
    return _on_request(place) or (
        "" if place.asks == "yes_no" else "this asks for one of its options: Enter shows them"
    )


def final(place: Place) -> str:
    """Needs a request that allows something for good."""
    if why := _on_request(place):
        return why
    if not place.final:
        return "y is enough: this can be undone"
    chosen = place.asks != "open" or place.armed
    return "" if chosen else "none of the options is advised: choose one by its letter first"


def option(letter: str) -> Refusal:
    """Needs the opened card of a request that offers `letter`."""

    def refuses(place: Place) -> str:
        if place.sheet != "card":
            opens = "Enter opens it" if place.asks else "none is under the cursor"
            return f"options are chosen in the opened request: {opens}"
        return _on_request(place) or (
            "" if letter in place.options else f"there is no option {letter}"
        )

    return refuses


def _in_card(place: Place) -> str:
    return _on_request(place) or ("" if place.sheet == "card" else "Enter opens the request first")


def note(place: Place) -> str:
    """Needs the opened card of a request that waits; on an agent the key means its own note."""
    if place.agent.name and not (place.sheet or place.asks or place.closed):
        return tell_agent(place) or "this note goes to the agent"
    return _in_card(place)


def words(place: Place) -> str:
    """Needs the opened card of a request to which one's own words are an answer."""
    return _in_card(place) or ("" if place.words else "only its answers count here; m adds a note")


def later(place: Place) -> str:
    """Needs a request that waits under the cursor."""
    return no_sheet(place) or _on_request(place)


def take_back(place: Place) -> str:
    """Needs an answer that nobody has received yet."""
    if place.sheet not in ("", "card"):
        return "Esc closes this first"
    why = "no answer that can still be taken back is under the cursor"
    return not_small(place) or ("" if place.answered else why)


# --- agents, goal, plan, log --------------------------------------------------------------------


def acting(place: Place) -> str:
    """Needs somebody who does it."""
    return in_session(place) or ("" if place.acts else ONLY_LOOKS)


def on_agent(place: Place, what: str = "agent") -> str:
    """Needs an agent under the cursor that is there; `what` the key acts on else too."""
    if why := acting(place):
        return why
    if not place.agent.name:
        return _nothing(place, what)
    return f"{place.agent.name} is not there any more" if place.agent.over else ""


def _nothing(place: Place, what: str) -> str:
    """None is under the cursor; where they are is said to whoever is elsewhere."""
    there = "" if place.loop.here else ": the view agents lists them"
    return f"no {what} is under the cursor{there}"


def on_loop(place: Place) -> str:
    """Needs a restart loop under the cursor that is not closed."""
    if why := acting(place):
        return why
    if not place.loop.name:
        return _nothing(place, "loop")
    return "" if place.loop.open else f"the loop {place.loop.name} is closed"


def pause_loop(place: Place) -> str:
    """Needs a loop whose runner is there and obeys."""
    if why := on_loop(place):
        return why
    if not place.loop.listens:
        return "another program runs this loop, and does not listen: end it there"
    gone = "its runner is gone, so there is nothing to hold: close the loop"
    return gone if place.loop.orphan else ""


def hold_one(place: Place) -> str:
    """Needs an agent that can wait, and is not held with all the others."""
    if place.loop.name:
        return pause_loop(place) or "this holds the loop here, not an agent"
    if why := on_agent(place, "agent or loop"):
        return why
    if place.agent.held == "all":
        return "every agent is held, not this one alone"
    return f"{place.agent.name}: {place.agent.no_hold}" if place.agent.no_hold else ""


def stop_turn(place: Place) -> str:
    """Needs an agent whose turn goes on."""
    if why := on_agent(place):
        return why
    agent = place.agent
    if agent.no_stop:
        return f"{agent.name}: {agent.no_stop}"
    if agent.resting:
        return f"the turn of {agent.name} is over already"
    return f"{agent.name} was asked to end its turn already" if agent.stopping else ""


def processes(place: Place) -> str:
    """Needs an agent that our launcher started."""
    started = f"start {place.agent.name} with ppgp-tui run to be able to freeze or end it here"
    return on_agent(place) or ("" if place.agent.launched else started)


def tell_agent(place: Place) -> str:
    """Needs an agent that takes notes; on a request the key means its own note."""
    if place.sheet == "card" or place.asks or place.closed:
        return _in_card(place) or "a note goes with the answer here"
    if why := on_agent(place):
        return why
    return f"{place.agent.name}: {place.agent.no_note}" if place.agent.no_note else ""


def pane(place: Place) -> str:
    """Needs an agent that said in which pane it runs."""
    if why := acting(place):
        return why
    if not place.agent.name:
        return _nothing(place, "agent")
    return "" if place.agent.pane else f"{place.agent.name} did not say in which pane it runs"


def new_goal(place: Place) -> str:
    """There is one goal at a time."""
    stands = place.goal in ("active", "paused", "blocked")
    return acting(place) or ("there is a goal: change it, or give it up" if stands else "")


def on_goal(place: Place) -> str:
    """Needs a goal that is not over."""
    over = {
        "none": "there is no recorded goal: new goal makes one",
        "complete": "the goal is complete",
    }
    return acting(place) or over.get(place.goal, "")


def block(place: Place) -> str:
    """Needs a goal that goes on."""
    stands = place.goal in ("paused", "blocked")
    return on_goal(place) or (f"the goal is {place.goal} already" if stands else "")


def unblock(place: Place) -> str:
    """Needs a goal that does not go on."""
    return on_goal(place) or ("the goal goes on already" if place.goal == "active" else "")


def edited(place: Place) -> str:
    """Needs an edit of the plan's file."""
    why = "the plan's file holds no edit that could be taken over or dropped"
    return acting(place) or ("" if place.edited else why)


def restore(place: Place) -> str:
    """Needs events that are gone."""
    return acting(place) or ("" if place.cut else "nothing was cut out of the log")


def begin(place: Place) -> str:
    """There is one session in a repository."""
    why = "a session is here already: nothing has to be made"
    return acting(place) or (why if place.begun else "")


def check_log(place: Place) -> str:
    """Needs a log that was left unchecked."""
    return in_session(place) or ("" if place.unchecked else "nothing of the log is left unchecked")


# --- moving and looking -------------------------------------------------------------------------


def other_view(index: int, name: str) -> Refusal:
    """Needs to be elsewhere."""

    def refuses(place: Place) -> str:
        if place.every and not place.session and not place.sheet:
            return "no session is under the cursor: its row opens it in this view"
        why = f"this is the view {name} already"
        return no_sheet(place) or (why if place.view == index else "")

    return refuses


def palette(place: Place) -> str:
    """Covers a view, or takes the place of help."""
    return "" if place.sheet == "help" and not place.small else no_sheet(place)


def move(place: Place) -> str:
    """Needs rows or lines."""
    if place.small and not place.sheet:
        return TOO_SMALL
    return "" if place.moves else "nothing to move over: all there is stands on the screen"


def first(place: Place) -> str:
    """In a card letters choose options, and nothing else."""
    return "Home goes to the top here" if place.sheet == "card" else move(place)


def panes(place: Place) -> str:
    """Needs more than one pane."""
    why = "there is one pane here: j and k move in it"
    return no_sheet(place) or ("" if place.panes > 1 else why)


def opening(place: Place) -> str:
    """Needs a row, or something to send."""
    if place.small:
        return TOO_SMALL
    if place.opens or (place.row and not place.sheet):
        return ""
    if place.sheet == "card" and (place.asks or place.options):
        return "a key answers here: y takes what is advised, a letter its option; Esc closes"
    return _NOTHING_IN.get(place.sheet, "nothing to open: no row is under the cursor")


_CLOSES = "there is nothing to open here: Esc closes this"
_NOTHING_IN = {
    "palette": "nothing fits these letters: take one away, or Esc closes",
    "quiet": "this is no time: type one such as 18:00, or how long: 45m, 1h30m",
    "help": _CLOSES,
    "origin": _CLOSES,
    "card": _CLOSES,
    "blame": _CLOSES,
}
"""Why Enter does nothing in a sheet."""


def lineage(place: Place) -> str:
    """Needs a row that stands for something in the log."""
    why = "nothing in the log stands behind this row"
    return in_session(place) or ("" if place.thing else why)


def story(place: Place) -> str:
    """Events are listed in one view only."""
    return no_sheet(place) or ("" if place.lists else "events are listed in the view events")


def family(place: Place) -> str:
    """Needs a row that others belong to."""
    why = "no rows belong to this one that could be shown or hidden"
    return no_sheet(place) or ("" if place.family else why)


def back(place: Place) -> str:
    """Needs somewhere to go back to."""
    return "" if place.back else "nothing to go back from: this is where you began"


def find(place: Place) -> str:
    """Finds in a view and in help."""
    if place.sheet == "help" and not place.small:
        return ""
    return no_sheet(place)


def next_match(place: Place) -> str:
    """Needs something that is looked for; on a request `n` says why it is no no."""
    why = place.closed or "nothing is looked for: / finds"
    return no_sheet(place) or ("" if place.finds else why)


def origin(place: Place) -> str:
    """Needs something that was read from a file."""
    if place.sheet == "origin":
        return ""
    return no_sheet(place) or ("" if place.origin else "nothing here was read from a file")


def editor(place: Place) -> str:
    """Needs a row that was read from a file, or names one."""
    if place.sheet != "origin" and (why := no_sheet(place)):
        return why
    return "" if place.file else "nobody knows a file for this row"


def copy(place: Place) -> str:
    """Needs a row."""
    return no_sheet(place) or ("" if place.row else "nothing to copy: no row is under the cursor")
