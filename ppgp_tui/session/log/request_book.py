"""What became of every request, as the log tells it: the same rules as the fold for acting.

A request is asked n times and withdrawn n times, and each answer is one attempt; so the state is
the same in whatever order the lines stand. Values are plain and nothing heavy is imported: the
status line keeps the same between two calls. What was asked and said is the caller's own.
"""

from __future__ import annotations

from typing import Any, Final

from ppgp_tui.session.members import text, whole

Json = dict[str, Any]

OPEN: Final = ("waiting", "taken_back", "answered", "delivered")
"""States in which something may still happen."""

_CLOSED_KEPT: Final = 50
_EARLY_KEPT: Final = 64


def nothing() -> Json:
    """The book before the first event."""
    return {"requests": {}, "early": {}, "superseded": []}


def copied(book: Json) -> Json:
    """The same book, to go on by itself; what was asked and said is shared."""
    return {
        **{name: _own_entries(book[name]) for name in ("requests", "early")},
        "superseded": [*book["superseded"]],
    }


def _own_entries(entries: Json) -> Json:
    return {
        key: {**entry, "answer": entry["answer"] and {**entry["answer"]}}
        for key, entry in entries.items()
    }


def ask(book: Json, request_id: str, asked: Any, ts_ms: int | None) -> Json:
    """A request is asked; a second text under its id counts once the first is not asked any more.

    Returns its entry.
    """
    entry: Json = (
        book["requests"].get(request_id) or book["early"].pop(request_id, None) or _blank()
    )
    book["requests"].setdefault(request_id, entry)
    if not entry["times"] or entry["state"] == "withdrawn":
        entry["asked"] = asked
    entry["times"] += 1
    _restated(book, entry, ts_ms)
    return entry


def decide(book: Json, payload: Json, said: Any, ts_ms: int | None) -> None:
    """A person answered; what is no answer to a request changes nothing."""
    metadata = payload.get("metadata")
    request = text(metadata.get("request")) if isinstance(metadata, dict) else ""
    if not request or not isinstance(metadata, dict):
        return
    entry = _entry(book, request)
    before = entry["answer"]["attempt"] if entry["answer"] else 0
    attempt = whole(metadata.get("attempt"))
    attempt = before + 1 if attempt is None else attempt
    if attempt > before:
        decision = text(payload.get("id"))
        entry["answer"] = {
            "attempt": attempt,
            "decision": decision,
            "taken_back": decision in book["superseded"],
            "said": said,
        }
    _restated(book, entry, ts_ms)


def change(book: Json, payload: Json, ts_ms: int | None) -> None:
    """A decision changed its status: one that is superseded is an answer taken back."""
    decision = text(payload.get("decision_id"))
    if payload.get("status") != "Superseded" or not decision:
        return
    for entry in (*book["requests"].values(), *book["early"].values()):
        if entry["answer"] and entry["answer"]["decision"] == decision:
            entry["answer"]["taken_back"] = True
            _restated(book, entry, ts_ms)
            return
    book["superseded"] = [*book["superseded"], decision][-_EARLY_KEPT:]


def deliver(book: Json, payload: Json, ts_ms: int | None) -> None:
    """The one who asked received the answer."""
    entry = _entry(book, text(payload.get("id")))
    entry["delivered"] = max(_attempt(entry, payload), entry["delivered"])
    _restated(book, entry, ts_ms)


def consume(book: Json, payload: Json, ts_ms: int | None) -> None:
    """What the answer allowed was done."""
    entry = _entry(book, text(payload.get("id")))
    entry["consumed"] = max(_attempt(entry, payload), entry["consumed"])
    _restated(book, entry, ts_ms)


def withdraw(book: Json, payload: Json, ts_ms: int | None) -> None:
    """The request is no longer asked."""
    entry = _entry(book, text(payload.get("id")))
    entry["withdrawn"] += 1
    entry["reason"] = text(payload.get("reason"))
    _restated(book, entry, ts_ms)


def state_at(entry: Json, expires_ms: int | None, now_ms: int) -> str:
    """The state at this moment: nobody answered in time is its own state, never a no."""
    over = expires_ms is not None and expires_ms <= now_ms
    state: str = entry["state"]
    return "expired" if over and state in ("waiting", "taken_back") else state


def _blank() -> Json:
    return {
        "asked": None,
        "times": 0,
        "withdrawn": 0,
        "reason": "",
        "delivered": 0,
        "consumed": 0,
        "answer": None,
        "state": "waiting",
        "state_ms": None,
    }


def _entry(book: Json, request: str) -> Json:
    """What is known of a request, also of one whose asking stands further behind."""
    known: Json | None = book["requests"].get(request)
    if known is None:
        known = book["early"].setdefault(request, _blank())
        if len(book["early"]) > _EARLY_KEPT:
            del book["early"][next(iter(book["early"]))]
    return known


def _attempt(entry: Json, payload: Json) -> int:
    attempt = whole(payload.get("attempt"))
    if attempt is not None:
        return attempt
    return entry["answer"]["attempt"] if entry["answer"] else 0


def _restated(book: Json, entry: Json, ts_ms: int | None) -> None:
    state = _state(entry)
    if state != entry["state"] or entry["state_ms"] is None:
        entry.update(state=state, state_ms=ts_ms)
    if state not in OPEN:
        closed = [key for key, one in book["requests"].items() if one["state"] not in OPEN]
        for old in closed[:-_CLOSED_KEPT]:
            del book["requests"][old]


def _state(entry: Json) -> str:
    answer = entry["answer"]
    if answer is None or answer["taken_back"]:
        if entry["withdrawn"] >= max(1, entry["times"]):
            return "withdrawn"
        return "waiting" if answer is None else "taken_back"
    if entry["consumed"] >= answer["attempt"]:
        return "acted_on"
    return "delivered" if entry["delivered"] >= answer["attempt"] else "answered"
