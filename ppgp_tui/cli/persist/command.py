"""The door for click: everything after `ppgp-tui persist` is handed over as it is."""

from __future__ import annotations

import sys

import click


@click.command(
    "persist",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    short_help="Run a fresh agent again and again until a check says done.",
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def persist(words: tuple[str, ...]) -> None:
    """Hand it over: usage messages are then the original's to the letter."""
    from ppgp_tui.cli.persist.group import main

    sys.exit(main(list(words)))
