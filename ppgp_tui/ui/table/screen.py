"""How keys after `,` change the screen itself."""

from __future__ import annotations

from ppgp_tui.ui import refusals as needs
from ppgp_tui.ui.keys import Action, Topic

SCREEN = (
    Topic(
        "density",
        "Look",
        (Action("screen.density", (", d",), "compact, normal or roomy", needs.no_sheet),),
    ),
)
