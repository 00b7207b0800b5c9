"""`ppgp-tui keys`: the table, and everything that is wrong with a user's own keys at once."""

from __future__ import annotations

import json
from pathlib import Path

from ppgp_tui.ui.keys.action import actions_of
from ppgp_tui.ui.keys.keymap import shown_key
from ppgp_tui.ui.keys.table import action_table
from ppgp_tui.ui.views import VIEWS
from tests.cli.running import Said, run

ACTIONS = list(actions_of(action_table([view.name for view in VIEWS])))


def keys(config: Path, *words: str) -> Said:
    return run("keys", *words, cwd=config, XDG_CONFIG_HOME=str(config))


def own(config: Path, text: str) -> Path:
    path = config / "ppgp-tui" / "keys.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_every_action_stands_there_with_all_its_keys(tmp_path: Path) -> None:
    said = keys(tmp_path)
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert len(lines) == len(ACTIONS)
    for action, line in zip(ACTIONS, lines, strict=True):
        shown = "  ".join(shown_key(key) for key in action.keys) or "-"
        assert line.split() == [*shown.split(), action.id, *action.label.split()]


def test_a_users_own_keys_are_marked_and_their_file_is_named(tmp_path: Path) -> None:
    path = own(tmp_path, '"copy" = ["x", "\' x"]\n')
    said = keys(tmp_path)
    assert said.code == 0
    line = next(line for line in said.out.splitlines() if " copy " in line)
    assert line.split()[:3] == ["x", "'x", "copy"]
    assert line.endswith(" (yours)")
    assert said.out.endswith(f"\nyours are in {path}\n")


def test_all_typos_and_conflicts_are_named_at_once_with_their_lines(tmp_path: Path) -> None:
    path = own(tmp_path, '"move.dwon" = "x"\n"copy" = "esc"\n"find" = "q"\n"origin" = "\'"\n')
    said = keys(tmp_path)
    assert said.code == 1
    wrong = said.out[said.out.index("4 things are wrong with your keys") :]
    assert f"{path}, line 1: move.dwon: there is no such action; did you mean move.down?" in wrong
    assert f"{path}, line 2: copy: there is no key called 'esc'; did you mean escape?" in wrong
    assert f"{path}, line 3: find: q already means quit" in wrong
    assert f"{path}, line 4: origin: ' already means origin, so it cannot begin" in wrong
    assert "above are the shipped ones" in wrong


def test_the_file_that_the_settings_name_is_checked(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    (tmp_path / "ppgp-tui").mkdir()
    (tmp_path / "ppgp-tui" / "config.toml").write_text(f'[ui]\nkeys = "{mine}"\n')
    said = keys(tmp_path)
    assert said.code == 1
    assert f"{mine}: cannot be read" in said.out
    mine.write_text('"copy" = "x"\n')
    assert keys(tmp_path).code == 0


def test_as_json(tmp_path: Path) -> None:
    path = own(tmp_path, '"copy" = "x"\n"find" = "x"\n')
    said = keys(tmp_path, "--json")
    value = json.loads(said.out)
    assert (said.code, value["schema"], value["path"], value["ok"]) == (
        1, "ppgp-tui/keys/1", str(path), False,
    )  # fmt: skip
    assert [problem["line"] for problem in value["problems"]] == [1]
    assert [action["id"] for action in value["actions"]] == [action.id for action in ACTIONS]
    path.write_text('"copy" = "x"\n')
    copy = next(
        action
        for action in json.loads(keys(tmp_path, "--json").out)["actions"]
        if action["id"] == "copy"
    )
    assert copy == {"id": "copy", "label": "copy", "keys": ["x"], "yours": True}


def test_what_is_no_word_of_it_is_a_mistake_of_usage(tmp_path: Path) -> None:
    assert keys(tmp_path, "--nonsense").code == 2
    assert keys(tmp_path, "--root", "nowhere").code == 2
