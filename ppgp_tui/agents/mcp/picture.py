"""What a client may look at: the snapshot, the goal document, the boot packet."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from ppgp_tui.pi.block_proof import label_of
from ppgp_tui.pi.goal import goal_json
from ppgp_tui.pi.goal_text import status_text
from ppgp_tui.ppgp.boot import Fact, boot_packet
from ppgp_tui.session import git
from ppgp_tui.session.actions.recorded import Recorded
from ppgp_tui.session.engine import goals
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.glance import glance
from ppgp_tui.session.json_view import snapshot_json
from ppgp_tui.session.model import Plan, Repo, SessionSnapshot, SourceState
from ppgp_tui.session.sources.document import SETTLE_S
from ppgp_tui.session.store import LiveSession

COMMITS: Final = 5
_GIT_LIMIT_S: Final = 10
_SURROGATE = re.compile("[\ud800-\udfff]")


class Picture:
    """Reads the session at `root` whenever it is asked; nothing is followed in between."""

    def __init__(self, root: Path, clock: Callable[[], int]) -> None:
        self.root = root
        self._clock = clock
        self._session = LiveSession(root, clock=clock)

    def snapshot(self) -> SessionSnapshot:
        """Everything the app would show, as it is now."""
        began = self._clock()
        snapshot = self._session.read_all()
        if any(_not_seen_since(began, source) for source in snapshot.sources):
            time.sleep(SETTLE_S)  # perhaps in the middle of being replaced; then it is as it is
            snapshot = self._session.read_all()
        return replace(snapshot, at_ms=self._clock())

    def session_text(self) -> str:
        """The resource `ppgp://session`: the snapshot as `show --json` prints it."""
        return json.dumps(plain(snapshot_json(self.snapshot())), ensure_ascii=False, indent=2)

    def goal_text(self) -> str | None:
        """The resource `ppgp://goal`: the goal document as it stands; None when there is none.

        Bytes that are no UTF-8 read as U+FFFD.
        """
        snapshot = self.snapshot()
        if snapshot.goal.value.health == "MISSING":
            return None
        return self._session.document().decode("utf-8", "replace")

    def boot_text(self) -> str:
        """The resource `ppgp://boot`: contract, hot state and evidence for a fresh agent."""
        snapshot = self.snapshot()
        facts = [
            Fact("REPOSITORY", "\n".join(_repository(snapshot.repo.value))),
            Fact("LAST COMMITS", _last_commits(self.root) or "(none)"),
            Fact("PLAN", "\n".join(_plan(snapshot.plan.value))),
            Fact("WAITING FOR A PERSON", "\n".join(_waiting(snapshot)) or "(nothing)"),
        ]
        if said := "\n".join(_claimed(snapshot)):
            facts.insert(0, Fact("LAST CLAIM", said))
        return boot_packet(snapshot.goal.value, facts, dict(snapshot.roles).get("MEMORY"))


def _not_seen_since(began_ms: int, source: SourceState) -> bool:
    """Whether a file's value is an earlier one, kept while its writer may be at work."""
    watched = source.name in ("goal", "plan", "control") and source.state == "found"
    return watched and (source.seen_ms or 0) < began_ms


def session_data(snapshot: SessionSnapshot, seen: Recorded | None) -> Json:
    """The data of `get_session`: the snapshot, and what only the log tells (None without one)."""
    return {"session": plain(snapshot_json(snapshot)), "recorded": seen and _recorded(seen)}


def _recorded(seen: Recorded) -> Json:
    state = goals.state_of(seen.ledger)
    blockers = [
        {name: blocker.get(name) for name in ("id", "class", "text", "scope", "until", "blocks")}
        for blocker in seen.ledger.blockers.values()
    ]
    goal = {**goal_json(state.goal), "label": label_of(state.goal)} if state.goal else None
    return {"goal": goal, "goal_revision": state.revision, "blockers": blockers}


def session_words(snapshot: SessionSnapshot, seen: Recorded | None) -> str:
    """The session in a few lines; the urgent first."""
    lines = list(_held(snapshot))
    if seen is not None:
        lines.append(status_text(goals.state_of(seen.ledger)))
    lines += [f"Completion: {line}" for line in _claimed(snapshot)]
    lines += [*_document(snapshot), *_plan(snapshot.plan.value)]
    lines += [f"Waiting for a person: {line}" for line in _waiting(snapshot)]
    if seen is not None:
        lines += [
            f"Open blocker {blocker['id']}, class {blocker['class']}: {blocker['text']}"
            for blocker in seen.ledger.blockers.values()
        ]
    lines += [f"Problem: {problem.text}" for problem in snapshot.problems]
    return "\n".join(lines)


