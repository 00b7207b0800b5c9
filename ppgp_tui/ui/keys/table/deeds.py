"""What has no key of its own: the palette offers it."""

from __future__ import annotations

from ppgp_tui.ui.keys import refusals as needs
from ppgp_tui.ui.keys.action import Action, Topic

DEEDS = (
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
)
