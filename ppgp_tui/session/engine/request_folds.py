"""How requests, answers and what became of them change the ledger.

A request is asked n times and withdrawn n times (a pending entry of the document that stands again
is asked again), and each answer is one attempt. Counting both makes the state the same in whatever
order the lines stand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ppgp_tui.session.canonical import digest
from ppgp_tui.session.engine.folds import Event, Json, count, text

_SUPERSEDED_KEPT: Final = 64
_OVERRIDES_KEPT: Final = 32


def nothing() -> Json:
    """The state before the first event."""
    return {"requests": {}, "early_requests": {}, "superseded": []}


def _requested(state: Json, event: Event) -> None:
    payload = event["payload"]
    request = _sound(payload["request"])
    if payload["id"] != request["id"] or payload["digest"] != digest(request):
        raise ValueError("not the request it says it is")
    entry = state["requests"].get(request["id"])
    if entry is None:
        entry = state["early_requests"].pop(request["id"], None) or _blank()
        state["requests"][request["id"]] = entry
    # A second text under the same id counts only once the first is no longer asked.
    if not entry["asked"] or entry["state"] == "withdrawn":
        entry.update(
            event=event["id"], digest=payload["digest"], request=request, by=event["actor"]["id"]
        )
    entry["asked"] += 1
    _restated(entry)


def _decision_created(state: Json, event: Event) -> None:
    payload = event["payload"]
    metadata = payload["metadata"]
    if metadata["type"] == "override":
        taken = {"goal": (state["goal"] or {}).get("id"), "event": event["id"]}
        state["overrides"] = [*state["overrides"], taken][-_OVERRIDES_KEPT:]
    if metadata["type"] not in ("answer", "confirm"):
        return
    answer = {
        **metadata,
        "attempt": count(metadata["attempt"]),
        "decision": text(payload["id"]),
        "event": event["id"],
        "by": text(event["actor"]["id"]),
        "status": text(payload["status"]),
        "taken_back": payload["id"] in state["superseded"],
    }
    entry = _entry(state, metadata["request"])
    if entry["answer"] is None or answer["attempt"] > entry["answer"]["attempt"]:
        entry["answer"] = answer
    _restated(entry)


def _decision_changed(state: Json, event: Event) -> None:
    payload = event["payload"]
    if payload["status"] != "Superseded":
        return
    decision = text(payload["decision_id"])
    for entry in (*state["requests"].values(), *state["early_requests"].values()):
        if entry["answer"] and entry["answer"]["decision"] == decision:
            entry["answer"]["taken_back"] = True
            _restated(entry)
            return
    state["superseded"] = [*state["superseded"], decision][-_SUPERSEDED_KEPT:]


def _delivered(state: Json, event: Event) -> None:
    payload = event["payload"]
    attempt, entry = count(payload["attempt"]), _entry(state, payload["id"])
    entry.update(delivered=max(attempt, entry["delivered"]), delivered_by=event["id"])
    _restated(entry)


def _consumed(state: Json, event: Event) -> None:
    payload = event["payload"]
    attempt, entry = count(payload["attempt"]), _entry(state, payload["id"])
    entry["consumed"] = max(attempt, entry["consumed"])
    _restated(entry)


def _withdrawn(state: Json, event: Event) -> None:
    payload = event["payload"]
    reason, entry = text(payload["reason"]), _entry(state, payload["id"])
    entry.update(withdrawn=entry["withdrawn"] + 1, reason=reason)
    _restated(entry)


def _entry(state: Json, request_id: Any) -> Json:
    """What is known of a request, also of one whose asking was cut or stands further behind."""
    known: Json | None = state["requests"].get(request_id)
    if known is None:
        known = state["early_requests"].setdefault(text(request_id), _blank())
    return known


def _blank() -> Json:
    return {
        "asked": 0,
        "withdrawn": 0,
        "delivered": 0,
        "consumed": 0,
        "answer": None,
        "attempt": 0,
        "state": "waiting",
    }


def _restated(entry: Json) -> Json:
    """Work out the state anew. What is closed need not be kept whole."""
    answer = entry["answer"]
    attempt = entry["attempt"] = answer["attempt"] if answer else 0
    if answer is None or answer["taken_back"]:
        entry["state"] = "withdrawn" if entry["withdrawn"] >= entry["asked"] else "waiting"
    elif entry["consumed"] >= attempt:
        entry["state"] = "acted_on"
    else:
        entry["state"] = "delivered" if entry["delivered"] >= attempt else "answered"
    if entry["state"] in ("acted_on", "withdrawn") and entry["asked"]:
        entry["request"] = {name: entry["request"][name] for name in ("id", "kind")}
    if entry["state"] == "acted_on":
        for name in ("signed", "signature", "text", "note"):
            answer.pop(name, None)
    return entry


def _sound(request: Any) -> Json:
    """`request` if it has what an action reads. Raises TypeError, KeyError, ValueError."""
    texts = [request[name] for name in ("id", "repo", "kind", "class", "scope", "question")]
    texts += request["frees"]
    texts += [option[name] for option in request["options"] for name in ("key", "label")]
    for value in texts:
        text(value)
    if request.get("expires_ms") is not None:
        count(request["expires_ms"])
    return dict(request)


FOLDS: Final[Mapping[str, Callable[[Json, Event], None]]] = {
    "authority.requested": _requested,
    "decision.created": _decision_created,
    "decision.status_changed": _decision_changed,
    "authority.delivered": _delivered,
    "authority.consumed": _consumed,
    "authority.withdrawn": _withdrawn,
}
