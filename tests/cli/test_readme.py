"""The README says what is so: keys, members of the JSON, commands, pictures."""

from __future__ import annotations

import json
import re
from pathlib import Path

from ppgp_tui.cli.gasp.group import COMMANDS as GASP
from ppgp_tui.cli.persist.group import COMMANDS as PERSIST
from ppgp_tui.ui.keys.keymap import Keymap, read_keymap, shown_key
from ppgp_tui.ui.keys.table import action_table
from ppgp_tui.ui.looks.theme import shipped_folder, theme_names
from ppgp_tui.ui.views import VIEWS
from tests.cli.running import run
from tests.cli.telling import tell

TOP = Path(__file__).parents[2]
README = (TOP / "README.md").read_text("utf-8")
COMMANDS = (
    (), ("show",), ("status",), ("demo",), ("init",), ("ask",), ("answer",), ("mcp",),
    ("todo", "set"), ("todo", "adopt"), ("blocker", "raise"), ("goal", "pause"),
    ("doctor",), ("connect",), ("disconnect",), ("run",), ("agents",), ("bug",), ("report",),
    ("replay",), ("audit",), ("close",), ("goal", "claim"),
    *(("gasp", name) for name in GASP), *(("persist", name) for name in PERSIST),
)  # fmt: skip


def section(name: str) -> str:
    """The text under a heading, up to the next heading of any level."""
    match = re.search(rf"^#+ {re.escape(name)}\n(.*?)(?=^#|\Z)", README, re.MULTILINE | re.DOTALL)
    assert match, name
    return match[1]


def test_every_key_stands_in_the_table_and_no_other() -> None:
    keymap = Keymap(action_table([view.name for view in VIEWS]))
    real = {shown_key(key) for action in keymap.actions for key in keymap.keys(action)}
    named = set(re.findall(r"`([^`]+)`", "".join(
        line.split("|")[1] for line in section("Keys").splitlines() if line.startswith("| `")
    )))  # fmt: skip
    arrows = {"Up", "Down"}
    views = {str(number) for number in range(1, len(VIEWS) + 1)}
    assert real - arrows - views == named - {"1", "6"}


def test_the_keys_it_gives_an_action_can_be_given(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", section("Keys"), re.DOTALL)
    path = tmp_path / "keys.toml"
    path.write_text(example)
    read_keymap(action_table([view.name for view in VIEWS]), path)


def test_every_view_stands_in_the_tour() -> None:
    rows = re.findall(r"^\| `(\d)` \| (\w+) \|", section("The six views"), re.MULTILINE)
    assert rows == [(str(number), view.name) for number, view in enumerate(VIEWS, 1)]


def test_every_theme_is_named() -> None:
    assert set(theme_names(shipped_folder())) <= set(re.findall(r"`(\w+)`", section("Themes")))


def test_the_members_of_the_json_are_those_it_has(tmp_path: Path) -> None:
    told = tell(tmp_path / "importer", tmp_path / "state", until=30)
    code, out, _ = run("show", "--json", told.root)
    assert code == 0
    value = json.loads(out)
    words = set(re.findall(r"\w+", section("The JSON of `show`, schema `ppgp-tui/1`")))
    assert set(value) <= words
    for part in ("goal", "plan", "events", "repo"):
        assert set(value[part]) <= words, part
    for member in (
        value["goal"]["dod"][0], value["goal"]["blockers"][0], value["plan"]["tasks"][0],
        value["inbox"][0], value["agents"][0],
    ):  # fmt: skip
        assert set(member) <= words


def test_the_pictures_it_shows_are_there() -> None:
    for picture in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README):
        assert (TOP / picture).is_file(), picture


def test_the_commands_it_names_exist() -> None:
    targets = set(re.findall(r"^([a-z0-9]+):", (TOP / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make (\w+)", README, re.MULTILINE)) <= targets
    known = set(re.findall(r"--[a-z-]+", "".join(run(*words, "--help").out for words in COMMANDS)))
    assert set(re.findall(r"`(--[a-z-]+)", README)) <= known


def test_every_option_of_a_restart_loop_is_named() -> None:
    for name in PERSIST:
        options = set(re.findall(r"--[a-z-]+", run("persist", name, "-h").out)) - {"--help"}
        assert options <= set(re.findall(r"(--[a-z-]+)", section("Restart loops"))), name
