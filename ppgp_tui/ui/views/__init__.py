"""The six views: functions from the snapshot to rows. No Textual, no files, no state."""

from __future__ import annotations

from ppgp_tui.ui.layout import View
from ppgp_tui.ui.views.agents import AgentsView
from ppgp_tui.ui.views.events import EventsView
from ppgp_tui.ui.views.goal import GoalView
from ppgp_tui.ui.views.inbox import InboxView
from ppgp_tui.ui.views.plan import PlanView
from ppgp_tui.ui.views.session import SessionView

VIEWS: tuple[View, ...] = (
    SessionView(),
    PlanView(),
    InboxView(),
    EventsView(),
    GoalView(),
    AgentsView(),
)
"""In the order of the keys 1 to 6."""
