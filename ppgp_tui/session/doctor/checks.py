"""Whether the log passes the seven checks, and whose line it is where it does not.

A log that only we write passes 1, 2, 3, 5 and 7; 6 with a manifest; 4 while its history is linear
(CONTRACTS 3, "Claim of conformance").
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ppgp_tui.gasp.checks.names import LOG
from ppgp_tui.session.doctor.finding import Finding
from ppgp_tui.session.doctor.log_file import OpenLog
from ppgp_tui.session.files import places
from ppgp_tui.session.journal.safecopy import NAME

if TYPE_CHECKING:
    from ppgp_tui.gasp.checks.report import CheckResult

LARGEST: Final = 128 * 1024 * 1024
"""Checking more keeps a person waiting; somebody who wants to wait can ask for it."""
_ASK: Final = "ppgp-tui gasp check . --explain"


def checks(root: Path, log: OpenLog) -> Iterator[Finding]:
    """One finding for the checks that passed, and one for each that did not."""
    if log.path != LOG:
        why = "other programs look for the log there and nowhere else"
        mend = f"take paths.log out of .ppgp/config.toml and move the log to {LOG}"
        yield Finding("note", f"the checks know only {LOG}, not {log.path}", why, mend)
        return
    if log.size > LARGEST:
        why = f"the log has {log.size / 1e6:,.0f} MB, which would keep you waiting here"
        yield Finding("note", "the seven checks were not run", why, _ASK)
        return
    from ppgp_tui.gasp.checks.check import check
    from ppgp_tui.gasp.history import read_history
    from ppgp_tui.gasp.repo import read_repository

    repository = read_repository(str(root))
    report = check(repository, read_history(str(root)))
    if report.passed:
        yield Finding("ok", "all seven checks passed")
    elif passed := [one.number for one in report.checks if one.passed]:
        yield Finding("ok", f"{_checks(passed)} passed")
    waiting = [one.number for one in report.checks if _waits(one)]
    for one in report.checks:
        if one.number == 6 and repository.manifest is None:
            why = "a restore can verify neither who the agent is nor what carries it out"
            mend = "ppgp-tui gasp init, if this is to be an agent repository"
            yield Finding("note", "check 6 cannot pass: there is no AGENT.md", why, mend)
        elif not one.passed and one.number not in waiting:
            yield _failed(one, _ours(root))
    if waiting:
        why = "they need every line of the log to be read as an event"
        mend = "mend what check 1 says; they then run by themselves"
        yield Finding("note", f"{_checks(waiting)} could not run", why, mend)


def _checks(numbers: list[int]) -> str:
    return f"check{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def _waits(result: CheckResult) -> bool:
    """Whether it could not run before check 1 passes."""
    return any(finding.rule == "not_run" for finding in result.findings)


def _failed(result: CheckResult, ours: frozenset[str]) -> Finding:
    from ppgp_tui.gasp.explain import reason_of

    first, count = result.findings[0], len(result.findings)
    more = f" (and {count - 1:,} more)" if count > 1 else ""
    text = f"check {result.number}, {result.name}, failed: {first.text}{more}"
    reason = reason_of(first)
    line = first.place.physical if first.place else None
    event = first.place.event if first.place else None
    whose = ""
    if event is not None and event in ours:
        whose = " The line was recorded here and should have passed: please report it."
    elif event is not None:
        whose = " The line was not recorded here: another program or a person wrote it."
    mend = f"{reason.mend} All findings: {_ASK}"
    return Finding("error", text, reason.why + whose, mend, first.path, line)


def _ours(root: Path) -> frozenset[str]:
    """Ids of events that were recorded from here, as the safe copy of the log has them."""
    from ppgp_tui.gasp.folding.ops_line import event_id
    from ppgp_tui.session.files.safe import Folder

    try:
        with Folder.open(places.root_folder(root)) as folder:
            lines = folder.read(NAME).split(b"\n")
    except OSError:
        return frozenset()
    return frozenset(found for line in lines if line and (found := event_id(line)) is not None)
