"""`ppgp-tui mcp`: the session for agents that speak MCP."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from ppgp_tui.cli.aim import aim
from ppgp_tui.cli.options import root_option
from ppgp_tui.session.files.root import RootError
from ppgp_tui.session.text import one_line


@click.command("mcp")
@root_option
def mcp(root: Path | None) -> None:
    """Serve the session to an agent over stdin and stdout (MCP).

    An MCP client starts this. Agents may read, ask and propose here; granting stays with you.
    """
    from ppgp_tui.agents.mcp import SdkMissingError, serve

    try:
        found = aim(Path.cwd(), None, root, os.environ).root
        if sys.stdin.isatty():
            click.echo(f"serving {one_line(str(found))} to an MCP client on stdin", err=True)
        serve(found)
    except (RootError, SdkMissingError) as error:
        raise click.ClickException(one_line(str(error))) from error
