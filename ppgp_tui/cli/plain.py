"""`ppgp-tui --plain`: the session as text that only ever goes on, for listening and for pipes.

The whole picture first, then what changes, a block of lines at most once a second. On a terminal a
typed line is an order; into a pipe, or from one, it is only told.
"""

from __future__ import annotations

import os
import selectors
import signal
import sys
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING

from ppgp_tui.cli.out import write
from ppgp_tui.session.text import one_line, sentence

if TYPE_CHECKING:
    from types import FrameType

    from ppgp_tui.session.engine.result import Result
    from ppgp_tui.session.live.store import LiveSession
    from ppgp_tui.session.model import SessionSnapshot
    from ppgp_tui.ui.acts.deeds import Deed
    from ppgp_tui.ui.app.beside import Beside

BLOCK_S = 1.0
"""Changes are told at most this often, then all at once and as they are by then."""
PATIENCE_S = 2.0
"""When reading takes longer, that is told: silence says nothing."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def plain(root: Path, *, once: bool) -> int:
    """Tell the session at `root`; return the exit code.

    0 told once, left, or nobody listens any more; 128 and the number of a signal that ended it.

    Raises:
        RootError: The root may not be looked into.
    """
    from ppgp_tui.session.files.root import must_list
    from ppgp_tui.session.live.store import LiveSession

    must_list(str(root))
    session = LiveSession(root)
    waiting = Timer(PATIENCE_S, lambda: write("Reading the files.\n"))
    waiting.daemon = True
    waiting.start()
    try:
        session.read_all()
        waiting.cancel()
        return _Telling(session, root).run(once=once)
    finally:
        waiting.cancel()
        session.close()


class _UnheardError(Exception):
    """A signal ends the telling while what is told waits for a reader."""


class _Telling:
    """Tells one session and hears one person."""

    def __init__(self, session: LiveSession, root: Path) -> None:
        from ppgp_tui.ui.plain.talk import Talk

        self._session = session
        self._talk = Talk()
        self._told = session.snapshot
        self._told_at = 0.0
        self._is_newer = False
        self._results: deque[Result] = deque()
        self._leaving: int | None = None
        self._is_saying = False
        self._waker, self._alarm = os.pipe()
        os.set_blocking(self._alarm, False)
        self._hears = sys.stdin.isatty() and sys.stdout.isatty()
        self._beside = self._made_beside(root) if self._hears else None
        self._typed = b""

    def _made_beside(self, root: Path) -> Beside:
        from ppgp_tui.cli.crew import CREW
        from ppgp_tui.ui.app.beside import Beside
        from ppgp_tui.ui.app.doing import doer

        return Beside(doer(root, CREW), lambda: self._session.snapshot, self._done)

    def run(self, *, once: bool) -> int:
        """Tell everything, then what changes, until the end; return the exit code."""
        from ppgp_tui.ui.plain.picture import sentences

        before = {number: signal.signal(number, self._end) for number in ENDING}
        try:
            self._told = self._now()
            self._say(sentences(self._told, self._talk.number))
            self._talk.told(self._told, self._clock())
            if once or self._leaving is not None:
                return self._leaving or 0
            return self._follow()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _follow(self) -> int:
        if self._hears:
            self._say(["Type help and Enter for what can be typed; quit ends."])
        if self._beside is not None:
            self._beside.start()
        self._session.follow(self._newer)
        with selectors.DefaultSelector() as selector:
            selector.register(self._waker, selectors.EVENT_READ)
            if self._hears:
                selector.register(sys.stdin.fileno(), selectors.EVENT_READ)
            while self._leaving is None:
                ready = [key.fd for key, _ in selector.select(self._wait())]
                if self._waker in ready:
                    os.read(self._waker, 4096)
                if sys.stdin.fileno() in ready and self._hears:
                    self._hear()
                self._tell()
        for result in self._beside.finish() if self._beside else ():
            self._say([_outcome(result)])
        return self._leaving

    # --- from threads and signals -----------------------------------------------------------------

    def _newer(self, _: SessionSnapshot) -> None:
        self._is_newer = True
        self._wake()

    def _done(self, _: Deed, result: Result) -> None:
        self._results.append(result)
        self._wake()

    def _end(self, number: int, _: FrameType | None) -> None:
        self._leaving = 128 + number
        if self._is_saying:
            raise _UnheardError
        self._wake()

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # then it is full of what wakes already
            os.write(self._alarm, b"\0")

    # --- telling ----------------------------------------------------------------------------------

    def _wait(self) -> float | None:
        """How long nothing needs to be told."""
        return max(0.0, self._told_at + BLOCK_S - monotonic()) if self._is_newer else None

    def _tell(self) -> None:
        """Tell how deeds went at once, and what changed when its time has come."""
        while self._results:
            self._say([_outcome(self._results.popleft())])
        if self._is_newer and self._wait() == 0:
            from ppgp_tui.ui.plain.changes import changes

            self._is_newer = False
            now = self._now()
            lines = list(changes(self._told, now, self._talk.number))
            self._told, self._told_at = now, monotonic()
            self._say(lines)
            self._talk.told(now, self._clock())

    def _say(self, lines: Iterable[str]) -> None:
        """Print `lines` together; where nobody listens any more, leave."""
        text = "".join(f"{line}\n" for line in lines)
        self._is_saying = True
        try:
            is_heard = not text or write(text)
        except _UnheardError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return
        finally:
            self._is_saying = False
        if not is_heard:
            self._leaving = 0

    def _now(self) -> SessionSnapshot:
        """The newest picture, with ages as they are now."""
        return replace(self._session.snapshot, at_ms=self._clock())

    @staticmethod
    def _clock() -> int:
        from ppgp_tui.session.live.store import now_ms

        return now_ms()

    # --- hearing ----------------------------------------------------------------------------------

    def _hear(self) -> None:
        """Take what was typed; the end of input ends the talk."""
        try:
            piece = os.read(sys.stdin.fileno(), 4096)
        except OSError:
            piece = b""
        if not piece:
            self._leaving = 0
            return
        *lines, self._typed = (self._typed + piece).split(b"\n")
        for line in lines:
            self._obey(line.decode("utf-8", "replace"))

    def _obey(self, line: str) -> None:
        reply = self._talk.hear(line, self._now(), self._clock())
        self._say(reply.lines)
        if reply.deed is not None and self._beside is not None:
            self._beside.do(reply.deed)
        if reply.leaves:
            self._leaving = 0


def _outcome(result: Result) -> str:
    """How a deed went, as a sentence."""
    text = one_line("; ".join((result.message, *result.warnings)))
    return sentence(text[:1].upper() + text[1:])
