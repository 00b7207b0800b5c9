"""The themes that can be drawn with here, and the one in use."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.looks.theme import DEFAULT, SIXTEEN, Theme, find_theme, shipped_folder, theme_names

if TYPE_CHECKING:
    from ppgp_tui.ui.terminal.ability import Ability


class Wardrobe:
    """Shipped themes and a user's own, as this terminal can show them."""

    def __init__(self, config: Path | None, ability: Ability) -> None:
        """`config` is the user's folder, whose `themes/` come before those shipped."""
        self._folders = [shipped_folder()]
        if config is not None and (config / "themes").is_dir():
            self._folders.insert(0, config / "themes")
        self.ability = ability
        self.in_use = ""

    def names(self) -> Sequence[str]:
        """The theme in use, then the others."""
        others = theme_names(*self._folders)
        return (self.in_use, *(name for name in others if name != self.in_use))

    def take(self, name: str) -> tuple[Theme, Look]:
        """Use the theme called `name`; return it and what rows are drawn with.

        Raises `SettingsError` when there is none or its file is wrong; then nothing changes.
        """
        chosen, able = find_theme(name, *self._folders), self.ability
        shown = chosen if able.colour else chosen.without_colour()
        self.in_use = chosen.name
        return shown, shown.look(ascii=able.ascii_signs, ascii_words=able.ascii_words)


def fitting(colours: str | None) -> str:
    """The default theme, or the sixteen colours for a terminal that has no more (`colours`)."""
    terminal = sys.__stdout__ is not None and sys.__stdout__.isatty()
    return SIXTEEN if terminal and colours in (None, "standard") else DEFAULT
