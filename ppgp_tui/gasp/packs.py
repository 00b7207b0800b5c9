"""Packs: what a repository adds to the closed words (GASP reference section 6).

A pack admits the names of its maps; the inner `kind` and `rel`, required properties and kinds of
ends are not enforced, as in the reference.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from ppgp_tui.gasp import strict_json
from ppgp_tui.gasp.records import (
    Member,
    MismatchError,
    Record,
    RepeatedNames,
    anything,
    by_name,
    each,
    maybe,
    text,
)

Json = Any


class Pack(NamedTuple):
    """What one pack is called and what it admits."""

    id: str
    name: str
    version: str
    node_kinds: frozenset[str]
    relations: frozenset[str]


class MalformedPackError(ValueError):
    """The text is no pack; the message is the reference's detail text."""

    @property
    def detail(self) -> str:
        """What is wrong, in the reference's words where they are known."""
        return str(self)


_object_type = Record(
    "ObjectTypeDef",
    Member("kind", text),
    Member("required_props", each(text)),
    Member("description", maybe(text), optional=True),
)
_relation_type = Record(
    "RelationTypeDef",
    Member("rel", text),
    Member("from_kinds", each(text)),
    Member("to_kinds", each(text)),
    Member("description", maybe(text), optional=True),
)
_pack = Record(
    "Pack",
    Member("id", text),
    Member("name", text),
    Member("version", text),
    Member("object_types", by_name(_object_type)),
    Member("relation_types", by_name(_relation_type)),
    Member("policies", each(text)),
    Member("prompts", each(text)),
    Member("settings", anything),
)


def parse(text_of_pack: bytes) -> Pack:
    """Return the pack that this file's bytes hold; unknown members are ignored.

    Raises `MalformedPackError`.
    """
    try:
        strict_json.decode(text_of_pack)
        # Read again, for a member of a pack may stand once only, and the first reading forgets.
        value = json.loads(text_of_pack, object_pairs_hook=RepeatedNames.of, parse_int=_integer)
        members = _pack(value)
    except (strict_json.NotJsonError, MismatchError) as error:
        raise MalformedPackError(str(error)) from error
    return Pack(
        members["id"],
        members["name"],
        members["version"],
        frozenset(members["object_types"]),
        frozenset(members["relation_types"]),
    )


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= 20 else float(digits)
