"""`ppgp-tui init` and `restore`: making a session, and putting back what was cut out of its log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ppgp_tui.cli.acting import acts

if TYPE_CHECKING:
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.result import Result


@click.command("init")
@click.option("--dry-run", is_flag=True, help="Only say what would be created.")
@click.option("--gasp", is_flag=True, help="Make an agent repository too, as gasp init does.")
@acts(example="ppgp-tui init --dry-run\nppgp-tui init --gasp")
def init(engine: Engine, dry_run: bool, gasp: bool) -> Result:
    """Make a session in this repository.

    Creates the folder .ppgp with its .gitignore and the empty log; what is there already stays as
    it is. Nothing is committed.
    """
    from ppgp_tui.session.actions import scaffold, start

    act = scaffold.init if gasp else start.init
    return act(engine, dry_run=dry_run)


@click.command("restore")
@acts(example="ppgp-tui restore")
def restore(engine: Engine) -> Result:
    """Put events back that Git took out of the log.

    (To read a whole agent repository from its files, see ppgp-tui gasp restore.)

    After git stash, reset --hard, checkout -f or clean, recorded events that no commit has are
    appended again, unchanged, from the copy in your state folder.
    """
    from ppgp_tui.session.actions import start

    return start.restore(engine)
