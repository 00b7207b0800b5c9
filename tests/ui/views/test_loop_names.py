"""Loops of one name are told apart as the commands tell them apart: by the beginning of the id."""

from __future__ import annotations

import pytest

from ppgp_tui.ui.rows.layout import View
from ppgp_tui.ui.views.agents.agents import AgentsView
from ppgp_tui.ui.views.session.session import SessionView
from tests.ui.picture_loops import limited, running, with_loops
from tests.ui.views.drawn import frame, screen

VIEWS: list[View] = [AgentsView(), SessionView()]


@pytest.mark.parametrize("view", VIEWS, ids=[view.name for view in VIEWS])
@pytest.mark.parametrize("width", [48, 120])
def test_only_where_several_have_a_name_the_id_stands_beside_it(view: View, width: int) -> None:
    one = running()._replace(id="84fa794ea5da")
    other = one._replace(id="c1fef489de18")
    shown = screen(view, with_loops(one, other, limited()), frame(width, 80))
    first, second, *_ = (line for line in shown if f" {one.name}  " in line)
    assert f"{one.name}  84fa " in first
    assert f"{one.name}  c1fe " in second
    assert not any(f"{limited().name}  {limited().id[:4]} " in line for line in shown)
