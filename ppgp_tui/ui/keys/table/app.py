"""The views and the app itself."""

from __future__ import annotations

from collections.abc import Sequence

from ppgp_tui.ui.keys import refusals as needs
from ppgp_tui.ui.keys.action import Action, Topic


def views_topic(views: Sequence[str]) -> Topic:
    """The numbered views."""
    return Topic(
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
    )


ALWAYS = (
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
