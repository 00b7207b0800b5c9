"""Every view at every usual size, as text beside this file.

A deliberate change is written with `PPGP_GOLDEN=write pytest tests/ui/views/test_pictures.py`; look
at the difference before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.rows.layout import Frame, View
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.views.drawn import ASCII, frame, screen

GOLDEN = Path(__file__).parent / "golden"
SIZES = [(48, 24), (80, 24), (120, 40), (160, 50)]
CURSORS = {
    "session": {"session.main": f"req:{picture.requests()[0].id}"},
    "plan": {"plan.list": "task:T8"},
    "inbox": {"inbox.list": f"req:{picture.requests()[0].id}"},
    "events": {"events.list": "event:1198"},
    "goal": {"goal.list": "field:DEFINITION_OF_DONE"},
    "agents": {"agents.list": "agent:claude-5f1e"},
}


def looks_like(name: str, lines: list[str]) -> None:
    path = GOLDEN / f"{name}.txt"
    text = "\n".join(lines) + "\n"
    if os.environ.get("PPGP_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def at(view: View, width: int, height: int, **given: object) -> Frame:
    return frame(width, height, cursor=CURSORS[view.name], **given)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_each_view_at_each_size(view: View, width: int, height: int) -> None:
    room = at(view, width, height)
    looks_like(f"{view.name}-{width}x{height}", screen(view, picture.full(), room))


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_each_view_with_ascii_signs(view: View) -> None:
    lines = screen(view, picture.full(), at(view, 48, 24, look=ASCII))
    looks_like(f"{view.name}-48x24-ascii", lines)
    assert all(line.replace("▌", " ").isascii() for line in lines)


@pytest.mark.parametrize(("width", "height"), SIZES[:3])
def test_an_empty_repository(width: int, height: int) -> None:
    room = frame(width, height, document=b"")
    looks_like(f"empty-{width}x{height}", screen(VIEWS[0], picture.empty(), room))


@pytest.mark.parametrize("view", VIEWS[1:], ids=lambda view: view.name)
def test_each_other_view_of_an_empty_repository(view: View) -> None:
    room = frame(48, 24, document=b"")
    looks_like(f"{view.name}-empty-48x24", screen(view, picture.empty(), room))


OPENED: list[tuple[str, str]] = [
    ("session", f"req:{picture.requests()[0].id}"),
    ("session", "now:T5"),
    ("session", "dod:3"),
    ("session", "blocker:1"),
    ("session", "phase"),
    ("session", "event:1203"),
    ("session", "agent:codex-77a2"),
    ("goal", "finding:claim-without-evidence:31:line 31 says done and shows no evidence"),
    ("events", "event:1198"),
]


@pytest.mark.parametrize(("name", "key"), OPENED)
def test_a_row_that_is_opened_shows_all_that_is_known_of_it(name: str, key: str) -> None:
    view = next(view for view in VIEWS if view.name == name)
    shown: SessionSnapshot = picture.full()
    kind = key.partition(":")[0]
    looks_like(f"{name}-opened-{kind}-48x24", screen(view, shown, frame(48, 24, opened=key)))
