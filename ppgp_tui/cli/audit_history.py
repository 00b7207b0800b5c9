"""`ppgp-tui audit --history`: every claim and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from ppgp_tui.cli.out import write
from ppgp_tui.cli.times import shown
from ppgp_tui.session.text import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from ppgp_tui.session.actions.claims import Step
    from ppgp_tui.session.engine.engine import Engine


def print_history(engine: Engine, *, as_json: bool) -> int:
    """Print it, oldest first; return the exit code."""
    from ppgp_tui.cli.json_text import json_text
    from ppgp_tui.session.actions.claims import history
    from ppgp_tui.session.journal import RefusalError

    try:
        steps = history(engine)
    except RefusalError as refusal:
        raise click.ClickException(one_line(refusal.refused.message)) from None
    if as_json:
        write(json_text([_plain(engine.root, step) for step in steps]))
    elif not steps:
        click.echo("nothing was claimed here and nothing audited", err=True)
    else:
        write("".join(f"{line}\n" for line in _lines(engine.root, steps)))
    return 0


def _lines(root: Path, steps: tuple[Step, ...]) -> Iterator[str]:
    for (_, title), own in groupby(steps, key=lambda step: (step.goal, step.title)):
        yield one_line(title) or "a goal that only its document names"
        for step in own:
            when = shown(step.at_ms) if step.at_ms is not None else "at no known time"
            yield f"  {when}  {_step(step)}"
            yield from (f"      {line}" for line in _more(root, step))


def _step(step: Step) -> str:
    said = f": {one_line(step.said)}" if step.said else ""
    if step.kind == "claim":
        return f"claimed by {one_line(step.by)}{said}"
    if step.kind == "override":
        return f"closed by {one_line(step.by)} WITHOUT a verdict that fits{said}"
    word = one_line(step.verdict or "").replace("_", " ")
    stale = ", stale: it counts for nothing" if step.stale else ""
    by = "checks alone" if step.by == "none" else f"checks and {one_line(step.by)}"
    return f"{word} by {by}{stale}{said}"


def _more(root: Path, step: Step) -> Iterator[str]:
    if step.dispute:
        yield f"disputes the verdict before: {one_line(step.dispute)}"
    yield from (one_line(line) for line in step.objections.splitlines()[1:])
    if step.kind == "verdict":
        path, state, undecided = _report(root, step)
        if step.verdict == "inconclusive":
            yield from (f"- {line}" for line in undecided)
        yield f"report {path}{'' if state == 'as recorded' else f': {state}'}"


def _report(root: Path, step: Step) -> tuple[str, str, tuple[str, ...]]:
    """Where the report of a verdict is, whether it is the one recorded, and what nobody decided."""
    from ppgp_tui.audit.kept import NotKeptError, kept, path_of
    from ppgp_tui.audit.report import undecided

    try:
        verdict = kept(root, step.id, step.report_digest).verdict
    except NotKeptError as error:
        return path_of(step.id), str(error), ()
    return path_of(step.id), "as recorded", undecided(verdict)


def _plain(root: Path, step: Step) -> dict[str, Any]:
    members: dict[str, Any] = step._asdict()
    if step.kind == "verdict":
        members["report"], members["report_state"], _ = _report(root, step)
    return members
