"""The live verdict on the log: what `gasp check` would say of it now (GASP reference section 11).

Work follows what changed: new lines of the log, the manifest, the identity, the packs, the
snapshots. Git's part (check 4) is asked apart, in `history.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ppgp_tui.gasp.checks import report
from ppgp_tui.gasp.checks.log import unavailable
from ppgp_tui.gasp.checks.replay import Replay
from ppgp_tui.gasp.checks.report import CheckResult
from ppgp_tui.gasp.checks.repository import AgentRepository, Unreadable
from ppgp_tui.gasp.explain import reason_of
from ppgp_tui.gasp.repo import read_bytes, read_identity, read_manifest, read_packs, read_snapshots
from ppgp_tui.session.live.composition import TORN_MS
from ppgp_tui.session.live.watch import stamps
from ppgp_tui.session.log.checking import LONGEST, LogVerdict
from ppgp_tui.session.log.feed import MovedError
from ppgp_tui.session.log.tail import LogRead
from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.picture.around_log import manifest_files, snapshot_files
from ppgp_tui.session.picture.conformance import SHOWN, Checked, CheckState, Finding, Lack, Outcome

_LACKS: dict[str, Lack] = {"no_manifest": "manifest", "no_git": "git"}
_LACKING = frozenset({"no_manifest", "no_identity", "no_git"})


class ConformanceSource:
    """Checks the log of one root as it grows. Not thread-safe."""

    def __init__(self, root: Path, clock: Callable[[], int]) -> None:
        self._root = root
        self._clock = clock
        self._verdict = LogVerdict()
        self._around_key: object = None
        self._around = AgentRepository(b"", None, None, {}, {})
        self._snapshots_key: object = None
        self._snapshots = CheckResult(2)

    def look(
        self,
        log: LogRead,
        path: str,
        *,
        asked: bool = False,
        progress: Callable[[Checked], None] = lambda _: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Checked | None:
        """Say how the log at `path` stands; None when that cannot be said yet.

        `asked`: however long it is. `progress` gets word now and then while it is checked.
        """
        view = log.view
        if log.state in ("absent", "unread"):
            return self._unavailable(log, path)
        if view is None or not view.whole:
            return None
        if is_long(log) and not asked and not self._verdict.offset:
            return left_out(log)

        def say(part: float) -> None:
            progress(_all("checking")._replace(progress=part))

        try:
            if not self._verdict.take(view, self._tail(log, view), say, stopped):
                return None
            results = self._verdict.results(self._read_around())
            if not any(one.number == 2 and one.findings for one in results):
                results = (*results, self._check_snapshots(log, view))
        except MovedError:
            return None  # the log's reader notices, too, and then it comes again
        return Checked(outcomes(results), lines=self._verdict.lines, offset=self._verdict.offset)

    def _unavailable(self, log: LogRead, path: str) -> Checked:
        why = "No such file or directory (os error 2)"
        if log.state == "unread":
            found = read_bytes(str(self._root / path), 0)
            said = found.why if isinstance(found, Unreadable) else ""
            why = said if "os error" in said else log.why
        self._verdict = LogVerdict()
        results = unavailable(f"cannot read {path}: {why}")
        return Checked(outcomes(results), is_absent=log.state == "absent" and log.view is None)

    def _tail(self, log: LogRead, view: LogView) -> bytes:
        """What stands behind the last event, once an unfinished line in it is old."""
        torn = log.torn
        if torn is None or self._clock() - torn.since_ms < TORN_MS:
            return b""
        begin = view.lines.after(view.count - 1)
        return view.file.read(begin, torn.offset + torn.bytes - begin)

    def _read_around(self) -> AgentRepository:
        root = str(self._root)
        key = stamps(manifest_files(self._root))
        if key != self._around_key:
            self._around = AgentRepository(
                b"", read_manifest(root), read_identity(root), {}, read_packs(root)
            )
            self._around_key = key
        return self._around

    def _check_snapshots(self, log: LogRead, view: LogView) -> CheckResult:
        """The snapshots against the log; again when they or the lines that they are of changed."""
        failing = log.bytes if self._snapshots.findings else None
        key = stamps(snapshot_files(self._root)), view.lines, failing
        if key[0] == (None,):
            self._snapshots = CheckResult(2)
        elif key != self._snapshots_key:
            data = view.file.read(0, log.bytes)
            self._snapshots = Replay().result(read_snapshots(str(self._root)), data)
            failing = log.bytes if self._snapshots.findings else None
        self._snapshots_key = (*key[:2], failing)
        return self._snapshots


def is_long(log: LogRead) -> bool:
    """Whether the log is only checked when somebody asks for it."""
    return log.bytes > LONGEST


def left_out(log: LogRead) -> Checked:
    """Nothing is known of a log that is too long to be checked unasked."""
    why = (
        f"it has {log.bytes / 1e6:,.0f} MB; above {LONGEST / 1e6:,.0f} MB it is checked when you "
        "ask for it: check the log in `:`, or ppgp-tui gasp check ."
    )
    return _all("unchecked", why)._replace(why=why)


def outcomes(results: tuple[CheckResult, ...]) -> dict[int, Outcome]:
    """The results by number; those of one number are joined."""
    found: dict[int, list[report.Finding]] = {}
    for result in results:
        found.setdefault(result.number, []).extend(result.findings)
    return {number: outcome(findings) for number, findings in found.items()}


def outcome(findings: list[report.Finding]) -> Outcome:
    """How one check came out."""
    if not findings:
        return Outcome("passed")
    if findings[0].rule == "not_run":
        return Outcome("unchecked", why=findings[0].text)
    rules = {finding.rule for finding in findings}
    lacks = next((_LACKS[rule] for rule in rules if rule in _LACKS), None)
    return Outcome(
        "failed",
        len(findings),
        tuple(map(_finding, findings[:SHOWN])),
        lacks if rules <= _LACKING else None,
    )


def _finding(found: report.Finding) -> Finding:
    place = found.place
    line, event = (place.physical, place.event) if place else (None, None)
    return Finding(found.check, found.text, found.path, line, event, reason_of(found).mend)


def _all(state: CheckState, why: str = "") -> Checked:
    """Every check but Git's in one state."""
    return Checked({number: Outcome(state, why=why) for number in (1, 2, 3, 5, 6, 7)})
