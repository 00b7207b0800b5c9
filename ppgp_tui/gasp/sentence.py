"""One event in a few readable words (kinds of GASP reference section 5 and of our own log).

A payload is data from outside: whatever is missing or of the wrong type is left out, and an unknown
kind is shown by its name and its first telling word. The words are not cleaned for a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

SentenceSign = Literal[
    "done", "claimed", "running", "waits", "blocked", "for_you", "failed", "held", "dropped",
    "unknown", "finding", "added", "changed", "elsewhere", "verified",
]  # fmt: skip
"""Names of signs; every one of them is also a sign of the screen."""


class Eventful(Protocol):
    """What a sentence is made of: an envelope, or anything with these members of one."""

    @property
    def id(self) -> str:
        """The event's id."""

    @property
    def kind(self) -> str:
        """Its kind, such as `run.started`."""

    @property
    def actor_kind(self) -> str:
        """`agent`, `user`, `system` or `tool`."""

    @property
    def actor_id(self) -> str:
        """Who acted."""

    @property
    def payload(self) -> Any:
        """Any JSON value."""

    @property
    def error(self) -> str | None:
        """What is wrong with the line."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """An event as a row says it."""

    sign: SentenceSign
    words: str
    about: str
    """What it concerns, as short as possible: a task's key, `plan`, an agent; may be empty."""
    actor: str
    """Who did it, short: `claude`, `you`."""


def sentence(event: Eventful, names: Mapping[str, str]) -> Sentence:
    """Return `event` as words.

    `names` gives short words for ids: of nodes their titles, of `user:LOGIN` what to call that
    person, of an event that revised a plan or a status what it changed (`+2 ~1`, `InProgress`).
    """
    actor = names.get(f"{event.actor_kind}:{event.actor_id}") or short_actor(
        event.actor_kind, event.actor_id
    )
    if event.error is not None and not event.kind:
        return Sentence("finding", f"damaged line: {event.error}", "", actor)
    payload = event.payload if isinstance(event.payload, dict) else {}
    say = _KINDS.get(event.kind)
    sign, words = say(payload, event, names) if say else _unknown(event)
    return Sentence(sign, words or event.kind, _about(event.kind, payload), actor)


def short_actor(kind: str, name: str) -> str:
    """An actor in one word: `claude` for `claude-0f3a9c21`; the kind where there is no name."""
    agent, dash, session = name.partition("-")
    if kind == "agent" and dash and agent and _SESSION.fullmatch(session):
        return agent
    return name or kind


_SESSION = re.compile(r"(?=[A-Za-z._-]*[0-9])[A-Za-z0-9._-]{4,}")
_STATUS = {
    "InProgress": "running",
    "in_progress": "running",
    "NotStarted": "open",
}
_STATUS_SIGN: dict[str, SentenceSign] = {
    "done": "done", "satisfied": "done", "approved": "done", "promoted": "done", "passed": "done",
    "running": "running", "started": "running", "blocked": "blocked", "abandoned": "dropped",
    "superseded": "dropped", "skipped": "dropped", "rejected": "failed", "failed": "failed",
    "error": "failed", "conflicted": "failed", "open": "waits", "pending": "waits",
    "proposed": "waits", "stale": "unknown", "cleared": "done",
}  # fmt: skip

_Said = tuple[SentenceSign, str]
_Names = Mapping[str, str]
_Payload = Mapping[str, Any]


def _text(payload: _Payload, *names: str) -> str:
    """The first of these members that is telling text, as one line of at most 200 characters."""
    for name in names:
        value = payload.get(name)
        if isinstance(value, str) and value.strip():
            return _BLANKS.sub(" ", value[:400]).strip()[:200]
    return ""


_BLANKS = re.compile(r"\s+")


def _inside(payload: _Payload, name: str) -> _Payload:
    value = payload.get(name)
    return value if isinstance(value, dict) else {}


def _count(payload: _Payload, name: str) -> int | None:
    value = payload.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _status(word: str) -> str:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", _STATUS.get(word, word))
    return spaced.lower()


def _joined(*parts: str, by: str = " ") -> str:
    return by.join(part for part in parts if part)


def _called(node: str, names: _Names) -> str:
    """What a node is called: the key of a task, a title, else its id cut short."""
    if node.startswith("todo:"):
        return node[5:]
    return names.get(node) or _short_id(node)


def _short_id(node: str) -> str:
    prefix, dash, rest = node.rpartition("_")
    return f"{prefix}_{rest[:6]}" if dash and re.fullmatch(r"[0-9a-f]{32}", rest) else node[:40]


