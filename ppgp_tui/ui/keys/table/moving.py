"""How keys move the cursor."""

from __future__ import annotations

from ppgp_tui.ui.keys import refusals as needs
from ppgp_tui.ui.keys.action import Action, Topic

STEP = (
    Topic(
        "down, up",
        "Move",
        (
            Action("move.down", ("j", "down"), "one down", needs.move),
            Action("move.up", ("k", "up"), "one up", needs.move),
        ),
        "move",
    ),
)

PANES = (
    Topic(
        "pane",
        "Move",
        (
            Action("pane.next", ("tab",), "next pane", needs.panes),
            Action("pane.previous", ("shift+tab",), "previous pane", needs.panes),
        ),
    ),
)

ENDS = (
    Topic(
        "first, last",
        "Move",
        (
            Action("move.first", ("g",), "first", needs.first),
            Action("move.last", ("G",), "last", needs.move),
        ),
        "first, last",
    ),
)

PAGES = (
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
)
