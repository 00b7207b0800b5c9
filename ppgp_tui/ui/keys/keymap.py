"""Which key does what: the table's own keys, changed by a user's `keys.toml`.

A key may be a sequence, `' r`: a prefix, a blank, and the key after it. A prefix does nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from ppgp_tui.ui.keys.action import Action, Topic, actions_of
from ppgp_tui.ui.looks.settings_file import SettingsError, SettingsFile, read_settings
from ppgp_tui.ui.seat.place import Place

_NAMED = (
    "escape", "enter", "tab", "space", "backspace", "delete", "insert", "home", "end", "pageup",
    "pagedown", "up", "down", "left", "right", *(f"f{number}" for number in range(1, 25)),
)  # fmt: skip
_MODIFIED = rf"(?:(?:ctrl|shift|alt)\+)+(?:[a-z0-9]|{'|'.join(_NAMED)})"
_SAME = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+left_square_brace": "escape"}
_SHOWN = {
    "escape": "Esc",
    "enter": "Enter",
    "tab": "Tab",
    "space": "Space",
    "backspace": "Backspace",
    "delete": "Del",
    "insert": "Ins",
    "home": "Home",
    "end": "End",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
}


class KeyClashError(Exception):
    """The table itself gives one key two meanings, or names a key that does not exist."""


class Keymap:
    """The keys of every action."""

    def __init__(self, table: Sequence[Topic], own: dict[str, tuple[str, ...]] | None = None):
        """Take the keys of `table`, replaced by `own` for the action ids named there.

        Raises `KeyClashError` for a key that does not exist and for a key with two meanings.
        """
        self.table = tuple(table)
        own = own or {}
        self.actions = tuple(actions_of(table))
        self._keys = {action.id: own.get(action.id, action.keys) for action in self.actions}
        self._by_key: dict[str, list[Action]] = {}
        for action in self.actions:
            for key in self._keys[action.id]:
                if not is_key(key):
                    raise KeyClashError(f"{action.id}: there is no key called {key!r}")
                there = self._by_key.setdefault(key, [])
                for other in there:
                    if not share(action, other):
                        said = f"{shown_key(key)} already means {other.id}"
                        raise KeyClashError(f"{action.id}: {said}")
                there.append(action)
        self.prefixes = tuple(dict.fromkeys(filter(None, map(prefix_of, self._by_key))))
        """The first keys of sequences, in the order of the table."""
        for prefix in self.prefixes:
            for action in self._by_key.get(prefix, ()):
                raise KeyClashError(f"{action.id}: {_begins(prefix, self._by_key)}")
        for meanings in self._by_key.values():
            meanings.sort(key=lambda action: not action.over)
        self.first = {action.id: self.shown([action]) for action in self.actions}
        """By action id its first key as it is written; empty for an action without keys."""

    def action(self, key: str, place: Place) -> Action | None:
        """What `key` does in `place`; where it can do nothing, what it would do elsewhere.

        In a card that is the request's own meaning of the key, in a view the other one.
        """
        meanings = self._by_key.get(key, [])
        able = next((action for action in meanings if not action.refuses(place)), None)
        if able is not None or not meanings:
            return able
        return meanings[0 if place.sheet == "card" else -1]

    def after(self, prefix: str, place: Place) -> list[tuple[str, Action]]:
        """Each key that may follow `prefix`, with what the two do in `place`."""
        sequences = [key for key in self._by_key if prefix_of(key) == prefix]
        return [
            (key.partition(" ")[2], action)
            for key in sequences
            if (action := self.action(key, place)) is not None
        ]

    def keys(self, action: Action) -> tuple[str, ...]:
        """The keys of `action`; empty when the user took them all away."""
        return self._keys[action.id]

    def shown(self, actions: Iterable[Action], typing: bool = False) -> str:
        """The first keys of `actions` as they are written: `j k`, `1-6`, `Ctrl+D U`.

        While `typing` only keys that are no characters act; empty when an action has none.
        """
        first = []
        for action in actions:
            keys = [key for key in self._keys[action.id] if not typing or not types(key)]
            if keys:
                first.append(keys[0])
            elif typing:
                return ""
        return shown_together(first)

    def others(self, actions: Iterable[Action]) -> str:
        """The further keys of `actions`, as they are written."""
        keys = [key for action in actions for key in self._keys[action.id][1:]]
        return shown_together(keys)


def read_keymap(table: Sequence[Topic], path: Path | None) -> Keymap:
    """The keymap of `table` with the changes of the file at `path`, if there is one.

    The file has lines such as `"move.down" = ["j", "down"]`; an empty list takes the keys away.
    Raises `SettingsError` for an unknown action, an unknown key, and a key with two meanings.
    """
    if path is None or not path.exists():
        return Keymap(table)
    said = read_settings(path)
    own, wrong = own_keys(said, table)
    if wrong:
        raise wrong[0]
    return Keymap(table, own)


def own_keys(
    said: SettingsFile, table: Sequence[Topic]
) -> tuple[dict[str, tuple[str, ...]], list[SettingsError]]:
    """The keys that a file gives to actions of `table`, and everything that is wrong with it."""
    own: dict[str, tuple[str, ...]] = {}
    wrong: list[SettingsError] = []
    for name in said.values:
        try:
            own[name] = _keys_said(said, table, name)
        except SettingsError as error:
            wrong.append(error)
    return own, [*wrong, *_clashes(said, table, own)]


def _keys_said(said: SettingsFile, table: Sequence[Topic], name: str) -> tuple[str, ...]:
    ids = [action.id for action in actions_of(table)]
    if name not in ids:
        near = get_close_matches(name, ids, 1)
        hint = f"did you mean {near[0]}?" if near else f"actions are {', '.join(ids)}"
        raise said.wrong(name, f"there is no such action; {hint}")
    value = said.values[name]
    keys = [value] if isinstance(value, str) else value
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise said.wrong(name, 'must be a key such as "x" or a list of keys')
    if name == "quit" and not keys:
        raise said.wrong(name, "needs a key")
    for key in keys:
        if not is_key(key):
            raise said.wrong(name, f"there is no key called {key!r}; {_hint(key)}")
    return tuple(keys)


def _hint(key: str) -> str:
    """What was probably meant by a key that does not exist."""
    prefix, blank, after = key.partition(" ")
    if not blank and len(key) == 2 and key.isprintable():
        return f'write "{key[0]} {key[1]}" for the one after the other'
    if blank and is_key(prefix) and is_key(after):
        return "a sequence is two keys, and Esc is none of them"
    for part in (prefix, after):
        if part and not is_key(part) and (near := get_close_matches(part, _NAMED, 1, 0.5)):
            return f"did you mean {near[0]}?"
    return 'write "x", "ctrl+x", "f5", "enter", or "\' x" for the one after the other'


def _clashes(
    said: SettingsFile, table: Sequence[Topic], own: dict[str, tuple[str, ...]]
) -> Iterator[SettingsError]:
    """The keys with two meanings, and those that both act and begin a sequence."""
    owners: dict[str, list[Action]] = {}
    changed = sorted(actions_of(table), key=lambda action: action.id in own)
    for action in changed:
        for key in own.get(action.id, action.keys):
            for other in owners.setdefault(key, []):
                if not share(action, other):
                    cure = f"give {other.id} another key too"
                    said_key = f"{shown_key(key)} already means {other.id}"
                    yield said.wrong(action.id, f"{said_key}; {cure}")
            owners[key].append(action)
    told: set[str] = set()
    for action in reversed(changed):
        for prefix in map(prefix_of, own.get(action.id, action.keys)):
            if prefix in owners and prefix not in told:
                told.add(prefix)
                wrong = action if action.id in own else owners[prefix][0]
                yield said.wrong(wrong.id, _begins(prefix, owners))


def _begins(prefix: str, owners: Mapping[str, Sequence[Action]]) -> str:
    """The complaint about a key that acts by itself and begins a sequence."""
    by_itself = owners[prefix][0].id
    sequence, then = next((key, owners[key][0].id) for key in owners if prefix_of(key) == prefix)
    return (
        f"{shown_key(prefix)} already means {by_itself}, "
        f"so it cannot begin {shown_key(sequence)} ({then})"
    )


def share(one: Action, other: Action) -> bool:
    """Whether two actions may have the same key, because only one of them can act at a time."""
    return one.id in other.over or other.id in one.over


def key_name(key: str, character: str | None) -> str:
    """What the table calls a key that Textual reports as `key` with `character`."""
    if character == " " and key == "space":
        return "space"
    if character is not None and len(character) == 1 and character.isprintable():
        plain = "+" not in key or key == "+"
        if plain and character != " ":
            return character
    return _SAME.get(key, key)


def types(key: str) -> bool:
    """Whether `key` is a character, which is text while a line is being typed."""
    return len(key) == 1 or key == "space" or (bool(prefix_of(key)) and types(prefix_of(key)))


def prefix_of(key: str) -> str:
    """The first key of a sequence such as `' r`; empty for a key by itself."""
    return key.partition(" ")[0] if " " in key else ""


def is_key(key: str) -> bool:
    """Whether a terminal can send `key`: a printable character, a key by its name, or a sequence.

    Esc is part of no sequence: after a prefix it ends the waiting.
    """
    if prefix := prefix_of(key):
        both = (prefix, key.partition(" ")[2])
        return all(is_key(one) and " " not in one and one != "escape" for one in both)
    if len(key) == 1:
        return key.isprintable() and key != " "
    return key in _NAMED or (re.fullmatch(_MODIFIED, key) is not None and key not in _SAME)


def shown_key(key: str) -> str:
    """`Esc`, `Ctrl+P`, `F5`, `?`, `'r`: how a key is written on the screen."""
    if prefix := prefix_of(key):
        both = [shown_key(prefix), shown_key(key.partition(" ")[2])]
        return "".join(both) if max(map(len, both)) == 1 else " ".join(both)
    *modifiers, name = key.split("+") if len(key) > 1 else [key]
    capital = bool(modifiers) or re.fullmatch(r"f\d+", name)
    shown = _SHOWN.get(name, name.upper() if capital else name)
    return "+".join([*(modifier.capitalize() for modifier in modifiers), shown])


def shown_together(keys: Sequence[str]) -> str:
    """Several keys in few cells: `1-6`, `a-c`, `Ctrl+D U`, `j k`."""
    if len(keys) > 2 and any("".join(keys) in run for run in ("123456789", "abcdefghi")):
        return f"{keys[0]}-{keys[-1]}"
    shown = [shown_key(key) for key in keys]
    prefix, plus, _ = shown[0].rpartition("+") if shown else ("", "", "")
    if plus and len(shown) > 1 and all(key.startswith(prefix + plus) for key in shown):
        return " ".join([shown[0], *(key.removeprefix(prefix + plus) for key in shown[1:])])
    return " ".join(shown)
