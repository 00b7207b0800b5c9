"""`ppgp-tui bug`: a file for a bug report, with nothing in it that is nobody else's business."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import click

from ppgp_tui.cli.options import path_argument, root_option

_HELP = """\
Pack what a bug report needs into one file; nothing is sent anywhere.

Versions, what the terminal says of itself, which settings are not as usual, what the doctor finds,
crash logs, and what the session's files are like: sizes, counts, kinds of events, checks, no text.
Secrets, people, machines, addresses and the home folder are replaced by words in brackets. What is
in it is listed first, and you are asked.

\b
Example:
  ppgp-tui bug
  ppgp-tui bug --with-log --out /tmp/report.tar.gz
"""


@click.command("bug", help=_HELP)
@path_argument
@root_option
@click.option(
    "--out",
    metavar="FILE.tar.gz",
    type=click.Path(path_type=Path),
    help="Where to write it; ./ppgp-bug-DATE.tar.gz by default.",
)
@click.option("--with-log", is_flag=True, help="With the newest lines of the log, scrubbed too.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def bug(
    path: Path | None,
    root: Path | None,
    out: Path | None,
    with_log: bool,
    yes: bool,
    force: bool,
    as_json: bool,
) -> None:
    """List, ask, write."""
    from ppgp_tui.session.live.store import now_ms
    from ppgp_tui.session.sharing.bundle import packed, publish
    from ppgp_tui.session.text import one_line

    now = now_ms()
    name = f"ppgp-bug-{datetime.fromtimestamp(now / 1000):%Y-%m-%d-%H%M}"
    target = out or Path(f"{name}.tar.gz")
    texts = _texts(path, root, with_log)
    if not yes:
        _ask(target, texts)
    data = packed(name, texts, now)
    try:
        publish(target, data, force=force)
    except OSError as error:
        raise click.ClickException(one_line(_why(error, target))) from error
    _say(target, texts, len(data), as_json)


def _texts(path: Path | None, root: Path | None, with_log: bool) -> dict[str, str]:
    from ppgp_tui.cli.aim import aim
    from ppgp_tui.cli.doctor import reports
    from ppgp_tui.session.files.root import RootError, must_list
    from ppgp_tui.session.live.store import LiveSession
    from ppgp_tui.session.sharing.bug import bug_texts
    from ppgp_tui.session.sharing.scrub import private_here
    from ppgp_tui.session.text import one_line

    try:
        found = aim(Path.cwd(), path, root, os.environ).root
        must_list(str(found))
    except RootError as error:
        raise click.ClickException(one_line(str(error))) from error
    session = LiveSession(found)
    try:
        snapshot = session.read_all()
    finally:
        session.close()
    return bug_texts(
        snapshot, reports(found), os.environ, private_here(found), with_log=with_log
    )  # fmt: skip


def _ask(target: Path, texts: Mapping[str, str]) -> None:
    """Show what would be written and go on only with a yes. Without a terminal nobody can say it.

    Raises `click.UsageError` there, `click.Abort` after a no.
    """
    from ppgp_tui.session.sharing.bug import what

    for name, text in texts.items():
        click.echo(f"  {len(text.encode()):>8,}  {name:<22}  {what(name)}", err=True)
    if sys.stdin is None or not sys.stdin.isatty():
        raise click.UsageError("nothing was written: say --yes where nobody can be asked")
    click.confirm(f"Write these to {target}? Nothing is sent anywhere", abort=True, err=True)


def _why(error: OSError, target: Path) -> str:
    said = error.strerror.lower() if error.strerror else str(error)
    return said if str(target) in said else f"{target} cannot be written: {said}"


def _say(target: Path, texts: Mapping[str, str], size: int, as_json: bool) -> None:
    from ppgp_tui.cli.out import write

    if as_json:
        from ppgp_tui.cli.json_text import json_text

        files = [{"name": name, "bytes": len(text.encode())} for name, text in texts.items()]
        value = {"schema": "ppgp-tui/bug/1", "path": str(target), "bytes": size, "files": files}
        write(json_text(value, indent=2))
        return
    write(f"{target}\n")
    click.echo("read it before you give it to anybody; nothing was sent", err=True)
