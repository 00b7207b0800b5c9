"""`persist pause`: no further run begins, and the agent of this one waits."""

from __future__ import annotations

import argparse

from ppgp_tui.cli.persist.acting import act, add_id
from ppgp_tui.cli.persist.seeing import now_ms
from ppgp_tui.session.actions import loops


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    add_id(parser)
    parser.add_argument("--reason", default="", metavar="TEXT", help="why; shown and recorded")
    parser.add_argument(
        "--after-run", action="store_true", help="let the present run go on to its end"
    )


def run(args: argparse.Namespace) -> int:
    """Ask for it (yours alone)."""
    return act(
        args.loop_id,
        lambda home, loop, actor: loops.pause(
            home, loop, actor, args.reason, now_ms(), after_run=args.after_run
        ),
    )
