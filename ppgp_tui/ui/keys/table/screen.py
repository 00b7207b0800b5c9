"""How keys after `,` change the screen itself."""

from __future__ import annotations

from ppgp_tui.ui.keys import refusals as needs
from ppgp_tui.ui.keys.action import Action, Topic


def _topic(name: str, action_id: str, key: str, label: str) -> Topic:
    return Topic(name, "Look", (Action(action_id, (f", {key}",), label, needs.no_sheet),))


SCREEN = (
    _topic("theme", "screen.theme", "t", "themes, shown as you move"),
    _topic("density", "screen.density", "d", "compact, normal or roomy"),
    _topic("clock", "screen.clock", "c", "how long ago, or times of day"),
    _topic("motion", "screen.motion", "m", "reduced motion, or full"),
    _topic("quiet", "screen.quiet", "q", "do not disturb until a time"),
)
