"""The audit as whole screens, as text beside this file.

A deliberate change is written with `PPGP_GOLDEN=write`, as in `test_pictures`.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ppgp_tui.audit.kept import Kept
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.audit_state import Word
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.seat.stay import OpenSheet
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture_audit
from tests.ui.pressing import press
from tests.ui.stand_in import look, seat, text
from tests.ui.views.test_pictures import SIZES, looks_like

Reports = dict[str, Kept | str]
CHANGED: Reports = {
    picture_audit.NEWEST: "the report was changed since: what the log says is all that counts"
}


def of(word: Word) -> Callable[[], Reports]:
    return lambda: picture_audit.reports(word)


SCENES: dict[str, tuple[Callable[[], SessionSnapshot], Callable[[], Reports]]] = {
    "none": (picture_audit.none, dict),
    "claimed": (picture_audit.claimed, dict),
    "running": (picture_audit.running, dict),
    "approved": (picture_audit.approved, of("approved")),
    "notes": (picture_audit.noted, of("approved_with_notes")),
    "rejected": (picture_audit.rejected, of("rejected")),
    "undecided": (picture_audit.undecided, of("inconclusive")),
    "stale": (picture_audit.stale, of("rejected")),
    "taken": (picture_audit.taken, of("rejected")),
    "changed": (picture_audit.rejected, lambda: CHANGED),
}


def shown(scene: str, width: int, height: int, *keys: str) -> Seat:
    """The view of the audit in that scene, its report read."""
    snapshot, reports = SCENES[scene]
    made = seat(snapshot(), width, height, VIEWS)
    press(made, "A")
    made.toast = ""
    made.audits.reports.update(reports())
    made.arrange()
    return press(made, *keys)


def lines(made: Seat) -> list[str]:
    made.arrange()
    return [line.rstrip() for line in text(made)]


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("scene", SCENES)
def test_each_state_at_each_size(scene: str, width: int, height: int) -> None:
    made = shown(scene, width, height)
    looks_like(f"audit-{scene}-{width}x{height}", lines(made))


@pytest.mark.parametrize("scene", SCENES)
def test_each_state_with_ascii_signs(scene: str) -> None:
    made = shown(scene, 48, 24)
    made.look = look(ascii=True)
    drawn = lines(made)
    looks_like(f"audit-{scene}-48x24-ascii", drawn)
    assert all(line.isascii() for line in drawn)


@pytest.mark.parametrize(("width", "height"), [(48, 24), (80, 24), (120, 40)])
def test_the_evidence_of_a_criterion_that_fails(width: int, height: int) -> None:
    made = shown("rejected", width, height, "home", "j", "j", "j", "j", "j", "enter")
    looks_like(f"audit-evidence-{width}x{height}", lines(made))


@pytest.mark.parametrize(("width", "height"), [(48, 24), (80, 24), (120, 40)])
def test_what_was_reworded_in_both_wordings(width: int, height: int) -> None:
    made = shown("rejected", width, height)
    made.audits.reports.update(picture_audit.reports("rejected", *picture_audit.reworded()))
    made.arrange()
    press(made, "home", "j", "j", "enter")
    looks_like(f"audit-reworded-{width}x{height}", lines(made))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_plan_of_an_audit(width: int, height: int) -> None:
    made = shown("none", width, height)
    made.audits = picture_audit.looked_at()
    made.sheet = OpenSheet("audit")
    looks_like(f"audit-plan-{width}x{height}", lines(made))
    press(made, "end")
    looks_like(f"audit-plan-end-{width}x{height}", lines(made))


@pytest.mark.parametrize(("width", "height"), [(48, 24), (80, 24)])
def test_commands_that_nobody_let_run_yet_are_asked_about(width: int, height: int) -> None:
    made = shown("none", width, height)
    made.audits = picture_audit.looked_at(sandbox="bubblewrap is not installed", trusts=0)
    made.sheet = OpenSheet("audit")
    made.arrange()
    while made.sheet.rows.cursor != "audit:start":
        press(made, "j")
    press(made, "enter")
    looks_like(f"audit-trust-{width}x{height}", lines(made))
