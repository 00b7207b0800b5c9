"""One table of actions: no key has two meanings, and a user's changes are checked."""

from itertools import combinations
from pathlib import Path

import pytest

from ppgp_tui.ui.acts.acts import ACTS
from ppgp_tui.ui.keys.action import Action, Topic, actions_of
from ppgp_tui.ui.keys.keymap import (
    KeyClashError,
    Keymap,
    is_key,
    key_name,
    read_keymap,
    share,
    shown_key,
    shown_together,
    types,
)
from ppgp_tui.ui.keys.table import action_table
from ppgp_tui.ui.looks.settings_file import SettingsError
from ppgp_tui.ui.seat.entry import EDITING_KEYS
from ppgp_tui.ui.seat.place import Place
from ppgp_tui.ui.views import VIEWS

TABLE = action_table([view.name for view in VIEWS])


def test_every_action_has_an_act_and_every_act_an_action() -> None:
    ids = {action.id for action in actions_of(TABLE) if not action.id.startswith("view.")}
    assert ids == set(ACTS)


def test_the_shipped_keys_exist_and_mean_one_thing_each_in_every_place() -> None:
    by_key: dict[str, list[str]] = {}
    for action in actions_of(TABLE):
        for key in action.keys:
            assert is_key(key)
            by_key.setdefault(key, []).append(action.id)
    actions = {action.id: action for action in actions_of(TABLE)}
    for key, ids in by_key.items():
        for one, other in combinations(ids, 2):
            assert share(actions[one], actions[other]), (key, one, other)
    Keymap(TABLE)


@pytest.mark.parametrize("key", ["c", "d", "g"])
def test_a_letter_that_chooses_in_a_card_means_nothing_else_there(key: str) -> None:
    keymap = Keymap(TABLE)
    for options in ("", "ab", "abcdefghi"):
        card = Place(sheet="card", asks="open", options=options)
        chosen = keymap.action(key, card)
        assert chosen is not None
        assert chosen.id == f"answer.{key}"
        assert bool(chosen.refuses(card)) == (key not in options)
    elsewhere = keymap.action(key, Place(asks="open", options="abcdefghi"))
    assert elsewhere is not None
    assert elsewhere.id != f"answer.{key}"


def test_no_action_gives_two_meanings_to_a_key_at_the_same_time() -> None:
    places = [
        Place(sheet=sheet, asks=asks, options="abcdefghi", finds=finds)
        for sheet in ("", "card", "confirm", "help")
        for asks in ("", "yes_no", "advised", "open")
        for finds in ("", "match")
    ]
    for place in places:
        acting = [action for action in actions_of(TABLE) if not action.refuses(place)]
        keys = [key for action in acting for key in action.keys]
        assert len(keys) == len(set(keys)), place


def test_nothing_needs_alt_or_two_modifiers_or_a_function_key() -> None:
    for action in actions_of(TABLE):
        first = next(iter(action.keys), "")
        assert "alt" not in first
        assert first.count("+") <= 1 or first == "+"
        assert not first.startswith("f1")


def test_only_editing_keys_are_taken_while_a_line_is_typed() -> None:
    leaves = next(action for action in actions_of(TABLE) if action.id == "back")
    keeps = next(action for action in actions_of(TABLE) if action.id == "row.open")
    for key in (*leaves.keys, *keeps.keys):
        assert key not in EDITING_KEYS
        assert not types(key)


def table_with(*actions: Action) -> tuple[Topic, ...]:
    return (Topic("t", "Look", actions),)


def never(_: object) -> str:
    return ""


def test_a_key_with_two_meanings_in_the_table_is_refused() -> None:
    twice = table_with(Action("a", ("x",), "a", never), Action("b", ("x",), "b", never))
    with pytest.raises(KeyClashError, match="b: x already means a"):
        Keymap(twice)


def test_a_key_no_terminal_sends_is_refused() -> None:
    with pytest.raises(KeyClashError, match="no key called 'esc'"):
        Keymap(table_with(Action("a", ("esc",), "a", never)))


