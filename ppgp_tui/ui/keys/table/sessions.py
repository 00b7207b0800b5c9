"""Going from session to session."""

from __future__ import annotations

from ppgp_tui.ui.keys import refusals as needs
from ppgp_tui.ui.keys.action import Action, Topic

SESSIONS = (
    Topic(
        "all sessions",
        "Look",
        (Action("sessions", ("w",), "all sessions, or back", needs.all_sessions),),
        lambda place: "" if place.sheet or not place.every else "back to it",
    ),
)
