"""Where the members of a JSON text are, so that some can be put in or cut out and the rest stays.

Strict JSON only: the agents that are connected drop a whole settings file for a comment or a comma
too many, and say nothing of it.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, Literal, NamedTuple

DEEPEST: Final = 8
"""Below that a value is one piece; settings that concern hooks are not so deep."""

_BLANKS: Final = " \t\r\n"
_PLAIN: Final = re.compile(r"[^\s,\]}]+")
_BRACKETS: Final = re.compile(r'["{}\[\]]')


_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


class NotJsonError(Exception):
    """The text is no JSON; the message says on which line, and why."""


class Value(NamedTuple):
    """One value: its characters are `start` up to `end`."""

    kind: Literal["object", "array", "other"]
    start: int
    end: int
    items: tuple[Item, ...] = ()

    def named(self, key: str) -> list[int]:
        """Which members have that name; more than one where it is given twice."""
        return [number for number, item in enumerate(self.items) if item.key == key]


class Item(NamedTuple):
    """A member of an object, or an element of an array (`key` is None)."""

    key: str | None
    start: int
    value: Value

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.value.end


def read(text: str) -> Any:
    """The value; objects as tuples of pairs and numbers as written, so that nothing is lost.

    Raises `NotJsonError`.
    """
    try:
        return json.loads(
            text, object_pairs_hook=tuple, parse_int=_Number, parse_float=_Number,
            parse_constant=_no_constant,
        )  # fmt: skip
    except json.JSONDecodeError as error:
        raise NotJsonError(f"line {error.lineno}: {_why(text, error)}") from None
    except RecursionError:
        raise NotJsonError("it is nested too deep") from None
    except ValueError as error:
        raise NotJsonError(str(error)) from None


def scan(text: str) -> Value:
    """The places in `text`, which is JSON. Raises `NotJsonError` where it is not."""
    read(text)
    return _value(text, _skip(text, 0), DEEPEST)


class _Number(str):
    """A number as it is written."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Number) and str.__eq__(self, other)

    __hash__ = str.__hash__


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _why(text: str, error: json.JSONDecodeError) -> str:
    here = text[error.pos :].lstrip(_BLANKS)
    if here.startswith(("//", "/*", "#")):
        return "a comment; the agent ignores the whole file for it"
    before = text[: error.pos].rstrip(_BLANKS)
    if here[:1] in ("}", "]") and before.endswith(","):
        return "a comma before the closing bracket; the agent ignores the whole file for it"
    return error.msg[:1].lower() + error.msg[1:]


def _string_end(text: str, at: int) -> int:
    found = _STRING.match(text, at)
    return found.end() if found else len(text)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _value(text: str, at: int, deeper: int) -> Value:
    sign = text[at]
    if sign == '"':
        return Value("other", at, _string_end(text, at))
    if sign not in "{[":
        found = _PLAIN.match(text, at)
        return Value("other", at, found.end() if found else at + 1)
    if not deeper:
        return Value("other", at, _closing(text, at))
    return _container(text, at, deeper)


def _container(text: str, start: int, deeper: int) -> Value:
    is_object = text[start] == "{"
    items: list[Item] = []
    at = _skip(text, start + 1)
    while text[at] not in "}]":
        begin, key = at, None
        if is_object:
            at = _string_end(text, begin)
            key = json.loads(text[begin:at])
            at = _skip(text, _skip(text, at) + 1)
        value = _value(text, at, deeper - 1)
        items.append(Item(key, begin, value))
        at = _skip(text, value.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Value("object" if is_object else "array", start, at + 1, tuple(items))


def _closing(text: str, at: int) -> int:
    """Where the container that begins at `at` ends."""
    depth = 0
    while found := _BRACKETS.search(text, at):
        at = found.end()
        if found[0] == '"':
            at = _string_end(text, found.start())
        else:
            depth += 1 if found[0] in "{[" else -1
            if not depth:
                break
    return at
