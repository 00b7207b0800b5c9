"""Waiting in an app that works: for what it shows or does, never for a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import cast

import pytest
from textual.pilot import Pilot

from ppgp_tui.ui.app.app import PpgpApp
from tests.waiting import PATIENCE_S


async def until(pilot: Pilot[int], holds: Callable[[], object]) -> None:
    """Let the app work until something holds; fail instead of waiting for ever."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            pytest.fail(f"never came:\n{shown(cast(PpgpApp, pilot.app))}")
        await pilot.pause(0.01)


def shown(app: PpgpApp) -> str:
    """The screen as lines."""
    return "\n".join(line.text for line in app.canvas.lines)
