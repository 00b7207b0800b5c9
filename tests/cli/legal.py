"""What makes an event log legal, checked line by line (GASP reference sections 4 to 8 and 11)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

ENVELOPE = (
    "id", "schema_version", "ts_ms", "actor", "kind", "payload", "causation_id", "correlation_id",
)  # fmt: skip
CREATES = {
    "goal.created": "goal", "task.created": "task", "observation.created": "observation",
    "eval.finished": "eval", "decision.created": "decision",
}  # fmt: skip
NODE_KINDS = {
    "goal", "task", "run", "observation", "failure", "hypothesis", "patch", "eval", "decision",
    "model_call", "tool_call", "frame", "project_snapshot", "policy", "behavior",
}  # fmt: skip
RELATIONS = {
    "serves", "blocks", "advances", "observes", "explains", "addresses", "modifies",
    "validated_by", "approved_by", "rejected_by", "produced_by", "derived_from", "depends_on",
    "supersedes", "contained_in_frame", "forked_from", "references",
}  # fmt: skip
STATE = "state.ops_applied"


def events(log: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.split(b"\n") if line]


def faults(log: bytes) -> list[str]:
    """Everything about the log that is not legal, in words."""
    found = [] if log.endswith(b"\n") else ["the last line has no newline"]
    before: dict[str, str] = {}
    nodes: set[str] = set()
    for number, event in enumerate(events(log), 1):
        at = f"line {number} {event['kind']}"
        cause = event["causation_id"]
        if tuple(event) != ENVELOPE:
            found.append(f"{at}: envelope {tuple(event)}")
        if set(event["actor"]) != {"kind", "id"}:
            found.append(f"{at}: actor {event['actor']}")
        if event["id"] in before:
            found.append(f"{at}: the id was used before")
        if cause is None:
            if not event["kind"].endswith((".created", ".started")):
                found.append(f"{at}: no cause")
        elif cause not in before:
            found.append(f"{at}: the cause is not a line above")
        elif event["kind"] == STATE and before[cause] == STATE:
            found.append(f"{at}: operations caused by operations")
        before[event["id"]] = event["kind"]
        if event["kind"] == STATE:
            found += [f"{at}: {fault}" for fault in _operations(event["payload"], nodes)]
    return found + _unpaired(events(log))


def _operations(operations: Sequence[dict[str, Any]], nodes: set[str]) -> list[str]:
    found = []
    for operation in operations:
        ((variant, body),) = operation.items()
        if variant == "CreateNode":
            nodes.add(body["id"])
            if body["kind"] not in NODE_KINDS:
                found.append(f"node kind {body['kind']}")
        elif variant == "UpdateNode":
            if body["id"] not in nodes:
                found.append(f"updates {body['id']}, which is not there")
        elif variant in ("CreateRelation", "DeleteRelation"):
            if body["rel"] not in RELATIONS:
                found.append(f"relation {body['rel']}")
            found += [
                f"{end} is not there" for end in (body["from"], body["to"]) if end not in nodes
            ]
        else:
            found.append(f"operation {variant}")
    return found


def _unpaired(log: list[dict[str, Any]]) -> list[str]:
    made: dict[str, list[tuple[str, str, Any]]] = {}
    for event in log:
        if event["kind"] == STATE:
            for operation in event["payload"]:
                if body := operation.get("CreateNode"):
                    status = body["props"].get("status")
                    made.setdefault(event["causation_id"], []).append(
                        (body["id"], body["kind"], status)
                    )
    return [
        f"{event['kind']} {event['payload']['id']} has no pair"
        for event in log
        if event["kind"] in CREATES
        and (event["payload"]["id"], CREATES[event["kind"]], event["payload"]["status"])
        not in made.get(event["id"], [])
    ]
