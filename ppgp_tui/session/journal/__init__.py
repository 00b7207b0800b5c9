"""The journal: the only writer of a root's log. Start at `Journal`."""

from ppgp_tui.session.journal.cuts import Cut
from ppgp_tui.session.journal.events import Event, MalformedEventError, event_of, line_of
from ppgp_tui.session.journal.journal import Decide, Journal, Then, now_ms
from ppgp_tui.session.journal.results import Appended, RefusalError, Refused
from ppgp_tui.session.journal.view import View

__all__ = [
    "Appended",
    "Cut",
    "Decide",
    "Event",
    "Journal",
    "MalformedEventError",
    "RefusalError",
    "Refused",
    "Then",
    "View",
    "event_of",
    "line_of",
    "now_ms",
]
