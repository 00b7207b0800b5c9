"""Finding text in the raw lines of a log, letter case ignored."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator

from ppgp_tui.session.log.lines import Lines, LogFile

_BLOCK = 1024 * 1024
_PLAIN = re.compile(r"[^\"\\/\x00-\x1f\x7f-\U0010ffff]*")


def matching(
    lines: Lines,
    file: LogFile,
    count: int,
    text: str,
    newest_first: bool,
    cancelled: Callable[[], bool] | None,
) -> array[int]:
    """Indexes below `count` of the lines that contain `text`, as JSON writes it or literally.

    Reads the file block by block; returns what was found so far when `cancelled` says so.
    """
    hits = array("Q")
    if not text or not count:
        return hits if text else array("Q", _order(count, newest_first))
    offsets = _finder(text)
    for first, until in _blocks(lines, count, newest_first):
        if cancelled is not None and cancelled():
            break
        begin = lines.starts[first]
        data = file.read(begin, lines.starts[until - 1] + lines.lengths[until - 1] - begin)
        found: list[int] = []
        for offset in offsets(data):
            index = bisect_right(lines.starts, begin + offset, first, until) - 1
            if not found or found[-1] != index:
                found.append(index)
        hits.extend(reversed(found) if newest_first else found)
    return hits


def _order(count: int, newest_first: bool) -> range:
    return range(count - 1, -1, -1) if newest_first else range(count)


def _blocks(lines: Lines, count: int, newest_first: bool) -> Iterator[tuple[int, int]]:
    """Ranges of entries that lie within about one block of bytes each."""
    if not newest_first:
        first = 0
        while first < count:
            limit = lines.starts[first] + _BLOCK
            until = max(first + 1, bisect_right(lines.starts, limit, first, count) - 1)
            yield first, until
            first = until
        return
    until = count
    while until > 0:
        limit = max(0, lines.starts[until - 1] - _BLOCK)
        first = min(until - 1, max(0, bisect_right(lines.starts, limit, 0, until) - 1))
        yield first, until
        until = first


def _finder(text: str) -> Callable[[bytes], Iterator[int]]:
    """A function that gives the offset of every place where `text` stands, in order."""
    if _PLAIN.fullmatch(text):
        wanted = text.lower().encode()
        return lambda data: _places(data.lower(), wanted)
    pattern = re.compile(b"".join(map(_either, text)), re.IGNORECASE)
    return lambda data: (hit.start() for hit in pattern.finditer(data))


def _places(data: bytes, wanted: bytes) -> Iterator[int]:
    at = data.find(wanted)
    while at >= 0:
        yield at
        at = data.find(wanted, at + 1)


def _either(character: str) -> bytes:
    """A pattern for one character: itself, its other case, and the ways JSON may escape them."""
    if character in '"/':
        return rb"\\?" + re.escape(character.encode())
    if character == "\\":
        return rb"\\\\?"
    if character.isascii() and character.isprintable():
        return re.escape(character.encode())
    ways = set()
    for variant in {character, *character.lower(), *character.upper()}:
        raw = variant.encode("utf-16-be", "surrogatepass")
        units = (raw[at : at + 2].hex().encode() for at in range(0, len(raw), 2))
        ways.add(b"".join(rb"\\u" + unit for unit in units))
        if variant.isprintable():
            ways.add(re.escape(variant.encode()))
    short = {"\n": rb"\\n", "\t": rb"\\t", "\r": rb"\\r"}.get(character)
    if short:
        ways.add(short)
    return b"(?:" + b"|".join(sorted(ways)) + b")"
