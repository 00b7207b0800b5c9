"""The checks 1, 2, 3, 5 and 7 of a log once more, as plainly as can be: only the verdicts.

Shares nothing with the program: the standard library's JSON, dictionaries and loops.
"""

from __future__ import annotations

import json
import re
from typing import Any

from tests.session.engine.rules import CREATES, KEYS, NODE_KINDS, RELATIONS

Json = Any
WHITE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    chr(code) for code in range(0x2000, 0x200B)
)
BODIES = {
    "CreateNode": {"id": str, "kind": str, "props": object},
    "UpdateNode": {"id": str, "props": object},
    "TombstoneNode": {"id": str, "reason": str},
    "CreateRelation": {"from": str, "rel": str, "to": str, "props": object},
    "DeleteRelation": {"from": str, "rel": str, "to": str},
    "MarkStale": {"id": str, "reason": str},
    "AttachArtifact": {"id": str, "artifact": dict},
}


class _Pairs(list[Any]):
    pass


def naive_verdicts(log: bytes) -> list[bool]:
    """Whether the checks 1, 2, 3, 5 and 7 pass."""
    try:
        text = log.decode()
    except UnicodeDecodeError:
        return [False] * 5
    sound, events = True, []
    for line in text.split("\n"):
        if line.strip(WHITE):
            event, exact = _event(line)
            if event is None:
                return [False] * 5
            sound = sound and exact
            events.append(event)
    batches = [event["payload"] for event in events if event["kind"] == "state.ops_applied"]
    folds = all(map(_is_batch, batches))
    known = all(
        ("CreateNode" not in op or op["CreateNode"]["kind"] in NODE_KINDS)
        and ("CreateRelation" not in op or op["CreateRelation"]["rel"] in RELATIONS)
        for batch in batches if _is_batch(batch) for op in batch
    )  # fmt: skip
    return [sound, folds, folds and known, _caused(events), _paired(events)]


def _event(line: str) -> tuple[Json | None, bool]:
    """The event of a line, and whether it stands there exactly."""
    try:
        pairs = json.loads(line, object_pairs_hook=_Pairs, parse_constant=_refuse,
                           parse_float=_finite, parse_int=_whole)  # fmt: skip
        json.dumps(pairs, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None, False
    if _depth(line) > 127:
        return None, False
    if isinstance(pairs, list) and not isinstance(pairs, _Pairs):
        if len(pairs) != 8:
            return None, False
        members, exact = list(zip(KEYS, pairs, strict=True)), False
    elif isinstance(pairs, _Pairs):
        members, exact = pairs, True
    else:
        return None, False
    names = [name for name, _ in members]
    if any(names.count(name) > 1 for name in KEYS):
        return None, False
    exact = exact and set(names) == set(KEYS)
    event = dict(members)
    actor = event.get("actor")
    if isinstance(actor, _Pairs):
        actor_names = [name for name, _ in actor]
        if actor_names.count("kind") != 1 or actor_names.count("id") != 1:
            return None, False
        exact = exact and len(actor) == 2
        actor = [dict(actor)["kind"], dict(actor)["id"]]
    elif isinstance(actor, list) and len(actor) == 2:
        exact = False
    else:
        return None, False
    version, time = event.get("schema_version"), event.get("ts_ms")
    typed = (
        all(isinstance(event.get(name), str) for name in ("id", "kind"))
        and all(isinstance(name, str) for name in actor)
        and type(version) is int and 0 <= version < 2**32
        and type(time) is int and -(2**63) <= time < 2**63
        and "payload" in event
        and all(isinstance(event.get(name), str | None) for name in KEYS[-2:])
    )  # fmt: skip
    event["payload"] = _plain(event.get("payload"))
    return (event, exact) if typed else (None, False)


def _plain(value: Json) -> Json:
    if isinstance(value, _Pairs):
        return {name: _plain(inner) for name, inner in value}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def _is_batch(payload: Json) -> bool:
    return isinstance(payload, list) and all(
        isinstance(op, dict)
        and len(op) == 1
        and next(iter(op)) in BODIES
        and isinstance(body := next(iter(op.values())), dict)
        and all(isinstance(body.get(name, KeyError), kind) and name in body
                for name, kind in BODIES[next(iter(op))].items())
        for op in payload
    )  # fmt: skip


def _caused(events: list[Json]) -> bool:
    for place, event in enumerate(events):
        before = [other["id"] for other in events[:place]]
        cause = event.get("causation_id")
        if event["id"] in before or (cause is not None and cause not in before):
            return False
        begins = re.search(r"\.(created|started)\Z", event["kind"])
        if cause is None and not begins and event["kind"] != "state.ops_applied":
            return False
    return True


def _paired(events: list[Json]) -> bool:
    operations = [event for event in events if event["kind"] == "state.ops_applied"]
    last = {event["id"]: event["kind"] for event in events}
    if any(last.get(event.get("causation_id")) == "state.ops_applied" for event in operations):
        return False
    for event in events:
        if event["kind"] not in CREATES:
            continue
        payload = event["payload"]
        if not (isinstance(payload, dict) and isinstance(payload.get("id"), str)):
            return False
        claims = [other for other in operations if other.get("causation_id") == event["id"]]
        if not all(_is_batch(claim["payload"]) for claim in claims):
            return False
        made = [op["CreateNode"] for claim in claims for op in claim["payload"]
                if op.get("CreateNode", {}).get("id") == payload["id"]]  # fmt: skip
        if len(made) != 1 or made[0]["kind"] != CREATES[event["kind"]]:
            return False
        props = made[0]["props"]
        if isinstance(props, dict) and "status" in props and "status" in payload:
            one, other = (repr(_sorted(it["status"])) for it in (props, payload))
            if one != other:
                return False
    return True


def _sorted(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(inner) for inner in value] if isinstance(value, list) else value


def _depth(line: str) -> int:
    depth = deepest = 0
    for sign in re.sub(r'"(?:[^"\\]|\\.)*"', "", line):
        depth += (sign in "[{") - (sign in "]}")
        deepest = max(deepest, depth)
    return deepest


def _refuse(word: str) -> None:
    raise ValueError(word)


def _finite(text: str) -> float:
    if float(text) in (float("inf"), float("-inf")):
        raise ValueError(text)
    return float(text)


def _whole(text: str) -> int | float:
    if text == "-0" or len(text) > 20 or not -(2**63) <= int(text) < 2**64:
        return _finite(text)
    return int(text)
