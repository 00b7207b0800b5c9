"""The rules a log must keep (GASP reference sections 6 to 8 and 11), written out once more.

Deliberately independent of the program: it reads plain events and says what is wrong.
"""

from typing import Any

Json = dict[str, Any]

NODE_KINDS = {
    "goal", "task", "run", "observation", "failure", "hypothesis", "patch", "eval", "decision",
    "model_call", "tool_call", "frame", "project_snapshot", "policy", "behavior",
}  # fmt: skip
RELATIONS = {
    "serves", "blocks", "advances", "observes", "explains", "addresses", "modifies",
    "validated_by", "approved_by", "rejected_by", "produced_by", "derived_from", "depends_on",
    "supersedes", "contained_in_frame", "forked_from", "references",
}  # fmt: skip
CREATES = {
    "goal.created": "goal",
    "task.created": "task",
    "observation.created": "observation",
    "failure.observed": "failure",
    "hypothesis.created": "hypothesis",
    "patch.proposed": "patch",
    "eval.finished": "eval",
    "decision.created": "decision",
    "frame.created": "frame",
}
KEYS = [
    "id", "schema_version", "ts_ms", "actor", "kind", "payload", "causation_id", "correlation_id",
]  # fmt: skip


def broken(events: list[Json]) -> list[str]:
    """Every broken rule, as sentences; empty for a sound log."""
    skipped = [f"skipped {text}" for text in graph(events)[2]]
    faults = [*_envelopes(events), *skipped, *vocabulary(events), *causes(events)]
    return faults + pairs(events)


def graph(events: list[Json]) -> tuple[dict[str, Json], list[tuple[str, str, str]], list[str]]:
    """Nodes by id, relations in order, and operations that met no node."""
    nodes: dict[str, Json] = {}
    relations: list[tuple[str, str, str]] = []
    skipped: list[str] = []
    for event in events:
        if event["kind"] != "state.ops_applied":
            continue
        for op in event["payload"]:
            ((name, body),) = op.items()
            if name == "CreateNode":
                nodes[body["id"]] = {
                    "kind": body["kind"],
                    "props": dict(body["props"]),
                    "tombstoned": False,
                }
            elif name == "CreateRelation":
                relations.append((body["from"], body["rel"], body["to"]))
            elif name == "DeleteRelation":
                gone = (body["from"], body["rel"], body["to"])
                relations = [relation for relation in relations if relation != gone]
            elif body["id"] not in nodes:
                skipped.append(f"{name} {body['id']}")
            elif name == "UpdateNode":
                nodes[body["id"]]["props"].update(body["props"])
            elif name == "TombstoneNode":
                nodes[body["id"]]["tombstoned"] = True
    return nodes, relations, skipped


def _envelopes(events: list[Json]) -> list[str]:
    return [f"{event['id']}: members {list(event)}" for event in events if list(event) != KEYS]


def vocabulary(events: list[Json]) -> list[str]:
    """Check 3: node kinds and relations are those of the baseline."""
    faults = []
    for event in events:
        if event["kind"] != "state.ops_applied":
            continue
        for op in event["payload"]:
            body = next(iter(op.values()))
            if "CreateNode" in op and body["kind"] not in NODE_KINDS:
                faults.append(f"undeclared kind {body['kind']}")
            if "CreateRelation" in op and body["rel"] not in RELATIONS:
                faults.append(f"undeclared relation {body['rel']}")
    return faults


def causes(events: list[Json]) -> list[str]:
    """Check 5: every cause is an earlier event, and only beginnings have none."""
    faults, seen = [], set()
    for event in events:
        cause, kind = event["causation_id"], event["kind"]
        if cause is not None and cause not in seen:
            faults.append(f"{kind}: cause {cause} is no earlier event")
        is_root = kind.endswith((".created", ".started")) or kind == "state.ops_applied"
        if cause is None and not is_root:
            faults.append(f"{kind}: no legal start")
        if event["id"] in seen:
            faults.append(f"{event['id']} twice")
        seen.add(event["id"])
    return faults


def pairs(events: list[Json]) -> list[str]:
    """Check 7: what creates an entity has the one operation that makes its node."""
    faults = []
    kinds = {event["id"]: event["kind"] for event in events}
    operations: dict[str, list[list[Json]]] = {}
    for event in events:
        if event["kind"] == "state.ops_applied":
            operations.setdefault(event["causation_id"], []).append(event["payload"])
            if kinds.get(event["causation_id"]) == "state.ops_applied":
                faults.append(f"{event['id']} is chained to operations")
    for event in events:
        node_kind = CREATES.get(event["kind"])
        if node_kind is None:
            continue
        found = operations.get(event["id"], [])
        if len(found) != 1:
            faults.append(f"{event['kind']} {event['id']} has {len(found)} pairs")
            continue
        made = [
            op["CreateNode"]
            for op in found[0]
            if "CreateNode" in op and op["CreateNode"]["id"] == event["payload"]["id"]
        ]
        if len(made) != 1 or made[0]["kind"] != node_kind:
            faults.append(f"{event['kind']}: the pair does not make its node")
        elif made[0]["props"].get("status") != event["payload"].get("status"):
            faults.append(f"{event['kind']}: event and node disagree on the status")
    return faults
