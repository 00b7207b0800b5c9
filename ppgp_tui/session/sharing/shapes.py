"""What the files of a session are like, without a word of what they say.

Sizes, counts and states only. A name that comes from a file (a kind of event, a path) is given
where the program knows it, and counted as `other` where it does not.
"""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from ppgp_tui.gasp.telling.phrases import PHRASES
from ppgp_tui.gasp.vocabulary import OPS_EVENT
from ppgp_tui.session.log.whole import WholeLog
from ppgp_tui.session.model import Plan, SessionSnapshot
from ppgp_tui.session.settings.settings import Settings

_KINDS: Final = frozenset(PHRASES) | {OPS_EVENT}
_AGENTS: Final = ("claude", "codex", "pi")
_PLACES: Final = frozenset({
    "docs/ACTIVE_GOAL.md", "ACTIVE_GOAL.md", "state/events.jsonl", ".ppgp/todo.json",
    ".ppgp/goal.json", ".ppgp/config.toml", ".ppgp/run/control.json", ".ppgp/run/agents",
    ".ppgp/run/held", ".ppgp/run/requests", ".ppgp/run/answers", ".ppgp/run/notes", ".git",
})  # fmt: skip
OTHER: Final = "[other]"


def shapes(snapshot: SessionSnapshot, log: WholeLog | None) -> dict[str, Any]:
    """Every part of `snapshot` as numbers and known words; `log` has been read to its end."""
    goal, repo = snapshot.goal.value, snapshot.repo.value
    known = snapshot.conformance.value
    return {
        "files": [_file(snapshot.root, source.path, source.state) for source in snapshot.sources],
        "goal": {
            "health": goal.health,
            "findings": dict(Counter(finding.code for finding in goal.reasons)),
            "lines": goal.line_count,
            "bytes": goal.bytes,
            "fields": [{"name": field.name, "match": field.match, "items": len(field.items)}
                       for field in goal.fields],
            "other_sections": len(goal.sections),
            "phase": goal.phase,
            "phase_inferred": goal.phase_inferred,
            "conditions": dict(Counter(item.state for item in goal.dod)),
            "blockers": dict(Counter(str(one.klass) for one in goal.blockers)),
        },
        "plan": _plan(snapshot.plan.value),
        "requests": _counted(f"{one.kind} {one.state}" for one in snapshot.inbox.value),
        "agents": _counted(f"{_agent(one.agent)} {one.state}" for one in snapshot.agents.value),
        "held": snapshot.control.value.hold_id is not None,
        "handshake": _counted(one.state for one in snapshot.control.value.handshake),
        "log": _log(snapshot, log),
        "checks": {"state": known.state, "findings": known.findings, "lacks": list(known.lacks),
                   "each": {str(one.number): one.state for one in known.checks}},
        "problems": [{"code": one.code, "place": place(one.path), "line": one.line}
                     for one in snapshot.problems],
        "repository": {"git": repo.git, "detached": repo.detached, "dirty": repo.dirty,
                       "ahead": repo.ahead, "behind": repo.behind,
                       "commits_since_goal": repo.commits_since_goal,
                       "other_goals": len(repo.other_goals)},
        "watching": {"mode": snapshot.watching.mode, "poll_s": snapshot.watching.poll_s,
                     "restarts": snapshot.watching.restarts},
        "revisions": snapshot.part_revisions(),
    }  # fmt: skip


def settings_shape(settings: Settings) -> dict[str, Any]:
    """What is set: numbers and yes or no as they are, of words only that they are not as usual."""
    usual = Settings()._asdict()
    shape: dict[str, Any] = {}
    for name, value in settings._asdict().items():
        if name == "problems":
            continue
        plain = value is None or isinstance(value, bool | int | float) or value == usual[name]
        shape[name] = value if plain else "[set]"
    return {**shape, "problems": [one.line for one in settings.problems]}


def place(path: str) -> str:
    """`path` where it is one of the usual places."""
    return path if path in _PLACES else OTHER


def _file(root: Path, path: str, state: str) -> dict[str, Any]:
    shape: dict[str, Any] = {"place": place(path), "state": state}
    try:
        found = (root / path).lstat()
    except (OSError, ValueError):
        return {**shape, "bytes": None}
    if not stat.S_ISREG(found.st_mode):
        kind = "folder" if stat.S_ISDIR(found.st_mode) else "no plain file"
        return {**shape, "is": kind, "bytes": None}
    return {**shape, "bytes": found.st_size, "mode": oct(stat.S_IMODE(found.st_mode))}


def _plan(plan: Plan) -> dict[str, Any]:
    return {
        "source": plan.source,
        "revision": plan.revision,
        "hand_edit": plan.hand_edit,
        "history": plan.history_count,
        "tasks": dict(Counter(task.state for task in plan.tasks)),
        "dependencies": sum(len(task.depends_on) for task in plan.tasks),
        "longest_subject": max((len(task.subject) for task in plan.tasks), default=0),
    }


def _log(snapshot: SessionSnapshot, log: WholeLog | None) -> dict[str, Any]:
    events = snapshot.events.value
    kinds: Counter[str] = Counter()
    damaged = 0
    for index in range(0 if log is None else len(log)):
        assert log is not None
        kind = log.index.kind(index)
        damaged += not kind
        kinds[kind if kind in _KINDS else OTHER] += 1
    return {
        "events": events.count,
        "bytes": events.bytes,
        "kinds": dict(sorted(kinds.items())),
        "damaged": damaged,
        "torn": None if events.torn is None else events.torn.bytes,
        "cut": events.cut,
        "outbox": events.outbox,
        "uncommitted": events.uncommitted,
        "rewritten": events.rewritten is not None,
        "phases": len(events.phases),
        "per_hour": events.per_hour,
    }


def _agent(name: str) -> str:
    return name if name in _AGENTS else OTHER


def _counted(words: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(words).items()))
