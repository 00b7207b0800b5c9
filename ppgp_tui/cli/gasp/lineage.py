"""`ppgp-tui gasp lineage`: where something in a log comes from and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ppgp_tui.cli.gasp.reading import example, open_log, place, progress
from ppgp_tui.cli.out import write

if TYPE_CHECKING:
    from ppgp_tui.gasp.tracing.lineage import Branch, Lineage
    from ppgp_tui.session.log.whole import WholeLog

_LISTED = 20
"""How many candidates are named for an ambiguous id."""


@click.command("lineage")
@click.argument("asked", metavar="ID")
@place
@click.option("--up", is_flag=True, help="Only where it comes from.")
@click.option("--down", is_flag=True, help="Only what came of it.")
@click.option(
    "--depth", metavar="N", type=click.IntRange(1, 200), default=12, help="Hops; 12 if left out."
)
@click.option(
    "--breadth", metavar="N", type=click.IntRange(1, 10000), default=40,
    help="Hops from one thing; 40 if left out.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="As JSON, ppgp-tui/gasp-lineage/1.")
@click.option("--mermaid", "as_chart", is_flag=True, help="As a Mermaid flowchart.")
@example("ppgp-tui gasp lineage patch_9\nppgp-tui gasp lineage event_0b7c --down --mermaid")
def lineage(
    asked: str, repository: Path | None, root: Path | None, up: bool, down: bool,
    depth: int, breadth: int, as_json: bool, as_chart: bool,
) -> None:  # fmt: skip
    """Print why something is and what came of it, and how each step is known.

    ID is the id of a node or an event, its first characters, or the key of a task. Every step
    names what it rests on: a relation, a cause, a correlation, an equal suffix of two ids, a member
    of a payload. What the log names and does not hold is listed as unlinked.
    """
    if as_json and as_chart:
        raise click.UsageError("--json and --mermaid exclude each other")
    opened = open_log(repository, root).read_all(progress())
    found = _look(opened, asked, depth, breadth)
    if up and not down:
        found = found._replace(down=_closed(found.down))
    if down and not up:
        found = found._replace(up=_closed(found.up))
    write(_shown(opened, found, as_json, as_chart, only_up=up > down, only_down=down > up))


def _closed(branch: Branch) -> Branch:
    """The tree of a direction that is not asked for."""
    return branch._replace(branches=(), more=0, too_many=False)


def _shown(
    opened: WholeLog, found: Lineage, as_json: bool, as_chart: bool,
    *, only_up: bool, only_down: bool,
) -> str:  # fmt: skip
    if as_json:
        from ppgp_tui.cli.gasp.lineage_json import lineage_json
        from ppgp_tui.cli.json_text import json_text

        return json_text(lineage_json(found, opened.line), indent=2)
    if as_chart:
        from ppgp_tui.gasp.tracing.mermaid import mermaid
        from ppgp_tui.session.text import safe

        return safe(mermaid(found))
    from ppgp_tui.cli.gasp.lineage_text import lineage_text

    return lineage_text(found, opened.line, up=not only_down, down=not only_up)


def _look(opened: WholeLog, asked: str, depth: int, breadth: int) -> Lineage:
    """The lineage of what `asked` names. Raises `click.ClickException` for none or several."""
    from ppgp_tui.gasp.tracing.lineage import find
    from ppgp_tui.gasp.tracing.lineage import lineage as lineage_of
    from ppgp_tui.session.text import one_line

    thing, name = find(opened.index, asked), asked
    if thing is None:
        ids = _beginning_with(opened, asked)
        if len(ids) == 1:
            thing, name = find(opened.index, ids[0]), ids[0]
    if thing is not None:
        return lineage_of(opened.things, thing, name, depth=depth, breadth=breadth)
    if not ids:
        where = f"{opened.path} ({len(opened):,} events)"
        raise click.ClickException(
            one_line(f"nothing in {where} is called {asked!r} or begins so; "
                     "ppgp-tui gasp log --text WORDS finds ids")
        )  # fmt: skip
    listed = "".join(f"\n  {one_line(name)}" for name in ids[:_LISTED])
    more = f"\n  and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
    raise click.ClickException(f"{one_line(asked)} may be one of:{listed}{more}")


def _beginning_with(opened: WholeLog, start: str) -> list[str]:
    """The ids of nodes, tasks and events that begin so, nodes first."""
    index = opened.index
    nodes = [
        name
        for number, name in enumerate(index.names)
        if name.removeprefix("todo:").startswith(start) or name.startswith(start)
        if index.knows(number)
    ]
    events = (opened.event(event).id for event in range(len(opened)))
    return list(
        dict.fromkeys((*nodes, *(name for name in events if name and name.startswith(start))))
    )
