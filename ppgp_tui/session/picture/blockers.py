"""What is in the way: blockers of the goal document and of the log, each thing once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast, get_args

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.ppgp.reading import Blocker as Written
from ppgp_tui.ppgp.reading import BlockerClass
from ppgp_tui.session.log.facts import RecordedBlocker
from ppgp_tui.session.model import Blocker, Origin, SessionSnapshot
from ppgp_tui.session.picture.blocked import places, words


class InTheWay(NamedTuple):
    """One blocker, wherever it is said."""

    klass: BlockerClass | None
    inferred: bool
    """The class was concluded from the words."""
    text: str
    scope: str | None
    until: str | None
    since_ms: int | None
    origin: Origin | None
    id: str | None
    """Of a recorded one, to clear it by."""
    actor: str | None
    tasks: tuple[str, ...] = ()
    """Keys of the tasks it stops, as far as the log names them."""


def in_the_way(snapshot: SessionSnapshot) -> list[InTheWay]:
    """Those of the goal document in its order, then those that only the log tells of.

    One that both tell of is shown in the document's words, with the id and age of the log's.
    """
    goal, recorded = snapshot.goal.value, snapshot.recorded_blockers.value
    by_line = {one.line: one for one in recorded if one.line is not None}
    found = []
    for written in goal.blockers:
        same = by_line.get(written.line)
        since = snapshot.repo.value.goal_line_ms.get(written.line)
        found.append(
            InTheWay(
                written.klass, written.inferred, written.text, written.scope, written.until,
                same.since_ms if same else since, Origin(goal.path, written.line),
                same.id if same else None, same.actor if same else None,
                same.tasks if same else (),
            )
        )  # fmt: skip
    found += [
        InTheWay(
            one.klass, False, one.text, one.scope or ", ".join(one.tasks) or None, one.until,
            one.since_ms, one.origin, one.id, one.actor, one.tasks,
        )
        for one in recorded
        if one.line is None
    ]  # fmt: skip
    return found


def blockers_now(
    written: Sequence[Written], recorded: Sequence[RecordedBlocker]
) -> tuple[Blocker, ...]:
    """The recorded ones, oldest first, each with the line where the document says the same."""
    where = places(
        [(one.klass, words(one.text)) for one in written],
        [(_class(one), words(one.text)) for one in recorded],
    )
    return tuple(
        Blocker(
            id=one.id,
            klass=_class(one),
            text=one.text,
            scope=one.scope or None,
            until=one.until or None,
            tasks=one.blocks,
            actor=one.actor or None,
            since_ms=one.since_ms,
            line=None if place is None else written[place].line,
            origin=one.origin,
        )
        for one, place in zip(recorded, where, strict=True)
    )


def _class(one: RecordedBlocker) -> BlockerClass | None:
    return cast(BlockerClass, one.klass) if one.klass in get_args(BlockerClass) else None
