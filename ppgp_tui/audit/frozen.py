"""What the contract, the plan and the tests were when the work on the goal began. An edge.

The contract was frozen when the phase first left FREEZE (PPGP reference section 3). Git has the
document as it was committed; the log has the plan and, where the phase was changed by an act and
not by an edit that was seen later, the digest of the contract that stood then. Where neither goes
back that far nothing is compared, and the audit says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from ppgp_tui.audit.claims import claims_in
from ppgp_tui.audit.looking import blobs_of, test_files_at, texts_at, texts_of
from ppgp_tui.audit.means import means, places
from ppgp_tui.audit.model import Alarm
from ppgp_tui.audit.scope import (
    alarms_of_means,
    alarms_of_tests,
    alike,
    contract_alarms,
    plan_alarms,
)
from ppgp_tui.audit.words import command_words
from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.ppgp.roles import CANDIDATES
from ppgp_tui.session.actions.recorded import events
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.observed import contract
from ppgp_tui.session.git import GitUnknownError, ask
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.plan_history.comparing import between
from ppgp_tui.session.plan_history.recorded import told
from ppgp_tui.session.settings.settings import REPOSITORY_FILE, verify_commands_of

_BEFORE: Final = ("THINK", "FREEZE")
_MOST: Final = 400
"""Commits of the document that are looked at, the newest."""


class Scope(NamedTuple):
    """What was narrowed, and with what it was compared."""

    alarms: tuple[Alarm, ...]
    compared: tuple[str, ...]
    """Sentences: what was compared with what, and what could not be."""


class _Version(NamedTuple):
    commit: str
    at_s: int
    reading: GoalReading


def scope(engine: Engine, now: GoalReading, tests: dict[str, str]) -> Scope:
    """Compare the goal as it stands with what was frozen; `tests` are the test files' texts now."""
    created_s, began = _of_log(engine)
    alarms: list[Alarm] = []
    compared: list[str] = []
    frozen = _frozen(engine.root, now, created_s, began) if now.health != "MISSING" else None
    if frozen is None:
        compared.append("the contract was not compared: Git has no earlier document of this goal")
    else:
        alarms += contract_alarms(frozen.reading, now, frozen.commit)
    try:
        commit = _beginning(engine.root, frozen, created_s)
        if commit is not None:
            alarms += alarms_of_tests(test_files_at(engine.root, commit), tests, commit)
            alarms += _of_commands(engine, commit, now)
    except GitUnknownError as error:
        commit = None
        compared.append(f"the tests were not compared: {error}")
    compared += _compared(frozen.commit if frozen is not None else None, commit)
    alarms += _of_plan(engine, began, compared)
    return Scope(tuple(alarms), tuple(compared))


def _compared(contract_with: str | None, tests_with: str | None) -> Iterator[str]:
    if contract_with is not None and contract_with == tests_with:
        yield f"contract and tests compared with commit {contract_with[:10]}"
        return
    for what, commit in (("contract", contract_with), ("tests", tests_with)):
        if commit is not None:
            yield f"{what} compared with commit {commit[:10]}"


def _of_log(engine: Engine) -> tuple[int | None, dict[str, Any] | None]:
    """When the goal was made, and its first recorded step out of THINK or FREEZE into the work."""
    try:
        told_of = events(engine, "goal.created", "goal.phase_changed")
    except RefusalError:
        return None, None
    created_s, began = None, None
    for event in told_of:
        payload = event["payload"] if isinstance(event["payload"], dict) else {}
        if event["kind"] == "goal.created":
            created_s, began = event["ts_ms"] // 1000, None
        elif payload.get("to") not in (*_BEFORE, None) and payload.get("from") in (*_BEFORE, None):
            began = began or event
    return created_s, began


def _frozen(
    root: Path, now: GoalReading, created_s: int | None, began: dict[str, Any] | None
) -> _Version | None:
    """The document in which the work began.

    The one whose contract was recorded when the phase was changed by an act; else the last one in
    FREEZE before the work, for an edit that leaves FREEZE can take something with it; else the
    first that is past it; else the first of all.
    """
    try:
        versions = _of_this_goal([*_versions(root, now.path)], now, created_s)
    except GitUnknownError:
        return None
    if not versions:
        return None
    if began is not None and began["payload"].get("observed") is False:
        wanted = f"sha256:{began['payload'].get('sha256')}"
        for version in versions:
            if contract(version.reading) == wanted:
                return version
    past = next((at for at, one in enumerate(versions) if _is_past(one)), len(versions))
    froze = [one for one in versions[:past] if one.reading.phase == "FREEZE"]
    return froze[-1] if froze else versions[past] if past < len(versions) else versions[0]


