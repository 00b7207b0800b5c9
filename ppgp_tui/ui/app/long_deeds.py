"""Deeds that take minutes, each in a thread that lives as long as the deed.

The programs of an audit die with the thread that started them, so that one never ends before its
audit has; and whoever leaves the app waits here until nothing of it is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import monotonic

from ppgp_tui.session.engine.result import Result
from ppgp_tui.ui.acts.deeds import Deed, Doer, StartAudit
from ppgp_tui.ui.seat.seat import Seat

Told = Callable[[Seat, Deed, Result], None]
LEAVING_S = 30.0
"""How long leaving waits for an audit that was cancelled: longer than it takes to clean up."""
_AGAIN_S = 0.1


@dataclass(slots=True)
class _Under:
    root: Path
    thread: Thread


class LongDeeds:
    """The deeds under way that take long."""

    def __init__(self, told: Told) -> None:
        """`told` is called from the thread of a deed once it is over."""
        self._told = told
        self._under: list[_Under] = []
        self._leaving = False
        self._untold: list[Result] = []

    def begin(self, seat: Seat, doer: Doer, deed: Deed) -> None:
        """Have `deed` done for the session at `seat`."""
        root = seat.snapshot.root

        def work() -> None:
            try:
                result = doer(deed)
            except Exception as error:
                said = f"not done: {type(error).__name__}: {error}"
                result = Result("audit", "refused", said)
            if self._leaving:
                self._untold.append(result)
            else:
                self._told(seat, deed, result)

        thread = Thread(target=work, name=type(deed).__name__, daemon=True)
        self._under = [one for one in self._under if one.thread.is_alive()]
        if isinstance(deed, StartAudit):
            self._under.append(_Under(root, thread))
        thread.start()

    def under_way(self) -> tuple[str, ...]:
        """Names of the roots that are audited from here."""
        return tuple(one.root.name for one in self._under if one.thread.is_alive())

    def finish(self) -> list[Result]:
        """Cancel every audit and wait until nothing of it is left; return how that went."""
        from ppgp_tui.audit.underway import cancel

        self._leaving = True
        until = monotonic() + LEAVING_S
        while (alive := [one for one in self._under if one.thread.is_alive()]) and (
            monotonic() < until
        ):
            for one in alive:
                # Asked again and again: one that is just beginning forgets what was asked before.
                try:
                    cancel(one.root)
                except OSError as error:
                    self._untold.append(Result("audit", "disk", f"not cancelled: {error}"))
                    return self._untold
            alive[0].thread.join(_AGAIN_S)
        return self._untold
