"""Every claim of completion and what became of it, as the log tells it; nothing is written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, NamedTuple

from ppgp_tui.session.actions.recorded import events
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.members import text, whole

_KINDS: Final = (
    "goal.created", "goal.claimed", "eval.finished", "decision.created", "goal.status_changed",
)  # fmt: skip


class Step(NamedTuple):
    """A claim, the verdict of an audit, or a person's taking the goal without one."""

    kind: Literal["claim", "verdict", "override"]
    id: str
    goal: str | None
    """Id of the goal; None for one that only a document has."""
    title: str
    at_ms: int | None
    by: str
    """As in `agent:claude-1`; of a verdict the auditor's program, `none` for checks alone."""
    said: str
    """Summary of a claim, reason of a verdict or of a person."""
    claim: str | None = None
    """Of a verdict: the claim it answers."""
    eval: str | None = None
    """The audit: of a verdict its own, of a claim the one it disputes, of a person the newest."""
    verdict: str | None = None
    stale: bool = False
    objections: str = ""
    """What the agent was told when it was rejected."""
    dispute: str = ""
    report_digest: str = ""


def history(engine: Engine) -> tuple[Step, ...]:
    """Every step, oldest first. Raises `RefusalError` where there is no log."""
    return told(events(engine, *_KINDS))


def told(recorded: Iterable[Json]) -> tuple[Step, ...]:
    """The steps that these events tell of; what has another shape tells nothing."""
    steps: list[Step] = []
    titles: dict[str | None, str] = {}
    decided: dict[str, str] = {}
    for event in recorded:
        payload = event["payload"]
        if not isinstance(payload, dict):
            continue
        metadata = payload.get("metadata")
        metadata = metadata if isinstance(metadata, dict) else {}
        kind, about = event["kind"], metadata.get("type")
        if kind == "goal.created":
            titles[text(payload.get("id"))] = text(payload.get("title"))
        elif kind == "goal.claimed":
            steps.append(_claim(event, payload))
        elif kind == "eval.finished" and about == "audit":
            steps.append(_verdict(event, payload, metadata))
        elif kind == "decision.created" and about == "verdict":
            decided[text(event.get("id"))] = text(metadata.get("eval"))
        elif kind == "decision.created" and about == "override":
            steps.append(_override(event, payload, metadata))
        elif kind == "goal.status_changed" and event.get("causation_id") in decided:
            _object(steps, decided[event["causation_id"]], payload.get("pi"))
    return tuple(step._replace(title=titles.get(step.goal, "")) for step in steps)


def _claim(event: Json, payload: Json) -> Step:
    return Step(
        "claim", text(payload.get("id")), text(payload.get("goal_id")) or None, "",
        whole(event.get("ts_ms")), _actor(event), text(payload.get("summary")),
        eval=text(payload.get("disputes")) or None, dispute=text(payload.get("dispute")),
    )  # fmt: skip


def _verdict(event: Json, payload: Json, metadata: Json) -> Step:
    bound: Any = metadata.get("bound")
    audit = text(payload.get("id"))
    return Step(
        "verdict", audit, text(bound.get("goal")) or None if isinstance(bound, dict) else None, "",
        whole(event.get("ts_ms")), text(metadata.get("auditor")), text(metadata.get("why")),
        claim=text(metadata.get("claim")) or None, eval=audit,
        verdict=text(metadata.get("verdict")), stale=metadata.get("stale") is True,
        report_digest=text(metadata.get("report_digest")),
    )  # fmt: skip


def _override(event: Json, payload: Json, metadata: Json) -> Step:
    return Step(
        "override", text(payload.get("id")), text(metadata.get("goal")) or None, "",
        whole(event.get("ts_ms")), _actor(event), text(payload.get("reason")),
        eval=text(metadata.get("eval")) or None,
    )  # fmt: skip


def _object(steps: list[Step], audit: str, pi: Any) -> None:
    """Put beside a verdict what the agent was told, which the goal keeps (Pi reference 2.11)."""
    rejection = pi.get("lastAuditRejection") if isinstance(pi, dict) else None
    if not isinstance(rejection, dict):
        return
    for at, step in enumerate(steps):
        if step.kind == "verdict" and step.id == audit and step.verdict == "rejected":
            steps[at] = step._replace(objections=text(rejection.get("report")))


def _actor(event: Json) -> str:
    actor = event.get("actor")
    actor = actor if isinstance(actor, dict) else {}
    return f"{text(actor.get('kind'))}:{text(actor.get('id'))}"
