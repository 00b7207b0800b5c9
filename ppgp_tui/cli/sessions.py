"""`ppgp-tui sessions`: the list of all sessions, as the app shows it."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppgp_tui.cli.json_text import json_text
from ppgp_tui.cli.options import ANY_PATH
from ppgp_tui.cli.out import write

if TYPE_CHECKING:
    from ppgp_tui.session.sessions.lookout import Lookout
    from ppgp_tui.session.sessions.row import SessionRow

LIMIT_S = 10.0
"""So long the list waits for the slowest root; what has not answered by then says so."""
_GROUPS = {
    "needs_you": "for you", "broken": "wrong", "working": "working", "waiting": "waits for you",
    "held": "held", "idle": "idle", "unread": "not read", "none": "no agent",
}  # fmt: skip

EXAMPLE = """
\b
Example:
  ppgp-tui sessions
  ppgp-tui sessions --json ~/src
"""


@click.command("sessions", epilog=EXAMPLE)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=ANY_PATH)
@click.option("--json", "as_json", is_flag=True, help="As JSON, schema ppgp-tui-sessions/1.")
def sessions(paths: tuple[Path, ...], as_json: bool) -> None:
    """List all sessions: what needs you first, then what works, waits, is held or idle.

    Listed are the worktrees of this repository, the repositories that were opened before, those
    that match sessions.paths in your own settings, and those at each PATH.
    """
    now_ms = time.time_ns() // 1_000_000
    lookout = looked([str(path) for path in paths])
    rows, problems = lookout.rows(), lookout.problems
    for problem in problems:
        sys.stderr.write(f"ppgp-tui: {_clean(problem)}\n")
    if as_json:
        said = {"schema": "ppgp-tui-sessions/1", "at_ms": now_ms, "sessions": _values(rows)}
        write(json_text(said, indent=2))
    else:
        write("".join(f"{line}\n" for line in _lines(rows, now_ms)))
    sys.exit(0 if rows or not problems else 1)  # a look that hangs is a daemon's: nothing waits


def looked(paths: list[str]) -> Lookout:
    """A lookout that has looked at every session once; at those that hang it has waited."""
    from ppgp_tui.session.files.places import config_folder, state_folder
    from ppgp_tui.session.sessions import finding
    from ppgp_tui.session.sessions.lookout import Lookout
    from ppgp_tui.session.settings.settings import load_settings

    here = os.getcwd()  # noqa: PTH109
    settings = load_settings(Path(here), config_folder() / "config.toml")
    seeks = finding.seeks(
        lambda: finding.named_places(paths, here, os.environ),
        settings.sessions_paths,
        state_folder(),
    )
    lookout = Lookout(seeks, os.environ, lambda: time.time_ns() // 1_000_000)
    lookout.start()
    lookout.settle(LIMIT_S)
    lookout.stop()
    return lookout


def _values(rows: tuple[SessionRow, ...]) -> list[dict[str, Any]]:
    return [
        {
            "root": row.root,
            "name": row.name,
            "branch": row.branch or None,
            "found": row.by,
            "state": row.group,
            "goal": row.objective or None,
            "problem": row.problem or None,
            "problem_since_ms": row.since_ms,
            "looked_ms": row.looked_ms,
            "status": None if row.glance is None else row.glance._asdict(),
        }
        for row in rows
    ]


def _lines(rows: tuple[SessionRow, ...], now_ms: int) -> list[str]:
    from ppgp_tui.cli.status_line import line
    from ppgp_tui.session.sessions.row import names
    from ppgp_tui.ui.looks.ages import age
    from ppgp_tui.ui.terminal.ability import ability

    if not rows:
        return ["no session was found; name repositories, or sessions.paths in your config.toml"]
    ascii_only = ability(os.environ, sys.stdout.encoding).ascii_signs
    called = [
        _clean(f"{name} ({row.branch})" if row.branch else name)
        for row, name in zip(rows, names(rows), strict=True)
    ]
    widest = max(map(len, called))
    said = []
    for row, name in zip(rows, called, strict=True):
        if row.problem:
            how = f"not read: {_clean(row.problem)} {age(row.since_ms, now_ms)}"
        elif row.glance is None:
            how = "not read yet"
        else:
            how = line(row.glance._asdict(), now_ms, ascii_only=ascii_only) or _GROUPS[row.group]
        goal = f"  {_clean(row.objective)}" if row.objective else ""
        said.append(f"{name.ljust(widest)}  {how}{goal}")
    return said


def _clean(text: str) -> str:
    from ppgp_tui.session.text import one_line

    return one_line(text)
