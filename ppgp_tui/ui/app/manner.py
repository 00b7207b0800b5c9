"""How the person wants the screen to behave, whatever it shows."""

from __future__ import annotations

from typing import Literal

from ppgp_tui.ui.looks.ages import Clock

Motion = Literal["full", "reduced"]
"""Reduced: ages are painted once a minute, and a state word that changed does not stand out."""


class Manner:
    """What holds for every view and every session."""

    def __init__(self) -> None:
        self.clock: Clock = "ages"
        self.motion: Motion = "full"
        self.quiet_until_ms = 0
        """Until then nobody is called; 0 or a time that is over: not now."""
        self.theme_before = ""
        """The theme in use, while another one is only looked at."""

    def quiet(self, now_ms: int) -> bool:
        """Whether nobody is to be called now."""
        return now_ms < self.quiet_until_ms
