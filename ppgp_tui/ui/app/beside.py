"""The thread beside the screen: a person's deeds in their order, and what was lost is put back."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic

from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.acts.deeds import Deed, Doer, Flush, Mending
from ppgp_tui.ui.app.care import Care

LOOK_S = 1.0
"""How often it is looked whether something was lost."""
AGAIN_S, FLUSH_S, FAILED_S = 0.5, 3.0, 10.0
"""How soon the same is put right once more: as a rule, for a log that is held, after a failure."""
LAST_S = 12.0
"""How long leaving waits for deeds under way: longer than the engine waits for its lock."""


class Beside:
    """Does deeds one after the other and tells how each went."""

    def __init__(
        self,
        doer: Doer,
        snapshot: Callable[[], SessionSnapshot],
        told: Callable[[Deed, Result], None],
    ) -> None:
        """`told` is called from the thread; of what is put right only with news."""
        self.doer = doer
        self._snapshot = snapshot
        self._told = told
        self._care = Care()
        self._queue: SimpleQueue[Deed | None] = SimpleQueue()
        self._leaving = False
        self._untold: list[Result] = []
        self._not_before: dict[type, float] = {}
        self._failed: dict[type, str] = {}
        self._thread = Thread(target=self._work, name="beside", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def do(self, deed: Deed) -> None:
        """Have `deed` done after those before it."""
        self._queue.put(deed)

    def look(self) -> None:
        """Look soon whether something was lost."""
        self._queue.put(None)

    def finish(self) -> list[Result]:
        """Do what is still to be done, for a while at most; return how that went."""
        self._leaving = True
        self.look()
        if self._thread.is_alive():
            self._thread.join(LAST_S)
        return self._untold

    def _work(self) -> None:
        while True:
            try:
                deed = self._queue.get(timeout=LOOK_S)
            except Empty:
                deed = None
            if deed is not None:
                self._tell(deed, self._done(deed))
            elif self._leaving:
                return
            else:
                self._put_right()

    def _done(self, deed: Deed) -> Result:
        try:
            return self.doer(deed)
        except Exception as error:
            return Result("act", "refused", f"not done: {type(error).__name__}: {error}")

    def _tell(self, deed: Deed, result: Result) -> None:
        if self._leaving:
            self._untold.append(result)
        else:
            self._told(deed, result)

    def _put_right(self) -> None:
        for deed in self._care.due(self._snapshot()):
            if monotonic() >= self._not_before.get(type(deed), 0.0):
                self._mend(deed)

    def _mend(self, deed: Mending) -> None:
        """Put one thing right; the same failure is told once."""
        kind, result = type(deed), self._done(deed)
        again = FLUSH_S if kind is Flush else AGAIN_S
        self._not_before[kind] = monotonic() + (again if result.ok else FAILED_S)
        news = result.code == "done" if result.ok else self._failed.get(kind) != result.message
        if result.ok:
            self._failed.pop(kind, None)
        else:
            self._failed[kind] = result.message
        if news:
            self._tell(deed, result)
