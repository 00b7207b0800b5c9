"""`ppgp-tui gasp`: the commands by name, and where each is written."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

COMMANDS: Final = {
    "check": "ppgp_tui.cli.gasp.check:check",
    "watch": "ppgp_tui.cli.gasp.watch:watch",
    "init": "ppgp_tui.cli.gasp.init:init",
    "lineage": "ppgp_tui.cli.gasp.lineage:lineage",
    "story": "ppgp_tui.cli.gasp.story:story",
    "log": "ppgp_tui.cli.gasp.log:log",
    "snapshot": "ppgp_tui.cli.gasp.snapshot:snapshot",
    "restore": "ppgp_tui.cli.gasp.restore:restore",
}
"""Imported when it is called, and not before."""


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command


@click.group("gasp", cls=_Lazy)
def gasp() -> None:
    """Check, read, restore and begin agent repositories (Git Agent State Protocol)."""
