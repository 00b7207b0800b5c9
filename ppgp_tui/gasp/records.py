"""Any JSON value read as a typed record, with the words of the reference's decoder (appendix A).

A reader is a function that gets one JSON value and returns it checked and trimmed to what is
known, or raises `MismatchError`. Readers are put together: `Record("ArtifactRef", …)`,
`each(text)`, `by_name(record)`.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple, NoReturn

Json = Any
Reader = Callable[[Json], Json]

LEAST_INT = -(2**63)
GREATEST_INT = 2**64 - 1

_ESCAPES = {
    "\t": "\\t", "\r": "\\r", "\n": "\\n", "\0": "\\0", '"': '\\"', "\\": "\\\\",
}  # fmt: skip


class MismatchError(ValueError):
    """The value is not of the shape; the message says found and expected."""


class RepeatedNames(dict[str, Json]):
    """An object of a text in which members stand more than once; the last one of each counts."""

    repeated: frozenset[str]

    @classmethod
    def of(cls, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        """Return the object of these members, a plain one when all names differ."""
        members = dict(pairs)
        if len(members) == len(pairs):
            return members
        names = [name for name, _ in pairs]
        repeating = cls(members)
        repeating.repeated = frozenset(name for name in members if names.count(name) > 1)
        return repeating


class Member(NamedTuple):
    """One member of a record."""

    name: str
    read: Reader
    optional: bool = False
    """May be absent and is null then."""


class Record:
    """A reader of objects: members are checked, unknown ones left out, absent optional ones null.

    An array of all the members in order is the same record, as in the reference.
    """

    def __init__(self, name: str, *members: Member) -> None:
        self.name = name
        self._members = members
        self._by_name = {member.name: member.read for member in members}

    def __call__(self, value: Json) -> dict[str, Json]:
        """Return the record's members in their order."""
        if isinstance(value, list):
            return self._from_list(value)
        if not isinstance(value, dict):
            wrong_type(value, f"struct {self.name}")
        return self.from_object(value)

    def from_object(self, value: dict[str, Json]) -> dict[str, Json]:
        """Return the record's members in their order; `value` is known to be an object."""
        if isinstance(value, RepeatedNames):
            for member in self._members:
                if member.name in value.repeated:
                    raise MismatchError(f"duplicate field `{member.name}`")
        # The reference goes through an object by the bytes of its names, so that is the order
        # in which mistakes are found; what is missing comes last, in the record's own order.
        found = {
            name: self._by_name[name](value[name]) for name in sorted(value, key=_order)
            if name in self._by_name
        }  # fmt: skip
        for member in self._members:
            if member.name not in found and not member.optional:
                raise MismatchError(f"missing field `{member.name}`")
        return {member.name: found.get(member.name) for member in self._members}

    def _from_list(self, value: list[Json]) -> dict[str, Json]:
        count = len(self._members)
        found = {
            member.name: member.read(item)
            for member, item in zip(self._members, value, strict=False)
        }
        if len(value) < count:
            raise MismatchError(
                f"invalid length {len(value)}, expected struct {self.name} with {count} elements"
            )
        if len(value) > count:
            raise MismatchError(f"invalid length {len(value)}, expected fewer elements in array")
        return found


def anything(value: Json) -> Json:
    """Read any value."""
    return value


def text(value: Json) -> str:
    """Read a string."""
    return value if isinstance(value, str) else wrong_type(value, "a string")


def truth(value: Json) -> bool:
    """Read true or false."""
    return value if isinstance(value, bool) else wrong_type(value, "a boolean")


def count(value: Json) -> int:
    """Read an integer of 64 bits without a sign."""
    if isinstance(value, bool) or not isinstance(value, int):
        wrong_type(value, "u64")
    if value < 0:
        raise MismatchError(f"invalid value: integer `{value}`, expected u64")
    return value


def maybe(read: Reader) -> Reader:
    """Read null or what `read` reads."""
    return lambda value: None if value is None else read(value)


def each(read: Reader) -> Callable[[Json], list[Json]]:
    """Read an array of what `read` reads."""

    def read_list(value: Json) -> list[Json]:
        if not isinstance(value, list):
            wrong_type(value, "a sequence")
        return [read(item) for item in value]

    return read_list


def by_name(read: Reader) -> Callable[[Json], dict[str, Json]]:
    """Read an object of any names, each with what `read` reads."""

    def read_map(value: Json) -> dict[str, Json]:
        if not isinstance(value, dict):
            wrong_type(value, "a map")
        return {name: read(value[name]) for name in sorted(value, key=_order)}

    return read_map


def wrong_type(value: Json, expected: str) -> NoReturn:
    """Raise that a value of another type was expected."""
    raise MismatchError(f"invalid type: {found(value)}, expected {expected}")


def found(value: Json) -> str:
    """A value as the reference's messages name it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"boolean `{str(value).lower()}`"
    if isinstance(value, int):
        return f"integer `{value}`"
    if isinstance(value, float):
        return floating(value)
    if isinstance(value, str):
        return f'string "{"".join(map(_escaped, value))}"'
    return "sequence" if isinstance(value, list) else "map"


def floating(number: float) -> str:
    """A float as the reference's messages name it: all its digits, a whole one as `1`."""
    digits = format(Decimal(repr(number)), "f")
    return f"floating point `{digits.removesuffix('.0')}`"


def _escaped(char: str) -> str:
    named = _ESCAPES.get(char)
    return named or (char if char.isprintable() else f"\\u{{{ord(char):x}}}")


def _order(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")
