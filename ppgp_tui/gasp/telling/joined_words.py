"""One sentence for a leading event and what was joined to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from ppgp_tui.gasp.envelope import Envelope
from ppgp_tui.gasp.telling.change_words import called, change_words
from ppgp_tui.gasp.telling.phrases import SentenceSign, inside, text
from ppgp_tui.gasp.telling.sentence import sentence, short_actor
from ppgp_tui.gasp.vocabulary import OPS_EVENT

Said = tuple[SentenceSign, str]
Names = Mapping[str, str]
Tell = Callable[[Envelope, Sequence[Envelope], Names], Said]

_SHORT = re.compile(r"[A-Za-z0-9-]{1,8}")
_NAMED: Final = 4
"""How many tasks of a revised plan are named; the others are counted."""
_STATUS: Final = {"Done": "done", "InProgress": "running", "Open": "open", "Abandoned": "dropped"}
_SIGNS: Final[Mapping[str, SentenceSign]] = {
    "Promoted": "done", "Approved": "done", "Passed": "done", "Rejected": "failed",
    "Failed": "failed", "Error": "failed", "Conflicted": "failed", "Stale": "unknown",
}  # fmt: skip


def joined_words(events: Sequence[Envelope], names: Names) -> Said:
    """Return the sign and words of a leader, which comes first, and its followers."""
    leader, *after = events
    if leader.kind == OPS_EVENT:
        changed = (
            change_words(event.payload, names) for event in events if event.kind == OPS_EVENT
        )
        return "unknown", "; ".join(changed)
    tell = _TELL.get(leader.kind)
    facts = [event for event in after if event.kind != OPS_EVENT]
    if tell is not None and isinstance(leader.payload, dict):
        return tell(leader, after, names)
    said = sentence(leader, names)
    more = (sentence(event, names).words for event in facts)
    return said.sign, ", ".join((said.words, *more))


def _patch(leader: Envelope, after: Sequence[Envelope], names: Names) -> Said:
    patch = text(leader.payload, "id")
    title = text(leader.payload, "title", "summary")
    number = patch.removeprefix("patch_")
    is_short = number != patch and _SHORT.fullmatch(number) is not None
    name = f"patch {number}" if is_short or not title else f"patch ‘{title}’"
    goals = [called(goal, names) for goal in _goals(patch, after)]
    parts = [f"{name} proposed for {' and '.join(goals)}" if goals else f"{name} proposed"]
    status = ""
    for event in after:
        parts += _judgement(event)
        status = _status_after(event, patch) or status
    decided = any(event.kind == "decision.created" for event in after)
    if status and not (decided and status in ("Approved", "Rejected")):
        parts.append(_spaced(status))
    judged = [text(_payload(event), "status") for event in after if event.kind != OPS_EVENT]
    sign = _SIGNS.get(status) or next(
        (_SIGNS[one] for one in reversed(judged) if one in _SIGNS), None
    )
    words = ", ".join(parts)
    return sign or "waits", f"{words}: {title}" if is_short and title else words


def _judgement(event: Envelope) -> list[str]:
    """What an eval or a decision adds to the sentence about what it judges."""
    payload = _payload(event)
    status = text(payload, "status")
    if event.kind == "eval.finished":
        command = text(payload, "command")
        verb = {"Error": "could not run", "": "evaluated by"}.get(status, _spaced(status))
        return [f"{verb} `{command}`" if command else verb]
    if event.kind == "decision.created":
        by = inside(payload, "decided_by")
        who = short_actor(text(by, "kind"), text(by, "id")) if by else _actor(event)
        reason = text(payload, "reason") if status == "Rejected" else ""
        decided = f"{_spaced(status) or 'decided'} by {who}" if who else _spaced(status)
        return [f"{decided} ({reason})" if reason else decided]
    return []


def _goals(patch: str, after: Sequence[Envelope]) -> Iterator[str]:
    for operation in _operations(after):
        link = operation.get("CreateRelation")
        if isinstance(link, dict) and (link.get("from"), link.get("rel")) == (patch, "advances"):
            yield str(link.get("to"))


def _status_after(event: Envelope, node: str) -> str:
    """The status that an event gives to a node; empty when it gives none."""
    if event.kind != OPS_EVENT:
        payload = _payload(event)
        changed = event.kind.endswith(".status_changed") and text(payload, "patch_id") == node
        return text(payload, "status") if changed else ""
    found = ""
    for operation in _operations((event,)):
        update = operation.get("UpdateNode")
        if isinstance(update, dict) and update.get("id") == node:
            found = text(inside(update, "props"), "status") or found
    return found


def _operations(events: Sequence[Envelope]) -> Iterator[Mapping[str, Any]]:
    for event in events:
        if event.kind == OPS_EVENT and isinstance(event.payload, list):
            yield from (one for one in event.payload if isinstance(one, dict))


def _request(leader: Envelope, after: Sequence[Envelope], names: Names) -> Said:
    question = text(inside(leader.payload, "request"), "question") or text(leader.payload, "id")
    parts = [f"asked ‘{question}’"]
    sign: SentenceSign = "for_you"
    for event in after:
        payload = _payload(event)
        if event.kind == "decision.created":
            metadata = inside(payload, "metadata")
            answer = text(metadata, "option", "text") or _spaced(text(payload, "status"))
            parts.append(f"answered {answer} by {_actor(event)}")
            sign = "failed" if text(payload, "status") == "Rejected" else "done"
        elif event.kind == "decision.status_changed":
            parts.append("taken back")
            sign = "for_you"
        elif event.kind == "authority.withdrawn":
            reason = text(payload, "reason").replace("_", " ")
            parts.append(f"withdrawn ({reason})" if reason else "withdrawn")
            sign = "dropped"
        elif event.kind != OPS_EVENT:
            parts.append({"delivered": "delivered", "consumed": "acted on"}.get(
                event.kind.rpartition(".")[2], sentence(event, names).words
            ))  # fmt: skip
    return sign, ", ".join(parts)


def _task(leader: Envelope, after: Sequence[Envelope], names: Names) -> Said:
    said = sentence(leader, names)
    title, goal = text(leader.payload, "title", "summary"), text(leader.payload, "goal")
    ours = text(leader.payload, "id").startswith("todo:")
    words = said.words if ours or not title else f"task ‘{title}’ added"
    more = (sentence(event, names).words for event in after if event.kind != OPS_EVENT)
    served = f"{words} for {called(goal, names)}" if goal and not ours else words
    return said.sign, ", ".join((served, *more))


def _plan(leader: Envelope, after: Sequence[Envelope], names: Names) -> Said:
    said = sentence(leader, names)
    groups: dict[str, list[str]] = {}
    for event in after:
        payload = _payload(event)
        if event.kind == "task.created":
            groups.setdefault("added", []).append(called(text(payload, "id"), names))
        elif event.kind == "task.status_changed":
            status = text(payload, "status")
            word = _STATUS.get(status, _spaced(status))
            groups.setdefault(word, []).append(called(text(payload, "task_id"), names))
    parts = [
        f"{', '.join(keys)} {word}" if len(keys) <= _NAMED else f"{len(keys)} tasks {word}"
        for word, keys in groups.items()
    ]
    words = f"plan {said.words}".replace("plan plan", "plan")
    return said.sign, ": ".join(filter(None, (words, "; ".join(parts))))


def _blocker(leader: Envelope, after: Sequence[Envelope], names: Names) -> Said:
    said = sentence(leader, names)
    parts = [f"blocked: {said.words}"]
    sign = said.sign
    for event in after:
        if event.kind == "blocker.cleared":
            reason = text(_payload(event), "reason")
            parts.append(f"cleared ({reason})" if reason else "cleared")
            sign = "done"
        elif event.kind != OPS_EVENT:
            parts.append(sentence(event, names).words)
    return sign, ", ".join(parts)


def _claim(leader: Envelope, after: Sequence[Envelope], names: Names) -> Said:
    """A claim and what became of it; the decision of an audit repeats what the audit says."""
    said = sentence(leader, names)
    sign, parts = said.sign, [said.words]
    audited = any(_is_audit(event) for event in after)
    for event in after:
        if _is_audit(event) or (_is_verdict(event) and not audited):
            sign, words, *_ = sentence(event, names)
            parts.append(words)
        elif event.kind != OPS_EVENT and not _is_verdict(event):
            parts += _judgement(event)
            sign = _SIGNS.get(text(_payload(event), "status"), sign)
    return sign, ", ".join(parts)


def _is_audit(event: Envelope) -> bool:
    metadata = inside(_payload(event), "metadata")
    return event.kind == "eval.finished" and text(metadata, "type") == "audit"


def _is_verdict(event: Envelope) -> bool:
    metadata = inside(_payload(event), "metadata")
    return event.kind == "decision.created" and text(metadata, "type") == "verdict"


_TELL: Final[Mapping[str, Tell]] = {
    "patch.proposed": _patch,
    "authority.requested": _request,
    "task.created": _task,
    "todo.revised": _plan,
    "goal.claimed": _claim,
    "blocker.raised": _blocker,
}


def _payload(event: Envelope) -> Mapping[str, Any]:
    return event.payload if isinstance(event.payload, dict) else {}


def _actor(event: Envelope) -> str:
    return short_actor(event.actor_kind, event.actor_id)


def _spaced(status: str) -> str:
    """`AppliedInFork` as `applied in fork`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", status).lower()
