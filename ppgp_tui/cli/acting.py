"""What the acting commands have in common: who acts, the guard, printing a result and its code.

A command is a function from an engine to a `Result`; whatever refuses it becomes one too.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec

import click

from ppgp_tui.cli.options import path_argument, root_option

if TYPE_CHECKING:
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.result import Result

P = ParamSpec("P")
Whose = Literal["anyone", "person", "granting"]
"""Whom a command is for. `person`: no agent, nor anything an agent has started. `granting`: a
person at a terminal, or a script they have allowed."""


def acts(
    whose: Whose = "anyone", *, example: str, takes_path: bool = False
) -> Callable[[Callable[Concatenate[Engine, P], Result]], Callable[..., None]]:
    """Make a click callback of a function that acts: it gets `--root` and `--json` besides.

    The result is printed and its exit code is that of the program. The help is the docstring of
    the function and the `example`, one command a line. With `takes_path` an argument PATH may name
    the repository too, exactly as `--root` does.
    """

    def decorate(act: Callable[Concatenate[Engine, P], Result]) -> Callable[..., None]:
        @click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
        @root_option
        @functools.wraps(act)
        def command(*args: Any, root: Path | None, as_json: bool, **kwargs: Any) -> None:
            root = kwargs.pop("path", None) or root if takes_path else root
            result = _result(lambda engine: act(engine, *args, **kwargs), root, whose, as_json)
            report(result, as_json=as_json)
            sys.exit(result.exit_code)

        lines = "".join(f"\n  {line}" for line in example.splitlines())
        command.__doc__ = f"{cleandoc(act.__doc__ or '')}\n\n\b\nExample:{lines}"
        if takes_path:
            return path_argument(command)
        return command

    return decorate


def report(result: Result, *, as_json: bool) -> None:
    """Print a result: what is good to standard output, the rest to standard error."""
    from ppgp_tui.cli.out import write
    from ppgp_tui.session.text import one_line, safe

    if as_json:
        from ppgp_tui.cli.json_text import json_text

        write(json_text(result.as_json()))
        return
    kept = "another program holds the log: this counts, and is written to it later"
    for warning in (*result.warnings, *((kept,) if result.recorded == "outbox" else ())):
        click.echo(f"warning: {one_line(warning)}", err=True)
    if result.ok:
        write(f"{safe(result.message)}\n")
    else:
        click.echo(f"ppgp-tui: {safe(result.message)}", err=True)


def action_name() -> str:
    """The command under way, as results name it: `goal.propose`."""
    return ".".join(click.get_current_context().command_path.split()[1:])


def text_of(given: str) -> str:
    """The text of an argument: itself, or standard input where it is `-`."""
    if given != "-":
        return given
    if sys.stdin is None:
        raise click.UsageError("standard input is closed")
    if sys.stdin.isatty():
        click.echo("reading standard input; end it with Ctrl+D", err=True)
    try:
        return sys.stdin.buffer.read(_TEXT_MOST).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"standard input is not UTF-8: {error.reason}") from None


def unique(given: str, prefix: str, known: list[str]) -> str:
    """The one id of `known` that `given` is or begins like, with or without `prefix`.

    Raises `RefusalError` when there is none or more than one.
    """
    from ppgp_tui.session.journal import RefusalError

    wanted = given if given.startswith(f"{prefix}_") else f"{prefix}_{given}"
    if wanted in known:
        return wanted
    fits = [one for one in known if one.startswith(wanted)]
    if len(wanted) < len(prefix) + 1 + LEAST or not fits:
        least = f"; give at least {LEAST} digits of its id" if fits else ""
        kind, listing = _KINDS.get(prefix, ("thing", ""))
        lists = f"; {listing} lists them" if listing and not fits else ""
        raise RefusalError("refused", f"no {kind} is called {given!r}{least}{lists}")
    if len(fits) > 1:
        raise RefusalError("refused", f"{given!r} could be any of {', '.join(fits)}")
    return fits[0]


_KINDS = {
    "req": ("question", "`ppgp-tui requests --all`"),
    "blk": ("blocker", "`ppgp-tui blocker list`"),
}
"""By prefix of an id: what it names, and the command that lists those."""
_TEXT_MOST = 4 * 1024 * 1024
LEAST = 4
"""So many digits of an id are needed: fewer are too easily those of another one."""


def _result(
    act: Callable[[Engine], Result], root: Path | None, whose: Whose, as_json: bool
) -> Result:
    from ppgp_tui.session.engine.result import Result
    from ppgp_tui.session.files.root import RootError
    from ppgp_tui.session.journal import RefusalError
    from ppgp_tui.session.text import one_line

    try:
        engine = _engine(root, whose)
        result = act(engine)
    except RefusalError as refusal:
        return Result(action_name(), refusal.refused.code, refusal.refused.message)
    except RootError as error:
        return Result(action_name(), "refused", one_line(str(error)))
    except OSError as error:
        said = f"{error.filename or 'the disk'}: {(error.strerror or str(error)).lower()}"
        return Result(action_name(), "disk", one_line(said))
    except click.UsageError as error:
        if not as_json:
            raise
        return Result(action_name(), "usage", error.format_message())
    return replace(result, warnings=(*_about_settings(engine), *result.warnings))


def _engine(root: Path | None, whose: Whose) -> Engine:
    """The engine of whoever types here. Raises `RefusalError` where the command is not for them."""
    from ppgp_tui.cli.aim import aim
    from ppgp_tui.session.authority import identity
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.files.root import must_list
    from ppgp_tui.session.journal import RefusalError

    found = aim(Path.cwd(), None, root, os.environ).root
    must_list(str(found))
    above, agents = identity.ancestors_now(), identity.recorded_agents(found)
    engine = Engine(found, identity.acting(os.environ, above, agents))
    if whose != "anyone":
        why = identity.refuse_reason(
            os.environ,
            above,
            agents,
            terminal=sys.stdin is not None and sys.stdin.isatty(),
            granting=whose == "granting",
            scripted=engine.settings.authority_scripted,
        )
        if why:
            raise RefusalError("refused", why)
    return engine


def _about_settings(engine: Engine) -> list[str]:
    return [
        f"{problem.path}{f', line {problem.line}' if problem.line else ''}: {problem.text}"
        for problem in engine.settings.problems
    ]
