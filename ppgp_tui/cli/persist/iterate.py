"""`persist iterate`: run an agent again and again until an outside check says done."""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ppgp_tui.persist import budget, condition
from ppgp_tui.persist.budget import Budget
from ppgp_tui.persist.command import CommandError, understand
from ppgp_tui.persist.condition import Condition, ConditionError, Outside

if TYPE_CHECKING:
    from ppgp_tui.persist.running.plan import LoopPlan, Machine
    from ppgp_tui.persist.surroundings import Surroundings

AGENT = "claude -p '{}'"
VERIFIED = "goal-verified"
MOST = 10**12
"""Of runs and seconds alike: more is a slip of the finger, and no clock counts it."""


def add(parser: argparse.ArgumentParser) -> None:
    """Give `parser` the options of this command: the original's first, then ours."""
    # fmt: off
    add = parser.add_argument
    add("prompt_file", metavar="PROMPT_FILE", help="read anew before each run")
    add("--max-iterations", type=_from(1), default=budget.MAX_ITERATIONS, metavar="N",
        help="runs that count (default %(default)s)")
    add("--max-wall-clock", type=_from(1), default=budget.MAX_WALL_CLOCK_S, metavar="S",
        help="seconds since the loop began (default %(default)s)")
    add("--success-condition", metavar="C",
        help=f"what says done: {', '.join(condition.FORMS)}; with --goal also goal-verified")
    add("--agent-cmd", default=AGENT, metavar="T",
        help="program and arguments; {} is the prompt, {file} its file (default %(default)s)")
    add("--limit-backoff-base", type=_from(1), metavar="S",
        help="first wait after a rate limit, in seconds"
        f" (default {budget.LIMIT_BACKOFF_BASE_S}, or the longest where that is less)")
    add("--limit-backoff-max", type=_from(1), default=budget.LIMIT_BACKOFF_MAX_S, metavar="S",
        help="longest such wait (default %(default)s)")
    add("--dry-run", action="store_true", help="print the plan, start nothing")
    add("--verbose", "-v", action="store_true", help="say which run begins")
    add("--prompt-via", choices=("arg", "stdin", "file"), default="arg",
        help="how the agent gets the prompt (default %(default)s)")
    add("--shell", action="store_true", help="the agent command is for /bin/sh; the prompt is not")
    add("--pty", action="store_true", help="give the agent a terminal")
    add("--iteration-timeout", type=_from(1), metavar="S", help="longest that one run may take")
    add("--quick-failures", type=_from(0), default=budget.QUICK_FAILURES, metavar="N",
        help="equal failures at once that end it; 0: never (default %(default)s)")
    add("--even-if-met", action="store_true", help="begin though the condition holds already")
    add("--goal", action="store_true", help="bind the loop to the goal of this repository")
    add("--compat", action="store_true",
        help="replace each {} inside arguments, accept any condition, never slow down")
    # fmt: on
    parser.set_defaults(usage_error=parser.error)


def run(args: argparse.Namespace) -> int:
    """Run the loop in the foreground; its exit code."""
    from ppgp_tui.cli.persist.goal import around
    from ppgp_tui.cli.persist.seeing import log_of
    from ppgp_tui.cli.persist.streams import Streams
    from ppgp_tui.persist.disk.home import Home, find
    from ppgp_tui.persist.running.clock import SystemClock
    from ppgp_tui.persist.running.runner import iterate
    from ppgp_tui.session.looping.errors import NoGoalError

    show = Streams()
    if args.limit_backoff_base is None:
        args.limit_backoff_base = min(budget.LIMIT_BACKOFF_BASE_S, args.limit_backoff_max)
    if args.limit_backoff_base > args.limit_backoff_max:
        args.usage_error("argument --limit-backoff-base: must not be above --limit-backoff-max")
    try:
        cwd = Path.cwd()
    except OSError as error:
        show.note(f"persist: the folder that this was started in is gone: {error.strerror}")
        return 1
    try:
        phrases = _phrases(cwd)
        surroundings = around(
            cwd,
            goal=args.goal,
            condition=args.success_condition or "",
            agent=_program(args.agent_cmd),
            phrases=phrases,
            note=lambda text: show.note(f"persist: {text}"),
        )
        plan = _plan(args, cwd, phrases, surroundings)
    except (NoGoalError, CommandError, OSError) as error:
        show.note(f"persist: {error}")
        return 1
    home = Home(cwd / find(os.environ).path)  # the agent may look for it from another folder
    return iterate(
        plan,
        home=home,
        log=log_of(home),
        clock=SystemClock(),
        machine=_machine(),
        surroundings=surroundings,
        show=show,
    )


def _plan(
    args: argparse.Namespace, cwd: Path, phrases: tuple[str, ...], surroundings: Surroundings
) -> LoopPlan:
    from ppgp_tui.persist.running.plan import LoopPlan
    from ppgp_tui.version import __version__

    return LoopPlan(
        loop_id=secrets.token_hex(6),
        prompt_name=args.prompt_file,
        cwd=cwd,
        agent=understand(args.agent_cmd, args.prompt_via, shell=args.shell, everywhere=args.compat),
        budget=Budget(
            args.max_iterations,
            args.max_wall_clock,
            args.iteration_timeout,
            args.limit_backoff_base,
            args.limit_backoff_max,
            None if args.compat else args.quick_failures,
        ),
        condition=_condition(args, surroundings.outside),
        condition_text=args.success_condition or "",
        pty=args.pty,
        phrases=phrases,
        even_if_met=args.even_if_met,
        compat=args.compat,
        dry_run=args.dry_run,
        verbose=args.verbose,
        program=f"ppgp-tui {__version__}",
    )


def _condition(args: argparse.Namespace, outside: Outside) -> Condition | None:
    """The condition, understood; None for none. One that is mistyped is wrong usage."""
    if not args.success_condition:
        return None
    try:
        return condition.parse(args.success_condition, outside)
    except ConditionError as error:
        told = "goal-verified needs --goal" if args.success_condition == VERIFIED else str(error)
        if not args.compat:
            args.usage_error(f"argument --success-condition: {told}")
        return None


def _program(command: str) -> str:
    """The name of the agent's program, for people."""
    return Path((command.split() or ["agent"])[0]).name or "agent"


def _phrases(cwd: Path) -> tuple[str, ...]:
    from ppgp_tui.persist.limits import PHRASES
    from ppgp_tui.session.files.places import config_folder
    from ppgp_tui.session.looping.surroundings import root_of
    from ppgp_tui.session.settings.settings import load_settings

    settings = load_settings(root_of(cwd), config_folder() / "config.toml")
    return settings.persist_limit_phrases or PHRASES


def _machine() -> Machine:
    from ppgp_tui.persist.live import Runner
    from ppgp_tui.persist.running.plan import Machine
    from ppgp_tui.session.process import host_name, is_alive, start_of

    pid = os.getpid()
    return Machine(Runner(pid, start_of(pid), host_name()), is_alive, os.environ)


def _from(least: int) -> Callable[[str], int]:
    """Reads a whole number, at least this one."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"invalid int value: {text!r}") from None
        if number < least:
            raise argparse.ArgumentTypeError(f"must be at least {least}, not {number}")
        if number > MOST:
            raise argparse.ArgumentTypeError(f"must be at most {MOST}")
        return number

    return read
