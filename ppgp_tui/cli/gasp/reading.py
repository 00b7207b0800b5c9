"""Which log a command reads, and what its options ask for."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ppgp_tui.gasp.telling.filters import Filter
    from ppgp_tui.session.log.whole import WholeLog

_FILTERS = (
    click.option("--kind", metavar="PATTERN", default="", help="Kinds of events, as 'patch.*'."),
    click.option("--actor", metavar="PATTERN", default="", help="Who acted, as 'agent' or 'dev'."),
    click.option("--run", metavar="ID", default="", help="Only what belongs to that run."),
    click.option("--goal", metavar="ID", default="", help="Only what works for that goal."),
    click.option("--since", metavar="TIME", help="From then on: 2h (ago), 18:00, 2026-09-30."),
    click.option("--until", metavar="TIME", help="Before then."),
    click.option("--text", metavar="WORDS", default="", help="Only what says that."),
)
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})", re.ASCII)


def example(lines: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add examples, one command a line, to the help of a command."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        shown = "".join(f"\n  {line}" for line in lines.splitlines())
        command.__doc__ = f"{cleandoc(command.__doc__ or '')}\n\n\b\nExample:{shown}"
        return command

    return add


def place(command: Callable[..., None]) -> Callable[..., None]:
    """Options that name the repository."""
    command = click.option(
        "--root", metavar="FOLDER", type=click.Path(path_type=Path), help="The repository, exactly."
    )(command)
    return click.argument(
        "repository", metavar="[REPO]", required=False, type=click.Path(path_type=Path)
    )(command)


def filters(command: Callable[..., None]) -> Callable[..., None]:
    """Options that narrow down what is shown."""
    for option in reversed(_FILTERS):
        command = option(command)
    return command


def wanted(now_ms: int, *, since: str | None, until: str | None, **members: Any) -> Filter:
    """The filter that the options ask for. Raises `click.BadParameter`."""
    from ppgp_tui.gasp.telling.filters import Filter

    return Filter(
        since_ms=_moment("--since", since, now_ms),
        until_ms=_moment("--until", until, now_ms),
        **members,
    )


def open_log(repository: Path | None, root: Path | None) -> WholeLog:
    """The log of a repository, of a folder in it, or the log file itself that `repository` names.

    Raises `click.ClickException` when there is none that can be read.
    """
    from ppgp_tui.session.files.reading import CannotReadError
    from ppgp_tui.session.files.root import RootError
    from ppgp_tui.session.log.whole import WholeLog
    from ppgp_tui.session.text import one_line

    try:
        folder, path = _log_of(repository, root)
        return WholeLog(folder, path)
    except CannotReadError as error:
        mend = f": {error.mend}" if error.mend else ""
        raise click.ClickException(one_line(f"{error.why}{mend}")) from error
    except RootError as error:
        raise click.ClickException(one_line(str(error))) from error


def progress() -> Callable[[float], None]:
    """Return what tells a waiting person how far a log is read: nothing in the first second."""
    began = time.monotonic()
    told = False

    def tell(part: float) -> None:
        nonlocal told
        if not sys.stderr.isatty() or (not told and time.monotonic() - began < 1):
            return
        told = True
        words = f"reading the log {part:.0%}" if part < 1 else ""
        sys.stderr.write(f"\r{words:<24}\r")
        sys.stderr.flush()

    return tell


def _log_of(repository: Path | None, root: Path | None) -> tuple[Path, str]:
    """The folder that holds the log and the log's path in it."""
    from ppgp_tui.cli.aim import aim
    from ppgp_tui.session.files.places import config_folder
    from ppgp_tui.session.settings.settings import load_settings

    def log_in(folder: Path) -> str:
        return load_settings(folder, config_folder() / "config.toml").log

    if repository is not None and root is None:
        named = Path(os.path.realpath(Path.cwd() / repository.expanduser()))
        if named.is_file():
            return named.parent, named.name
        if named.is_dir() and (named / (path := log_in(named))).exists():
            return named, path
    found = aim(Path.cwd(), repository, root, os.environ).root
    return found, log_in(found)


def _moment(option: str, text: str | None, now_ms: int) -> int | None:
    """A moment in the past in Unix milliseconds: a duration ago, a clock time, a date."""
    from ppgp_tui.cli.times import seconds_of

    if text is None:
        return None
    seconds = None if text.isdigit() else seconds_of(text)
    if seconds is not None:
        return now_ms - round(seconds * 1000)
    now = datetime.fromtimestamp(now_ms / 1000).astimezone()
    try:
        if clock := _CLOCK.fullmatch(text):
            at = now.replace(hour=int(clock[1]), minute=int(clock[2]), second=0, microsecond=0)
            moment = at if at <= now else at - timedelta(days=1)
        else:
            moment = datetime.fromisoformat(text).astimezone()
        return round(moment.timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        wants = "a duration ago (90s, 15m, 2h, 3d), a time (18:00) or a date (2026-09-30T18:00)"
        raise click.BadParameter(
            f"{text!r} is no time: {wants} is wanted", param_hint=option
        ) from None
