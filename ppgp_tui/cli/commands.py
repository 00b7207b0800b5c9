"""The commands, as click sees them: parse, call, print."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ppgp_tui.cli.acts import ACTS
from ppgp_tui.cli.options import ANY_PATH, path_argument, root_option
from ppgp_tui.version import __version__

if TYPE_CHECKING:
    from ppgp_tui.cli.aim import Aim

_T = TypeVar("_T")


class _Door(click.Group):
    """A group whose command may be left out: any other first word belongs to the app.

    Commands that act are imported when one of them is called.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = (*self.commands, *ACTS, "--help", "--version")
        if not args or args[0] not in known:
            args = ["app", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return [*self.commands, *ACTS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in ACTS:
            return super().get_command(ctx, cmd_name)
        module, _, name = ACTS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        del ctx
        return ["[PATH]... [OPTIONS] | COMMAND ..."]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [p for p in (*_app.params, *self.get_params(ctx)) if isinstance(p, click.Option)]
        rows = [row for row in (option.get_help_record(ctx) for option in options) if row]
        with formatter.section("Options"):
            formatter.write_dl(rows)
        self.format_commands(ctx, formatter)


def _looks(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how the app looks, in the order of the help."""
    for option in (
        click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal."),
        click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII signs only."),
        click.option("--theme", metavar="NAME", help="Theme to begin with."),
    ):
        command = option(command)
    return command


@click.group(cls=_Door, context_settings={"help_option_names": ["--help"]})
@click.version_option(__version__, prog_name="ppgp-tui", message="%(prog)s %(version)s")
def ppgp_tui() -> None:
    """Watch the goal that an agent works towards in the repository at PATH (here by default).

    Shows goal, plan, blockers, questions and events live. Watching never changes a file.
    """


@ppgp_tui.command("app", hidden=True)
@click.argument("paths", nargs=-1, type=ANY_PATH)
@click.option("--all", "every", is_flag=True, help="List all sessions, what needs you first.")
@root_option
@_looks
@click.option("--ribbon", is_flag=True, help="Draw a ribbon where it is 20 to 39 columns wide.")
@click.option("--plain", is_flag=True, help="Tell everything as text, then what changes.")
@click.option("--once", is_flag=True, help="With --plain: tell it and end.")
def _app(
    paths: tuple[Path, ...],
    every: bool,
    root: Path | None,
    theme: str | None,
    ascii_only: bool,
    no_mouse: bool,
    ribbon: bool,
    plain: bool,
    once: bool,
) -> None:
    """Open the app."""
    from ppgp_tui.cli.start import start, start_all

    if every or len(paths) > 1:
        if root is not None or plain or ribbon:
            raise click.UsageError("the list of all sessions takes no --root, --plain or --ribbon")
        sys.exit(start_all(paths, theme=theme, ascii_only=ascii_only, use_mouse=not no_mouse))
    path = paths[0] if paths else None
    if once and not plain:
        raise click.UsageError("--once goes with --plain")
    code = start(
        path, root, theme=theme, ascii_only=ascii_only, use_mouse=not no_mouse, ribbon=ribbon,
        plain=plain, once=once,
    )  # fmt: skip
    sys.exit(code)


@ppgp_tui.command("show")
@path_argument
@root_option
@click.option("--json", "as_json", is_flag=True, help="As JSON, schema ppgp-tui/1.")
def _show(path: Path | None, root: Path | None, as_json: bool) -> None:
    """Print everything the app would show.

    PATH is a repository, a folder in it, or a goal document: then that one is read.
    """
    from ppgp_tui.cli.show import show

    sys.exit(_said(lambda: show(_aim(path, root), as_json=as_json)))


@ppgp_tui.command(
    "status", add_help_option=False, context_settings={"ignore_unknown_options": True}
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def _status(words: tuple[str, ...]) -> None:
    """Print one line for a prompt or a tmux bar."""
    from ppgp_tui.cli.status import main

    sys.exit(main(list(words)))


@ppgp_tui.command("demo")
@click.option("--speed", type=float, default=1.0, help="How many times faster than told.")
@click.option("--seed", type=int, default=1, help="Another seed, another detail.")
@click.option("--keep", is_flag=True, help="Leave the repository and say where it is.")
@_looks
def _demo(
    speed: float,
    seed: int,
    keep: bool,
    theme: str | None,
    ascii_only: bool,
    no_mouse: bool,
) -> None:
    """Watch a scripted agent work in a throw-away repository.

    The story takes about two minutes; p, y, n and the letters of an opened request change it.
    Closing the app ends the agents and removes the repository.
    """
    from ppgp_tui.cli.demo.command import DemoError, run_demo
    from ppgp_tui.cli.start import show
    from ppgp_tui.session.text import one_line

    if not (math.isfinite(speed) and speed > 0):
        raise click.BadParameter("must be a number above 0", param_hint="--speed")
    _needs_terminal()
    try:
        code = run_demo(
            lambda root: show(root, theme=theme, ascii_only=ascii_only, use_mouse=not no_mouse),
            speed=speed,
            seed=seed,
            keep=keep,
            say=lambda text: click.echo(one_line(text), err=True),
        )
    except DemoError as error:
        raise click.ClickException(one_line(str(error))) from error
    sys.exit(code)


@ppgp_tui.command("replay")
@click.argument("recording", required=False, type=click.Path(path_type=Path))
@click.option(
    "--speed",
    type=float,
    default=1.0,
    metavar="N",
    help="How many times faster than recorded; no gap lasts longer than a second. 0: by hand.",
)
@click.option("--at", metavar="EVENT|TIME", help="Where to begin: a number, an event's id, a time.")
@_looks
def _replay(
    recording: Path | None,
    speed: float,
    at: str | None,
    theme: str | None,
    ascii_only: bool,
    no_mouse: bool,
) -> None:
    """Play a past session from its log, on the same screens.

    RECORDING is an event log anywhere, or a repository that holds one. Nothing is written and no
    agent is asked; what neither the log nor Git holds is said to be not recorded.
    """
    from ppgp_tui.cli.replay import beginning, log_at
    from ppgp_tui.ui.app.replaying import replay

    if not (math.isfinite(speed) and speed >= 0):
        raise click.BadParameter("must be 0 or more", param_hint="--speed")
    wanted = beginning(at)
    _needs_terminal()
    root, path, document = _said(lambda: log_at(recording))
    sys.exit(
        replay(
            root, path, document, speed=speed, at=wanted, theme=theme, ascii_only=ascii_only,
            use_mouse=not no_mouse,
        )
    )  # fmt: skip


def _needs_terminal() -> None:
    from ppgp_tui.ui.terminal.ability import refusal

    why = refusal(os.environ, sys.stdin.isatty(), sys.stdout.isatty())
    if why:
        raise click.UsageError(why)


def _aim(path: Path | None, root: Path | None) -> Aim:
    from ppgp_tui.cli.aim import aim

    return aim(Path.cwd(), path, root, os.environ)


def _said(act: Callable[[], _T]) -> _T:
    """What `act` returns; its complaint about a path is for the person who typed it."""
    from ppgp_tui.session.files.root import RootError
    from ppgp_tui.session.text import one_line

    try:
        return act()
    except RootError as error:
        raise click.ClickException(one_line(str(error))) from error
