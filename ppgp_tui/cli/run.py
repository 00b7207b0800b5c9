"""`ppgp-tui run -- AGENT ...`: an agent that can be frozen, thawed and ended from the app."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from ppgp_tui.cli.options import root_option

_HELP = """\
Start an agent so that it can be frozen, thawed and ended from the app.

The agent runs in this terminal as it always does; the launcher only waits beside it. With exec, or
as the command of a tmux pane, the launcher is the first process there. The exit code is that of
the agent; 127 where it is not installed.

\b
Example:
  ppgp-tui run -- claude --continue
  exec ppgp-tui run -- codex
  ppgp-tui run --split -- claude
"""


@click.command("run", help=_HELP, context_settings={"ignore_unknown_options": True})
@root_option
@click.option("--split", is_flag=True, help="Open the app beside it, in tmux.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="-- AGENT [WORDS] ...")
def run(words: tuple[str, ...], root: Path | None, *, split: bool) -> None:
    """Become the agent's launcher."""
    from ppgp_tui.agents.launcher.side_by_side import NoTmuxError
    from ppgp_tui.cli.aim import aim
    from ppgp_tui.session.files.root import RootError
    from ppgp_tui.session.text import one_line

    try:
        found = aim(Path.cwd(), None, root, os.environ).root
        wanted = list(words) or _installed(found)
        if split:
            _split(wanted, found)
        sys.exit(_run(wanted, found))
    except (RootError, NoTmuxError) as error:
        raise click.ClickException(one_line(str(error))) from error


def _run(words: list[str], root: Path) -> int:
    from ppgp_tui.agents.launcher.launch import NoProgramError, run
    from ppgp_tui.session.text import one_line

    def say(text: str) -> None:
        click.echo(f"ppgp-tui: {one_line(text)}", err=True)

    try:
        return run(words, root, os.environ, say)
    except NoProgramError as error:
        say(str(error))
        return error.code


def _installed(root: Path) -> list[str]:
    """The agent that is installed, where only --split was said."""
    from ppgp_tui.agents.adapters import NAMES
    from ppgp_tui.agents.connect.detect import find
    from ppgp_tui.agents.connect.targets import MANNERS

    programs = [find(MANNERS[name].program, root, os.environ) for name in NAMES]
    found = next((program for program in programs if program is not None), None)
    if found is None:
        raise click.UsageError("no agent was found; say which: ppgp-tui run -- AGENT")
    return [str(found)]


def _split(words: list[str], root: Path) -> None:
    """Open the app beside us; outside tmux this never returns."""
    from ppgp_tui.agents.connect.steps import own_program
    from ppgp_tui.agents.launcher import side_by_side
    from ppgp_tui.session.text import one_line

    if shutil.which(words[0]) is None:
        raise click.UsageError(f"{one_line(words[0])} is not installed, or not on PATH")
    app = [*own_program(), "--root", str(root)]
    if os.environ.get("TMUX"):
        side_by_side.open_app_beside(app, Path.cwd(), os.environ)
        return
    if not sys.stdout.isatty():
        raise click.UsageError("--split needs a terminal, or a tmux pane")
    agent = [*own_program(), "run", "--root", str(root), "--", *words]
    screen = side_by_side.Screen(*shutil.get_terminal_size())
    side_by_side.open_both(agent, app, Path.cwd(), screen, os.environ)
