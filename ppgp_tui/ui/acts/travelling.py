"""What the travelling keys do: to a moment, one event back or on, play, and back to now."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.message import Message

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.moment import Moment
from ppgp_tui.ui.app.messages import Arrived
from ppgp_tui.ui.seat.journey import Journey, is_gone, pointer, with_news

if TYPE_CHECKING:
    from ppgp_tui.session.travel.destination import Destination
    from ppgp_tui.session.travel.traveller import Traveller
    from ppgp_tui.ui.rows.row_list import RowList
    from ppgp_tui.ui.seat.seat import Seat

FIRST, LAST = "this is the first event", "this is the last event"
ON_THE_WAY = "the first moment is still being made"
LOST = "the log does not say when that was"
REWRITTEN = "the log was written anew: this is now"


def step(by: int) -> Callable[[Seat], None]:
    """Go that many events on; from now the way leads back only."""

    def act(seat: Seat) -> None:
        if seat.journey is not None and seat.journey.pending is not None:
            seat.say(ON_THE_WAY)
            return
        at = _here(seat) + by
        last = _count(seat) - 1
        if at < 0:
            seat.say(FIRST)
        elif at > last and seat.journey is not None and not seat.journey.recorded:
            home(seat)
        elif at > last:
            seat.say(LAST)
        else:
            _go_to(seat, at)

    return act


def there(seat: Seat) -> None:
    """Go to the moment of the thing under the cursor."""
    from ppgp_tui.session.travel.destination import Destination

    pointed = pointer(seat)
    if pointed is not None:
        go(seat, Destination(**pointed))  # type: ignore[arg-type]  # each member with its type


def first(seat: Seat) -> None:
    """Go to the first moment."""
    _go_to(seat, 0)


def now(seat: Seat) -> None:
    """Go back to now; the now of a recording is its last event."""
    if seat.journey is not None and seat.journey.recorded:
        _go_to(seat, _count(seat) - 1)
    else:
        home(seat)


def play(seat: Seat) -> None:
    """Let one moment follow the other, or stop that."""
    journey, moment = seat.journey, seat.snapshot.moment
    if journey is None:
        return
    if moment is None:
        seat.say(ON_THE_WAY)
        return
    if journey.playing:
        journey.playing = False
        seat.outside.traveller().stop()
    elif moment.is_last:
        seat.say(LAST)
    else:
        journey.playing, journey.target = True, None
        seat.outside.traveller().play(moment.at, moment.ts_ms, journey.speed)


def go(seat: Seat, wanted: Destination) -> None:
    """Go to a moment; its picture comes when it is made."""
    seat.journey = seat.journey or Journey(left=_left(seat))
    seat.journey.target, seat.journey.playing = wanted.at, False
    seat.journey.unasked = False
    seat.outside.traveller().go(wanted)


def home(seat: Seat) -> None:
    """Show what is now, as it was left: a list whose cursor did not move stands where it stood."""
    left = seat.journey.left if seat.journey is not None else ()
    seat.journey = None
    seat.outside.traveller().stop()
    seat.snapshot = seat.live
    seat.taken += 1
    seat.arrange()
    for rows, cursor, top in left:
        if rows.cursor == cursor:
            rows.scroll(top - rows.top)


def _left(seat: Seat) -> tuple[tuple[RowList, str, int], ...]:
    lists = (rows for stay in seat.stays for rows in stay.lists.values())
    return tuple((rows, rows.cursor, rows.top) for rows in lists)


def _go_to(seat: Seat, at: int) -> None:
    from ppgp_tui.session.travel.destination import Destination

    go(seat, Destination(at=at))


def _count(seat: Seat) -> int:
    log = seat.live.events.value.log
    return 0 if log is None else len(log)


def _here(seat: Seat) -> int:
    """The event one is at, or on the way to."""
    journey, moment = seat.journey, seat.snapshot.moment
    if journey is not None and journey.target is not None:
        return journey.target
    return _count(seat) - 1 if moment is None else moment.at


# --- what arrives ------------------------------------------------------------------------------


def traveller(live: Callable[[], SessionSnapshot], tell: Callable[[Message], None]) -> Traveller:
    """What makes the pictures; it tells of each with `Arrived`."""
    from ppgp_tui.session.travel.traveller import Traveller

    return Traveller(live, lambda made: tell(Arrived(made)), lambda _: tell(Arrived(None)))


def arrived(seat: Seat, made: SessionSnapshot | None) -> None:
    """Show a picture of the past, unless the person went elsewhere meanwhile.

    None: the log does not have what was pointed at.
    """
    if seat.journey is None or (made is not None and made.root != seat.live.root):
        return
    if made is None or made.moment is None:
        _lost(seat, seat.journey)
    else:
        _arrive(seat, seat.journey, made, made.moment)
    seat.taken += 1
    seat.arrange()


def _arrive(seat: Seat, journey: Journey, made: SessionSnapshot, moment: Moment) -> None:
    if journey.playing and moment.is_last:
        journey.playing = False
        seat.say(f"{LAST}; {seat.key('travel.back')} goes back, {seat.key('travel.first')} begins")
    if journey.target is None and not journey.playing:
        journey.target = moment.at if moment.target is None else moment.target
    seat.snapshot = with_news(made, seat.live)
    begin(seat)


def _lost(seat: Seat, journey: Journey) -> None:
    seat.say(LOST)
    moment = seat.snapshot.moment
    if moment is not None:
        journey.target = moment.at
    elif journey.recorded:
        _go_to(seat, 0)
    else:
        seat.journey = None


def begin(seat: Seat) -> None:
    """Do what waited: go to where a recording begins once its log is read, ask Git, play it."""
    from ppgp_tui.session.travel.traveller import log_of

    journey = seat.journey
    if journey is None:
        return
    wanted = journey.pending
    if wanted is not None and log_of(seat.live)[0] is not None:
        journey.pending = None
        go(seat, wanted)
    elif wanted is None and journey.starts and seat.snapshot.moment is not None:
        journey.starts = journey.unasked = False
        play(seat)
    elif journey.unasked and seat.snapshot.moment is not None:
        _go_to(seat, seat.snapshot.moment.at)


def take(seat: Seat, live: SessionSnapshot) -> None:
    """Take in what is now while the past is shown."""
    seat.live = live
    if is_gone(seat.snapshot, live):
        seat.say(REWRITTEN)
        home(seat)
    else:
        seat.snapshot = with_news(seat.snapshot, live)
        begin(seat)


ACTS: dict[str, Callable[[Seat], None]] = {
    "travel.there": there,
    "travel.back": step(-1),
    "travel.on": step(1),
    "travel.first": first,
    "travel.now": now,
    "travel.play": play,
}
"""By action id."""
