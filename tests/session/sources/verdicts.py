"""The live verdict on a repository, and what a check of everything says."""

from __future__ import annotations

from pathlib import Path

from ppgp_tui.gasp.checks.check import check
from ppgp_tui.gasp.history import read_history
from ppgp_tui.gasp.repo import read_repository
from ppgp_tui.session.log.tail import LogTail
from ppgp_tui.session.picture.conformance import (
    Checked,
    Conformance,
    Outcome,
    conformance_now,
)
from ppgp_tui.session.sources.conformance import ConformanceSource
from ppgp_tui.session.sources.history import HistorySource
from tests.gasp.checks.agent_repository import LOG

Said = dict[int, tuple[int, list[str]]]


class Live:
    """A repository and the sources that follow it."""

    def __init__(self, root: Path, *, torn_is_old: bool = True) -> None:
        self.root = root
        self.now_ms = 0
        self._step = 20_000 if torn_is_old else 0
        self.tail = LogTail(root, LOG, self._clock, settle_s=0)
        self.source = ConformanceSource(root, self._clock)
        self.history = HistorySource(root)
        self.checked = Checked()
        self.check_4 = Outcome()
        self.verdict = Conformance()

    def _clock(self) -> int:
        self.now_ms += self._step
        return self.now_ms

    def look(self, *, asked: bool = False) -> Conformance:
        log = self.tail.look()
        self.checked = self.source.look(log, LOG, asked=asked) or self.checked
        self.check_4 = self.history.look(log, asked=asked) or self.check_4
        self.verdict = conformance_now(self.checked, self.check_4, self.verdict, self.now_ms)
        return self.verdict

    def says(self) -> Said:
        self.look()
        found = {**self.checked.outcomes, 4: self.check_4}
        return {number: _told(one) for number, one in sorted(found.items())}


def _told(one: Outcome) -> tuple[int, list[str]]:
    if one.state == "unchecked":
        return 1, [one.why]
    return one.findings, [finding.text for finding in one.first]


def whole(root: Path) -> Said:
    """What a check of everything says."""
    report = check(read_repository(str(root)), read_history(str(root)))
    return {
        one.number: (
            len(one.findings),
            [finding.text.replace(f"{root}/", "") for finding in one.findings[:20]],
        )
        for one in report.checks
    }


def states(now: Conformance) -> list[str]:
    return [one.state for one in now.checks]
