"""Blockers that the log tells of, and which of them the goal document says as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast, get_args

from ppgp_tui.ppgp.reading import Blocker as Written
from ppgp_tui.ppgp.reading import BlockerClass
from ppgp_tui.session.blocked import places, words
from ppgp_tui.session.log.facts import RecordedBlocker
from ppgp_tui.session.model import Blocker


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