def _about(kind: str, payload: _Payload) -> str:
    if kind.startswith("todo."):
        return "plan"
    for member in ("task_id", "id", "task"):
        value = payload.get(member)
        if isinstance(value, str) and value.startswith("todo:"):
            return value[5:]
    for member in ("blocks", "frees"):
        nodes = payload.get(member) or _inside(payload, "request").get(member)
        if isinstance(nodes, list) and nodes and isinstance(nodes[0], str):
            return nodes[0].removeprefix("todo:")
    if kind.startswith("goal."):
        return "goal"
    if session := _text(payload, "session"):
        return short_actor("agent", session)
    return _text(_inside(payload, "request") or payload, "scope")[:24]


def _unknown(event: Eventful) -> _Said:
    if event.kind == "state.ops_applied":
        return _ops(event.payload)
    payload = event.payload
    telling = ""
    if isinstance(payload, str):
        telling = payload
    elif isinstance(payload, dict):
        telling = _text(payload, "title", "summary", "text", "message", "reason", "name", "status")
        if not telling:
            texts = (_text(payload, name) for name in payload if isinstance(name, str))
            telling = next((text for text in texts if text), "")
    return "unknown", _joined(event.kind, telling[:200], by=": ")


def _ops(payload: Any) -> _Said:
    if not isinstance(payload, list):
        return "finding", "graph changes that cannot be read"
    counts: dict[str, int] = {}
    for op in payload:
        name = next(iter(op), "?") if isinstance(op, dict) else "?"
        counts[str(name)] = counts.get(str(name), 0) + 1
    listed = ", ".join(f"{count} {_OPS.get(name, name)}" for name, count in counts.items())
    return "unknown", f"graph: {listed}" if listed else "graph: no changes"


_OPS = {
    "CreateNode": "added",
    "UpdateNode": "updated",
    "TombstoneNode": "buried",
    "CreateRelation": "linked",
    "DeleteRelation": "unlinked",
    "MarkStale": "stale",
    "AttachArtifact": "attached",
}


