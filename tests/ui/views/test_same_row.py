"""A row whose value changes is still the same row: the cursor stays, and nothing is struck."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppgp_tui.session.model import Origin, Part, Request, SessionSnapshot
from ppgp_tui.session.picture.loops import Loops
from ppgp_tui.ui.rows.layout import View
from ppgp_tui.ui.views.agents.agents import AgentsView
from ppgp_tui.ui.views.inbox.request_card import card_body
from tests.ui import picture, picture_loops
from tests.ui.picture import NOW
from tests.ui.views.drawn import frame

MINUTE = 60_000


def keys(view: View, shown: SessionSnapshot, opened: str, now_ms: int) -> list[str]:
    room = frame(48, 80, opened=opened, now_ms=now_ms)
    return [row.key for panes in view.layout(shown, room) for pane in panes for row in pane.rows]


CARDS = {
    **{f"agent:{one.session}": picture.full() for one in picture.agents()},
    **{f"loop:{one.id}": picture_loops.with_loops() for one in picture_loops.every().seen},
}


@pytest.mark.parametrize("opened", CARDS)
def test_time_that_passes_makes_no_row_of_a_card_another_one(opened: str) -> None:
    now, then = (keys(AgentsView(), CARDS[opened], opened, at) for at in (NOW, NOW + MINUTE))
    assert now[0] == opened
    assert then == now


@pytest.mark.parametrize("request_", picture.requests(), ids=lambda one: one.id)
def test_time_that_passes_makes_no_row_of_a_request_another_one(request_: Request) -> None:
    now, then = ([row.key for row in card_body(request_, 48, at, {})] for at in (NOW, NOW + MINUTE))
    assert then == now


def test_a_loop_that_went_on_is_still_told_in_the_same_rows() -> None:
    loop = picture_loops.running()
    further = loop._replace(state="PAUSED", origin=Origin("/home/kim/state.jsonl", 813))
    now, then = (
        keys(
            AgentsView(),
            replace(picture_loops.with_loops(), loops=Part(Loops((one,)))),
            f"loop:{loop.id}",
            NOW,
        )
        for one in (loop, further)
    )
    assert then == now
