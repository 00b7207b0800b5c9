"""`ppgp-tui replay`: which log is played, and from where."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ppgp_tui.session.travel.destination import Destination, parse_destination


def beginning(at: str | None) -> Destination:
    """The moment that `--at` names; the first one without it.

    Raises `click.BadParameter` for what is no moment.
    """
    wanted = Destination(at=0) if at is None else parse_destination(at)
    if wanted is None:
        said = "is no number of an event, no id of one and no time such as 2026-09-21T14:13"
        raise click.BadParameter(f"{at} {said}", param_hint="--at")
    return wanted


def log_at(recording: Path | None) -> tuple[Path, str, str | None]:
    """The folder of the log that `recording` names, the log's path below it, and the document's.

    A repository's are where its settings say; a log by itself has no document. Raises `RootError`
    where there is no such place.
    """
    from ppgp_tui.cli.aim import aim
    from ppgp_tui.ppgp.roles import CANDIDATES
    from ppgp_tui.session.files.places import config_folder
    from ppgp_tui.session.settings.settings import load_settings

    if recording is not None and recording.expanduser().is_file():
        whole = recording.expanduser().resolve()
        return whole.parent, whole.name, None
    root = aim(Path.cwd(), recording, None, os.environ).root
    settings = load_settings(root, config_folder() / "config.toml")
    return root, settings.log, settings.goal or CANDIDATES["ACTIVE_GOAL"][0]
