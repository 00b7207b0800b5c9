"""`persist abandon`: close a loop, and end whoever runs it."""

from __future__ import annotations

import argparse

from ppgp_tui.cli.persist.acting import act, add_id
from ppgp_tui.cli.persist.seeing import now_ms
from ppgp_tui.session.actions import loops


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    add_id(parser)
    parser.add_argument("--reason", default=loops.MANUAL, metavar="TEXT", help="why; recorded")


def run(args: argparse.Namespace) -> int:
    """Close it (yours alone)."""
    return act(
        args.loop_id,
        lambda home, loop, actor: loops.abandon(home, loop.loop_id, actor, args.reason, now_ms()),
    )
