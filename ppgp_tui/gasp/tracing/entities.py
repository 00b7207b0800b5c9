"""Which entities an event speaks of, by its kind and payload (GASP reference section 5).

An event *makes* the entity it introduces, or is *about* one that was there; what else its payload
names links that entity to others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

MAKERS: Final[Mapping[str, tuple[str, str]]] = {
    "goal.created": ("id", "goal"),
    "task.created": ("id", "task"),
    "run.started": ("run_id", "run"),
    "observation.created": ("id", "observation"),
    "failure.observed": ("id", "failure"),
    "hypothesis.created": ("id", "hypothesis"),
    "patch.proposed": ("id", "patch"),
    "eval.finished": ("id", "eval"),
    "decision.created": ("id", "decision"),
    "model.called": ("id", "model_call"),
    "tool.called": ("id", "tool_call"),
    "frame.created": ("id", "frame"),
    "project.snapshot_recorded": ("id", "project_snapshot"),
    "session.started": ("id", "session"),
    "goal.claimed": ("id", "claim"),
    "blocker.raised": ("id", "observation"),
    "authority.requested": ("id", "decision"),
}
"""The member that holds the new entity's id, and the entity's kind."""

ABOUT: Final = (
    "goal_id", "task_id", "patch_id", "decision_id", "node_id", "run_id", "id", "failure_id",
)  # fmt: skip
"""Members that name what any other event is about, the first that is there."""

_REASONS: Final[Mapping[str, tuple[str, ...]]] = {
    "task.created": ("goal",),
    "observation.created": ("observed_in",),
    "patch.proposed": ("evidence",),
    "model.called": ("run_id",),
    "tool.called": ("run_id",),
    "frame.created": ("parent",),
    "goal.created": ("metadata.ppgp.request",),
    "goal.claimed": ("goal_id",),
    "eval.finished": ("metadata.claim",),
    "decision.created": ("metadata.request", "metadata.eval"),
}
"""Members that name what the new entity comes from."""

_RESULTS: Final[Mapping[str, tuple[str, ...]]] = {
    "blocker.raised": ("blocks",),
    "authority.requested": ("request.frees",),
}
"""Members that name what the new entity bears on."""


class Subject(NamedTuple):
    """The entity that an event makes or is about."""

    id: str
    member: str
    makes: bool
    kind: str = ""
    """The kind of an entity that is made."""


def subject(kind: str, payload: Any) -> Subject | None:
    """Return the entity that an event of that kind and payload speaks of first, if any."""
    if not isinstance(payload, dict):
        return None
    maker = MAKERS.get(kind)
    if maker is None and kind.endswith((".created", ".started")):
        maker = ("id", kind.rpartition(".")[0])
    if maker is not None:
        name = payload.get(maker[0])
        if isinstance(name, str) and name:
            return Subject(name, maker[0], True, maker[1])
    for member in ABOUT:
        name = payload.get(member)
        if isinstance(name, str) and name:
            return Subject(name, member, False)
    return None


def reasons(kind: str, payload: Any) -> Iterator[tuple[str, str]]:
    """The members of a making event that name what its entity comes from, and the ids there."""
    return _named(_REASONS.get(kind, ()), payload)


def results(kind: str, payload: Any) -> Iterator[tuple[str, str]]:
    """The members of a making event that name what its entity bears on, and the ids there."""
    return _named(_RESULTS.get(kind, ()), payload)


def _named(members: tuple[str, ...], payload: Any) -> Iterator[tuple[str, str]]:
    for member in members:
        value = payload
        for name in member.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        for one in value if isinstance(value, list) else (value,):
            if isinstance(one, str) and one:
                yield member, one
