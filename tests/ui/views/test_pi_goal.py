"""A goal and a plan that only a Pi agent holds, as the screen tells of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.session.plan_history.test_pi_session import written
from tests.ui.pressing import press, whole
from tests.ui.stand_in import seat


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "agent"))
    (tmp_path / "shop").mkdir()
    return tmp_path / "shop"


def sitting(root: Path, name: str) -> Seat:
    written(root, name)
    return seat(LiveSession(root).read_all(), 80, 24, VIEWS)


def test_the_goal_stands_on_top_and_is_told_to_be_held_by_pi(root: Path) -> None:
    of = sitting(root, "goal_blocked")

    assert "Pi blocked  Deploy to staging" in whole(of).splitlines()[0]
    said = whole(press(of, "5"))
    assert "Goal held by Pi  read only" in said
    assert "STAGING_KEY" in said
    assert "pi session 2026-11-30T12-25-48-558Z_goal_blocked.jsonl" in said


def test_a_goal_of_pi_cannot_be_paused_or_given_up_from_here(root: Path) -> None:
    assert sitting(root, "goal_human_paused").place().goal == "none"


def test_the_plan_of_pi_is_shown_with_its_source(root: Path) -> None:
    of = sitting(root, "todo_six_revisions")

    assert ", pi: docs done; release started" in whole(press(of, "2"))
    assert "from Pi" in whole(press(of, "["))
