"""A thread that does one piece of work whenever it is woken, never twice at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

RETRY_S = 5.0


class Worker:
    """Runs `work` after every `wake`, and again after the seconds it returns (None: only then).

    An exception of `work` goes to `failed`, and the work is tried again a little later.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], float | None],
        failed: Callable[[str, Exception], None],
    ) -> None:
        self._name = name
        self._work = work
        self._failed = failed
        self._due = threading.Event()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin, with a first round of work."""
        self._due.set()
        self._thread.start()

    def wake(self) -> None:
        """There is something to do. Several calls before the work begins are one."""
        self._due.set()

    def stop(self) -> None:
        """End after the round that runs now; `stopping` tells it to be quick."""
        self._ended.set()
        self._due.set()

    def stopping(self) -> bool:
        """Whether the thread has been asked to end."""
        return self._ended.is_set()

    def join(self, timeout: float) -> None:
        """Wait until the thread has ended."""
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _run(self) -> None:
        pause: float | None = None
        while True:
            self._due.wait(pause)
            if self._ended.is_set():
                return
            self._due.clear()
            try:
                pause = self._work()
            except Exception as error:  # no reader may ever take the app down
                pause = RETRY_S
                self._failed(self._name, error)
