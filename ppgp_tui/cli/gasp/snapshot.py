"""`ppgp-tui gasp snapshot`: the graph so far, with the proof of which lines it was folded from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ppgp_tui.cli.acting import acts

if TYPE_CHECKING:
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.result import Result


@click.command("snapshot")
@click.option("--dry-run", is_flag=True, help="Only say what would be created.")
@acts(example="ppgp-tui gasp snapshot")
def snapshot(engine: Engine, dry_run: bool) -> Result:
    """Write the graph that the log folds into to snapshots/EVENT/graph.json.

    It is of all whole lines of the log, committed or not, and proves what they fold into: gasp
    check and gasp restore verify it. It can be deleted at any time, and does not shorten the log.
    """
    from ppgp_tui.session.actions import snapshot as act

    return act.snapshot(engine, dry_run=dry_run)
