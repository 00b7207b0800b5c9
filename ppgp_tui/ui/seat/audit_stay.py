"""What the seat knows of audits beside the picture: reports that were read, a plan being looked at.

Nothing of the audit itself is loaded for it: a start has no use for that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppgp_tui.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ppgp_tui.audit.kept import Kept
    from ppgp_tui.audit.model import AuditPlan
    from ppgp_tui.ui.seat.place import Place
    from ppgp_tui.ui.seat.seat import Seat

VIEW = "audit"
"""The view that is not one of the numbered ones."""


class OnAudit(NamedTuple):
    """Where the person is with an audit, and what can be done there."""

    here: bool = False
    """The view of the audit is on the screen."""
    running: bool = False
    """An audit is under way, whoever makes it."""
    check: bool = False
    """A check of the plan that is looked at is under the cursor."""
    takes: bool = False
    """A criterion that nothing can check is under the cursor, of a verdict that still fits."""
    why_not: str = ""
    """Why that one cannot be taken."""
    again: bool = False
    """There is a verdict already."""
    sends: bool = False
    """The newest verdict has something that an agent could be told."""


class AuditStay:
    """What one seat knows."""

    def __init__(self) -> None:
        self.reports: dict[str, Kept | str] = {}
        """By id of the audit its report, or why there is none to go by."""
        self.wanted: set[str] = set()
        """Reports that are being read."""
        self.plan: AuditPlan | None = None
        """What would be looked at, as the person has changed it."""
        self.trusted: frozenset[str] = frozenset()
        """Fingerprints of the commands that a person let run here."""
        self.sandbox = ""
        """Why commands would not run in a sandbox; empty where they would."""

    def forget(self) -> None:
        """Read every report anew: a file may have changed."""
        self.reports, self.wanted = {}, set()


def here(seat: Seat) -> bool:
    """Whether the view of the audit is on the screen."""
    return seat.views[seat.current].name == VIEW


def want_reports(seat: Seat) -> None:
    """Have the report of the verdict read that the view shows, and of an older one opened there."""
    if not here(seat) or seat.journey is not None:
        return
    opened = (seat.stay.opened or "").removeprefix("audit:")
    under = (seat.row.key if seat.row is not None else "").removeprefix("audit:")
    for at, verdict in enumerate(seat.snapshot.audit.value.verdicts):
        known = seat.audits.reports.keys() | seat.audits.wanted
        if (not at or verdict.id in (opened, under)) and verdict.id not in known:
            seat.audits.wanted.add(verdict.id)
            seat.outside.read_report(verdict.id, verdict.report_digest)


def with_audit(seat: Seat, place: Place) -> Place:
    """`place` with what the audit allows."""
    audit = seat.snapshot.audit.value
    running = seat.live.audit.value.running is not None
    on = OnAudit(here=here(seat), running=running, again=audit.verdict is not None)
    if seat.sheet is not None:
        row = seat.sheet.rows.row if seat.sheet.kind == "audit" else None
        return place._replace(audit=on._replace(check=_is_check(row.key if row else "")))
    if on.here and on.running and place.back == "back":
        place = place._replace(back="leave it running")
    verdict = audit.verdict
    report = seat.audits.reports.get(verdict.id) if verdict is not None else None
    if not on.here or verdict is None or report is None or isinstance(report, str):
        return place._replace(audit=on)
    kind, _, name = _key_in_hand(seat).partition(":")
    open_ = kind == "criterion" and any(
        one.criterion.id == name and one.outcome == "cannot_check" for one in report.verdict.judged
    )
    stale = "something moved since this audit: A makes a new one"
    sends = bool(report.verdict.objections) and verdict.word == "rejected"
    return place._replace(
        audit=on._replace(
            takes=open_,
            why_not=stale if open_ and audit.stale is not False else "",
            sends=sends,
        )
    )


def _key_in_hand(seat: Seat) -> str:
    """The criterion under the cursor, or the one whose detail has the focus."""
    stay = seat.stay
    pane = next((at.pane for at in stay.placed if at.pane.id == stay.focus), None)
    for key in (pane.about if pane else "", seat.row.key if seat.row else ""):
        if key.startswith("criterion:"):
            return key
    return ""


def _is_check(key: str) -> bool:
    return key.startswith("check:")


def criterion_in_hand(seat: Seat) -> str:
    """Id of the criterion that keys act on; empty where there is none."""
    return _key_in_hand(seat).removeprefix("criterion:")
