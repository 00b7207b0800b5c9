"""What Pi does to a tool call before the tool sees it: coerce the arguments, then check them.

Models send `"3"` for 3, one value for a list, null for an omitted member; Pi bends these towards
the tool's schema and reports what still does not fit (Pi reference section 3.6). Only the kinds of
schema the Goal and Todo tools use exist here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeAlias

from ppgp_tui.pi import javascript


@dataclass(frozen=True, slots=True)
class Text:
    """A string: its length in code points, or the only words it may be."""

    least: int = 0
    most: int | None = None
    one_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Whole:
    """An integer from `least` to `most`."""

    least: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """An array of `item`, at most `most` of them, all different if `unique`."""

    item: Node
    most: int | None = None
    unique: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """One named member of an object."""

    name: str
    node: Node
    required: bool = True


@dataclass(frozen=True, slots=True)
class Fields:
    """An object with these members; `closed` ones allow no others."""

    members: tuple[Member, ...]
    closed: bool = True


Node: TypeAlias = Text | Whole | Listed | Fields
Path: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that does not fit, and where."""

    path: Path
    message: str


def coerce(node: Node, value: object) -> object:
    """`value` bent towards `node`: a new value where something changed, never modified in place."""
    return _converted(node, without_optional_nulls(node, value))


def without_optional_nulls(node: Node, value: object) -> object:
    """Null in an optional member means absent.

    It runs first, so a single value that is wrapped into a list later keeps its nulls, as in Pi.
    """
    if isinstance(node, Listed) and isinstance(value, list):
        return [without_optional_nulls(node.item, item) for item in value]
    if not isinstance(node, Fields) or not isinstance(value, Mapping):
        return value
    kept = dict(value)
    for member in node.members:
        if member.name not in kept:
            continue
        if kept[member.name] is None and not member.required:
            del kept[member.name]
        else:
            kept[member.name] = without_optional_nulls(member.node, kept[member.name])
    return kept


def _converted(node: Node, value: object) -> object:
    match node:
        case Text():
            return _as_word(node, value) if node.one_of else _as_text(value)
        case Whole():
            return _as_whole(value)
        case Listed():
            items = value if isinstance(value, list) else [value]
            return [_converted(node.item, item) for item in items]
        case Fields():
            if not isinstance(value, Mapping):
                return value
            nodes = {member.name: member.node for member in node.members}
            return {
                key: _converted(nodes[key], item) if key in nodes else item
                for key, item in value.items()
            }


def _as_text(value: object) -> object:
    """Numbers, booleans and null become their words."""
    return javascript.to_text(value) if value is None or isinstance(value, int | float) else value


def _as_word(node: Text, value: object) -> object:
    """A value that reads as one of the allowed words becomes it; null is blank, not `null`."""
    text = _as_text(value)
    return "" if value is None and text not in node.one_of else text


def _as_whole(value: object) -> object:
    """A number without its fraction, from numbers, booleans, null and what JavaScript can parse."""
    if value is None or isinstance(value, bool):
        return int(bool(value))
    if isinstance(value, str):
        parsed = _parsed(value)
        return value if parsed is None else javascript.number(float(int(parsed)))
    if isinstance(value, int | float) and isfinite(javascript.number(value)):
        return javascript.number(int(value))
    return value


def _parsed(text: str) -> float | None:
    value = javascript.to_number(text)
    if value is not None and isfinite(value):
        return value
    if text.lower() in ("true", "false"):
        return int(text.lower() == "true")
    if re.fullmatch(r"-?(0|[1-9][0-9]*)n", text) and javascript.is_safe_integer(int(text[:-1])):
        return int(text[:-1])
    return None


def problems(node: Node, value: object, path: Path = ()) -> list[Problem]:
    """Everything in `value` that does not fit `node`, in the order Pi reports it."""
    expected = _type_name(node)
    if not _has_type(node, value):
        return [Problem(path, f"expected {expected}, got {_type_of(value)}")]
    match node:
        case Text():
            return [Problem(path, why) for why in _text_faults(node, str(value))]
        case Whole():
            return [Problem(path, why) for why in _number_faults(node, value)]
        case Listed():
            return _list_problems(node, value, path)
        case Fields():
            return _member_problems(node, value, path)


def _text_faults(node: Text, value: str) -> list[str]:
    if node.one_of and value not in node.one_of:
        return [f"expected one of {javascript.stringify(node.one_of)}"]
    size = javascript.code_points(value)
    if size < node.least:
        return [f"expected at least {node.least} characters"]
    if node.most is not None and size > node.most:
        return [f"expected at most {node.most} characters"]
    return []


def _number_faults(node: Whole, value: Any) -> list[str]:
    if value < node.least:
        return [f"expected >= {node.least}"]
    if node.most is not None and value > node.most:
        return [f"expected <= {node.most}"]
    return []


def _list_problems(node: Listed, value: Any, path: Path) -> list[Problem]:
    found = [
        problem
        for index, item in enumerate(value)
        for problem in problems(node.item, item, (*path, str(index)))
    ]
    if node.most is not None and len(value) > node.most:
        found.append(Problem(path, f"expected at most {node.most} items"))
    if node.unique and len({_canonical(item) for item in value}) < len(value):
        found.append(Problem(path, "expected unique items"))
    return found


def _member_problems(node: Fields, value: Any, path: Path) -> list[Problem]:
    found = [
        Problem((*path, member.name), "missing")
        for member in node.members
        if member.required and member.name not in value
    ]
    for member in node.members:
        if member.name in value:
            found += problems(member.node, value[member.name], (*path, member.name))
    if node.closed:
        names = {member.name for member in node.members}
        found += [
            Problem((*path, key), "unknown field")
            for key in javascript.own_keys(value)
            if key not in names
        ]
    return found


def _canonical(value: object) -> str:
    """Equal for equal JSON values, whatever the order of their members."""
    if isinstance(value, Mapping):
        members = sorted((key, _canonical(item)) for key, item in value.items())
        return "{" + ",".join(f"{javascript.stringify(key)}:{item}" for key, item in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_canonical, value)) + "]"
    return javascript.stringify(value)


def _type_name(node: Node) -> str:
    match node:
        case Text():
            return "string"
        case Whole():
            return "integer"
        case Listed():
            return "array"
        case Fields():
            return "object"


def _has_type(node: Node, value: object) -> bool:
    match node:
        case Text():
            return isinstance(value, str)
        case Whole():
            return _type_of(value) == "integer"
        case Listed():
            return isinstance(value, list)
        case Fields():
            return isinstance(value, Mapping)


def _type_of(value: object) -> str:
    """The name Pi gives the type of a value it did not expect."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, int | float):
        held = javascript.number(value)
        if isinstance(held, int):
            return "integer"
        return "number" if isfinite(held) else javascript.number_text(held)
    return "array" if isinstance(value, list) else "object"
