"""One open palette: what fits what was typed, the best first, and what is still looked through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING, Literal, NamedTuple

from rich.cells import cell_len

from ppgp_tui.ui.finder.candidate import KIND_WIDTH, KINDS, Candidate
from ppgp_tui.ui.finder.far import IN_LINE, SHOWN, Far, Hit, fitting, older_events, small
from ppgp_tui.ui.finder.far import tracked_files as tracked
from ppgp_tui.ui.finder.fuzzy import SCATTERED, Fit
from ppgp_tui.ui.finder.near import EVENTS, FILES, TASKS, near, tasks, total
from ppgp_tui.ui.looks.look import Look, Role
from ppgp_tui.ui.rows.row import Line, Row, Span, shorten
from ppgp_tui.ui.seat.where import in_the_view

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat

_LEAST_REASON = 8
"""Cells below which a reason says nothing."""
PAUSE_S = 0.05
"""So long a search beside the screen waits for the next letter before it begins."""
Cut = Literal["middle", "end"]
_IN_THE_MIDDLE = ("file", "task", "request")
"""Kinds whose words are cut there: paths, and titles of which the end was looked for."""
_WHEN_TYPED = ("task", "event", "file")
"""Kinds of which there are too many to list before anything is typed."""
_ORDER = {kind: number for number, kind in enumerate(KINDS)}
_ALL = Fit(0, 0, 0, 0)


class Found(NamedTuple):
    """What fits, as far as it is known."""

    hits: tuple[Hit, ...]
    """The best first, `SHOWN` of them at most; then the other actions that cannot act."""
    fitted: int
    of: int
    searching: bool

    def said(self) -> str:
        """`6 of 1,260`, for the head of the sheet."""
        return f"{self.fitted:,} of {self.of:,}" + (", searching" if self.searching else "")


class Finder:
    """Finds for one palette, from its opening to its end."""

    def __init__(self, again: Callable[[], None]) -> None:
        """`again` is called, from a thread, when more was found: then ask once more."""
        self._again = again
        self._typed = ""
        self._far: Far | None = Far()
        self._files: tuple[str, ...] = ()
        self._events: dict[int, Candidate] = {}
        self._lines: dict[int, str] = {}
        self._candidates: list[tuple[Candidate, str]] = []
        self._made_of: tuple[object, ...] = ()
        self._asked: tuple[object, ...] = ()
        self._closed = False
        self.found = Found((), 0, 0, False)

    def open(self, seat: Seat) -> None:
        """Have Git list the files."""
        root = seat.snapshot.root

        def work() -> None:
            self._files = tracked(root)
            self._typed, self._far = "", Far()
            self._again()

        Thread(target=work, name="files", daemon=True).start()

    def close(self) -> None:
        """Nobody asks any more: what is under way ends."""
        self._closed = True

    def find(self, seat: Seat, typed: str) -> Found:
        """What fits `typed`; older events, further tasks and files come with a later call."""
        words = typed.lower().split()
        if " ".join(words) != self._typed:
            self._typed = " ".join(words)
            self._far = None if self._is_long(seat) and words else Far()
            if self._far is None:
                self._look_far(seat, words)
        known, candidates = self._near(seat)
        asked = known, self._typed, self._far
        if asked == self._asked:
            return self.found
        self._asked = asked
        hits = [
            Hit(fits, one)
            for one, low in candidates
            if (fits := self._fit(seat, words, one, low)) is not None
        ]
        far = self._far or Far()
        all_hits = _close([*hits, *far.hits])
        strewn = len(hits) + len(far.hits) - len(all_hits)
        ranked = sorted(enumerate(all_hits), key=_ranked if words else _as_they_are)
        best = [hit for _, hit in ranked if words or hit.candidate.kind not in _WHEN_TYPED]
        best = best[:SHOWN] + [hit for hit in best[SHOWN:] if hit.candidate.refused]
        count = len(hits) + far.fitted - strewn if words else total(seat, self._files)
        self.found = Found(tuple(best), count, total(seat, self._files), self._far is None)
        return self.found

    def _near(self, seat: Seat) -> tuple[tuple[object, ...], list[tuple[Candidate, str]]]:
        """What is looked through at once, with its words in small letters; and what it is made of.

        It is made anew when there is another picture, place, theme or second.
        """
        themes = tuple(seat.outside.themes())
        made_of = (seat.taken, in_the_view(seat), themes, seat.clock() // 1000, self._files)
        if made_of != self._made_of:
            found = near(seat, self._files, self._events)
            self._made_of, self._candidates = made_of, [(one, one.text.lower()) for one in found]
        return made_of, self._candidates

    def _line(self, seat: Seat, index: int) -> str:
        """The line of an event in small letters; kept, for it is asked for with every letter."""
        log = seat.snapshot.events.value.log
        if index not in self._lines and log is not None:
            self._lines[index] = small(log.raw(index))
        return self._lines.get(index, "")

    def _fit(self, seat: Seat, words: list[str], one: Candidate, low: str) -> Fit | None:
        if not words:
            return _ALL
        fits = one.fit(words, low)
        if fits is None and one.kind == "event":
            line = self._line(seat, int(one.name))
            if all(word in line for word in words):
                return Fit(IN_LINE, 0, 0, len(one.text))
        return fits

    def _is_long(self, seat: Seat) -> bool:
        log = seat.snapshot.events.value.log
        return (
            (log is not None and len(log) > EVENTS)
            or len(seat.snapshot.plan.value.tasks) > TASKS
            or len(self._files) > FILES
        )

    def _look_far(self, seat: Seat, words: list[str]) -> None:
        typed, files, events = self._typed, self._files, seat.snapshot.events.value
        further, now_ms = seat.snapshot.plan.value.tasks[TASKS:], seat.clock()

        def unwanted() -> bool:
            return self._closed or self._typed != typed

        def work() -> None:
            sleep(PAUSE_S)
            if unwanted():
                return
            rest = chain(tasks(further, now_ms), _as_files(files[FILES:]))
            parts = [fitting(rest, words, unwanted)]
            if events.log is not None:
                before = len(events.log) - EVENTS
                parts.append(
                    older_events(events.log, before, events.names, now_ms, words, unwanted)
                )
            if not unwanted():
                hits = tuple(hit for part in parts for hit in part.hits)
                self._far = Far(hits, sum(part.fitted for part in parts))
                self._again()

        Thread(target=work, name="find", daemon=True).start()


def _close(hits: list[Hit]) -> list[Hit]:
    """Those that have the letters side by side, if any has: else letters strewn anywhere fit."""
    near = [hit for hit in hits if hit.fit.way != SCATTERED]
    return near if any(hit.fit.way < SCATTERED for hit in near) else hits


def _as_files(paths: tuple[str, ...]) -> Iterator[Candidate]:
    return (Candidate("file", path, path) for path in paths)


def _ranked(numbered: tuple[int, Hit]) -> tuple[object, ...]:
    """Letters found by chance last, and before them what cannot act; then the better fit.

    Then by kind, and as it was listed.
    """
    order, (fits, one) = numbered
    by_chance = fits.way >= SCATTERED
    how_well = (fits.way, fits.gaps, _ORDER[one.kind], fits.at, fits.length)
    return (by_chance, one.refused, *how_well, order)


def _as_they_are(numbered: tuple[int, Hit]) -> tuple[object, ...]:
    order, (_, one) = numbered
    return (one.refused, _ORDER[one.kind], order)


def rows(found: Found, width: int, look: Look) -> tuple[Row, ...]:
    """The lines of the palette: kind, words with the letters that fit in bold, and what follows.

    The reason why an action cannot act takes what its words leave.
    """
    return tuple(_row(hit, width, look) for hit in found.hits)


def _row(hit: Hit, width: int, look: Look) -> Row:
    one = hit.candidate
    right = one.right
    if one.refused:
        room = width - KIND_WIDTH - cell_len(one.text) - 4
        why = shorten(right[0].text, room, "end", look.sign("cut")) if room >= _LEAST_REASON else ""
        right = (Span(why, "soft"),)
    kind = Span(one.kind.ljust(KIND_WIDTH), "soft")
    taken = sum(cell_len(span.text) for span in right)
    text, places = _shortened(hit, width - KIND_WIDTH - taken - (3 if taken else 2), look)
    words = _letters(text, places, "soft" if one.refused else "text")
    return Row(f"{one.kind}:{one.name}", (Line((kind, *words), right, indent=1),))


def _shortened(hit: Hit, room: int, look: Look) -> tuple[str, set[int]]:
    """The words in `room` cells, and where in them the letters that fit are.

    They are cut as a whole, before the letters that fit are told apart.
    """
    text = hit.candidate.text
    sign = look.sign("cut")
    hidden = any(at >= room - len(sign) for at in hit.fit.places)
    middle = hit.candidate.kind == "file" or (hidden and hit.candidate.kind in _IN_THE_MIDDLE)
    cut: Cut = "middle" if middle else "end"
    short = shorten(text, room, cut, sign)
    if short == text or not short:
        return short, set(hit.fit.places)
    head = next(
        (at for at, (one, other) in enumerate(zip(short, text, strict=False)) if one != other),
        len(short) - len(sign),
    )
    lost = len(text) - len(short)
    tail = head + len(sign)
    ahead = {at for at in hit.fit.places if at < head}
    return short, ahead | {at - lost for at in hit.fit.places if at - lost >= tail}


def _letters(text: str, places: set[int], role: Role) -> Iterator[Span]:
    """`text` with the letters at `places` in bold."""
    begin = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or (at in places) != (begin in places):
            bold = begin in places
            yield Span(text[begin:at], "ink" if bold and role == "text" else role, bold, exact=True)
            begin = at
