"""Hook entries in the text of a settings file: put in and taken out without touching the rest.

Every insertion is remembered as a piece of text, so what was put in can be cut out again to the
byte, also when somebody has edited the file elsewhere. Where the pieces are not to be found any
more, because the file was written anew, the entries are found by what they run.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from ppgp_tui.agents.connect.spans import Item, NotJsonError, Value, read, scan

HOOKS: Final = "hooks"
PROGRAM: Final = ("ppgp-tui", "hook.py")
"""The last two components of the path of what our entries run."""

Json = dict[str, Any]
Groups = Mapping[str, Json]
"""The entry of each event: `{"hooks": [HANDLER]}`."""

_FIRST_INDENT: Final = re.compile(r"\n([ \t]+)\S")


class UnfitError(Exception):
    """The text cannot take hook entries, or is no settings file; the message says why."""


class Piece(NamedTuple):
    """What was put in, and where it begins in the text with all pieces in it."""

    at: int
    text: str


class Merged(NamedTuple):
    """A text with entries in it."""

    text: str
    pieces: tuple[Piece, ...]
    made: tuple[str, ...]
    """Members that were not there before: `hooks`, and names of events."""


class Entry(NamedTuple):
    """One handler of ours, as it stands in a text."""

    event: str
    group: Any
    """The whole element of the event's list, as plain JSON."""
    handler: Json


def entries(text: str) -> list[Entry]:
    """The handlers of ours. Raises `UnfitError` for what is no JSON."""
    if not text.strip():
        return []
    return [
        Entry(found.event.key or "", _plain(text, found.group.value), handler)
        for found in _found(text, _scan(text))
        for handler in found.handlers
    ]


def is_complete(text: str, groups: Groups) -> bool:
    """Whether exactly the wanted entries stand there. Raises `UnfitError`."""
    standing = entries(text)
    return len(standing) == len(groups) and all(
        one.group == groups.get(one.event) for one in standing
    )


def merge(text: str, groups: Groups) -> Merged:
    """Put the entries in, each at the end of its event's list. None of ours may be there.

    Raises `UnfitError`.
    """
    if not text.strip():
        layout = Layout("\r\n" if "\r\n" in text else "\n", "  ", spaced=True)
        whole = "{" + layout.lines("", [layout.hooks(layout.unit, groups)]) + "}"
        whole += layout.newline or ""
        return Merged(whole + text, (Piece(0, whole),), (HOOKS, *groups))
    root = _scan(text)
    layout = _layout(text, root)
    hooks = _only(root, HOOKS, "object")
    if hooks is None:
        piece = _into(text, root, layout, lambda indent: [layout.hooks(indent, groups)])
        return _merged(text, [piece], (HOOKS, *groups))
    pieces, missing = [], {}
    for event, group in groups.items():
        there = _only(hooks, event, "array")
        if there is None:
            missing[event] = group
        else:
            said = layout.value(group)
            pieces.append(_into(text, there, layout, _at_any_indent(said)))
    if missing:
        pieces.append(
            _into(text, hooks, layout, lambda indent: list(layout.events(indent, missing)))
        )
    return _merged(text, pieces, tuple(missing))


def cut(text: str, pieces: tuple[Piece, ...]) -> str:
    """The text without pieces that stand exactly where they were put. Raises ValueError if not."""
    kept, at = [], 0
    for piece in pieces:
        if not text.startswith(piece.text, piece.at) or piece.at < at:
            raise ValueError("another text")
        kept.append(text[at : piece.at])
        at = piece.at + len(piece.text)
    return "".join(kept) + text[at:]


def remove(text: str, pieces: tuple[Piece, ...] = (), made: tuple[str, ...] | None = None) -> str:
    """Take every entry of ours out of a text that was edited since.

    The pieces are cut out where they can be found, else the entries and the commas beside them.
    `made` are the members to take away once they are empty; None: those our removal empties.
    Raises `UnfitError`.
    """
    if not text.strip():
        return text
    by_entry = _without(text, made)
    by_piece = _without_pieces(text, pieces)
    if by_piece is not None and _same(by_piece, by_entry):
        return by_piece
    return by_entry


