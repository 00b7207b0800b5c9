"""Check 4, append-only in git: every commit only appended to the files that never lose a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from ppgp_tui.gasp.checks.report import CheckResult, Finding
from ppgp_tui.gasp.checks.repository import Unreadable

ALWAYS = ("JOURNAL.md", "journal/JOURNAL.md", "state/events.jsonl")
"""Paths that are looked at, tracked or not; files named facts.jsonl come on top."""


class Broken(NamedTuple):
    """A commit that did not only append."""

    commit: str
    how: Literal["edited", "deleted"]


class PathHistory(NamedTuple):
    """What became of one file."""

    path: str
    """As Git prints it: quoted when it is not ASCII."""
    broken: tuple[Broken, ...] = ()
    """In the order of the walk."""
    working: Literal["appended", "edited", "missing"] | Unreadable = "appended"
    """The file in the work tree beside what the walk ended with."""
    unknown: str | None = None
    """Why its history could not be walked."""


class History(NamedTuple):
    """What Git knows of the append-only files."""

    state: Literal["walked", "no repository", "no commits"]
    paths: tuple[PathHistory, ...] = ()
    unlisted: str | None = None
    """Why the files named facts.jsonl could not be listed."""


def result(history: History) -> CheckResult:
    """Check 4 of a history."""
    if history.state == "no repository":
        text = "not a git repository (conformance rule 1: state lives in a git repo)"
        return CheckResult(4, findings=(Finding(4, "no_git", text, ""),))
    if history.state == "no commits":
        return CheckResult(4, notes=("no commits yet — nothing to violate",))
    findings: list[Finding] = []
    if history.unlisted is not None:
        text = f"cannot enumerate facts.jsonl paths: {history.unlisted}"
        findings.append(Finding(4, "history_unknown", text, ""))
    for path in history.paths:
        findings += _findings(path)
    return CheckResult(4, findings=tuple(findings))


def _findings(history: PathHistory) -> Iterator[Finding]:
    path = history.path

    def found(rule: str, text: str) -> Finding:
        return Finding(4, rule, f"{path}: {text}", path)

    if history.unknown is not None:
        yield found("history_unknown", f"cannot walk history: {history.unknown}")
        return
    for commit, how in history.broken:
        short = commit[:7]
        if how == "edited":
            yield found("edited", f"commit {short} edits existing lines (not append-only)")
        else:
            yield found("deleted", f"deleted in commit {short}")
    if history.working == "edited":
        yield found("work_tree_edited", "working tree edits committed lines")
    elif history.working == "missing":
        yield found("work_tree_missing", "committed file missing from working tree")
    elif isinstance(history.working, Unreadable):
        yield found("work_tree_unreadable", f"working tree unreadable: {history.working.why}")
