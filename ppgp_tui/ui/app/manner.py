"""How the person wants the screen to behave, whatever it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ppgp_tui.ui.looks.ages import Clock

Motion = Literal["full", "reduced"]
"""Reduced: ages are painted once a minute, and a state word that changed does not stand out."""


@dataclass(slots=True)
class Manner:
    """What holds for every view and every session."""

    clock: Clock = "ages"
    motion: Motion = "full"
    quiet_until_ms: int = 0
    """Until then nobody is called; 0 or a time that is over: not now."""
    theme_before: str = ""
    """The theme in use, while another one is only looked at."""

    def quiet(self, now_ms: int) -> bool:
        """Whether nobody is to be called now."""
        return now_ms < self.quiet_until_ms
