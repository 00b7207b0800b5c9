"""Waiting for something to become true, never for a time."""

from __future__ import annotations

import time
from collections.abc import Callable

LONGEST_S = 20.0


def until(condition: Callable[[], object]) -> None:
    """Return as soon as `condition` holds; fail when it does not within a generous time."""
    end = time.monotonic() + LONGEST_S
    while not condition():
        assert time.monotonic() < end, "it never became true"
        time.sleep(0.002)
