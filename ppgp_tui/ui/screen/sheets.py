"""What the sheets say: the keys that work here, every action, and where a value comes from."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple, get_args

from ppgp_tui.session.model import Origin
from ppgp_tui.ui.keys.action import Group, Topic
from ppgp_tui.ui.keys.keymap import Keymap, prefix_of, shown_key
from ppgp_tui.ui.keys.prefix import called
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.look import Look, Role
from ppgp_tui.ui.looks.words import TASKS
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, words
from ppgp_tui.ui.seat.place import Place
from ppgp_tui.ui.views.prose import wrapped

_KEYS = 11
"""Cells for the keys before what they do; keys that need more go on in the line below."""
_ONE_COLUMN = 60
"""Below this width the help is one column."""


class Said(NamedTuple):
    """A few words of one line of help."""

    keys: str
    label: str


_STOPS = (
    Said("C you", "your answer"),
    Said("B 02:00", "external, until then"),
    Said("D", "another dependency"),
)
"""The state words of stopped tasks, which have no room for more."""


def help_rows(
    keymap: Keymap, place: Place, width: int, found: str = "", look: Look | None = None
) -> tuple[Row, ...]:
    """The keys that act in `place`, by group, in two columns where there is room.

    With a `look` the signs of the plan are explained where it is shown.
    """
    columns: tuple[list[Line], list[Line]] = ([], [])
    each = width // 2 if width >= _ONE_COLUMN else width
    for group in _help_groups(keymap, place, each - _KEYS - 2, found, look):
        shorter = min(columns, key=len) if each < width else columns[0]
        shorter.extend([*([Line()] if shorter else []), *group])
    left, right = columns
    if not left:
        return (Row("", (Line((Span("no key of that name", "soft"),), indent=1),)),)
    right += [Line()] * (len(left) - len(right))
    left += [Line()] * (len(right) - len(left))
    return tuple(_beside(a, b, width // 2) for a, b in zip(left, right, strict=True))


def _help_groups(
    keymap: Keymap, place: Place, room: int, found: str, look: Look | None
) -> Iterable[list[Line]]:
    acting = [topic for topic in keymap.table if _acts(topic, place)]
    for group in get_args(Group):
        said = [
            _said(keymap, topic, place)
            for topic in acting
            if topic.group == group and not _sequences(keymap, topic, place)
        ]
        yield from _group(group, said, room, found)
    for prefix in keymap.prefixes:
        able = (pair for pair in keymap.after(prefix, place) if not pair[1].refuses(place))
        said = [Said(shown_key(f"{prefix} {key}"), action.label) for key, action in able]
        yield from _group(called(prefix), said, room, found)
    others = [
        Said(others, topic.label)
        for topic in acting
        if (others := keymap.others(topic.named(place)))
    ]
    yield from _group("The same", others, room, found)
    if not place.sheet:
        yield from _group("What stops a task", _STOPS, room, found)
    if look is not None and place.plan.tasks and not place.sheet:
        signs = [Said(look.sign(word.sign), word.text) for word in TASKS.values()]
        yield from _group("Signs of tasks", signs, room, found)


def _group(title: str, said: Iterable[Said], room: int, found: str) -> Iterable[list[Line]]:
    """Lines of one group; what a key does goes on below where `room` is too narrow for it."""
    lines = [
        Line((Span(keys.ljust(_KEYS), "ink", bold=True), Span(part)), indent=1)
        for item in said
        if item.keys and found.casefold() in f"{item.keys} {item.label}".casefold()
        for keys, part in _parts(item, room)
    ]
    if lines:
        yield [Line((Span(title, "ink", bold=True),), indent=1), *lines]


def _parts(item: Said, room: int) -> Iterable[tuple[str, str]]:
    """The lines of one key or a few: the keys at the left, their words beside them."""
    keys = wrapped(item.keys, _KEYS - 1)
    return zip_longest(keys, wrapped(item.label, room), fillvalue="")


def _acts(topic: Topic, place: Place) -> bool:
    return not all(action.refuses(place) for action in topic.actions)


def _sequences(keymap: Keymap, topic: Topic, place: Place) -> bool:
    """Whether the keys of `topic` begin with a prefix: those are told by prefix."""
    first = (keymap.keys(action)[:1] for action in topic.named(place))
    return any(prefix_of(key) for keys in first for key in keys)


def _said(keymap: Keymap, topic: Topic, place: Place) -> Said:
    label = topic.hint_in(place) if callable(topic.hint) else topic.label
    return Said(keymap.shown(topic.named(place)), label or topic.label)


def _beside(left: Line, right: Line, half: int) -> Row:
    if not right.left:
        return Row("", (left,))
    return Row("", (Line(left.left, indent=1, tab=half, columns=right.left),))


def origin_rows(
    row: Row | None, notices: Sequence[tuple[str, Origin | None]], width: int, now_ms: int
) -> tuple[Row, ...]:
    """Where the row under the cursor was read, and everything that is wrong with the picture.

    Both are told in full: this is where one looks for what was cut elsewhere.
    """
    rows: list[Row] = []
    if row is not None and row.origin is not None:
        rows.extend(_whole(words(row), "text", width))
        rows.append(blank())
        rows.extend(_facts(row.origin, now_ms))
    for text, origin in notices:
        if rows:
            rows.append(blank())
        rows.extend(_whole(text, "stop", width))
        if origin is not None:
            rows.extend(_facts(origin, now_ms))
    return tuple(rows)


def _whole(text: str, role: Role, width: int) -> Iterable[Row]:
    for part in wrapped(text, width - 3):
        yield Row("", (Line((Span(part, role),), indent=1),))


def _facts(origin: Origin, now_ms: int) -> Iterable[Row]:
    if origin.commit:
        yield _fact("git", origin.commit[:12], f"commit:{origin.commit}")
    yield _fact("file", origin.path, "" if origin.commit else f"file:{origin.path}")
    if origin.line is not None:
        yield _fact("line", f"{origin.line:,}")
    if origin.offset is not None:
        yield _fact("byte", f"{origin.offset:,}")
    if origin.seen_ms:
        yield _fact("read", f"{age(origin.seen_ms, now_ms)} ago, {clock_time(origin.seen_ms)}")


def _fact(name: str, value: str, link: str = "") -> Row:
    left = (Span(name.ljust(6), "soft"), Span(value, "ink", link=link))
    return Row("", (Line(left, indent=1, cut="middle"),))


def clock_time(at_ms: int) -> str:
    """Date and local time of day."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at_ms / 1000))
