"""`ppgp-tui report`: the session as Markdown with pictures, to be given to somebody."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ppgp_tui.cli.options import path_argument, root_option

if TYPE_CHECKING:
    from ppgp_tui.ui.looks.look import Look

_HELP = """\
Write the session down as Markdown with pictures of the screens.

Where it stands, the goal and its conditions, the plan and what became of it, blockers, requests and
who answered them when, the story of the runs, agents, conformance of the log, open problems, and
the files it rests on with their digests. Times are UTC. Words of files stay
words: no link, no HTML.

\b
Example:
  ppgp-tui report --since 1d
  ppgp-tui report ~/work/importer --out /tmp/importer-report
"""


@click.command("report", help=_HELP)
@path_argument
@root_option
@click.option(
    "--out",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Where to write it; ./ppgp-report-DATE/ by default.",
)
@click.option("--since", metavar="TIME", help="Story and changes from then on: 2h (ago), 18:00.")
@click.option("--no-pictures", is_flag=True, help="Text only.")
@click.option("--theme", metavar="NAME", default="paper", help="Theme of the pictures.")
@click.option("--force", is_flag=True, help="Replace a report that is there.")
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def report(
    path: Path | None,
    root: Path | None,
    out: Path | None,
    since: str | None,
    no_pictures: bool,
    theme: str,
    force: bool,
    as_json: bool,
) -> None:
    """Read everything, then write one folder."""
    from ppgp_tui.cli.gasp.reading import wanted
    from ppgp_tui.session.live.store import now_ms
    from ppgp_tui.session.text import one_line
    from ppgp_tui.ui.sharing.report.folder import FolderTakenError, allowed, write

    now = now_ms()
    since_ms = wanted(now, since=since, until=None).since_ms
    folder = out or Path(f"ppgp-report-{datetime.fromtimestamp(now / 1000):%Y-%m-%d-%H%M}")
    try:
        allowed(folder)
        if not as_json:
            click.echo(f"writing to {one_line(str(folder))}", err=True)
        files = _files(_root(path, root), now, since_ms, theme, with_pictures=not no_pictures)
        write(folder, files, force=force)
    except FolderTakenError as error:
        raise click.ClickException(one_line(str(error))) from error
    except OSError as error:
        said = f"{error.filename or folder}: {(error.strerror or str(error)).lower()}"
        raise click.ClickException(one_line(said)) from error
    _say(folder, files, as_json)


def _root(path: Path | None, root: Path | None) -> Path:
    from ppgp_tui.cli.aim import aim
    from ppgp_tui.session.files.root import RootError, must_list
    from ppgp_tui.session.text import one_line

    try:
        found = aim(Path.cwd(), path, root, os.environ).root
        must_list(str(found))
    except RootError as error:
        raise click.ClickException(one_line(str(error))) from error
    return found


def _files(
    root: Path, now: int, since_ms: int | None, theme: str, *, with_pictures: bool
) -> dict[str, str]:
    """The report of `root` by its files. Raises `click.ClickException` for an unknown theme."""
    from ppgp_tui.cli.crew import CREW
    from ppgp_tui.cli.gasp.reading import progress
    from ppgp_tui.session.files.places import config_folder
    from ppgp_tui.session.live.store import LiveSession
    from ppgp_tui.session.settings.settings import load_settings
    from ppgp_tui.ui.sharing.report.folder import TEXT
    from ppgp_tui.ui.sharing.report.material import gathered
    from ppgp_tui.ui.sharing.report.screens import graph_text, screens
    from ppgp_tui.ui.sharing.report.whole import report
    from ppgp_tui.ui.views.log.event_panes import STORY_UP_TO

    look = _look(theme)
    log = load_settings(root, config_folder() / "config.toml").log
    session = LiveSession(root, clock=lambda: now)
    try:
        snapshot = session.read_all()
        if with_pictures and snapshot.events.value.count <= STORY_UP_TO:
            session.read_graph()
        pictures = screens(session, look, now, CREW) if with_pictures else []
    finally:
        session.close()
    material = gathered(snapshot, log, now, since_ms, progress())._replace(pictures=tuple(pictures))
    drawn = graph_text(snapshot.plan.value, look)
    return {TEXT: report(material, drawn), **{one.name: one.svg for one in pictures}}


def _look(theme: str) -> Look:
    """The theme of that name. Raises `click.ClickException` where there is none."""
    from ppgp_tui.session.files.places import config_folder
    from ppgp_tui.session.text import one_line
    from ppgp_tui.ui.looks.settings_file import SettingsError
    from ppgp_tui.ui.looks.theme import find_theme, shipped_folder

    try:
        return find_theme(theme, config_folder() / "themes", shipped_folder()).look()
    except SettingsError as error:
        raise click.ClickException(one_line(str(error))) from error


def _say(folder: Path, files: dict[str, str], as_json: bool) -> None:
    from ppgp_tui.cli.out import write
    from ppgp_tui.session.text import one_line
    from ppgp_tui.ui.sharing.report.folder import TEXT

    if not as_json:
        write(f"{one_line(str(folder / TEXT))}\n")
        return
    from ppgp_tui.cli.json_text import json_text

    listed = [{"name": name, "bytes": len(text.encode())} for name, text in files.items()]
    value = {"schema": "ppgp-tui/report/1", "path": str(folder), "files": listed}
    write(json_text(value, indent=2))
