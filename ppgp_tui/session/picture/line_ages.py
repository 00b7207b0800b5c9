"""Since when the lines of the goal document stand there, also while Git has yet to be asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ppgp_tui.ppgp.reading import GoalReading

Said = tuple[object, ...]


def carried(ages: Mapping[int, int], was: GoalReading, now: GoalReading) -> dict[int, int]:
    """The `ages` of the lines of `was`, by the lines of `now` that say the very same.

    A line that was put in moves all others, so none is known by its number. What stands there
    twice, or says something else than before, has no age until Git is asked.
    """
    if not ages or was.path != now.path:
        return {}
    before = _lines(was)
    return {
        line: ages[before[said]]
        for said, line in _lines(now).items()
        if before.get(said, 0) in ages
    }


def _lines(reading: GoalReading) -> dict[Said, int]:
    """Where stands what is said once."""
    found: dict[Said, int] = {}
    twice: set[Said] = set()
    for said, line in _said(reading):
        if said in found:
            twice.add(said)
        found[said] = line
    return {said: line for said, line in found.items() if said not in twice}


def _said(reading: GoalReading) -> Iterator[tuple[Said, int]]:
    """Everything that is shown with an age, in words that change as the line does."""
    for one in reading.dod:
        proof = tuple(item.text for item in one.evidence)
        yield ("condition", one.text, one.state, proof), one.line
    for blocker in reading.blockers:
        yield ("blocker", *blocker._replace(line=0)), blocker.line
    for kind, items in zip(reading.authority._fields, reading.authority, strict=True):
        for item in items:
            yield (kind, item.text, item.scope), item.line
