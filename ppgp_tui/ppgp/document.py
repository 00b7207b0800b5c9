"""A goal document as lines that never lose a byte.

The bytes stay what they are; every line knows where it begins and ends in them, so that a later
edit can replace exactly one span. Reading works on decoded text, in which bytes that are no UTF-8
are shown as U+FFFD; the bytes themselves are still there.
"""

from __future__ import annotations

from typing import NamedTuple

BOM = b"\xef\xbb\xbf"
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\f\r") + b"\x7f"


class Line(NamedTuple):
    """One line: its number, its text and the bytes it stands in."""

    number: int
    """From 1."""
    start: int
    """Offset of the first byte of the content."""
    end: int
    """Offset after the last byte of the content, before the line ending."""
    stop: int
    """Offset after the line ending; equal to `end` on a last line without one."""
    text: str
    """Decoded content without line ending; U+FFFD where the bytes are no UTF-8."""


class Document:
    """The bytes of a document and its lines.

    Lines end with LF or CRLF, mixed as they come. A file that has CR and no LF at all is split at
    CR. A byte order mark is kept aside and belongs to no line.
    """

    __slots__ = ("bom", "data", "lines")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.bom = BOM if data.startswith(BOM) else b""
        self.lines = tuple(_lines(data, len(self.bom)))

    def to_bytes(self) -> bytes:
        """Return the document as it was given, byte for byte."""
        return self.bom + b"".join(self.data[line.start : line.stop] for line in self.lines)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the byte range of lines `first` to `last` (from 1, inclusive), endings included.

        Raises:
            IndexError: there are no such lines.
        """
        if not 1 <= first <= last <= len(self.lines):
            raise IndexError(f"no lines {first} to {last} in a document of {len(self.lines)}")
        return self.lines[first - 1].start, self.lines[last - 1].stop


def why_unreadable(data: bytes) -> str | None:
    """Return why `data` cannot be read as text, or None when it can.

    The bound of 5 % control characters is PPGP reference section 2.1; bytes that are no UTF-8
    count alike, so that a picture or an archive is told apart from a damaged note.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "file is UTF-16 text; a goal document is UTF-8"
    whole = len(data) - data.count(b"\r")
    controls = len(data) - len(data.translate(None, _CONTROLS))
    if controls * 20 > whole:
        return f"not readable text ({_percent(controls, whole)} control characters)"
    if data.isascii():
        return None
    broken = data.decode("utf-8", "replace").count("\ufffd")
    if broken * 20 > whole:
        return f"not readable text ({_percent(broken, whole)} bytes that are no UTF-8)"
    return None


def _percent(part: int, whole: int) -> str:
    return f"{part * 100 // whole} %"


def _lines(data: bytes, start: int) -> list[Line]:
    separator = b"\r" if b"\n" not in data else b"\n"
    lines = []
    for number, piece in enumerate(data[start:].split(separator), 1):
        end = start + len(piece)
        stop = min(end + 1, len(data))
        if separator == b"\n" and stop > end and piece.endswith(b"\r"):
            end -= 1
            piece = piece[:-1]
        if start < stop:
            lines.append(Line(number, start, end, stop, piece.decode("utf-8", "replace")))
        start = stop
    return lines
