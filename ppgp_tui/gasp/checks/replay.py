"""Check 2, replay: the log folds, and every snapshot is what folding its lines gives.

Whether a log folds depends on nothing but its operations being operations. Which nodes there are
tells what the fold passes over, so that is all that is kept here of the graph.
"""

from __future__ import annotations

from collections.abc import Mapping

from ppgp_tui.gasp.checks.batch import Batch
from ppgp_tui.gasp.checks.event import Event
from ppgp_tui.gasp.checks.report import CheckResult, Finding, Place
from ppgp_tui.gasp.checks.repository import Unreadable
from ppgp_tui.gasp.folding import snapshot
from ppgp_tui.gasp.vocabulary import OPS_EVENT

FOLDER = "snapshots"


class Replay:
    """Follows a log event by event."""

    def __init__(self) -> None:
        self._nodes: set[str] = set()
        self._notes: list[str] = []
        self.failure: Finding | None = None
        """The first payload that is none; the fold ends there."""

    def take(self, batch: Batch) -> None:
        """Apply the operations of the next event."""
        made: dict[str, int] | None = None
        for index, variant, name in batch.needed:
            if name in self._nodes:
                continue
            if made is None:  # where in the batch each node is made first
                made = {name: place for place, name, _, _ in reversed(batch.created)}
            if made.get(name, index) >= index:
                self._notes.append(
                    f"{variant} at batch index {index} skipped — node not found: {name}."
                    " The log is readable but malformed; a conformant runtime folds past this, and"
                    " so does this check"
                )
        for _, name, _, _ in batch.created:
            self._nodes.add(name)

    def malformed(self, detail: str, event: Event, line: int, physical: int) -> None:
        """Note that the next event's payload holds no operations."""
        if self.failure is None:
            text = f"fold failed: invalid event payload for {OPS_EVENT}: {detail}"
            place = Place(line, physical, event.id)
            self.failure = Finding(2, "fold_failed", text, place=place)

    def result(
        self, snapshots: Mapping[str, bytes | Unreadable | None] | Unreadable | None, log: bytes
    ) -> CheckResult:
        """What was found so far, with the snapshots of `log`."""
        if self.failure is not None:
            return CheckResult(2, findings=(self.failure,))
        notes = list(self._notes)
        findings: list[Finding] = []
        if snapshots is None:
            notes.append("no snapshots/ — skipped seed check")
        elif isinstance(snapshots, Unreadable):
            text = f"cannot read {FOLDER}/: {snapshots.why}"
            findings.append(Finding(2, "snapshot", text, FOLDER))
        else:
            for name, data in snapshots.items():
                if data is None:
                    notes.append(f"snapshot {name}: no graph.json — not verified")
                elif why := _disagreement(data, log):
                    path = f"{FOLDER}/{name}/graph.json"
                    findings.append(Finding(2, "snapshot", f"snapshot {name}: {why}", path))
        return CheckResult(2, tuple(notes), tuple(findings))


def _disagreement(data: bytes | Unreadable, log: bytes) -> str | None:
    if isinstance(data, Unreadable):
        return f"unreadable: {data.why}"
    try:
        snapshot.verify(data, log)
    except snapshot.SnapshotError as error:
        return str(error)
    return None
