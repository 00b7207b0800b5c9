"""Waiting for something to become true, never for a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

PATIENCE_S = 120.0
"""Longer than anything takes on a busy machine: only what never comes is waited for so long."""

Found = TypeVar("Found")


def until(look: Callable[[], Found], patience_s: float = PATIENCE_S) -> Found:
    """Return what `look` finds as soon as it finds something; fail when it never does.

    A file or process that is not there when it is looked at may come; that is no mistake.
    """
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        with suppress(OSError):
            if found := look():
                return found
        time.sleep(0.005)
    found = look()
    assert found, "it never came"
    return found
