"""`ppgp-tui gasp log`: the events of a log, one a line."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppgp_tui.cli.gasp.paper import line, moment, padded, width
from ppgp_tui.cli.gasp.reading import example, filters, open_log, place, progress, wanted
from ppgp_tui.cli.out import write, write_bytes

if TYPE_CHECKING:
    from ppgp_tui.gasp.envelope import Envelope
    from ppgp_tui.gasp.telling.filters import Filter
    from ppgp_tui.session.log.whole import WholeLog

_KIND = 22
_ACTOR = 10


@click.command("log")
@place
@filters
@click.option("-n", "--lines", metavar="N", type=click.IntRange(min=0), help="Only the last N.")
@click.option("--reverse", is_flag=True, help="The newest first.")
@click.option("--json", "as_json", is_flag=True, help="The lines of the log, as they stand there.")
@example("ppgp-tui gasp log -n 20\nppgp-tui gasp log --kind 'decision.*' --actor dev --since 3d")
def log(
    repository: Path | None, root: Path | None, lines: int | None, reverse: bool, as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Print the events of a log, one a line: time, kind, actor and what happened.

    REPO is a repository, a folder in it, or a log file. Damaged lines are shown with their number.
    """
    from ppgp_tui.session.live.store import now_ms

    chosen = wanted(now_ms(), **options)
    opened = open_log(repository, root)
    streams = lines is None and not reverse
    found: Iterable[tuple[int, Envelope]] = matching(
        opened, chosen, (lambda _: None) if streams else progress()
    )
    if lines is not None:
        found = deque(found, maxlen=lines)
    if reverse:
        found = reversed(list(found))
    columns = width()
    for index, event in found:
        reads_on = (
            _write_raw(opened.raw(index), columns)
            if as_json
            else write(row(opened, index, event, columns))
        )
        if not reads_on:
            return


def matching(
    opened: WholeLog, chosen: Filter, progress: Callable[[float], None] = lambda _: None
) -> Iterator[tuple[int, Envelope]]:
    """The events that are wanted, in the order of the log."""
    from ppgp_tui.gasp.telling.filters import matcher

    if chosen.goal:  # what links an event to a goal may stand behind it
        opened.read_all(progress)
        events: Iterable[tuple[int, Envelope]] = (
            (index, opened.event(index)) for index in range(len(opened))
        )
    else:
        events = opened.read_on(progress)
    matches = matcher(chosen, opened.index)
    return (one for one in events if matches(*one))


def row(opened: WholeLog, index: int, event: Envelope, columns: int | None) -> str:
    """An event in words, in at most so many columns."""
    from ppgp_tui.gasp.telling.change_words import change_words
    from ppgp_tui.gasp.telling.sentence import sentence
    from ppgp_tui.gasp.vocabulary import OPS_EVENT
    from ppgp_tui.session.text import one_line

    said = sentence(event, opened.things.names)
    words = said.words
    if event.kind == OPS_EVENT:
        words = f"graph: {change_words(event.payload, opened.things.names)}"
    if event.error is not None:
        damage = f"line {opened.line(index)} is damaged: {event.error}"
        words = f"{damage}; {words}" if event.kind else damage
    kind, actor = padded(event.kind or "?", _KIND), padded(said.actor, _ACTOR)
    return line(f"{moment(event.ts_ms)}  {kind}  {actor}  {one_line(words)}", columns)


def _write_raw(data: bytes, columns: int | None) -> bool:
    """The line itself; on a terminal without what a terminal would obey."""
    from ppgp_tui.session.text import safe

    if columns is None:
        return write_bytes(data + b"\n")
    return write(safe(data.decode("utf-8", "replace")) + "\n")
