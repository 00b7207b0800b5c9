"""`ppgp-tui keys`: every action with its keys, and what is wrong with a user's own keys."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppgp_tui.cli.options import root_option

if TYPE_CHECKING:
    from ppgp_tui.ui.keys.keymap import Keymap
    from ppgp_tui.ui.looks.settings_file import SettingsError

_HELP = """\
Print every action of the app with its keys.

Where you have keys of your own (keys.toml in your settings folder, or the file that ui.keys
names), they are checked: every unknown action, unknown key and key with two meanings is named with
file and line. Then the app does not start, and what is printed are the shipped keys. Exit code:
0 the keys can be used, 1 they cannot, 2 usage.

\b
Example:
  ppgp-tui keys
"""


@click.command("keys", help=_HELP)
@click.option("--json", "as_json", is_flag=True, help="As JSON, schema ppgp-tui/keys/1.")
@root_option
def keys(root: Path | None, as_json: bool) -> None:
    """Print the table."""
    from ppgp_tui.cli.aim import aim
    from ppgp_tui.session.files.places import config_folder
    from ppgp_tui.session.files.root import RootError
    from ppgp_tui.session.settings.settings import load_settings
    from ppgp_tui.session.text import one_line

    try:
        found = aim(Path.cwd(), None, root, os.environ).root
    except RootError as error:
        raise click.UsageError(one_line(str(error))) from error
    named = load_settings(found, config_folder() / "config.toml").keys
    path = Path(named) if named is not None else config_folder() / "keys.toml"
    keymap, own, wrong = _read(path, must_exist=named is not None)
    (_print_json if as_json else _print)(path, keymap, own, wrong)
    sys.exit(1 if wrong else 0)


def _read(path: Path, *, must_exist: bool) -> tuple[Keymap, set[str], list[SettingsError]]:
    """The keys as the app would have them, which actions have keys of the user's, what is wrong."""
    from ppgp_tui.ui.keys.keymap import Keymap, own_keys
    from ppgp_tui.ui.keys.table import action_table
    from ppgp_tui.ui.looks.settings_file import SettingsError, read_settings
    from ppgp_tui.ui.views import VIEWS

    table = action_table([view.name for view in VIEWS])
    if not must_exist and not path.exists():
        return Keymap(table), set(), []
    try:
        own, wrong = own_keys(read_settings(path), table)
    except SettingsError as error:
        return Keymap(table), set(), [error]
    return (Keymap(table), set(), wrong) if wrong else (Keymap(table, own), set(own), [])


def _print(path: Path, keymap: Keymap, own: set[str], wrong: list[SettingsError]) -> None:
    from ppgp_tui.cli.out import write
    from ppgp_tui.session.text import one_line
    from ppgp_tui.ui.keys.keymap import shown_key

    rows = []
    for action in keymap.actions:
        shown = "  ".join(shown_key(key) for key in keymap.keys(action)) or "-"
        rows.append((shown, action.id, action.label + (" (yours)" if action.id in own else "")))
    widths = [max(len(row[at]) for row in rows) for at in (0, 1)]
    lines = [f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c}" for a, b, c in rows]
    if own:
        lines += ["", one_line(f"yours are in {path}")]
    if wrong:
        said = "1 thing is" if len(wrong) == 1 else f"{len(wrong)} things are"
        lines += ["", f"{said} wrong with your keys; above are the shipped ones:"]
        lines += [f"  {one_line(str(error))}" for error in wrong]
    write("".join(f"{line}\n" for line in lines))


def _print_json(path: Path, keymap: Keymap, own: set[str], wrong: list[SettingsError]) -> None:
    from ppgp_tui.cli.json_text import json_text
    from ppgp_tui.cli.out import write

    value: dict[str, Any] = {
        "schema": "ppgp-tui/keys/1",
        "path": str(path) if path.exists() else None,
        "ok": not wrong,
        "actions": [
            {
                "id": action.id,
                "label": action.label,
                "keys": list(keymap.keys(action)),
                "yours": action.id in own,
            }
            for action in keymap.actions
        ],
        "problems": [{"line": error.line, "text": str(error)} for error in wrong],
    }
    write(json_text(value, indent=2))
