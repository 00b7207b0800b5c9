"""`persist doctor`: whether loops can work here, and what is wrong with their log.

Nothing is changed unless a person asks for it by an option.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ppgp_tui.cli.persist.person import person
from ppgp_tui.cli.persist.printing import say, warn
from ppgp_tui.cli.persist.seeing import home, log_of, now_ms
from ppgp_tui.persist.disk.archive import DAYS, DamagedError, archive
from ppgp_tui.persist.disk.doctor import look, problems
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.mend import mend
from ppgp_tui.persist.loop import Loop
from ppgp_tui.session.actions.loops import close_orphan, is_run

if TYPE_CHECKING:
    from ppgp_tui.session.engine.draft import Actor

_GIT_S: Final = 5


def add(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument(
        "--mend", action="store_true", help="put damaged lines aside, whole rows in them stay"
    )
    parser.add_argument(
        "--close-orphans", action="store_true", help="close loops whose runner is gone"
    )
    parser.add_argument(
        "--archive", action="store_true", help=f"move loops closed over {DAYS} days ago elsewhere"
    )


def run(args: argparse.Namespace) -> int:
    """Do what is asked for (yours alone), then look; 1 if something is wrong."""
    where = home()
    wrong = list(_home(where))
    if not wrong:
        if args.mend or args.close_orphans or args.archive:
            actor, why = person(None)
            if why is not None:
                warn(why)
                return 1
            wrong += _deeds(where, args, actor)
        found = look(where)
        wrong += problems(found, [loop for loop in found.reading.open if is_run(loop) is False])
    wrong += _git()
    if wrong:
        say("persist doctor: degraded", *(f"  - {problem}" for problem in wrong))
        return 1
    say("persist doctor: ok")
    return 0


def _home(where: Home) -> Iterator[str]:
    probe = where.path / f".probe-{os.getpid()}"
    try:
        where.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe.unlink(missing_ok=True)  # a link that lies there could lead elsewhere
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as error:
        yield f"state directory not writable: {error}"


def _deeds(where: Home, args: argparse.Namespace, actor: Actor) -> Iterator[str]:
    """Do what was asked for and say so; yields what could not be done."""
    if args.mend:
        say(_mended(where))
    if args.close_orphans:
        orphans = [loop for loop in log_of(where).read().open if is_run(loop) is False]
        say(*[_closed(where, loop, actor) for loop in orphans] or ["no loop is an orphan"])
    if args.archive:
        try:
            say(_archived(where))
        except DamagedError as error:
            yield f"nothing was archived: {error}"


def _mended(where: Home) -> str:
    done = mend(where)
    if not done.lines:
        return "nothing to mend"
    count = len(done.lines)
    numbers = ", ".join(map(str, done.lines[:20])) + (", …" if count > 20 else "")
    which = f"line{'' if count == 1 else 's'} {numbers}"
    stay = f"; whole rows that stay in the log: {done.rows}" if done.rows else ""
    return f"{which} put aside into {done.kept}{stay}"


def _closed(where: Home, loop: Loop, actor: Actor) -> str:
    done = close_orphan(where, loop, actor, now_ms())
    if not done.ok:
        return f"loop {loop.loop_id} was left: {done.said}"
    return "; ".join((done.said, *done.notes))


def _archived(where: Home) -> str:
    done = archive(where, now_ms())
    if not done.loops:
        return "nothing to archive"
    loops = f"{done.loops} loop{'' if done.loops == 1 else 's'}"
    return f"{done.rows} rows of {loops} moved to {', '.join(map(str, done.files))}"


def _git() -> Iterator[str]:
    try:
        ran = subprocess.run(
            ["git", "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=_GIT_S,
            check=False,
        )  # fmt: skip
    except FileNotFoundError:
        yield "git not installed"
    except (OSError, subprocess.TimeoutExpired):
        yield "git not functioning"
    else:
        if ran.returncode != 0:
            yield "git not functioning"
