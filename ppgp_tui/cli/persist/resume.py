"""`persist resume`: a paused loop goes on, and the agents that its pause held."""

from __future__ import annotations

import argparse

from ppgp_tui.cli.persist.acting import act, add_id
from ppgp_tui.session.actions import loops


def add(parser: argparse.ArgumentParser) -> None:
    """The argument."""
    add_id(parser)


def run(args: argparse.Namespace) -> int:
    """Take the pause back (yours alone)."""
    return act(args.loop_id, loops.resume)
