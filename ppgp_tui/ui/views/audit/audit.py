"""The view of the audit, which `A` shows: the one under way, or the newest verdict."""

from __future__ import annotations

from ppgp_tui.audit.kept import Kept
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.audit_state import Verdict
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.rows.layout import Frame, Layout, Pane
from ppgp_tui.ui.rows.row import Row, Span, blank, heading
from ppgp_tui.ui.views.audit.detail import detail_rows
from ppgp_tui.ui.views.audit.history import history_rows
from ppgp_tui.ui.views.audit.running import LIST, running_layout
from ppgp_tui.ui.views.audit.verdict import Shown, verdict_rows
from ppgp_tui.ui.views.prose import paragraph
from ppgp_tui.ui.views.room import TWO_COLUMNS, found, split, under_cursor

DETAIL = "audit.detail"


class AuditView:
    """Not one of the numbered views: `A` leads here from anywhere, and Esc back."""

    name = "audit"

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        """The list, and what stands behind its row beside it or in its place."""
        running = snapshot.audit.value.running
        if running is not None and snapshot.moment is None:
            return running_layout(snapshot, running, frame)
        newest = snapshot.audit.value.verdict
        about = newest.id if newest is not None else "none"
        if frame.width >= TWO_COLUMNS:
            left, right = split(frame.width, 0.55)
            rows = _list(snapshot, frame, left)
            key = under_cursor(frame, LIST, rows)
            beside = _behind(snapshot, frame, key, right)
            return (
                (Pane(LIST, rows, left, about=about),),
                (Pane(DETAIL, beside, right, about=key),),
            )
        if frame.opened and (rows := _behind(snapshot, frame, frame.opened, frame.width)):
            return ((Pane(DETAIL, rows, frame.width, about=frame.opened),),)
        rows = _list(snapshot, frame, frame.width)
        return ((Pane(LIST, rows, frame.width, about=about),),)


def _list(snapshot: SessionSnapshot, frame: Frame, width: int) -> list[Row]:
    verdict = snapshot.audit.value.verdict
    rows = (
        _none(snapshot, frame, width)
        if verdict is None
        else verdict_rows(snapshot, _shown(snapshot, frame, verdict), frame, width)
    )
    rows += history_rows(snapshot, frame.now_ms, width)
    rows = found(rows, frame.filter)
    return [row for row in rows if row != blank()] if frame.density == "compact" else rows


def _behind(snapshot: SessionSnapshot, frame: Frame, key: str, width: int) -> list[Row]:
    verdicts = snapshot.audit.value.verdicts
    if not verdicts:
        return []
    kind, _, name = key.partition(":")
    if kind == "audit":
        older = next((one for one in verdicts if one.id == name), None)
        if older is None:
            return []
        return verdict_rows(snapshot, _shown(snapshot, frame, older), frame, width)
    return detail_rows(snapshot, _shown(snapshot, frame, verdicts[0]), key, frame, width)


def _shown(snapshot: SessionSnapshot, frame: Frame, verdict: Verdict) -> Shown:
    """The verdict with its report; of the past only what the log knew then."""
    report = frame.reports.get(verdict.id) if snapshot.moment is None else None
    is_newest = verdict is snapshot.audit.value.verdict
    if isinstance(report, Kept):
        return Shown(verdict, report, "", is_newest)
    why = report or ""
    if snapshot.moment is not None:
        why = "this is the past: what the log said then is all there is"
    return Shown(verdict, None, why, is_newest)


def _none(snapshot: SessionSnapshot, frame: Frame, width: int) -> list[Row]:
    """Nobody has looked: what that means, and what makes an audit."""
    audit, claims = snapshot.audit.value, snapshot.lifecycle.value.claims
    claimed = audit.state == "claimed" and bool(claims)
    word = "claimed" if claimed else "no audit"
    since = when(claims[-1].at_ms, frame.now_ms) if claimed else ""
    right = (Span(f"{word} {since}".strip(), "wait" if claimed else "soft", bold=claimed),)
    said = "Nobody has looked whether the goal is done."
    if claimed:
        said = f"{claims[-1].by} says that the goal is done. Nobody has looked whether it is."
    key = frame.keys.get("audit", "A")
    rows = [heading("Audit", right=right), blank(), paragraph(said, width)]
    if snapshot.moment is None and key:
        hint = (
            f"{key} looks at the plan of an audit: every criterion, the check for it, the commands "
            "it would run. Nothing runs before you start it."
        )
        rows += [blank(), Row("do:audit", paragraph(hint, width, indent=3).lines, opens="plan")]
        first = rows[-1].lines[0]._replace(sign="open", sign_role="wait")
        rows[-1] = rows[-1]._replace(lines=(first, *rows[-1].lines[1:]))
    return rows