@pytest.mark.parametrize(
    ("key", "character", "name"),
    [
        ("j", "j", "j"),
        ("G", "G", "G"),
        ("question_mark", "?", "?"),
        ("slash", "/", "/"),
        ("plus", "+", "+"),
        ("space", " ", "space"),
        ("escape", "\x1b", "escape"),
        ("enter", "\r", "enter"),
        ("ctrl+m", "\r", "enter"),
        ("ctrl+i", "\t", "tab"),
        ("ctrl+d", "\x04", "ctrl+d"),
        ("alt+x", "x", "alt+x"),
        ("shift+tab", None, "shift+tab"),
        ("left_square_bracket", "[", "["),
    ],
)
def test_keys_are_named_as_a_person_writes_them(key: str, character: str | None, name: str) -> None:
    assert key_name(key, character) == name
    assert is_key(name)


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        (("j", "k"), "j k"),
        (("1", "2", "3", "4", "5", "6"), "1-6"),
        (("a", "b", "c"), "a-c"),
        (("a", "b"), "a b"),
        (("a", "c"), "a c"),
        (("ctrl+d", "ctrl+u"), "Ctrl+D U"),
        (("pageup", "f1"), "PgUp F1"),
        (("escape",), "Esc"),
        (("+",), "+"),
        (("shift+tab",), "Shift+Tab"),
        ((), ""),
    ],
)
def test_keys_are_shown_in_few_cells(keys: tuple[str, ...], shown: str) -> None:
    assert shown_together(keys) == shown


def test_a_single_key_is_shown_by_its_usual_name() -> None:
    assert shown_key("ctrl+p") == "Ctrl+P"


def own(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "keys.toml"
    path.write_text(text, "utf-8")
    return path


def test_without_a_file_the_keys_are_the_shipped_ones(tmp_path: Path) -> None:
    assert read_keymap(TABLE, tmp_path / "keys.toml").action("j", Place()) is not None
    assert read_keymap(TABLE, None).action("j", Place()) is not None


def test_a_user_gives_an_action_other_keys_and_loses_the_old_ones(tmp_path: Path) -> None:
    made = read_keymap(TABLE, own(tmp_path, '"move.down" = ["J", "down"]\n"copy" = []\n'))
    moved = made.action("J", Place())
    assert moved is not None
    assert moved.id == "move.down"
    assert made.action("j", Place()) is None
    assert made.action("c", Place(sheet="card")).id == "answer.c"  # type: ignore[union-attr]


def test_two_actions_may_swap_their_keys(tmp_path: Path) -> None:
    made = read_keymap(TABLE, own(tmp_path, '"help" = "o"\n"origin" = "?"\n'))
    swapped = made.action("o", Place())
    assert swapped is not None
    assert swapped.id == "help"


def test_a_user_gives_an_action_a_sequence_of_keys(tmp_path: Path) -> None:
    made = read_keymap(TABLE, own(tmp_path, '"copy" = ["x c", "ctrl+x enter"]\n'))
    assert {"x", "ctrl+x"} <= set(made.prefixes)
    assert [made.action(key, Place()).id for key in ("x c", "ctrl+x enter")] == ["copy"] * 2  # type: ignore[union-attr]
    assert made.first["copy"] == "xc"
    assert shown_key("ctrl+x enter") == "Ctrl+X Enter"


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ('\n"move.dwon" = "x"\n', 2, "there is no such action; did you mean move.down?"),
        ('"zzz" = "x"\n', 1, "actions are answer."),
        ('"copy" = "esc"\n', 1, "there is no key called 'esc'; did you mean escape?"),
        ('"copy" = "ctrl+"\n', 1, "no key called 'ctrl+'"),
        ('# mine\n"copy" = "q"\n', 2, "q already means quit; give quit another key too"),
        ('"copy" = "x"\n"find" = "x"\n', 1, "x already means find"),
        ('"copy" = 3\n', 1, "must be a key"),
        ('"copy" = [3]\n', 1, "must be a key"),
        ('"quit" = []\n', 1, "needs a key"),
        ('"copy" = \n', 1, "is no TOML"),
        ('"copy" = ",x"\n', 1, 'write ", x" for the one after the other'),
        ('"copy" = ", entr"\n', 1, "did you mean enter?"),
        ('"copy" = ", x y"\n', 1, "there is no key called ', x y'"),
        ('"copy" = ", escape"\n', 1, "a sequence is two keys, and Esc is none of them"),
        ('"copy" = ", d"\n', 1, ",d already means screen.density"),
        ('"copy" = ","\n', 1, ", already means copy, so it cannot begin ,t (screen.theme)"),
        ('\n"copy" = "j x"\n', 2, "j already means move.down, so it cannot begin jx (copy)"),
        ('"copy" = "x z"\n"find" = "x"\n', 1, "x already means find, so it cannot begin xz (copy)"),
    ],
)
def test_a_mistake_is_named_with_file_line_and_cure(
    tmp_path: Path, text: str, line: int, complaint: str
) -> None:
    path = own(tmp_path, text)
    with pytest.raises(SettingsError) as said:
        read_keymap(TABLE, path)
    assert f"{path}, line {line}: " in str(said.value)
    assert complaint in str(said.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.mkdir()
    with pytest.raises(SettingsError, match="cannot be read"):
        read_keymap(TABLE, path)
    path.rmdir()
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="not UTF-8"):
        read_keymap(TABLE, path)