def _goal_created(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    return "added", _joined("goal:", _text(payload, "title", "summary", "id"))


def _moved(what: str) -> Callable[[_Payload, Eventful, _Names], _Said]:
    """Words for a changed status; `what` is the member that names the node."""

    def say(payload: _Payload, event: Eventful, names: _Names) -> _Said:
        node = _text(payload, what)
        status = _status(_text(payload, "status"))
        before = _status(names.get(event.id, ""))
        called = "goal" if what == "goal_id" else _called(node, names)
        change = f"{before} to {status}" if before and before != status else status
        reason = _text(payload, "reason")
        sign = _STATUS_SIGN.get(status, "changed")
        return sign, _joined(_joined(called, change), reason, by=": ")

    return say


def _phase(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    before, after = _text(payload, "from"), _text(payload, "to")
    return "changed", f"phase {before} to {after}" if before else f"phase {after}"


def _tweaked(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    return "changed", _joined("goal reworded:", _text(payload, "objective"))


def _claimed(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    return "claimed", _joined("claims done:", _text(payload, "summary"))


def _checkpoint(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    return "done", _joined("checkpoint:", _text(payload, "summary", "document"))


def _revised(payload: _Payload, event: Eventful, names: _Names) -> _Said:
    after = _count(payload, "revision")
    before = _count(payload, "base_revision")
    if after is None:
        return "changed", "plan revised"
    head = f"r{before} to r{after}" if before is not None else f"r{after}"
    return "changed", _joined(head, names.get(event.id, ""), by=": ")


def _task_created(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    key = _called(_text(payload, "id"), {})
    title = _text(payload, "title", "summary")
    return "added", f"{key} {title}" if _text(payload, "id").startswith("todo:") else title or key


def _raised(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    return "blocked", _joined(_text(payload, "class"), _text(payload, "text", "title", "id"))


def _cleared(payload: _Payload, _: Eventful, names: _Names) -> _Said:
    words = _joined("cleared:", _called(_text(payload, "id"), names))
    return "done", _joined(words, _text(payload, "reason"), by=", ")


def _requested(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    return "for_you", _text(_inside(payload, "request"), "question") or _text(payload, "id")


def _answer(word: str, sign: SentenceSign) -> Callable[[_Payload, Eventful, _Names], _Said]:
    def say(payload: _Payload, _: Eventful, names: _Names) -> _Said:
        words = _joined(f"{word}:", _called(_text(payload, "id"), names))
        return sign, _joined(words, _status(_text(payload, "reason").replace("_", " ")), by=", ")

    return say


def _decided(payload: _Payload, _: Eventful, names: _Names) -> _Said:
    metadata = _inside(payload, "metadata")
    status = _status(_text(payload, "status"))
    sign = _STATUS_SIGN.get(status, "changed")
    asked = names.get(_text(metadata, "request"), "")
    answer = _text(metadata, "option", "text") or _text(payload, "reason") or status
    if asked:
        return sign, f"{asked} {answer}"
    return sign, _joined(status, _text(payload, "reason", "summary", "title"), by=": ")


def _taken_back(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    return "changed", _joined("answer taken back:", _text(payload, "reason"))


def _eval(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    status = _status(_text(payload, "status"))
    result = _text(payload, "summary") or _text(_inside(payload, "metadata"), "summary") or status
    sign = _STATUS_SIGN.get(status, "unknown")
    return sign, _joined(_text(payload, "command", "id"), result, by=": ")


def _run_started(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    task = _text(payload, "task")
    if task in ("", "session"):
        return "running", "session started"
    return "running", f"run on {task.removeprefix('todo:')}"


def _run_finished(payload: _Payload, _: Eventful, names: _Names) -> _Said:
    outcome = _text(payload, "outcome").replace("_", " ")
    bad = re.match(r"(error|aborted|refused|rejected|failed|loop aborted)", outcome)
    task = names.get(_text(payload, "run_id"), "")
    what = "session" if task in ("", "session") else f"run on {task.removeprefix('todo:')}"
    return "failed" if bad else "done", _joined(what, outcome or "finished")


def _tool(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    tool = _text(payload, "tool")
    words = _joined(tool, _text(payload, "input_summary"))
    if tool == "git" or payload.get("success") is True:
        return "done", words
    return ("failed", f"{words} failed") if payload.get("success") is False else ("running", words)


def _tool_finished(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    words = _joined(_text(payload, "tool"), _text(payload, "output_summary"), by=": ")
    return ("failed" if payload.get("success") is False else "done"), words


def _model(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    return "unknown", _joined(
        _text(payload, "model"), _text(payload, "output_summary", "prompt_summary"), by=": "
    )


def _held(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    return "held", _joined("before", _text(payload, "tool"))


def _released(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    waited = _count(payload, "waited_ms")
    outcome = _text(payload, "outcome")
    held = f"held {_span(waited)}" if waited is not None else "released"
    return "held", _joined(held, "" if outcome == "resumed" else outcome, by=", ")


def _span(ms: int) -> str:
    seconds = max(0, ms) // 1000
    if seconds < 60:
        return f"{seconds}s"
    minutes = seconds // 60
    return f"{minutes}m" if minutes < 60 else f"{minutes // 60}h{minutes % 60:02}"


def _interrupted(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    return "held", _text(payload, "what").replace("_", " ")


def _limited(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    return "waits", _joined("limited:", _text(payload, "error"))


def _compacted(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    return "changed", _joined("context compacted:", _text(payload, "trigger"))


def _session(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    return "added", _joined("session of", _text(payload, "tool"), _text(payload, "version"))


def _titled(sign: SentenceSign, word: str) -> Callable[[_Payload, Eventful, _Names], _Said]:
    def say(payload: _Payload, _: Eventful, __: _Names) -> _Said:
        return sign, _joined(word, _text(payload, "title", "summary", "id"))

    return say


def _patch(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    return "added", _joined("patch:", _text(payload, "title", "summary", "id"))


def _artifact(payload: _Payload, _: Eventful, __: _Names) -> _Said:
    artifact = _inside(payload, "artifact")
    uri = _text(artifact, "uri")
    commit = uri.rpartition("@")[2] if _text(artifact, "kind") == "git-commit" else ""
    if re.fullmatch(r"[0-9a-f]{40}", commit):
        return "done", f"git commit {commit[:7]}"
    return "added", _joined(_text(artifact, "kind"), _text(artifact, "summary") or uri)


_KINDS: dict[str, Callable[[_Payload, Eventful, _Names], _Said]] = {
    "session.started": _session,
    "goal.created": _goal_created,
    "goal.status_changed": _moved("goal_id"),
    "goal.tweaked": _tweaked,
    "goal.claimed": _claimed,
    "goal.phase_changed": _phase,
    "goal.checkpointed": _checkpoint,
    "todo.revised": _revised,
    "task.created": _task_created,
    "task.status_changed": _moved("task_id"),
    "blocker.raised": _raised,
    "blocker.cleared": _cleared,
    "authority.requested": _requested,
    "authority.delivered": _answer("answer delivered", "done"),
    "authority.consumed": _answer("answer acted on", "done"),
    "authority.withdrawn": _answer("withdrawn", "dropped"),
    "decision.created": _decided,
    "decision.status_changed": _taken_back,
    "eval.finished": _eval,
    "run.started": _run_started,
    "run.finished": _run_finished,
    "tool.called": _tool,
    "tool.finished": _tool_finished,
    "model.called": _model,
    "model.finished": _model,
    "agent.held": _held,
    "agent.released": _released,
    "agent.limited": _limited,
    "human.interrupted": _interrupted,
    "context.compacted": _compacted,
    "observation.created": _titled("unknown", "seen:"),
    "failure.observed": _titled("failed", "failure:"),
    "hypothesis.created": _titled("unknown", "idea:"),
    "patch.proposed": _patch,
    "patch.status_changed": _moved("patch_id"),
    "artifact.attached": _artifact,
    "frame.created": _titled("added", "frame:"),
    "project.snapshot_recorded": _titled("added", "snapshot:"),
}
