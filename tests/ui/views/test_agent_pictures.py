"""View 6 with an agent in every state, and all that is known of one, as text beside this file.

A deliberate change is written with `PPGP_GOLDEN=write`, as in `test_pictures`.
"""

from __future__ import annotations

import pytest

from ppgp_tui.cli.crew import CREW
from ppgp_tui.ui.rows.layout import Frame
from ppgp_tui.ui.views.agents.agents import AgentsView
from tests.ui import picture_agents
from tests.ui.views.drawn import ASCII, frame, screen
from tests.ui.views.test_pictures import looks_like

SIZES = [(48, 60), (80, 60), (120, 60), (160, 60)]
FIRST = "agent:claude-5f1e"


def at(width: int, height: int, **given: object) -> Frame:
    return frame(width, height, kind=CREW.kind, cursor={"agents.list": FIRST}, **given)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_state(width: int, height: int) -> None:
    lines = screen(AgentsView(), picture_agents.crowd(), at(width, height))
    looks_like(f"agents-states-{width}x{height}", lines)


@pytest.mark.parametrize(("width", "height"), SIZES[:2])
def test_all_that_is_known_of_one(width: int, height: int) -> None:
    lines = screen(AgentsView(), picture_agents.crowd(), at(width, height, opened=FIRST))
    looks_like(f"agents-card-{width}x{height}", lines)


def test_with_ascii_signs_the_words_still_say_every_state() -> None:
    lines = screen(AgentsView(), picture_agents.crowd(), at(48, 60, look=ASCII))
    looks_like("agents-states-48x60-ascii", lines)
    assert all(line.replace("▌", " ").isascii() for line in lines)
