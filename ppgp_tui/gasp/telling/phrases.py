"""The words of every kind of event (GASP reference section 5, and the kinds of our own log).

Each function gets payload, event and names, and returns the name of a sign and the words. Missing
members are left out; nothing here raises for any JSON value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ppgp_tui.gasp.telling.eventful import Eventful

SentenceSign = Literal[
    "done", "claimed", "running", "waits", "blocked", "for_you", "failed", "held", "dropped",
    "unknown", "finding", "added", "changed",
]  # fmt: skip
"""Names of signs; every one of them is also a sign of the screen."""

_BLANKS = re.compile(r"\s+")
_HEX = re.compile(r"[0-9a-f]{32}")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_STATUS = {"InProgress": "running", "in_progress": "running", "NotStarted": "open"}
_STATUS_SIGN: dict[str, SentenceSign] = {
    "done": "done", "satisfied": "done", "approved": "done", "promoted": "done", "passed": "done",
    "running": "running", "started": "running", "blocked": "blocked", "abandoned": "dropped",
    "superseded": "dropped", "skipped": "dropped", "rejected": "failed", "failed": "failed",
    "error": "failed", "conflicted": "failed", "open": "waits", "pending": "waits",
    "proposed": "waits", "stale": "unknown", "cleared": "done",
}  # fmt: skip

_VERDICT_SIGN: dict[str, SentenceSign] = {
    "approved": "done", "approved_with_notes": "done", "rejected": "failed",
}  # fmt: skip

Said = tuple[SentenceSign, str]
Names = Mapping[str, str]
Payload = Mapping[str, Any]
Phrase = Callable[[Payload, "Eventful", Names], Said]


def text(payload: Payload, *names: str) -> str:
    """The first of these members that is telling text, as one line of at most 200 characters."""
    for name in names:
        value = payload.get(name)
        if isinstance(value, str) and value.strip():
            return _BLANKS.sub(" ", value[:400]).strip()[:200]
    return ""


def inside(payload: Payload, name: str) -> Payload:
    """The object in that member, an empty one when there is none."""
    value = payload.get(name)
    return value if isinstance(value, dict) else {}


def _count(payload: Payload, name: str) -> int | None:
    value = payload.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _status(word: str) -> str:
    return _CAMEL.sub(" ", _STATUS.get(word, word)).lower()


def _joined(*parts: str, by: str = " ") -> str:
    return by.join(part for part in parts if part)


def _called(node: str, names: Names) -> str:
    """What a node is called: the key of a task, a title, else its id cut short."""
    if node.startswith("todo:"):
        return node[5:]
    return names.get(node) or _short_id(node)


def _short_id(node: str) -> str:
    prefix, dash, rest = node.rpartition("_")
    return f"{prefix}_{rest[:6]}" if dash and _HEX.fullmatch(rest) else node[:40]


def unknown_kind(event: Eventful) -> Said:
    """The kind itself, and the first word of the payload that tells something."""
    if event.kind == "state.ops_applied":
        return _ops(event.payload)
    payload = event.payload
    telling = ""
    if isinstance(payload, str):
        telling = payload
    elif isinstance(payload, dict):
        telling = text(payload, "title", "summary", "text", "message", "reason", "name", "status")
        if not telling:
            telling = next(filter(None, (text(payload, name) for name in payload)), "")
    return "unknown", _joined(event.kind, telling[:200], by=": ")


def _ops(payload: Any) -> Said:
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


def _goal_created(payload: Payload, _: Eventful, __: Names) -> Said:
    return "added", _joined("goal:", text(payload, "title", "summary", "id"))


_OF_AN_AUDIT = re.compile(r"(?:verified|rejected) by an audit")
_ONLY_MOVED = re.compile(r"(?:pending|in_progress|completed) to (?:pending|in_progress|completed)")
"""A reason that says the change once more, in the words of the plan."""


def _moved(what: str) -> Phrase:
    """Words for a changed status; `what` is the member that names the node."""

    def say(payload: Payload, event: Eventful, names: Names) -> Said:
        node = text(payload, what)
        status = _status(text(payload, "status"))
        before = _status(names.get(event.id, ""))
        called = "goal" if what == "goal_id" else _called(node, names)
        change = f"{before} to {status}" if before and before != status else status
        reason = text(payload, "reason")
        sign = _STATUS_SIGN.get(status, "changed")
        told = "" if _ONLY_MOVED.fullmatch(reason) else reason
        if what == "goal_id" and _OF_AN_AUDIT.fullmatch(told):
            return "changed", f"goal {told}"  # the goal runs on: that is no news beside the verdict
        return sign, _joined(_joined(called, change), told, by=": ")

    return say


def _phase(payload: Payload, _: Eventful, __: Names) -> Said:
    before, after = text(payload, "from"), text(payload, "to")
    return "changed", f"phase {before} to {after}" if before else f"phase {after}"


def _tweaked(payload: Payload, _: Eventful, __: Names) -> Said:
    return "changed", _joined("goal reworded:", text(payload, "objective"))


def _claimed(payload: Payload, _: Eventful, __: Names) -> Said:
    words = _joined("claims done:", text(payload, "summary"))
    return "claimed", _joined(words, text(payload, "dispute"), by="; disputes the verdict: ")


def _checkpoint(payload: Payload, _: Eventful, __: Names) -> Said:
    return "done", _joined("checkpoint:", text(payload, "summary", "document"))


def _revised(payload: Payload, event: Eventful, names: Names) -> Said:
    after = _count(payload, "revision")
    before = _count(payload, "base_revision")
    if after is None:
        return "changed", "plan revised"
    head = f"r{before} to r{after}" if before is not None else f"r{after}"
    return "changed", _joined(head, names.get(event.id, ""), by=": ")


def _task_created(payload: Payload, _: Eventful, __: Names) -> Said:
    key = _called(text(payload, "id"), {})
    title = text(payload, "title", "summary")
    return "added", f"{key} {title}" if text(payload, "id").startswith("todo:") else title or key


def _raised(payload: Payload, _: Eventful, __: Names) -> Said:
    return "blocked", _joined(text(payload, "class"), text(payload, "text", "title", "id"))


def _cleared(payload: Payload, _: Eventful, names: Names) -> Said:
    words = _joined("cleared:", _called(text(payload, "id"), names))
    return "done", _joined(words, text(payload, "reason"), by=", ")


def _requested(payload: Payload, _: Eventful, __: Names) -> Said:
    return "for_you", text(inside(payload, "request"), "question") or text(payload, "id")


def _answer(word: str, sign: SentenceSign) -> Phrase:
    def say(payload: Payload, _: Eventful, names: Names) -> Said:
        words = _joined(f"{word}:", _called(text(payload, "id"), names))
        return sign, _joined(words, _status(text(payload, "reason").replace("_", " ")), by=", ")

    return say


def _decided(payload: Payload, _: Eventful, names: Names) -> Said:
    metadata = inside(payload, "metadata")
    status = _status(text(payload, "status"))
    sign = _STATUS_SIGN.get(status, "changed")
    asked = names.get(text(metadata, "request"), "")
    answer = text(metadata, "option", "text") or text(payload, "reason") or status
    if text(metadata, "type") == "override":
        return "unknown", _joined("done without a verdict that fits", answer, by=", because: ")
    if text(metadata, "type") == "verdict":
        word = "verified" if status == "approved" else "claim rejected"
        return sign, _joined(word, text(payload, "reason"), by=": ")
    if asked:
        return sign, f"{asked} {answer}"
    return sign, _joined(status, text(payload, "reason", "summary", "title"), by=": ")


def _taken_back(payload: Payload, _: Eventful, __: Names) -> Said:
    return "changed", _joined("answer taken back:", text(payload, "reason"))


def _eval(payload: Payload, _: Eventful, __: Names) -> Said:
    status = _status(text(payload, "status"))
    metadata = inside(payload, "metadata")
    if text(metadata, "type") == "audit":
        return _audit(metadata)
    result = text(payload, "summary") or text(metadata, "summary") or status
    sign = _STATUS_SIGN.get(status, "unknown")
    return sign, _joined(text(payload, "command", "id"), result, by=": ")


def _audit(metadata: Payload) -> Said:
    """What a completion audit came to; one that is stale says nothing of the goal as it is."""
    verdict = text(metadata, "verdict")
    sign = _VERDICT_SIGN.get(verdict, "unknown")
    word = _joined("audit:", verdict.replace("_", " ") or "no verdict")
    if metadata.get("stale") is True:
        sign, word = "unknown", f"{word}, stale"
    return sign, _joined(word, text(metadata, "why"), by=": ")


def _run_started(payload: Payload, _: Eventful, __: Names) -> Said:
    task = text(payload, "task")
    if task in ("", "session"):
        return "running", "session started"
    return "running", _run_of(task)


def _run_finished(payload: Payload, _: Eventful, names: Names) -> Said:
    outcome = text(payload, "outcome").replace("_", " ")
    bad = re.match(r"(error|aborted|refused|rejected|failed|loop aborted)", outcome)
    task = names.get(text(payload, "run_id"), "")
    what = "session" if task in ("", "session") else _run_of(task)
    by = ", " if what.startswith("run: ") else " "  # a title may end in any word
    return "failed" if bad else "done", _joined(what, outcome or "finished", by=by)


def _run_of(task: str) -> str:
    return f"run on {task[5:]}" if task.startswith("todo:") else f"run: {task}"


def _tool(payload: Payload, _: Eventful, __: Names) -> Said:
    tool = text(payload, "tool")
    words = _joined(tool, text(payload, "input_summary"))
    if tool == "git" or payload.get("success") is True:
        return "done", words
    return ("failed", f"{words} failed") if payload.get("success") is False else ("running", words)


def _tool_finished(payload: Payload, _: Eventful, __: Names) -> Said:
    words = _joined(text(payload, "tool"), text(payload, "output_summary"), by=": ")
    return ("failed" if payload.get("success") is False else "done"), words


def _model(payload: Payload, _: Eventful, __: Names) -> Said:
    return "unknown", _joined(
        text(payload, "model"), text(payload, "output_summary", "prompt_summary"), by=": "
    )


def _held(payload: Payload, _: Eventful, __: Names) -> Said:
    return "held", _joined("before", text(payload, "tool"))


def _released(payload: Payload, _: Eventful, __: Names) -> Said:
    waited = _count(payload, "waited_ms")
    outcome = text(payload, "outcome")
    held = f"held {_span(waited)}" if waited is not None else "released"
    return "held", _joined(held, "" if outcome == "resumed" else outcome, by=", ")


def _span(ms: int) -> str:
    seconds = max(0, ms) // 1000
    if seconds < 60:
        return f"{seconds}s"
    minutes = seconds // 60
    return f"{minutes}m" if minutes < 60 else f"{minutes // 60}h{minutes % 60:02}"


def _interrupted(payload: Payload, _: Eventful, __: Names) -> Said:
    return "held", text(payload, "what").replace("_", " ")


def _limited(payload: Payload, _: Eventful, __: Names) -> Said:
    return "waits", _joined("limited:", text(payload, "error"))


def _compacted(payload: Payload, _: Eventful, __: Names) -> Said:
    return "changed", _joined("context compacted:", text(payload, "trigger"))


def _session(payload: Payload, _: Eventful, __: Names) -> Said:
    return "added", _joined("session of", text(payload, "tool"), text(payload, "version"))


def _titled(sign: SentenceSign, word: str) -> Phrase:
    def say(payload: Payload, _: Eventful, __: Names) -> Said:
        return sign, _joined(word, text(payload, "title", "summary", "id"))

    return say


def _patch(payload: Payload, _: Eventful, __: Names) -> Said:
    return "added", _joined("patch:", text(payload, "title", "summary", "id"))


def _artifact(payload: Payload, _: Eventful, __: Names) -> Said:
    artifact = inside(payload, "artifact")
    uri = text(artifact, "uri")
    commit = uri.rpartition("@")[2] if text(artifact, "kind") == "git-commit" else ""
    if re.fullmatch(r"[0-9a-f]{40}", commit):
        return "done", f"git commit {commit[:7]}"
    return "added", _joined(text(artifact, "kind"), text(artifact, "summary") or uri)


PHRASES: dict[str, Phrase] = {
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