def _held(snapshot: SessionSnapshot) -> Iterator[str]:
    control = snapshot.control.value
    if control.hold_id is not None:
        reason = f": {control.hold_reason}" if control.hold_reason else ""
        yield f"A person asked every agent to wait{reason}. Begin no further step until released."


def _document(snapshot: SessionSnapshot) -> Iterator[str]:
    reading, lamps = snapshot.goal.value, glance(snapshot)
    if reading.health == "MISSING":
        yield f"No goal document: looked for {reading.path}."
        return
    phase = reading.phase or "no phase"
    done = f"{lamps.done} of {lamps.total} conditions done with evidence"
    yield f"Goal document {reading.path}: {reading.health}, {phase}, {done}."
    if reading.next_action is not None:
        yield f"Next executable action: {reading.next_action.text}"


def _plan(plan: Plan) -> Iterator[str]:
    if plan.source == "none":
        yield "No plan is recorded."
        return
    edited = "; todo.json was edited by hand and that is not recorded" if plan.hand_edit else ""
    yield f"Plan revision {plan.revision}, {len(plan.tasks)} tasks{edited}."
    if running := plan.keys_in("running"):
        yield f"Running: {', '.join(running)}"
    if ready := plan.keys_in("ready"):
        yield f"Ready: {', '.join(ready)}"


def _claimed(snapshot: SessionSnapshot) -> Iterator[str]:
    """How the newest claim stands; nothing where none was made and nothing audited."""
    audit, life = snapshot.audit.value, snapshot.lifecycle.value
    if life.rejection is not None:
        since = f" ({', '.join(audit.moved)} moved since)" if audit.moved else ""
        yield f"last audit rejected the claim{since}: {life.rejection}"
    if audit.state == "claimed":
        yield f"claimed, no verdict yet: {life.claims[-1].summary}"
    elif audit.state == "running":
        yield "an audit of the claim is under way; change neither code nor plan nor contract"
    elif audit.state == "unsure":
        yield "the audit could not decide; a person has to"
    elif audit.state == "stale" and life.rejection is None:
        yield "the verdict is stale: claim again when everything holds"
    elif audit.state == "verified":
        yield "an audit verified the goal; what is left is the final answer"


def _waiting(snapshot: SessionSnapshot) -> Iterator[str]:
    for request in snapshot.inbox.value:
        if request.state in ("waiting", "taken_back", "answered"):
            answered = " (answered: call get_answer)" if request.state == "answered" else ""
            yield f"{request.id}: {request.question}{answered}"


def _repository(repo: Repo) -> Iterator[str]:
    if not repo.git:
        yield "No Git here."
        return
    where = "detached" if repo.detached else f"branch {repo.branch}"
    yield f"{where} at {(repo.head or 'no commit')[:12]}"
    if repo.dirty is not None:
        yield f"changed or untracked paths: {repo.dirty}"
    if repo.commits_since_goal is not None:
        yield f"commits since the goal document last changed: {repo.commits_since_goal}"


def _last_commits(root: Path) -> str:
    """The last commits, one a line; nothing where Git cannot tell."""
    try:
        said = git.ask(root, "log", f"-{COMMITS}", "--format=%h %cs %s", limit_s=_GIT_LIMIT_S)
    except git.GitUnknownError:
        return ""
    return "" if said.code else said.text


class Resource(NamedTuple):
    """A resource: where it is, what it is, and how its text is made."""

    uri: str
    name: str
    mime_type: str
    description: str
    text: Callable[[Picture], str | None]


RESOURCES: Final = (
    Resource(
        "ppgp://session",
        "session",
        "application/json",
        "Everything known about the session, as `ppgp-tui show --json` prints it.",
        Picture.session_text,
    ),
    Resource(
        "ppgp://goal",
        "goal",
        "text/markdown",
        "The goal document as it stands in the repository.",
        Picture.goal_text,
    ),
    Resource(
        "ppgp://boot",
        "boot",
        "text/markdown",
        "The boot packet: contract, hot state and evidence. Read it first in a fresh context.",
        Picture.boot_text,
    ),
)


def plain(value: Any) -> Any:
    """`value` with what JSON has no form for replaced: a log may hold 1e999 or half a character."""
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATE.sub("\ufffd", value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {plain(key): plain(member) for key, member in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value