def _is_past(version: _Version) -> bool:
    return version.reading.phase not in (*_BEFORE, None)


def _of_this_goal(
    versions: list[_Version], now: GoalReading, created_s: int | None
) -> list[_Version]:
    """Those of the goal under way: a document may have been written over for a new goal."""
    kept: list[_Version] = []
    later = now
    for version in reversed(versions):
        since = created_s is not None and version.at_s >= created_s
        if not since and not alike(version.reading.goal or "", later.goal or ""):
            break
        kept.insert(0, version)
        later = version.reading
    return kept


def _versions(root: Path, path: str) -> Iterator[_Version]:
    """The committed documents of this goal, oldest first: those since there was last none.

    It may have stood at another of its usual places before.
    """
    places = [*dict.fromkeys((path, *CANDIDATES["ACTIVE_GOAL"]))]
    words = ("log", f"-{_MOST}", "--format=%H %ct", "HEAD", "--", *places)
    commits = [line.split() for line in reversed(ask(root, *words).text.splitlines())]
    commits = [words for words in commits if len(words) == 2]
    given = "".join(f"{commit}:./{place}\n" for commit, _ in commits for place in places)
    blobs = iter(blobs_of(ask(root, "cat-file", "--batch", given=given.encode()).out))
    found: list[_Version] = []
    for commit, at_s in commits:
        there = [(place, data) for place in places if (data := next(blobs, None)) is not None]
        if there:
            place, data = there[0]
            found.append(_Version(commit, int(at_s), read_goal(data, place)))
        else:
            found.clear()
    yield from found


def _beginning(root: Path, frozen: _Version | None, created_s: int | None) -> str | None:
    """The commit that has the tests as they were when the work began. Raises `GitUnknownError`.

    A document that was first committed past FREEZE, after the goal was made, comes too late to tell
    it: then it is the last commit before the goal was made.
    """
    late = frozen is None or (_is_past(frozen) and (created_s or frozen.at_s) < frozen.at_s)
    if late and created_s is not None:
        said = ask(root, "rev-list", "-1", f"--before={created_s}", "HEAD")
        if not said.code and said.text.strip():
            return said.text.strip()
    return frozen.commit if frozen is not None else None


def _of_commands(engine: Engine, commit: str, now: GoalReading) -> Iterator[Alarm]:
    """Commands of the settings then that prove nothing today, and what others check by.

    Raises `GitUnknownError`.
    """
    text = texts_at(engine.root, commit, [REPOSITORY_FILE]).get(REPOSITORY_FILE, "")
    before = verify_commands_of(text)
    field = now.field_named("VERIFICATION_EVIDENCE")
    items = field.items if field else ()
    evidence = [claim for item in items for claim in claims_in(item.text, before)]
    kept = {*engine.settings.verify_commands, *(claim.argv for claim in evidence if claim.argv)}
    for argv in before:
        if argv not in kept:
            yield Alarm("command_removed", command_words(argv), path=REPOSITORY_FILE, commit=commit)
    looked = places(kept)
    then = means(kept, texts_at(engine.root, commit, looked))
    yield from alarms_of_means(then, means(kept, texts_of(engine.root, looked)), commit)


def _of_plan(engine: Engine, began: dict[str, Any] | None, compared: list[str]) -> list[Alarm]:
    try:
        history = told(engine).history
    except RefusalError:
        return []
    if not len(history):
        return []
    since = began["ts_ms"] if began is not None else None
    first = 0
    for at, revision in enumerate(history.revisions):
        if since is not None and revision.ts_ms is not None and revision.ts_ms <= since:
            first = at
    comparison = between(history, first, len(history) - 1)
    if comparison is None:
        compared.append("the plan was not compared: an earlier one cannot be read")
        return []
    name = history.revisions[first].name
    compared.append(f"plan compared with {name}, {history.words()}")
    reasons = [one for revision in history.revisions[first + 1 :] for one in revision.reasons]
    return [*plan_alarms(comparison.before, comparison.after, reasons)]
