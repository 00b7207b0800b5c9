"""The closed loops of a log, kept small: nothing changes them any more.

A log holds a thousand closed loops for every open one, and hardly anybody asks for one of them. Of
each there is at hand what tells whose it is and how new; the rest is compressed until it is asked
for.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import Final, NamedTuple

import msgspec

from ppgp_tui.persist.fold import Fold, Packed
from ppgp_tui.persist.loop import Loop

_TOGETHER: Final = 64
"""So many loops are compressed as one: more of them make it smaller, and slower to open."""
_QUICKLY: Final = 1
"""The level of zlib."""
_ASKED: Final = 128
"""So many loops that somebody asked for stay open."""


class Place(NamedTuple):
    """Where a loop says that it runs; many have the same one."""

    prompt_file: str
    cwd: str | None
    root: str | None


class Closed(msgspec.Struct, array_like=True, gc=False):
    """A closed loop in short."""

    loop_id: str
    number: int
    """As that of the loop."""
    ended: str
    """The time of its last row."""
    place: int
    """Which one of the shelf's places."""


class Kept(msgspec.Struct, array_like=True, gc=False):
    """A shelf in a form that can be kept."""

    closed: list[Closed]
    places: list[Place]
    pressed: list[bytes]
    """Each `_TOGETHER` loops."""
    loose: list[Packed]
    """The last ones, too few to be compressed."""


class Shelf:
    """Loops in the order in which they were closed; none is ever taken away or changed."""

    def __init__(self, kept: Kept | None = None) -> None:
        self._kept = kept or Kept([], [], [], [])
        self.closed = self._kept.closed
        self.places = self._kept.places
        self._at = {one.loop_id: at for at, one in enumerate(self.closed)}
        self._place_at = {place: at for at, place in enumerate(self.places)}
        self.loop = lru_cache(_ASKED)(self._loop)
        """The loop that stands at a place: the same one as long as somebody goes on to ask."""

    def __len__(self) -> int:
        return len(self.closed)

    def find(self, loop_id: str) -> int | None:
        """At which place the loop of that id stands, counted from 0."""
        return self._at.get(loop_id)

    def put(self, fold: Fold) -> None:
        """Take a loop that was closed just now."""
        loop = fold.loop
        place = place_of(loop)
        at = self._place_at.setdefault(place, len(self.places))
        if at == len(self.places):
            self.places.append(place)
        self._at[loop.loop_id] = len(self.closed)
        self.closed.append(Closed(loop.loop_id, loop.number, loop.last_ts, at))
        loose = self._kept.loose
        loose.append(fold.pack())
        if len(loose) == _TOGETHER:
            self._kept.pressed.append(zlib.compress(_encode(loose), _QUICKLY))
            loose.clear()

    def loops(self, count: int) -> Iterator[Loop]:
        """The first so many."""
        pressed = (_unpacked(one) for group in self._kept.pressed for one in _opened(group))
        loose = (Fold.unpack(one).loop for one in self._kept.loose)
        return islice(chain(pressed, loose), count)

    def keep(self) -> Kept:
        """What it is made of again."""
        return self._kept

    def _loop(self, at: int) -> Loop:
        which, inside = divmod(at, _TOGETHER)
        pressed = self._kept.pressed
        if which == len(pressed):
            return Fold.unpack(self._kept.loose[inside]).loop
        return _unpacked(_opened(pressed[which])[inside])


def place_of(loop: Loop) -> Place:
    """Where that one says that it runs."""
    cwd, root = loop.spawned.get("cwd"), loop.spawned.get("root")
    return Place(loop.prompt_file, _text(cwd), _text(root))


def _opened(pressed: bytes) -> list[msgspec.Raw]:
    return _each(zlib.decompress(pressed))


def _unpacked(packed: msgspec.Raw) -> Loop:
    return Fold.unpack(_packed(packed)).loop


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


_encode = msgspec.msgpack.encode
_each = msgspec.msgpack.Decoder(list[msgspec.Raw]).decode
_packed = msgspec.msgpack.Decoder(Packed).decode
