"""Acts on requests for authority: asked, answered, delivered, consumed, withdrawn, taken back.

The request's digest covers everything a person is shown, so an answer can only be to what was read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ppgp_tui.pi.javascript import length
from ppgp_tui.session.canonical import digest
from ppgp_tui.session.engine.draft import Actor, Draft, create, relate, update
from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.session.journal.results import RefusalError

QUESTION_MOST: Final = 4000
EVIDENCE_MOST: Final = 8000
OPTION_MOST: Final = 500
OPTIONS_MOST: Final = 9
TOOL_INPUT_MOST: Final = 256 * 1024
RULES_MOST: Final = 40
RULE_MOST: Final = 2000
"""Characters of one thing that a permission may allow till the session ends."""
OPTION_KEYS: Final = "abcdefghi"
KINDS: Final = ("question", "goal_proposal", "goal_tweak", "permission", "document", "gate")
REFUSING: Final = ("no", "deny")
"""Options that refuse; every other one approves."""
_WORDS_COUNT: Final = ("question", "document", "gate")
REASONS: Final = (
    "asker", "asker_gone", "answered_in_agent", "handed_back", "reworded", "expired",
)  # fmt: skip
"""Why a request may be withdrawn."""


def build(
    *,
    request_id: str,
    repo: str,
    question: str,
    asker: Json,
    created_ms: int,
    kind: str = "question",
    klass: str = "C",
    scope: str = "",
    why: str | None = None,
    evidence: str | None = None,
    options: Sequence[str] = (),
    recommended: str | None = None,
    irreversible: bool = False,
    frees: Sequence[str] = (),
    tool: Json | None = None,
    expires_ms: int | None = None,
) -> Json:
    """Return the request object of the README's "Requests and answers", checked against its bounds.

    Raises `RefusalError` with what to change.
    """
    _text("question", question, QUESTION_MOST)
    if why is not None:
        _text("why", why, QUESTION_MOST)
    if evidence is not None:
        _text("evidence", evidence, EVIDENCE_MOST)
    if kind not in KINDS:
        raise RefusalError("refused", f"no kind of request is called {kind!r}")
    if klass == "A":
        text = (
            "a class A blocker is technical and reversible: solve it, do not ask (PPGP section 5)"
        )
        raise RefusalError("refused", text)
    if klass not in ("B", "C", "D"):
        raise RefusalError("refused", f"a request's class is B, C or D, not {klass!r}")
    if len(options) > OPTIONS_MOST:
        raise RefusalError("refused", f"at most {OPTIONS_MOST} options, not {len(options)}")
    for option in options:
        _text("option", option, OPTION_MOST)
    keyed = [{"key": key, "label": label} for key, label in zip(OPTION_KEYS, options, strict=False)]
    if recommended is not None and recommended not in allowed(keyed, kind):
        raise RefusalError("refused", f"the recommended option {recommended!r} is not offered")
    if expires_ms is not None and expires_ms <= created_ms:
        raise RefusalError("refused", "a request cannot expire before it is asked")
    request: Json = {
        "schema": 1,
        "id": request_id,
        "repo": repo,
        "kind": kind,
        "class": klass,
        "scope": scope,
        "question": question,
        "options": keyed,
        "irreversible": irreversible,
        "frees": list(frees),
        "asker": asker,
        "created_ms": created_ms,
    }
    given = {
        "why": why,
        "evidence": evidence,
        "recommended": recommended,
        "tool": tool,
        "expires_ms": expires_ms,
    }
    return request | {name: value for name, value in given.items() if value is not None}


def allowed(options: Sequence[Mapping[str, str]], kind: str = "question") -> tuple[str, ...]:
    """The option words an answer may use."""
    if kind == "permission":
        return ("allow_once", "allow_session", "deny")
    return tuple(option["key"] for option in options) or ("yes", "no")


def answers_of(request: Mapping[str, Any]) -> tuple[str, ...]:
    """The words that answer this request: for the session only where its agent offers that."""
    offers = bool((request.get("tool") or {}).get("session"))
    words = allowed(request["options"], request["kind"])
    return tuple(word for word in words if offers or word != "allow_session")


def ask(draft: Draft, request: Json, actor: Actor | None = None) -> Json:
    """Record a request, asked by the acting one or by `actor`. Returns `{request, digest}`."""
    planned = {f"todo:{key}" for key in draft.ledger.tasks_on_record}
    for task in request["frees"]:
        if task not in planned:
            raise RefusalError("refused", f"{task} is no task of the plan")
    known = draft.ledger.requests.get(request["id"])
    if known is not None and known["state"] != "withdrawn":
        raise RefusalError("refused", f"{request['id']} is recorded already")
    metadata = {
        "type": "authority_request",
        "class": request["class"],
        "scope": request["scope"],
    }
    props = {
        "status": "Pending",
        "reason": request["question"],
        "decided_by": None,
        "metadata": metadata,
    }
    ops = [create(request["id"], "decision", props)]
    ops += [relate(request["id"], "blocks", task) for task in request["frees"]]
    payload = {"id": request["id"], "request": request, "digest": digest(request)}
    draft.record("authority.requested", payload, actor=actor, ops=ops)
    return {"request": request["id"], "digest": payload["digest"]}


def answer(
    draft: Draft, request_id: str, answered: Json, *, seen_digest: str | None = None
) -> Json:
    """Record a person's answer.

    `answered` holds `decision`, `attempt`, `signed`, and maybe `option`, `text`, `note`,
    `signature`; `seen_digest` is that of the request the person was shown. Returns `{decision,
    request, status, event}`.
    """
    entry = still_open(draft, request_id, seen_digest)
    option = answered.get("option")
    must_fit(entry["request"], option, answered.get("text"))
    status = "Rejected" if option in REFUSING else "Approved"
    decision_id = str(answered["decision"])
    metadata = {
        "type": "confirm" if entry["request"]["kind"].startswith("goal_") else "answer",
        "request": request_id,
        **{
            name: answered[name]
            for name in ("attempt", "option", "text", "note", "signed", "signature")
            if answered.get(name) is not None
        },
    }
    reason = str(option or answered.get("text", ""))
    decided_by = draft.actor.as_json()
    shown = {key: metadata[key] for key in ("type", "request")}
    ops = [
        create(
            decision_id,
            "decision",
            {"status": status, "reason": reason, "decided_by": decided_by, "metadata": shown},
        ),
        relate(request_id, "approved_by" if status == "Approved" else "rejected_by", decision_id),
        update(request_id, {"status": status}),
    ]
    event = draft.record(
        "decision.created",
        {
            "id": decision_id,
            "status": status,
            "reason": reason,
            "decided_by": decided_by,
            "metadata": metadata,
        },
        cause=entry["event"],
        ops=ops,
    )
    return {"decision": decision_id, "request": request_id, "status": status, "event": event}


def must_fit(request: Json, option: str | None, words: str | None) -> None:
    """Refuse what is no answer to `request`: an option it does not offer, words where none count.

    A proposal is confirmed or declined and a permission given or denied; free words do neither.
    """
    offered = answers_of(request)
    if option is not None and option not in offered:
        raise RefusalError("refused", f"{option!r} is not offered; one of {', '.join(offered)}")
    if option is not None and words is not None:
        raise RefusalError("refused", "an answer is an option or a text; a note may go with it")
    if option is None and request["kind"] not in _WORDS_COUNT:
        text = f"this is answered by one of {', '.join(offered)}; a note may go with it"
        raise RefusalError("refused", text)
    if option is None and not (words or "").strip():
        raise RefusalError("refused", f"an answer is one of {', '.join(offered)}, or a text")


def still_open(draft: Draft, request_id: str, seen_digest: str | None = None) -> Json:
    """The recorded request if it can be answered now, else a refusal that says why not."""
    entry: Json | None = draft.ledger.requests.get(request_id)
    if entry is None:
        raise RefusalError("refused", f"no request {request_id} waits here; `requests` lists them")
    if entry["state"] in ("answered", "delivered", "acted_on"):
        by = entry["answer"]["by"]
        raise RefusalError("refused", f"already answered by {by}")
    if entry["state"] == "withdrawn":
        raise RefusalError("refused", f"the request was withdrawn: {entry.get('reason', '')}")
    expires = entry["request"].get("expires_ms")
    if expires is not None and draft.now_ms > expires:
        raise RefusalError("expired", "the request expired before this answer; nobody answered it")
    if seen_digest is not None and seen_digest != entry["digest"]:
        raise RefusalError("stale", "a changed request: read it again")
    return entry


def take_back(draft: Draft, request_id: str) -> Json:
    """The person takes an answer back before anybody received it: the request waits again."""
    entry = can_be_taken_back(draft.ledger, request_id)
    decision = entry["answer"]["decision"]
    draft.record(
        "decision.status_changed",
        {"decision_id": decision, "status": "Superseded", "reason": "taken back"},
        cause=entry["answer"]["event"],
        ops=[
            update(decision, {"status": "Superseded"}),
            update(request_id, {"status": "Pending"}),
        ],
    )
    return {"request": request_id, "decision": decision, "attempt": entry["attempt"]}


def can_be_taken_back(ledger: Ledger, request_id: str) -> Json:
    """The recorded request if its answer can be taken back now, else a refusal."""
    entry: Json | None = ledger.requests.get(request_id)
    if entry is None or entry["state"] in ("waiting", "withdrawn"):
        raise RefusalError("refused", f"{request_id} has no answer to take back")
    if entry["state"] != "answered":
        raise RefusalError("refused", "the answer was delivered already; it cannot be taken back")
    if entry["answer"]["type"] == "confirm" and entry["answer"]["status"] == "Approved":
        text = "what was confirmed is done already; tweak or abandon the goal instead"
        raise RefusalError("refused", text)
    return entry


def deliver(draft: Draft, request_id: str, to: str) -> Json:
    """The waiter verified the answer and handed it over."""
    entry = _answered(draft, request_id, "answered")
    draft.record(
        "authority.delivered",
        {
            "id": request_id,
            "attempt": entry["attempt"],
            "decision": entry["answer"]["decision"],
            "to": to,
        },
        cause=entry["answer"]["event"],
    )
    return {"request": request_id}


def consume(draft: Draft, request_id: str) -> Json:
    """What the answer allowed was done."""
    entry = _answered(draft, request_id, "delivered")
    draft.record(
        "authority.consumed",
        {
            "id": request_id,
            "attempt": entry["attempt"],
            "decision": entry["answer"]["decision"],
            "by": draft.actor.id,
        },
        cause=entry["delivered_by"],
    )
    return {"request": request_id}


def withdraw(draft: Draft, request_id: str, reason: str, actor: Actor | None = None) -> Json:
    """The request is no longer asked."""
    entry: Json | None = draft.ledger.requests.get(request_id)
    if entry is None or entry["state"] != "waiting":
        raise RefusalError("refused", f"{request_id} does not wait for an answer")
    if reason not in REASONS:
        raise RefusalError("refused", f"a reason is one of {', '.join(REASONS)}, not {reason!r}")
    draft.record(
        "authority.withdrawn",
        {"id": request_id, "reason": reason},
        cause=entry["event"],
        actor=actor,
        ops=[update(request_id, {"status": "Superseded", "status_reason": reason})],
    )
    return {"request": request_id}


def delivered_to(ledger: Ledger, asker: str) -> list[str]:
    """Requests of `asker` whose answer it has and has not acted on, as far as the log tells.

    A permission is used by the call it was asked for, which is recorded by itself.
    """
    return [
        request_id
        for request_id, entry in ledger.requests.items()
        if entry["state"] == "delivered"
        and entry["by"] == asker
        and entry["request"]["kind"] != "permission"
    ]


def shortened(text: str, most: int) -> str:
    """`text`, cut where it is longer than `most` UTF-16 units."""
    return text if length(text) <= most else f"{text[: most // 2 - 1]} …"


def _answered(draft: Draft, request_id: str, state: str) -> Json:
    entry: Json | None = draft.ledger.requests.get(request_id)
    if entry is None or entry["state"] != state:
        raise RefusalError("refused", f"{request_id} is not {state}")
    return entry


def _text(name: str, text: str, most: int) -> None:
    if not text.strip():
        raise RefusalError("refused", f"the {name} is empty")
    if length(text) > most:
        raise RefusalError("refused", f"the {name} is longer than {most} characters")
