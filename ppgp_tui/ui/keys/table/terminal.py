"""What leads out of the app: the person's editor."""

from __future__ import annotations

from ppgp_tui.ui.keys import refusals as needs
from ppgp_tui.ui.keys.action import Action, Topic

EDITOR = (
    Topic(
        "in your editor",
        "Look",
        (Action("editor", ("e",), "open its file in your editor", needs.editor),),
    ),
)
