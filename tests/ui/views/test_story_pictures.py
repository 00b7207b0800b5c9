"""View 4 with a folded log at every usual size, as text beside this file.

Written and looked at like the pictures of the other views (`test_pictures.py`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.ui.views.log.events import EventsView
from tests.ui.picture_story import COMMIT, Teller
from tests.ui.views.drawn import ASCII, frame, screen
from tests.ui.views.test_lineage_view import LOOK
from tests.ui.views.test_pictures import SIZES, looks_like

TRAIL = ("view:plan", "node:goal_retry")


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_story(tmp_path: Path, width: int, height: int) -> None:
    room = frame(width, height, cursor={"events.list": "event:15"})
    lines = screen(EventsView(), Teller(tmp_path).snapshot(), room)
    looks_like(f"story-{width}x{height}", lines)


def test_the_story_with_ascii_signs(tmp_path: Path) -> None:
    room = frame(48, 24, cursor={"events.list": "event:6"}, look=ASCII)
    lines = screen(EventsView(), Teller(tmp_path).snapshot(), room)
    looks_like("story-48x24-ascii", lines)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_is_found_in_the_story(tmp_path: Path, width: int, height: int) -> None:
    room = frame(width, height, filter="kind:patch.* actor:claude")
    lines = screen(EventsView(), Teller(tmp_path).snapshot(), room)
    looks_like(f"story-found-{width}x{height}", lines)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_lineage(tmp_path: Path, width: int, height: int) -> None:
    given = {"cursor": {"events.list": "event:6", "events.detail": "this"}}
    room = frame(width, height, opened="node:task_9", trail=TRAIL, **given)
    lines = screen(EventsView(), Teller(tmp_path).snapshot(), room)
    looks_like(f"lineage-{width}x{height}", lines)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_commit(tmp_path: Path, width: int, height: int) -> None:
    trail = (*TRAIL, "node:patch_9")
    look = LOOK._replace(at_ms=None)  # a date would be that of the time zone here
    room = frame(width, height, opened=f"commit:{COMMIT}", commits={COMMIT: look}, trail=trail)
    lines = screen(EventsView(), Teller(tmp_path).snapshot(), room)
    looks_like(f"commit-{width}x{height}", lines)
