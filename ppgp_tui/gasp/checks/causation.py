"""Check 5, causation integrity: causes stand on earlier lines, ids are unique."""

from __future__ import annotations

from ppgp_tui.gasp.checks.event import Event
from ppgp_tui.gasp.checks.report import CheckResult, Finding, Place
from ppgp_tui.gasp.vocabulary import may_be_root


class Causation:
    """Follows a log event by event."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._findings: list[Finding] = []

    def take(self, event: Event, line: int, physical: int) -> None:
        """Look at the next event."""
        name, cause = event.id, event.causation_id
        if cause is None:
            if not may_be_root(event.kind):
                text = (
                    f"root event (null causation) has kind `{event.kind}`, "
                    "expected *.created / *.started / state.ops_applied"
                )
                self._found("bad_root", text, Place(line, physical, name))
        elif cause not in self._ids:
            text = f"causation_id {cause} does not reference an earlier event"
            self._found("cause_unknown", text, Place(line, physical, name))
        if name in self._ids:
            text = (
                f"duplicate event id {name} "
                "(ids must be unique for the causal order to be well-defined)"
            )
            self._found("duplicate_id", text, Place(line, physical, name))
        else:
            self._ids.add(name)

    def result(self) -> CheckResult:
        """What was found so far."""
        return CheckResult(5, findings=tuple(self._findings))

    def _found(self, rule: str, text: str, place: Place) -> None:
        self._findings.append(Finding(5, rule, f"line {place.line}: {text}", place=place))
