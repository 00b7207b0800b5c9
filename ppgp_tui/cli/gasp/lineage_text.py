"""A lineage as indented lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ppgp_tui.cli.gasp.paper import draws_unicode, line, moment, width
from ppgp_tui.gasp.tracing.lineage import Branch, Lineage
from ppgp_tui.gasp.tracing.things import Thing
from ppgp_tui.session.text import one_line


class _Rules(NamedTuple):
    """What a tree is drawn with."""

    fork: str
    corner: str
    bar: str


_UNICODE = _Rules("├─ ", "└─ ", "│  ")
_ASCII = _Rules("|- ", "`- ", "|  ")


def lineage_text(
    lineage: Lineage, line_of: Callable[[int], int], *, up: bool = True, down: bool = True
) -> str:
    """Return the lineage for people; `line_of` gives the line of an event in the log."""
    rules = _UNICODE if draws_unicode() else _ASCII
    lines = [*_head(lineage, line_of)]
    if up:
        lines += ["", "why", *_tree(lineage.up, rules, "nothing in this log says why")]
    if down:
        lines += ["", "what came of it", *_tree(lineage.down, rules, "nothing in this log")]
    if lineage.unlinked:
        lines += ["", "unlinked"]
        lines += (
            f"  {one_line(one.reason)} (line {line_of(one.event)})" for one in lineage.unlinked
        )
    columns = width()
    return "".join(line(one, columns) for one in lines)


def _head(lineage: Lineage, line_of: Callable[[int], int]) -> Iterator[str]:
    thing = lineage.thing
    if lineage.is_change_of:
        yield one_line(f"{lineage.is_change_of} is a graph change of:")
    yield thing_words(thing)
    when = "at an unknown time" if thing.ts_ms is None else moment(thing.ts_ms)
    by = f" by {thing.actor}" if thing.actor else ""
    yield one_line(f"line {line_of(thing.event)}, {when}{by}")
    yield from (one_line(note) for note in thing.notes)


def _tree(root: Branch, rules: _Rules, nothing: str) -> Iterator[str]:
    lines = list(_below(root, rules, ""))
    yield from lines or [f"  {nothing}"]


def _below(branch: Branch, rules: _Rules, before: str) -> Iterator[str]:
    entries: list[tuple[str, Branch | None]] = [
        (f"{one.how}: {' '.join(filter(None, (one.kind, one.uri)))}", None)
        for one in branch.artifacts
    ]
    entries += [(_hop(one), one) for one in branch.branches]
    if branch.more:
        more = "many" if branch.too_many else str(branch.more)
        entries.append((f"and {more} more", None))
    for number, (words, below) in enumerate(entries):
        is_last = number == len(entries) - 1
        yield f"{before}{rules.corner if is_last else rules.fork}{one_line(words)}"
        if below is not None:
            yield from _below(below, rules, before + ("   " if is_last else rules.bar))


def _hop(branch: Branch) -> str:
    ways = branch.ways[0].words
    notes = "".join(f" ({note})" for note in branch.thing.notes)
    above = " (shown above)" if branch.shown_above else ""
    return f"{ways}: {thing_words(branch.thing)}{'' if above else notes}{above}"


def thing_words(thing: Thing) -> str:
    """`patch_9, patch, Promoted: persist retry counter`; an event by its kind and sentence."""
    name = thing.kind if thing.is_event else thing.id
    kind = thing.id if thing.is_event else thing.kind
    head = ", ".join(filter(None, (name, kind, thing.status)))
    return one_line(f"{head}: {thing.title}" if thing.title else head or "a damaged line")
