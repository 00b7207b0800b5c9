"""One table of actions: no key has two meanings, and a user's changes are checked."""

from pathlib import Path

import pytest

from ppgp_tui.ui.acts import ACTS
from ppgp_tui.ui.entry import EDITING_KEYS
from ppgp_tui.ui.keymap import (
    KeyClashError,
    Keymap,
    is_key,
    key_name,
    read_keymap,
    shown_key,
    shown_together,
    types,
)
from ppgp_tui.ui.keys import Action, Place, Topic, action_table, actions_of
from ppgp_tui.ui.settings_file import SettingsError
from ppgp_tui.ui.views import VIEWS

TABLE = action_table([view.name for view in VIEWS])


def test_every_action_has_an_act_and_every_act_an_action() -> None:
    ids = {action.id for action in actions_of(TABLE) if not action.id.startswith("view.")}
    assert ids == set(ACTS)


def test_the_shipped_keys_exist_and_mean_one_thing_each() -> None:
    keys = [key for action in actions_of(TABLE) for key in action.keys]
    assert len(keys) == len(set(keys))
    assert all(is_key(key) for key in keys)
    Keymap(TABLE)


def test_nothing_needs_alt_or_two_modifiers_or_a_function_key() -> None:
    for action in actions_of(TABLE):
        first = action.keys[0]
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
    made = read_keymap(TABLE, own(tmp_path, '"move.down" = ["s", "down"]\n"copy" = []\n'))
    moved = made.action("s", Place())
    assert moved is not None
    assert moved.id == "move.down"
    assert made.action("j", Place()) is None
    assert made.action("c", Place()) is None


def test_two_actions_may_swap_their_keys(tmp_path: Path) -> None:
    made = read_keymap(TABLE, own(tmp_path, '"copy" = "o"\n"origin" = "c"\n'))
    swapped = made.action("o", Place())
    assert swapped is not None
    assert swapped.id == "copy"


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ('\n"move.dwon" = "x"\n', 2, "there is no such action; did you mean move.down?"),
        ('"zzz" = "x"\n', 1, "actions are row.open"),
        ('"copy" = "esc"\n', 1, "there is no key called 'esc'; did you mean escape?"),
        ('"copy" = "ctrl+"\n', 1, "no key called 'ctrl+'"),
        ('# mine\n"copy" = "q"\n', 2, "q already means quit; give quit another key too"),
        ('"copy" = "x"\n"find" = "x"\n', 1, "x already means find"),
        ('"copy" = 3\n', 1, "must be a key"),
        ('"copy" = [3]\n', 1, "must be a key"),
        ('"quit" = []\n', 1, "needs a key"),
        ('"copy" = \n', 1, "is no TOML"),
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
