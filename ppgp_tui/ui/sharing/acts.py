"""What the keys that give something away do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.acts.confirming import confirm
from ppgp_tui.ui.acts.forms import Confirmation

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat

_BUG = (
    "It holds versions, what the terminal says of itself, which settings are not as usual, what "
    "the doctor finds, crash logs, and sizes and counts of the session's files.",
    "No word of the session is in it. Secrets, people, machines and addresses are replaced.",
    "It is written to your state folder. Nothing is sent anywhere.",
)


def _copy_block(seat: Seat) -> None:
    from ppgp_tui.ui.sharing.blocks import block

    text = block(seat)
    seat.say(seat.outside.copy(text) if text else "there is nothing to copy")


def _screen(seat: Seat) -> None:
    seat.outside.do(deeds.Share("screen"))


def _report(seat: Seat) -> None:
    seat.outside.do(deeds.Share("report"))


def _bug(seat: Seat) -> None:
    confirm(seat, Confirmation("Write a bug report?", _BUG, deeds.Share("bug")))


ACTS: dict[str, Callable[[Seat], None]] = {
    "copy.block": _copy_block,
    "share.screen": _screen,
    "share.report": _report,
    "share.bug": _bug,
}
"""By action id."""
