"""Whether a person holds the repository's agents just now, asked several times a second."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from ppgp_tui.session.files.reading import CannotReadError, Stamp, read_inside, stamp
from ppgp_tui.session.picture.handshake import EVERYBODY
from ppgp_tui.session.sources.control import CONTROL_FILE, parse_control
from ppgp_tui.session.sources.document import DamagedError
from ppgp_tui.session.text import one_line

_LARGEST: Final = 256 * 1024


def held_in(
    root: Path, sessions: Callable[[], Collection[str]] = tuple
) -> Callable[[], str | None]:
    """A question to the order in `.ppgp/run`: why agents are held, or None.

    The file is read only when it was replaced since the last time. A pause of named sessions holds
    a loop only where it names one of its `sessions`. An order that cannot be read holds nobody, as
    it does for the agents' hooks.
    """
    path = root / CONTROL_FILE
    seen: Stamp | None = None
    why: str | None = None

    def held() -> str | None:
        nonlocal seen, why
        now = stamp(path)
        if now != seen:
            seen, why = now, _why(root, sessions) if now is not None else None
        return why

    return held


def _why(root: Path, sessions: Callable[[], Collection[str]]) -> str | None:
    try:
        found = read_inside(root, CONTROL_FILE, _LARGEST)
        control = parse_control(found.data if found is not None else None)
    except (CannotReadError, DamagedError):
        return None
    if control.hold_id is None:
        return None
    who = control.hold_who or (EVERYBODY,)
    if EVERYBODY not in who and not set(who) & set(sessions()):
        return None
    reason = one_line(control.hold_reason)
    return "a person holds the agents here" + (f": {reason}" if reason else "")
