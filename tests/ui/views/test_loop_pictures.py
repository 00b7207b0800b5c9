"""View 6 with restart loops in every state, and all that is known of one, as text.

A deliberate change is written with `PPGP_GOLDEN=write`, as in `test_pictures`.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppgp_tui.session.model import Part
from ppgp_tui.ui.rows.layout import Frame
from ppgp_tui.ui.views.agents.agents import AgentsView
from tests.ui import picture_loops
from tests.ui.views.drawn import ASCII, frame, screen
from tests.ui.views.test_pictures import looks_like

SIZES = [(48, 70), (80, 80), (120, 70), (160, 70)]
KEYS = {"loop.abandon": "X", "loop.pause": "P", "family": "Space"}


def at(width: int, height: int, **given: object) -> Frame:
    return frame(width, height, keys=KEYS, **given)


def key(loop: picture_loops.Loop) -> str:
    return f"loop:{loop.id}"


def only_loops(width: int, height: int, **given: object) -> list[str]:
    shown = replace(picture_loops.with_loops(), agents=Part(()))
    return screen(AgentsView(), shown, at(width, height, **given))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_state(width: int, height: int) -> None:
    cursor = {"agents.list": key(picture_loops.limited())}
    lines = screen(AgentsView(), picture_loops.with_loops(), at(width, height, cursor=cursor))
    looks_like(f"loops-states-{width}x{height}", lines)


@pytest.mark.parametrize(("width", "height"), SIZES[:2])
def test_all_that_is_known_of_one(width: int, height: int) -> None:
    opened = key(picture_loops.running())
    lines = screen(AgentsView(), picture_loops.with_loops(), at(width, height, opened=opened))
    looks_like(f"loops-card-{width}x{height}", lines)


@pytest.mark.parametrize(("width", "height"), [(48, 100), (80, 100)])
def test_closed_ones_and_those_of_other_places(width: int, height: int) -> None:
    lines = only_loops(width, height, turned=frozenset({"loops:all"}))
    looks_like(f"loops-all-{width}x{height}", lines)


def test_with_ascii_signs_the_words_still_say_every_state() -> None:
    lines = screen(AgentsView(), picture_loops.with_loops(), at(48, 70, look=ASCII))
    looks_like("loops-states-48x70-ascii", lines)
    assert all(line.replace("▌", " ").isascii() for line in lines)
