"""What the log says about the plan: the newest one, and every revision that led to it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from ppgp_tui.gasp.envelope import Head
from ppgp_tui.gasp.telling.sentence import short_actor
from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.members import text, whole
from ppgp_tui.session.picture.origin import Origin
from ppgp_tui.session.plan_history.gathering import RevisionLog, Step, removals
from ppgp_tui.session.plan_history.revision import NO_REVISIONS, Revision, Revisions


class RecordedPlan(NamedTuple):
    """The newest plan in the log and what its history says."""

    state: Any
    """The TodoState as the payload holds it."""
    digest: str
    revision: int | None
    revisions: int
    """How many revisions the log holds."""
    changed_ms: int | None
    changed_by: str
    origin: Origin
    task_changed: Mapping[str, int]
    """By key: when the task as it is now was first recorded so."""
    earlier: frozenset[str] = frozenset()
    """Digests of the other recorded plans: a file that holds one of them only fell behind."""
    history: Revisions = NO_REVISIONS
    """Every revision the log holds, oldest first, this one last."""


class PlanLog:
    """The plan, gathered revision by revision."""

    def __init__(self) -> None:
        self.now: RecordedPlan | None = None
        self._revisions = RevisionLog()
        self._task_changed: dict[str, int] = {}

    def __copy__(self) -> PlanLog:
        """The same, to go on by itself."""
        other = PlanLog()
        other.now, other._task_changed = self.now, dict(self._task_changed)
        other._revisions = copy.copy(self._revisions)
        return other

    def take(
        self, head: Head, payload: dict[str, Any], index: int, origin: Callable[[], Origin]
    ) -> Step | None:
        """Take in `todo.revised`, the event at `index`, and return what it changed.

        None for one that holds no plan, and for one older than the newest that was put back later.
        """
        state = payload.get("state")
        if not isinstance(state, dict):
            return None
        before, digest = self.now, text(payload.get("digest"))
        revision = _revision(head, payload, index, digest)
        if before is not None and _is_older(revision, before):
            self._revisions.put_in(revision)
            self.now = before._replace(
                revisions=before.revisions + 1,
                earlier=before.earlier | {digest},
                history=self._revisions.now,
            )
            return None
        step = self._revisions.add(revision, state)
        for key in step.removed:
            self._task_changed.pop(key, None)
        if head.ts_ms is not None:
            self._task_changed.update(dict.fromkeys(step.added + step.changed, head.ts_ms))
        self.now = RecordedPlan(
            state=state,
            digest=digest,
            revision=revision.number,
            revisions=before.revisions + 1 if before else 1,
            changed_ms=head.ts_ms,
            changed_by=revision.by,
            origin=origin(),
            task_changed=dict(self._task_changed),
            earlier=before.earlier | {before.digest} if before else frozenset(),
            history=self._revisions.now,
        )
        return step


def _revision(head: Head, payload: dict[str, Any], index: int, digest: str) -> Revision:
    return Revision(
        number=whole(payload.get("revision")),
        at=index,
        id=head.id,
        ts_ms=head.ts_ms,
        by=short_actor(head.actor_kind, head.actor_id),
        origin="adopted" if payload.get("origin") == "adopted" else "call",
        digest=digest.removeprefix("sha256:")[:16],
        reasons=tuple(removals(payload.get("removed"))),
    )


def _is_older(revision: Revision, plan: RecordedPlan) -> bool:
    number = revision.number
    return number is not None and plan.revision is not None and number < plan.revision
