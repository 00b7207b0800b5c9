"""Properties and artifacts, packed: bytes of JSON instead of objects.

They take less than half the space, and the garbage collector need not go through them. Properties
are lines of JSON: the first as the node was created, the others merged into it in turn.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import msgspec

Json = Any
Packed = Any
"""Bytes, or the value itself where it cannot be packed (half a surrogate pair)."""

EMPTY = b"{}"
"""One object for all the empty properties."""

_UPDATES = 16
"""So many updates are kept as they came before they are merged."""

pack_sound = msgspec.json.Encoder().encode
"""`pack` for values that surely can be packed."""
_decode = msgspec.json.Decoder().decode
_decode_lines = msgspec.json.Decoder().decode_lines


def pack(value: Json) -> Packed:
    """Return a JSON value packed."""
    try:
        return pack_sound(value) if value != {} else EMPTY
    except (UnicodeEncodeError, OverflowError, RecursionError):
        return value


def unpack(packed: Packed) -> Json:
    """Return what was packed, with its updates: a new value each time where it is bytes."""
    if type(packed) is not bytes:
        return packed
    if b"\n" in packed:
        return reduce(merge, _decode_lines(packed))
    return _decode(packed)


def updated(packed: Packed, update: Packed) -> Packed:
    """Return packed properties with one more update, packed too."""
    if type(packed) is bytes and type(update) is bytes:
        both = b"\n".join((packed, update))
        return both if both.count(b"\n") <= _UPDATES else pack_sound(unpack(both))
    return pack(merge(unpack(packed), unpack(update)))


def merge(into: Json, value: Json) -> Json:
    """Merge `value` into `into`, which is changed where it is an object, and return the result.

    Members of objects are merged one by one; anything else replaces what was there (section 7).
    """
    if not (isinstance(into, dict) and isinstance(value, dict)):
        return value
    for name, item in value.items():
        into[name] = merge(into[name], item) if name in into else item
    return into
