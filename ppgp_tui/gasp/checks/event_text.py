"""An event read from its text member by member, as the protocol's reader does (section 4).

The slow way, for what is wrong: it knows at which byte the reader gives up, and with which words.
"""

from __future__ import annotations

from typing import Any, Final

from ppgp_tui.gasp.checks.event import MEMBERS, Actor, Event
from ppgp_tui.gasp.records import floating, found
from ppgp_tui.gasp.strict_parser import NotJsonError, Parser

U32: Final = (0, 2**32 - 1)
I64: Final = (-(2**63), 2**63 - 1)


class InvalidEventError(ValueError):
    """JSON that is no event; the message is the reader's detail."""


def read_event(line: bytes) -> tuple[Event, bool]:
    """Return the event of a line that is JSON, and whether its text says just that and no more.

    Raises `InvalidEventError`.
    """
    reader = _Reader(line)
    try:
        event = reader.event()
    except NotJsonError as error:
        raise InvalidEventError(error.detail) from error
    return event, reader.exact


class _Reader(Parser):
    def __init__(self, text: bytes) -> None:
        super().__init__(text)
        self.exact = True
        """No member was unknown, absent or written in another form."""

    def event(self) -> Event:
        found = self._struct(MEMBERS, "Event", optional=("causation_id", "correlation_id"))
        return Event(*(found[name] for name in MEMBERS))

    def _struct(
        self, members: tuple[str, ...], name: str, optional: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        sign = self.peek()
        if sign == 0x7B:
            return self._from_object(members, optional)
        if sign == 0x5B:
            return self._from_list(members, name)
        raise self._mismatch(f"struct {name}")

    def _from_object(self, members: tuple[str, ...], optional: tuple[str, ...]) -> dict[str, Any]:
        self.open()
        found: dict[str, Any] = {}
        first = True
        while (key := self.next_key(first)) is not None:
            first = False
            if key in found:
                self.peek()
                raise self.refused(f"duplicate field `{key}`")
            self.colon()
            if key in members:
                found[key] = self._member(key)
            else:
                self.value()
                self.exact = False
        self.close()
        for member in members:
            if member not in found:
                if member not in optional:
                    raise self.refused(f"missing field `{member}`")
                found[member] = None
                self.exact = False
        return found

    def _from_list(self, members: tuple[str, ...], name: str) -> dict[str, Any]:
        self.open()
        found: dict[str, Any] = {}
        self.exact = False
        for count, member in enumerate(members):
            if not self.more_items(first=not count):
                self.close()
                words = f"invalid length {count}, expected struct {name}"
                raise self.refused(f"{words} with {len(members)} elements")
            found[member] = self._member(member)
        if self.peek() != 0x5D:
            self.at += 1
            raise self.refused("trailing characters", ahead=True)
        self.close()
        return found

    def _member(self, name: str) -> Any:
        if name == "schema_version":
            return self._integer(U32, "u32")
        if name == "ts_ms":
            return self._integer(I64, "i64")
        if name == "actor":
            found = self._struct(("kind", "id"), "ActorRef")
            return Actor(found["kind"], found["id"])
        if name == "payload":
            return self.value()
        if name in ("causation_id", "correlation_id") and self.peek() == 0x6E:
            return self.value()
        if self.peek() != 0x22:
            raise self._mismatch("a string")
        return self.string()

    def _integer(self, limits: tuple[int, int], wanted: str) -> int:
        sign = self.peek()
        if sign is None or not (sign == 0x2D or 0x30 <= sign <= 0x39):
            raise self._mismatch(wanted)
        number = self.number()
        if isinstance(number, float):
            raise self.refused(f"invalid type: {floating(number)}, expected {wanted}")
        if not limits[0] <= number <= limits[1]:
            raise self.refused(f"invalid value: integer `{number}`, expected {wanted}")
        return number

    def _mismatch(self, wanted: str) -> NotJsonError:
        """The value that begins here has another type. Lists and objects are not gone through."""
        nested = {0x5B: "sequence", 0x7B: "map"}
        name = nested.get(self.peek() or 0) or found(self.value())
        return self.refused(f"invalid type: {name}, expected {wanted}")
