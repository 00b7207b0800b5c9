"""Nothing acts in the past, whatever is pressed there."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.ui.acts import acts, mouse
from ppgp_tui.ui.acts.travelling import ON_THE_WAY
from ppgp_tui.ui.keys.action import Action
from ppgp_tui.ui.keys.table import action_table
from ppgp_tui.ui.keys.table.travelling import PAST, REPLAY
from ppgp_tui.ui.views import VIEWS
from tests.session.travel.logs import (
    LOG,
    STORY,
    lay,
    line,
    request,
)
from tests.ui.stand_in import told
from tests.ui.traveller import AGENTS, INBOX, NOW, PLAN, SESSION, Voyager

ACTING = [
    action
    for topic in action_table([view.name for view in VIEWS])
    if topic.group in ("For you", "Agent")
    for action in topic.actions
]


@pytest.mark.parametrize("action", ACTING, ids=lambda action: action.id)
@pytest.mark.parametrize("view", [SESSION, PLAN, INBOX, AGENTS])
def test_no_action_that_changes_something_acts_in_the_past(
    root: Path, action: Action, view: str
) -> None:
    asking = [*STORY[:6], line(6, "authority.requested", request("req_2", "Really?"))]
    lay(root, [*asking, *STORY[7:10]])
    of = Voyager(root, NOW, 100, 30).press(view, "<", "<")
    acts.run(of.seat, action.id)
    assert of.seat.toast == PAST
    for key in of.seat.keymap.keys(action):
        if len(key) == 1:
            of.press(key)
    assert told(of.seat).deeds == []
    assert of.seat.sheet is None or of.seat.sheet.kind not in ("form", "confirm")


def test_in_a_recording_the_reason_is_that_it_only_shows(of: Voyager) -> None:
    of.press("<")
    assert of.seat.journey is not None
    of.seat.journey.recorded = True
    of.press("p")
    assert of.seat.toast == REPLAY


def test_an_opened_request_of_the_past_can_be_read_and_not_answered(root: Path) -> None:
    lay(root, [*STORY[:6], *STORY[7:]])
    of = Voyager(root, NOW, 80, 24).press(INBOX, "<", "<", "<", "enter")
    shown = "\n".join(of.lines)
    assert "Drop it?" in shown
    of.press("y", "n", "Y", "a", "r", "m", "u")
    assert told(of.seat).deeds == []
    assert of.seat.toast == PAST


def test_the_mouse_acts_no_more_than_keys(root: Path) -> None:
    lay(root, [*STORY[:6], *STORY[7:]])
    of = Voyager(root, NOW).press(SESSION, "<", "<")
    for y in range(24):
        mouse.click(of.seat, 5, y)
        mouse.click(of.seat, 5, y)
        of.press("escape")
    assert told(of.seat).deeds == []


def test_the_palette_offers_what_acts_in_the_past_only(of: Voyager) -> None:
    of.press("<", ":")
    of.press(*"pause")
    of.press("enter")
    assert told(of.seat).deeds == []


def test_a_pause_of_now_is_still_warned_of_when_one_leaves_from_the_past(
    root: Path,
) -> None:
    folder = root / ".ppgp/run"
    folder.mkdir(parents=True)
    order = (
        '{"by":"user:dev","continue":{"limit":25,"on":false,"text":""},"generation":2,"hold":'
        '{"id":"hold_1","reason":"","since_ms":1,"who":["*"]},"hold_limit_s":28800,"next":"",'
        '"schema":1,"slow":true,"stop":[]}\n'
    )
    (folder / "control.json").write_text(order)
    of = Voyager(root, NOW).press("<", "home", "q")
    assert told(of.seat).left == 0
    assert of.seat.toast.startswith("agents stay held")


def test_what_was_found_out_meanwhile_is_not_asked_in_the_past(of: Voyager) -> None:
    from ppgp_tui.session.engine.result import Result
    from ppgp_tui.ui.acts import confirming, deeds

    of.press("<")
    found = Result("init", "done", "three files", data={"create": ["docs/ACTIVE_GOAL.md"]})
    confirming.done(of.seat, deeds.Init(dry_run=True), found)
    of.paint()
    assert of.seat.sheet is None
    assert of.seat.toast == PAST
    of.press("y", "enter")
    assert told(of.seat).deeds == []


@pytest.mark.parametrize("key", ["end", "."])
def test_the_way_back_stays_open_when_the_log_is_gone(of: Voyager, root: Path, key: str) -> None:
    of.press("<", "<", ".")
    (root / LOG).unlink()
    of.grow().press(key)
    assert of.seat.journey is None or not of.seat.journey.playing
    of.press("end")
    assert of.seat.journey is None
    assert of.seat.snapshot is of.seat.live


def test_playing_before_the_first_moment_is_there_says_so(of: Voyager) -> None:
    of.traveller.late = []
    of.press("<", ".")
    assert of.seat.toast == ON_THE_WAY
