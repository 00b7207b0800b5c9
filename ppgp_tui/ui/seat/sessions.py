"""The seats of one app: that of the open session, and that of all sessions.

One session is open at a time and stays live while the list is looked at. Another one is opened
beside the screen; the one that is left is closed there too, and its seat is kept, so that coming
back finds cursor and last picture where they were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import NamedTuple, Protocol

from textual.message import Message

from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.model import SessionSnapshot, Watching
from ppgp_tui.session.sessions.join import of_all, parted_id
from ppgp_tui.session.sessions.lookout import Lookout
from ppgp_tui.session.sessions.row import SessionRow
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.acts.deeds import Deed, Doer
from ppgp_tui.ui.app.beside import Beside
from ppgp_tui.ui.app.live import LiveSource
from ppgp_tui.ui.app.messages import Opened, Said
from ppgp_tui.ui.rows.layout import View
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views.sessions.sessions import SessionsView

KEPT = 4
"""Seats of sessions that were left."""
EVERY: tuple[View, ...] = (SessionsView(),)
LIST_NAME = "all sessions"


class Others(NamedTuple):
    """How the other sessions are found, opened and acted in."""

    lookout: Callable[[], Lookout]
    open: Callable[[Path], ClosableSource]
    """Opens the session of a root and reads what is quick; may block."""
    doer: Callable[[Path], Doer]


class ClosableSource(LiveSource, Protocol):
    """A session that was opened here and is to be closed."""

    def close(self) -> None:
        """End its threads; may wait for them a moment."""
        ...


@dataclass(slots=True)
class Sitting:
    """A seat, where its pictures come from, and who does its deeds."""

    seat: Seat
    source: LiveSource
    beside: Beside | None
    root: Path | None = None
    """None for the seat of all sessions."""


class Host(Protocol):
    """The app, as far as its seats need it."""

    seat: Seat
    session: LiveSource
    beside: Beside | None

    def sit(self, there: Sitting) -> None:
        """Show another seat from now on."""
        ...

    def tell(self, message: Message) -> None:
        """Post a message, from any thread."""
        ...

    def newer(self) -> None:
        """Say that there is a newer picture, from any thread."""
        ...

    def done(self, seat: Seat, deed: Deed, result: Result) -> None:
        """Say how a deed went that was wanted at `seat`, from any thread."""
        ...


class AllSource:
    """All sessions as one source of pictures."""

    def __init__(self, lookout: Lookout, clock: Callable[[], int]) -> None:
        self.lookout = lookout
        self._clock = clock
        self._made: tuple[object, SessionSnapshot] | None = None
        self._started = False

    @property
    def snapshot(self) -> SessionSnapshot:
        """The newest picture; the same one while no row differs."""
        mark = (self.lookout.version, self.lookout.reading, self.lookout.early)
        if self._made is None or self._made[0] != mark:
            before = self._made[1] if self._made else None
            rows, problems = self.lookout.rows(), self.lookout.problems
            made = of_all(
                rows, before, self._clock(), reading=mark[1], early=mark[2], problems=problems
            )
            self._made = (mark, made)
        return self._made[1]

    def row(self, key: str) -> SessionRow | None:
        """The row of the root with that key."""
        every = self.snapshot.sessions
        return every.with_key(key) if every is not None else None

    def document(self) -> bytes:
        """There is no document of all of them."""
        return b""

    def follow(self, on_change: Callable[[SessionSnapshot], None]) -> None:
        """Begin to look."""
        self.lookout.start(lambda: on_change(self.snapshot))

    def read_all(self) -> SessionSnapshot:
        """Look at every root anew, whether its files differ or not."""
        self.lookout.wake(whole=True)
        return self.snapshot

    def check_log(self) -> None:
        """Nothing: each log is checked in its own session."""

    def want_graph(self) -> None:
        """Nothing: there is no graph of all of them."""

    def close(self) -> None:
        """End the looking."""
        self.lookout.stop()

    def do(self, deed: Deed, doer: Callable[[Path], Doer]) -> Result:
        """Do a deed about a request in the session that it is of."""
        if not isinstance(deed, deeds.Answer | deeds.TakeBack):
            return Result("act", "refused", "open the session first: Enter does")
        key, request = parted_id(deed.request)
        row = self.row(key)
        if row is None:
            return Result("act", "refused", "its session is not in the list any more")
        result = doer(Path(row.root))(deed._replace(request=request))
        self.lookout.wake(row.root, whole=True)
        return replace(result, message=f"{row.name}: {result.message}")


class KeptSource:
    """The last picture of a session that is being opened again."""

    def __init__(self, snapshot: SessionSnapshot, document: bytes, now_ms: int) -> None:
        waits = Watching("stale", since_ms=now_ms, why="it is being opened again")
        self.snapshot = replace(snapshot, watching=waits)
        self._document = document

    def document(self) -> bytes:
        """As it was."""
        return self._document

    def follow(self, _: Callable[[SessionSnapshot], None]) -> None:
        """Nothing newer comes from here."""

    def read_all(self) -> SessionSnapshot:
        """Nothing is read."""
        return self.snapshot

    def check_log(self) -> None:
        """Nothing is read."""

    def want_graph(self) -> None:
        """Nothing is read."""


class Sessions:
    """Goes from seat to seat."""

    def __init__(self, host: Host, others: Others, views: Sequence[View]) -> None:
        """The app sits before one session, or before all of them, and `views` are those of one."""
        self._host = host
        self._others = others
        self._views = tuple(views)
        self._list: Sitting | None = None
        self._home: Sitting | None = None
        self._left: dict[Path, Seat] = {}
        self._leaving: list[Thread] = []
        self._wanted: tuple[Path, str] | None = None

    def begin(self) -> None:
        """The app sits down for the first time."""
        host = self._host
        sitting = Sitting(host.seat, host.session, host.beside)
        if isinstance(host.session, AllSource):
            self._list = sitting
        else:
            sitting.root = host.session.snapshot.root
            self._home = sitting

    # --- the list ---------------------------------------------------------------------------------

    def show_all(self) -> None:
        """Go to the list; the open session stays open."""
        there = self._list or self._new_list()
        self._wanted = None
        there.seat.home = self._name(self._home)
        self._of(there).lookout.watch(True)
        self._host.sit(there)

    def _new_list(self) -> Sitting:
        now = self._host.seat
        source = AllSource(self._others.lookout(), now.clock)
        seat = Seat(source, EVERY, now.keymap, now.look, now.outside, now.clock)

        def do(deed: Deed) -> Result:
            return source.do(deed, self._others.doer)

        beside = Beside(do, lambda: source.snapshot, partial(self._host.done, seat))
        beside.start()
        source.follow(lambda _: self._newer(seat))
        self._list = Sitting(seat, source, beside)
        return self._list

    def go_home(self) -> None:
        """Go to the open session, or from there to the list."""
        if self._host.seat.snapshot.sessions is None:
            self.show_all()
        elif self._home is not None:
            self._wanted = None
            self._rest()
            self._host.sit(self._home)

    def _rest(self) -> None:
        """Nobody looks at the list any more."""
        if self._list is not None:
            self._of(self._list).lookout.watch(False)

    # --- one of them ------------------------------------------------------------------------------

    def open(self, key: str, view: str) -> None:
        """Open the session with that key, in the view called so, or where it was left."""
        row = self._of(self._list).row(key) if self._list else None
        if row is None:
            self._host.seat.say("it is not in the list any more")
            return
        root = Path(row.root)
        if self._home is not None and self._home.root == root:
            self._show(self._home.seat, view)
            self.go_home()
            return
        self._wanted = (root, view)
        self._host.seat.say(f"opening {one_line(row.name)}")
        if (kept := self._left.get(root)) is not None:
            self._sit_before_kept(kept, root, view)
        Thread(target=self._open, args=(root,), name="open", daemon=True).start()

    def _sit_before_kept(self, seat: Seat, root: Path, view: str) -> None:
        document = seat.session.document()
        source = KeptSource(seat.snapshot, document, seat.clock())
        seat.session, seat.can_act = source, False
        seat.take(source.snapshot)
        self._show(seat, view)
        self._leave_home()
        self._home = Sitting(seat, source, None, root)
        self._rest()
        self._host.sit(self._home)

    def _open(self, root: Path) -> None:
        try:
            source = self._others.open(root)
        except Exception as error:  # one repository's fault must not end the app
            self._host.tell(Opened(root, None, one_line(f"{type(error).__name__}: {error}")))
        else:
            self._host.tell(Opened(root, source, ""))

    def opened(self, event: Opened) -> None:
        """The session is open, unless the person went elsewhere meanwhile."""
        wanted = self._wanted
        if event.source is None:
            self._host.seat.say(f"{event.root.name} cannot be opened: {event.why}")
            return
        if wanted is None or wanted[0] != event.root:
            Thread(target=event.source.close, name="close", daemon=True).start()
            return
        self._wanted = None
        seat = self._left.pop(event.root, None) or self._new_seat(event.source)
        seat.session, seat.can_act = event.source, True
        seat.home = LIST_NAME
        seat.take(event.source.snapshot)
        if self._home is None or self._home.seat is not seat:
            self._show(seat, wanted[1])
            self._leave_home()
        source = event.source
        told = partial(self._host.done, seat)
        beside = Beside(self._others.doer(event.root), lambda: source.snapshot, told)
        beside.start()
        self._home = Sitting(seat, source, beside, event.root)
        self._rest()
        self._host.sit(self._home)
        source.follow(lambda _: self._newer(seat))

    def _new_seat(self, source: LiveSource) -> Seat:
        now = self._host.seat
        return Seat(source, self._views, now.keymap, now.look, now.outside, now.clock)

    def _show(self, seat: Seat, view: str) -> None:
        names = [one.name for one in seat.views]
        if view in names:
            seat.current, seat.before = names.index(view), []

    def _leave_home(self) -> None:
        """Close the open session beside the screen; its seat is kept."""
        left, self._home = self._home, None
        if left is None or left.root is None:
            return
        left.seat.sheet = left.seat.entry = left.seat.journey = None
        left.seat.snapshot = left.seat.live
        self._left.pop(left.root, None)
        self._left[left.root] = left.seat
        while len(self._left) > KEPT:
            del self._left[next(iter(self._left))]
        thread = Thread(target=self._closed, args=(left,), name="close", daemon=True)
        self._leaving = [one for one in self._leaving if one.is_alive()] + [thread]
        thread.start()

    def _closed(self, left: Sitting) -> None:
        """Let its last deeds be done and told, then end its threads."""
        name = self._name(left)
        for result in left.beside.finish() if left.beside is not None else ():
            self._host.tell(Said(f"{name}: {result.message}"))
        if isinstance(left.source, KeptSource):
            return
        close = getattr(left.source, "close", None)
        if close is not None:
            close()

    def finish(self) -> list[Result]:
        """End everything apart from what the app sits before; what was left undone is returned."""
        for thread in self._leaving:
            thread.join(12.0)
        undone: list[Result] = []
        for there in (self._list, self._home):
            if there is None or there.seat is self._host.seat:
                continue
            undone += there.beside.finish() if there.beside is not None else ()
        if self._list is not None:
            self._of(self._list).lookout.stop()
        if self._home is not None and self._home.root is not None:
            close = getattr(self._home.source, "close", None)
            if close is not None:
                close()
        return undone

    # --- small things -----------------------------------------------------------------------------

    def _newer(self, seat: Seat) -> None:
        """A picture came: paint it if that seat is the one on screen."""
        if self._host.seat is seat:
            self._host.newer()

    def _of(self, there: Sitting) -> AllSource:
        assert isinstance(there.source, AllSource)
        return there.source

    @staticmethod
    def _name(there: Sitting | None) -> str:
        return there.root.name if there is not None and there.root is not None else ""
