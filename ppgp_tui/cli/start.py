"""Starting the app. Without click, which would take a tenth of the time to the first picture."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ppgp_tui.cli.aim import aim
from ppgp_tui.session.files.root import RootError
from ppgp_tui.session.text import one_line


def start(
    path: Path | None,
    root: Path | None = None,
    *,
    theme: str | None = None,
    ascii_only: bool = False,
    use_mouse: bool = True,
    ribbon: bool = False,
    plain: bool = False,
    once: bool = False,
) -> int:
    """Show the app on the repository that `path` or `root` name; return the exit code.

    1 when there is no such repository, 2 when `path` is a file.
    """
    try:
        found = aim(Path.cwd(), path, root, os.environ)
    except RootError as error:
        return _said(str(error), 1)
    if found.document is not None:
        return _said(f"{path} is a file: name its repository, or `ppgp-tui show {path}`", 2)
    if plain:
        return _plain(found.root, once=once)
    return show(found.root, theme=theme, ascii_only=ascii_only, use_mouse=use_mouse, ribbon=ribbon)


def show(
    root: Path, *, theme: str | None, ascii_only: bool, use_mouse: bool, ribbon: bool = False
) -> int:
    """Show the app on a root, or tell it where the user's settings want that; the exit code."""
    from ppgp_tui.cli.crew import CREW
    from ppgp_tui.session.files.places import config_folder
    from ppgp_tui.session.settings.settings import load_settings
    from ppgp_tui.ui.app.launch import run

    settings = load_settings(root, config_folder() / "config.toml")
    if settings.reader:
        return _plain(root, once=False)
    return run(
        root, settings, theme=theme, ascii=ascii_only or None, use_mouse=use_mouse,
        ribbon=ribbon or settings.ribbon, crew=CREW,
    )  # fmt: skip


def start_all(
    paths: Sequence[Path], *, theme: str | None, ascii_only: bool, use_mouse: bool
) -> int:
    """Show the list of all sessions, those at `paths` among them; return the exit code."""
    from ppgp_tui.cli.crew import CREW
    from ppgp_tui.ui.app.launch import run

    try:
        here = aim(Path.cwd(), None, None, os.environ).root
    except RootError as error:
        return _said(str(error), 1)
    return run(
        here, theme=theme, ascii=ascii_only or None, use_mouse=use_mouse, crew=CREW,
        paths=[str(path) for path in paths],
    )  # fmt: skip


def _plain(root: Path, *, once: bool) -> int:
    from ppgp_tui.cli.plain import plain

    try:
        return plain(root, once=once)
    except RootError as error:
        return _said(str(error), 1)


def _said(text: str, code: int) -> int:
    sys.stderr.write(f"ppgp-tui: {one_line(text)}\n")
    return code
