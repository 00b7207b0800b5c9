"""What `o` tells: where the row under the cursor was read, and everything that is found wrong."""

from __future__ import annotations

from collections.abc import Sequence

from ppgp_tui.session.model import Origin, SessionSnapshot
from ppgp_tui.ui.rows.row import Row, blank
from ppgp_tui.ui.screen import sheets
from ppgp_tui.ui.screen.conformity import conformance_rows, has_more_to_say
from ppgp_tui.ui.screen.notices import notices, quiet_problems


def has_more(snapshot: SessionSnapshot, now_ms: int) -> bool:
    """Whether there is something to tell also where no row is under the cursor."""
    goal = snapshot.goal.value
    findings = bool(goal.reasons) and goal.health != "MISSING"
    return (
        findings
        or bool(quiet_problems(snapshot))
        or bool(notices(snapshot, now_ms))
        or has_more_to_say(snapshot)
    )


def sheet_rows(
    row: Row | None, snapshot: SessionSnapshot, width: int, now_ms: int
) -> tuple[Row, ...]:
    """The origin of `row`, then what is wrong with the picture, the findings, and the log's."""
    from ppgp_tui.ui.views.goal.goal import finding_rows  # a start shows no sheet

    wrong: Sequence[tuple[str, Origin | None]] = [
        (notice.text, notice.origin) for notice in notices(snapshot, now_ms)
    ]
    parts = (
        sheets.origin_rows(row, wrong, width, now_ms),
        finding_rows(snapshot, width),
        tuple(conformance_rows(snapshot, width, now_ms)),
    )
    rows: list[Row] = []
    for part in filter(None, parts):
        rows += [blank(), *part] if rows else part
    return tuple(rows)