class Layout(NamedTuple):
    """How a file is written."""

    newline: str | None
    """None: all on one line."""
    unit: str
    spaced: bool

    def value(self, value: Any) -> str:
        """On one line."""
        separators = (", ", ": ") if self.spaced else (",", ":")
        return json.dumps(value, ensure_ascii=False, separators=separators)

    def lines(self, indent: str, members: list[str]) -> str:
        """Members between two brackets, each on a line of its own."""
        if self.newline is None:
            return self.comma.join(members)
        inner = self.newline + indent + self.unit
        return inner + f",{inner}".join(members) + self.newline + indent

    @property
    def comma(self) -> str:
        """Between two members on one line."""
        return ", " if self.spaced else ","

    @property
    def colon(self) -> str:
        """Between name and value."""
        return ": " if self.spaced else ":"

    def events(self, indent: str, groups: Groups) -> Iterator[str]:
        """Events, written at that indentation."""
        for event, group in groups.items():
            yield f'"{event}"{self.colon}[{self.lines(indent, [self.value(group)])}]'

    def hooks(self, indent: str, groups: Groups) -> str:
        """The whole member."""
        inside = self.lines(indent, list(self.events(indent + self.unit, groups)))
        return f'"{HOOKS}"{self.colon}{{{inside}}}'


def is_ours(handler: Any) -> bool:
    """Whether a handler runs our hook program, with arguments or in one command line."""
    if not isinstance(handler, dict) or not isinstance(handler.get("command"), str):
        return False
    words = [handler["command"]]
    if isinstance(handler.get("args"), list):
        words += [word for word in handler["args"] if isinstance(word, str)]
    else:
        try:
            words = shlex.split(handler["command"])
        except ValueError:
            return False
    return any(PurePosixPath(word).parts[-2:] == PROGRAM for word in words)


# Reading ------------------------------------------------------------------------------------------


class _Found(NamedTuple):
    """A group in which handlers of ours are."""

    hooks: int
    """Which member of the root."""
    event_number: int
    event: Item
    group_number: int
    group: Item
    inner: Value
    """The group's list of handlers."""
    ours: list[int]
    handlers: list[Json]


def _scan(text: str) -> Value:
    try:
        root = scan(text)
    except NotJsonError as error:
        raise UnfitError(str(error)) from None
    if root.kind != "object":
        raise UnfitError("it is no JSON object")
    return root


def _found(text: str, root: Value) -> Iterator[_Found]:
    for number in root.named(HOOKS):
        for event_number, event in enumerate(root.items[number].value.items):
            for group_number, group in enumerate(event.value.items):
                for inner_number in group.value.named(HOOKS):
                    inner = group.value.items[inner_number].value
                    said = [_plain(text, item.value) for item in inner.items]
                    ours = [at for at, handler in enumerate(said) if is_ours(handler)]
                    if ours and event.key is not None:
                        handlers = [said[at] for at in ours]
                        yield _Found(
                            number, event_number, event, group_number, group, inner, ours, handlers
                        )


def _plain(text: str, value: Value) -> Any:
    return json.loads(text[value.start : value.end])


def _only(container: Value, key: str, kind: str) -> Value | None:
    """The value of that member; None where there is none."""
    found = container.named(key)
    if len(found) > 1:
        raise UnfitError(f'"{key}" is given {len(found)} times; an agent reads only one of them')
    if not found:
        return None
    value = container.items[found[0]].value
    if value.kind != kind:
        raise UnfitError(f'"{key}" is no {kind}')
    return value


def _layout(text: str, root: Value) -> Layout:
    first = _FIRST_INDENT.search(text)
    unit = first[1] if first and root.items else "  "
    newline = "\r\n" if "\r\n" in text else "\n"
    if not root.items:
        return Layout(newline, "  ", spaced=True)
    item = root.items[0]
    spaced = text[item.value.start - 1] in " \t\r\n"
    is_one_line = "\n" not in text[root.start : root.end]
    return Layout(None if is_one_line else newline, unit, spaced)


