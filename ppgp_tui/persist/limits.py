"""Rate limits: which runs met one, and how long to wait then (persist reference section 6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

LAST_LINES: Final = 20
"""Only the end of a run's output is looked at: a run may speak of limits before."""

PHRASES: Final = (
    "you've hit your weekly limit",
    "usage limit reached",
    "would exceed your account's rate limit",
    "out of credits",
)
"""How agents say that a limit was met; settings can name others."""

_CONTROL = re.compile(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-Z\\-_]")


def is_limited(exit_code: int | None, last_lines: Sequence[str], phrases: Iterable[str]) -> bool:
    """Whether a run that ended so met a limit: it failed, and its last lines say so.

    Case does not count, nor does the kind of apostrophe, nor colours and other control sequences.
    """
    if exit_code == 0:
        return False
    text = _plain("\n".join(last_lines[-LAST_LINES:]))
    return any(_plain(phrase) in text for phrase in phrases if phrase.strip())


def wait_s(consecutive: int, base_s: float, max_s: float, left_s: float) -> float:
    """Seconds to wait after the `consecutive`-th limited run in a row, counted from 1.

    The base, doubled with each one, at most `max_s`, and never longer than the clock has left.
    """
    doubled = base_s * 2.0 ** min(consecutive - 1, 62)
    return max(0.0, min(doubled, max_s, left_s))


def _plain(text: str) -> str:
    return _CONTROL.sub("", text).replace("\u2019", "'").casefold()
