"""An audit for a person to read: its plan, how far it is, and what came out."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from ppgp_tui.audit.model import Alarm, AuditPlan, Check, Judged, Verdict
from ppgp_tui.audit.verdict import only_a_person
from ppgp_tui.session.picture.audit_state import Running
from ppgp_tui.session.text import one_line, safe

_SIGNS: Final = {"pass": "✓", "fail": "✗", "cannot_check": "?"}
_WORDS: Final = {"pass": "pass", "fail": "fail", "cannot_check": "cannot check"}
_BY: Final = {"mechanical": "checks alone", "mechanical and auditor": "checks and the auditor"}
_ALARMS: Final = {
    "criterion_removed": "gone since the contract was frozen",
    "criterion_reworded": "reworded",
    "task_dropped": "task dropped unfinished",
    "dependency_cut": "dependency cut",
    "check_changed": "script or setting of a check changed",
    "command_removed": "command taken out of the settings",
    "test_deleted": "test deleted",
    "test_skipped": "tests skipped",
    "test_emptied": "test asserts nothing any more",
    "test_changed": "test asserts otherwise",
}


def plan_lines(plan: AuditPlan, unknown: Collection[tuple[str, ...]] = ()) -> Iterator[str]:
    """What is going to be looked at: criteria with their checks, commands whole.

    `unknown` are the commands that no person has let run here.
    """

    def line(check: Check) -> str:
        new = ", which nobody has let run here yet" if check.argv in unknown else ""
        return f"    {check.id}  {check_words(check)}{'' if check.left_out else new}"

    yield f"Goal  {one_line(plan.goal)}"
    yield from alarm_lines(plan)
    for criterion in plan.criteria:
        yield f"{criterion.id}  {one_line(criterion.text)}"
        about = [check for check in plan.checks if criterion.id in check.criteria]
        yield from map(line, about)
        if not about:
            yield f"    {only_a_person(criterion) or 'nothing here can check it'}"
    whole = [check for check in plan.checks if not check.criteria]
    if whole:
        yield "the whole goal"
    yield from map(line, whole)
    yield f"auditor  {one_line(' '.join(plan.auditor)) or 'none: checks alone'}"


def alarm_lines(plan: AuditPlan) -> Iterator[str]:
    """What was narrowed, and with what the goal was compared."""
    for alarm in plan.alarms:
        yield f"/ {_ALARMS[alarm.kind]}: {one_line(alarm.what)}{_change(alarm)}"
        yield from (f"      {safe(line.expandtabs(4))}" for line in alarm.diff)
    for sentence in plan.compared:
        yield f"  {one_line(sentence)}"


def check_words(check: Check) -> str:
    """What a check does; a command is shown whole, as the words it is run with."""
    if check.left_out:
        return f"left out: {one_line(check.left_out)} ({_does(check)})"
    return _does(check)


def command_words(argv: tuple[str, ...]) -> str:
    """A command so that every word can be told apart."""
    return " ".join(one_line(word) if _plain(word) else repr(one_line(word)) for word in argv)


def progress_line(progress: Running, now_ms: int) -> str:
    """How far it is, in one line."""
    if progress.stage == "asking":
        what = f"asking {one_line(progress.command)}"
    elif progress.check:
        what = one_line(progress.command)
    else:
        what = progress.stage
    seconds = (now_ms - (progress.command_ms or progress.started_ms)) // 1000
    return f"{progress.done} of {progress.checks}  {what}  {max(0, seconds)}s"


def verdict_lines(plan: AuditPlan, verdict: Verdict) -> Iterator[str]:
    """The verdict with what stands behind it; what was narrowed comes first."""
    stale = ", but the goal moved meanwhile: it counts for nothing" if verdict.stale else ""
    yield f"{verdict.word.replace('_', ' ').upper()}  {one_line(verdict.why)}{stale}"
    yield from alarm_lines(plan)
    for one in verdict.judged:
        yield from _judged(one)
    for said in verdict.objections:
        yield f"objection: {one_line(said)}"
    for said in verdict.notes:
        yield f"note: {one_line(said)}"
    yield f"by {_BY[verdict.by]}, commands in {_isolation(verdict)}"


def _judged(one: Judged) -> Iterator[str]:
    yield f"{_SIGNS[one.outcome]} {one_line(one.criterion.text)}  {_WORDS[one.outcome]}"
    yield f"    {one_line(one.why)}"
    for quote in one.quotes:
        where = f"{quote.path}:{quote.line}" if quote.line else quote.path
        yield f"    {one_line(where)}  “{one_line(quote.text)[:120]}”"


def _isolation(verdict: Verdict) -> str:
    return {"bubblewrap": "a sandbox", "copy": "a copy of the work tree only"}[verdict.isolation]


def _does(check: Check) -> str:
    if check.argv:
        claimed = f", {check.passed} are to pass" if check.passed is not None else ""
        return f"run {command_words(check.argv)}{claimed}"
    return {
        "file": f"{one_line(check.path)} is there",
        "commit": f"commit {one_line(check.commit)} is in the history",
        "clean": "everything is committed",
        "evidence_age": f"{one_line(check.path)} is newer than the code",
        "tests": f"claimed without a command: {one_line(check.says)}",
    }.get(check.kind, f"nothing here can check: {one_line(check.says)}")


def _change(alarm: Alarm) -> str:
    parts = []
    if alarm.before and alarm.before != alarm.what:
        parts.append(f"was “{one_line(alarm.before)}”")
    if alarm.after:
        parts.append(f"now “{one_line(alarm.after)}”")
    if alarm.reason:
        parts.append(f"because: {one_line(alarm.reason)}")
    if alarm.commit:
        parts.append(f"since {alarm.commit[:10]}")
    return f" ({', '.join(parts)})" if parts else ""


def _plain(word: str) -> bool:
    return bool(word) and all(
        character.isalnum() or character in "-_./:=,@%+" for character in word
    )
