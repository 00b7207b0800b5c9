"""State words that changed just now stand out for two seconds, so that an eye catches them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ppgp_tui.session.model import SessionSnapshot

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat

FLASH_MS = 2_000


def note(seat: Seat, before: SessionSnapshot) -> None:
    """The seat took a newer picture than `before`: remember which rows say another state."""
    if seat.manner.motion == "reduced" or before.root != seat.snapshot.root:
        seat.bright = {}
        return
    now_ms = seat.clock()
    still = {key: until for key, until in seat.bright.items() if until > now_ms}
    seat.bright = still | dict.fromkeys(changed(before, seat.snapshot), now_ms + FLASH_MS)


def bright(seat: Seat) -> frozenset[str]:
    """Keys of the rows whose state word stands out now."""
    if not seat.bright:
        return frozenset()
    now_ms = seat.clock()
    return frozenset(key for key, until in seat.bright.items() if until > now_ms)


def changed(before: SessionSnapshot, after: SessionSnapshot) -> set[str]:
    """Keys of the rows of tasks, requests, agents and conditions whose state differs.

    What was not there before is new, not changed. Parts that are the same object are passed over.
    """
    keys: set[str] = set()
    if before.plan.value is not after.plan.value:
        was = {task.key: (task.state, task.stopped_by) for task in before.plan.value.tasks}
        keys.update(
            f"task:{task.key}"
            for task in after.plan.value.tasks
            if was.get(task.key, now := (task.state, task.stopped_by)) != now
        )
    if before.inbox.value is not after.inbox.value:
        states = {request.id: request.state for request in before.inbox.value}
        keys.update(
            f"req:{request.id}"
            for request in after.inbox.value
            if states.get(request.id, request.state) != request.state
        )
    if before.agents.value is not after.agents.value:
        keys.update(_agents(before, after))
    if before.goal.value is not after.goal.value:
        keys.update(_conditions(before, after))
    return keys


def _agents(before: SessionSnapshot, after: SessionSnapshot) -> Iterator[str]:
    was = {agent.session: agent.state for agent in before.agents.value}
    for agent in after.agents.value:
        if was.get(agent.session, agent.state) != agent.state:
            yield f"agent:{agent.session}"


def _conditions(before: SessionSnapshot, after: SessionSnapshot) -> Iterator[str]:
    """By their words: in an edited document they may stand elsewhere."""
    was = {criterion.text: criterion.state for criterion in before.goal.value.dod}
    for criterion in after.goal.value.dod:
        if was.get(criterion.text, criterion.state) != criterion.state:
            yield f"dod:{criterion.number}"
