"""One JSON text, byte by byte: the slow reading behind `strict_json`.

Every refusal carries the words and the place the protocol's library gives (GASP reference,
appendix A). Columns are bytes from 1.
"""

from __future__ import annotations

import re
from typing import Any

Json = Any

DEEPEST = 127
"""Arrays and objects nested deeper than this are refused."""

_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_PLAIN = re.compile(rb'[^"\\\x00-\x1f]*')
_SPACES = re.compile(rb"[ \t\r\n]*")
_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)
_ESCAPES = dict(zip(b'"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))
_WORDS = {ord("n"): (b"null", None), ord("t"): (b"true", True), ord("f"): (b"false", False)}
_LOWEST, _HIGHEST = -(2**63), 2**64 - 1


class NotJsonError(ValueError):
    """The text is no JSON to the protocol. `detail` says why, where the library would say it."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


def too_deep(text: bytes) -> bool:
    """Whether JSON text is nested deeper than `DEEPEST`."""
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return False
    depth = 0
    for token in _BRACKETS.finditer(text):
        sign = token[0]
        if sign in (b"[", b"{"):
            depth += 1
            if depth > DEEPEST:
                return True
        elif sign in (b"]", b"}"):
            depth -= 1
    return False


class Parser:
    """Reads `text` from the left. `at` is how many bytes were taken."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.at = 0
        self._depth = 0

    def whole(self) -> Json:
        """The one value of the text; raises `NotJsonError`."""
        try:
            self.text.decode()
        except UnicodeDecodeError as error:
            raise NotJsonError(f"not UTF-8 at byte {error.start + 1}") from error
        value = self.value()
        if self.peek() is not None:
            raise self.refused("trailing characters", ahead=True)
        return value

    def value(self) -> Json:
        """The value that begins here."""
        sign = self.peek()
        if sign is None:
            raise self.refused("EOF while parsing a value", ahead=True)
        if sign == 0x22:
            return self.string()
        if sign == 0x7B:
            return self._object()
        if sign == 0x5B:
            return self._list()
        if sign in _WORDS:
            return self._word(*_WORDS[sign])
        if sign == 0x2D or 0x30 <= sign <= 0x39:
            return self.number()
        raise self.refused("expected value", ahead=True)

    def peek(self) -> int | None:
        """The next byte that is no white space; None at the end."""
        self.at = _SPACES.match(self.text, self.at).end()  # type: ignore[union-attr]
        return self.text[self.at] if self.at < len(self.text) else None

    def refused(self, words: str, *, ahead: bool = False) -> NotJsonError:
        """The error at this place; `ahead`: at the byte that was looked at and not yet taken."""
        end = min(self.at + 1, len(self.text)) if ahead else self.at
        begin = self.text.rfind(b"\n", 0, end) + 1
        line = self.text.count(b"\n", 0, begin) + 1
        return NotJsonError(f"{words} at line {line} column {end - begin}")

    def open(self) -> None:
        """Take the bracket that opens a list or an object."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.refused("recursion limit exceeded", ahead=True)
        self.at += 1

    def close(self) -> None:
        """Take the bracket that closes it."""
        self._depth -= 1
        self.at += 1

    def more_items(self, first: bool) -> bool:
        """Whether another item of a list begins here; its comma is taken."""
        sign = self.peek()
        if sign is None:
            raise self.refused("EOF while parsing a list", ahead=True)
        if sign == 0x5D:
            return False
        if first:
            return True
        if sign != 0x2C:
            raise self.refused("expected `,` or `]`", ahead=True)
        self.at += 1
        sign = self.peek()
        if sign == 0x5D:
            raise self.refused("trailing comma", ahead=True)
        if sign is None:
            raise self.refused("EOF while parsing a value", ahead=True)
        return True

    def next_key(self, first: bool) -> str | None:
        """The next key of an object, None at its end; comma and key are taken, not the colon."""
        sign = self.peek()
        if sign is None:
            raise self.refused("EOF while parsing an object", ahead=True)
        if sign == 0x7D:
            return None
        if not first:
            if sign != 0x2C:
                raise self.refused("expected `,` or `}`", ahead=True)
            self.at += 1
            sign = self.peek()
        if sign is None:
            raise self.refused("EOF while parsing a value", ahead=True)
        if sign == 0x7D:
            raise self.refused("trailing comma", ahead=True)
        if sign != 0x22:
            raise self.refused("key must be a string", ahead=True)
        return self.string()

    def colon(self) -> None:
        """Take the colon between a key and its value."""
        sign = self.peek()
        if sign is None:
            raise self.refused("EOF while parsing an object", ahead=True)
        if sign != 0x3A:
            raise self.refused("expected `:`", ahead=True)
        self.at += 1

    def number(self) -> int | float:
        """The number that begins here."""
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            raise self._bad_number()
        begin, self.at = self.at, found.end()
        after = self.text[self.at : self.at + 1]
        digits = found[0]
        whole = digits.lstrip(b"-").isdigit()
        goes_on = (whole and after == b".") or (
            after in (b"e", b"E") and not (b"e" in digits or b"E" in digits)
        )
        if goes_on or (digits in (b"0", b"-0") and after.isdigit()):
            self.at = begin
            raise self._bad_number()
        if digits == b"-0":
            return -0.0
        if whole and len(digits) <= 20 and _LOWEST <= int(digits) <= _HIGHEST:
            return int(digits)
        double = float(digits)
        if double in (float("inf"), float("-inf")):
            raise self.refused("number out of range")
        return double

    def string(self) -> str:
        """The string that begins here with its quotation mark."""
        self.at += 1
        pieces: list[str] = []
        while True:
            plain = _PLAIN.match(self.text, self.at)
            assert plain is not None
            pieces.append(plain[0].decode())
            self.at = plain.end()
            sign = self._take("EOF while parsing a string")
            if sign == 0x22:
                return "".join(pieces)
            if sign != 0x5C:
                words = "control character (\\u0000-\\u001F) found while parsing a string"
                raise self.refused(words)
            pieces.append(self._escape())

    def _object(self) -> dict[str, Json]:
        self.open()
        members: dict[str, Json] = {}
        first = True
        while (key := self.next_key(first)) is not None:
            self.colon()
            members[key] = self.value()
            first = False
        self.close()
        return members

    def _list(self) -> list[Json]:
        self.open()
        items: list[Json] = []
        while self.more_items(first=not items):
            items.append(self.value())
        self.close()
        return items

    def _word(self, word: bytes, value: Json) -> Json:
        for letter in word:
            if self._take("EOF while parsing a value") != letter:
                raise self.refused("expected ident")
        return value

    def _bad_number(self) -> NotJsonError:
        """Why no number begins here, going through it as the library does."""
        if self.text[self.at : self.at + 1] == b"-":
            self.at += 1
        first = self.text[self.at : self.at + 1]
        if not first.isdigit():
            return self._end_or("invalid number")
        self.at += 1
        if first == b"0" and self.text[self.at : self.at + 1].isdigit():
            return self.refused("invalid number", ahead=True)
        self._digits()
        if self.text[self.at : self.at + 1] == b".":
            self.at += 1
            if not self._digits():
                at_end = self.at == len(self.text)
                words = "EOF while parsing a value" if at_end else "invalid number"
                return self.refused(words, ahead=True)
        self.at += 1
        if self.text[self.at : self.at + 1] in (b"+", b"-"):
            self.at += 1
        return self._end_or("invalid number")

    def _digits(self) -> int:
        begin = self.at
        while self.text[self.at : self.at + 1].isdigit():
            self.at += 1
        return self.at - begin

    def _end_or(self, words: str) -> NotJsonError:
        if self.at == len(self.text):
            return self.refused("EOF while parsing a value")
        self.at += 1
        return self.refused(words)

    def _escape(self) -> str:
        sign = self._take("EOF while parsing a string")
        if sign in _ESCAPES:
            return _ESCAPES[sign]
        if sign != 0x75:
            raise self.refused("invalid escape")
        unit = self._hex()
        if 0xDC00 <= unit <= 0xDFFF:
            raise self.refused("lone leading surrogate in hex escape")
        if not 0xD800 <= unit <= 0xDBFF:
            return chr(unit)
        for wanted in b"\\u":
            if self._take("EOF while parsing a string") != wanted:
                raise self.refused("unexpected end of hex escape")
        second = self._hex()
        if not 0xDC00 <= second <= 0xDFFF:
            raise self.refused("lone leading surrogate in hex escape")
        return chr(0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00))

    def _hex(self) -> int:
        digits = self.text[self.at : self.at + 4]
        if len(digits) < 4:
            self.at = len(self.text)
            raise self.refused("EOF while parsing a string")
        for digit in digits:
            self.at += 1
            if digit not in b"0123456789abcdefABCDEF":
                raise self.refused("invalid escape")
        return int(digits, 16)

    def _take(self, words_at_end: str) -> int:
        if self.at == len(self.text):
            raise self.refused(words_at_end)
        self.at += 1
        return self.text[self.at - 1]
