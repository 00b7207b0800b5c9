"""`ppgp-tui gasp init`: a new agent repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ppgp_tui.cli.acting import acts

if TYPE_CHECKING:
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.result import Result


@click.command("init")
@click.option("--agent-id", metavar="NAME", help="The agent's name; else the folder's.")
@click.option("--hook", is_flag=True, help="Put the guard before a Git hook that is there already.")
@click.option("--dry-run", is_flag=True, help="Only say what would be created.")
@acts(example="ppgp-tui gasp init --dry-run\nppgp-tui gasp init ../agent", takes_path=True)
def init(engine: Engine, agent_id: str | None, hook: bool, dry_run: bool) -> Result:
    """Make an agent repository of the folder PATH (here by default).

    Creates the manifest AGENT.md, identity/, .agent/config.toml, ignore lines, the session and the
    empty log, and the Git repository where there is none. A Git hook then refuses commits that
    change or remove what the log has. What is there already stays as it is and is named as kept; a
    hook of yours too, unless --hook puts the guard before it. Nothing is committed.
    """
    from ppgp_tui.session.actions import scaffold

    return scaffold.init(engine, agent_id=agent_id, dry_run=dry_run, hook=hook)