# Putting in ---------------------------------------------------------------------------------------


Members = Callable[[str], list[str]]
"""Writes members at an indentation."""


def _at_any_indent(member: str) -> Members:
    return lambda _: [member]


def _into(text: str, container: Value, layout: Layout, members: Members) -> Piece:
    """What is to be put in at the end of a container."""
    outside = _indent(text, container.start)
    if not container.items:
        written = members(outside + layout.unit)
        if layout.newline is None:
            return Piece(container.start + 1, layout.comma.join(written))
        said = layout.lines(outside, written)
        if "\n" in text[container.start : container.end]:  # the bracket is on its own line
            said = said[: -len(layout.newline + outside)]
        return Piece(container.start + 1, said)
    at, first = container.items[-1].end, container.items[0].start
    if "\n" not in text[container.start : first]:
        flat = layout._replace(newline=None)
        written = [_flat(one, flat) for one in members(outside)]
        return Piece(at, "".join(flat.comma + one for one in written))
    indent = _indent(text, first)
    written = members(indent)
    return Piece(at, "".join(f",{layout.newline}{indent}{one}" for one in written))


def _flat(member: str, layout: Layout) -> str:
    """A member that was written on several lines, on one."""
    if "\n" not in member:
        return member
    if member.startswith("{"):
        return layout.value(json.loads(member))
    return layout.value(json.loads("{" + member + "}"))[1:-1]


def _indent(text: str, at: int) -> str:
    """The blanks at the beginning of the line on which `at` is."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _merged(text: str, pieces: list[Piece], made: tuple[str, ...]) -> Merged:
    """The text with all pieces, given by their places in the text without any."""
    said, placed, at, moved = [], [], 0, 0
    for piece in sorted(pieces, key=lambda one: one.at):
        said += [text[at : piece.at], piece.text]
        placed.append(Piece(piece.at + moved, piece.text))
        at, moved = piece.at, moved + len(piece.text)
    return Merged("".join(said) + text[at:], tuple(placed), made)


# Taking out ---------------------------------------------------------------------------------------


def _without_pieces(text: str, pieces: tuple[Piece, ...]) -> str | None:
    """The text without the pieces, in their order; None where one of them is not there.

    Each is looked for where it would be if all edits so far were before the one ahead of it, then
    further on. Whether the right ones were found is for the caller to see.
    """
    placed: list[Piece] = []
    end = moved = 0
    for piece in pieces:
        at = piece.at + moved
        if at < end or not text.startswith(piece.text, at):
            at = text.find(piece.text, end)
        if at < 0:
            return None
        placed.append(Piece(at, piece.text))
        end, moved = at + len(piece.text), at - piece.at
    return cut(text, tuple(placed)) if placed else None


def _without(text: str, made: tuple[str, ...] | None) -> str:
    """The text without the entries, each cut out with the comma beside it."""
    while found := next(_found(text, root := _scan(text)), None):
        hooks = root.items[found.hooks].value
        groups = found.event.value

        def is_made(name: str | None) -> bool:
            return made is None or name in made

        if len(found.ours) < len(found.inner.items):
            text = _drop(text, found.inner, found.ours[0])
        elif len(groups.items) > 1 or not is_made(found.event.key):
            text = _drop(text, groups, found.group_number)
        elif len(hooks.items) > 1 or not is_made(HOOKS):
            text = _drop(text, hooks, found.event_number)
        else:
            text = _drop(text, root, found.hooks)
    return text


def _drop(text: str, container: Value, number: int) -> str:
    items = container.items
    if number:
        start, end = items[number - 1].end, items[number].end
    elif len(items) > 1:
        start, end = items[0].start, items[1].start
    else:
        start, end = container.start + 1, container.end - 1
    return text[:start] + text[end:]


def _same(text: str, other: str) -> bool:
    """Whether two texts say the same; nothing at all is the same as an empty object."""
    try:
        said = [read(one) if one.strip() else () for one in (text, other)]
    except NotJsonError:
        return False
    return bool(said[0] == said[1])
