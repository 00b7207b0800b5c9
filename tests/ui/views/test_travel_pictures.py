"""The past as whole screens, as text beside this file: a session told from beginning to end.

A deliberate change is written with `PPGP_GOLDEN=write`, as in `test_pictures`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.ui.looks.look import Look
from tests.session.travel.logs import BEGUN, answer, goal, lay, line, plan, request
from tests.ui.stand_in import look
from tests.ui.traveller import Voyager
from tests.ui.views.test_pictures import looks_like

SIZES = [(48, 24), (80, 24), (120, 40), (160, 50)]
VIEWS = {"session": "1", "plan": "2", "inbox": "3", "events": "4", "goal": "5", "agents": "6"}
MINUTE = 60_000
OPENED = BEGUN + 64 * MINUTE

TOLD: list[tuple[int, str, str, object]] = [
    (0, "dev", "goal.created", goal("Make the importer resumable")),
    (0, "claude-1", "run.started",
     {"run_id": "run_1", "task": "session", "metadata": {"agent": "claude", "model": "opus"}}),
    (1, "claude-1", "goal.phase_changed", {"from": "", "to": "THINK"}),
    (9, "claude-1", "todo.revised",
     plan(1, T1="completed", T2="in_progress", T3="pending", T4="pending")),
    (12, "claude-1", "goal.phase_changed", {"from": "THINK", "to": "EXECUTE"}),
    (20, "claude-1", "todo.revised",
     plan(2, T1="completed", T2="completed", T3="in_progress", T4="pending")),
    (38, "claude-1", "blocker.raised",
     {"id": "blk_1", "class": "B", "text": "Staging window opens at 02:00", "blocks": ["todo:T4"]}),
    (44, "codex-2", "run.started",
     {"run_id": "run_2", "task": "session", "metadata": {"agent": "codex"}}),
    (49, "claude-1", "authority.requested", request("req_1", "Drop the old cursor column now?")),
    (50, "codex-2", "tool.called", {"run_id": "run_2", "tool": "Bash"}),
    (57, "dev", "decision.created", answer("dec_1", "req_1", "yes")),
    (60, "claude-1", "todo.revised",
     plan(3, T1="completed", T2="completed", T3="completed", T4="in_progress")),
]  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    lines = [
        line(at, kind, said, actor=who, ts_ms=BEGUN + minute * MINUTE)
        for at, (minute, who, kind, said) in enumerate(TOLD)
    ]
    return lay(tmp_path.resolve() / "importer", lines)


def travelled(
    root: Path, width: int, height: int, view: str, drawn: Look | None = None
) -> list[str]:
    of = Voyager(root, OPENED, width, height, drawn)
    of.press(VIEWS[view], "<", "<")
    of.seat.toast = ""
    assert of.at == 9
    return [text.rstrip() for text in of.lines]


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("view", VIEWS)
def test_each_view_of_the_past_at_each_size(root: Path, view: str, width: int, height: int) -> None:
    looks_like(f"past-{view}-{width}x{height}", travelled(root, width, height, view))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_past_with_ascii_signs(root: Path, width: int, height: int) -> None:
    drawn = look(ascii=True, ascii_words=True)
    lines = travelled(root, width, height, "session", drawn)
    looks_like(f"past-session-{width}x{height}-ascii", lines)
    assert all(text.isascii() for text in lines)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_recording_that_plays(root: Path, width: int, height: int) -> None:
    of = Voyager(root, OPENED, width, height).press("<", "<", "<")
    journey = of.seat.journey
    assert journey is not None
    journey.recorded, journey.playing, journey.speed = True, True, 20.0
    of.seat.taken += 1
    looks_like(f"recording-{width}x{height}", [text.rstrip() for text in of.lines])
