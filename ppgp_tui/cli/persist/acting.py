"""What the commands for one loop have in common: find it, let only a person act, say what came."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from ppgp_tui.cli.persist.person import person
from ppgp_tui.cli.persist.printing import say, warn
from ppgp_tui.cli.persist.seeing import NotOneError, home, log_of, one
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.loop import Loop
from ppgp_tui.persist.words import damage

if TYPE_CHECKING:
    from ppgp_tui.session.actions.loops import Did
    from ppgp_tui.session.engine.draft import Actor


def add_id(parser: argparse.ArgumentParser) -> None:
    """The argument that names the loop."""
    parser.add_argument("loop_id", help="the loop's id, or the first digits that only it has")


def act(given: str, do: Callable[[Home, Loop, Actor], Did]) -> int:
    """Do it to the loop that `given` names and print the outcome; the exit code."""
    where = home()
    reading = log_of(where).read()
    warn(*damage(str(where.log), reading))
    try:
        loop = one(given, reading)
    except NotOneError as error:
        warn(*error.args)
        return 1
    actor, why = person(loop)
    if why is not None:
        warn(why)
        return 1
    did = do(where, loop, actor)
    (say if did.ok else warn)(did.said)
    warn(*did.notes)
    return 0 if did.ok else 1
