"""Keys that lead from thing to thing in view 4, and back the same way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.session.model import Part, SessionSnapshot
from ppgp_tui.ui.acts import acts
from ppgp_tui.ui.keys.keymap import Keymap
from ppgp_tui.ui.keys.table import action_table
from ppgp_tui.ui.rows.row_search import match_at
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from ppgp_tui.ui.views.log.events import DETAIL, LIST, EventsView
from tests.ui import picture
from tests.ui.picture_story import COMMIT, Teller
from tests.ui.stand_in import FakeSession, Told, look


@pytest.fixture
def teller(tmp_path: Path) -> Teller:
    return Teller(tmp_path)


def seated(snapshot: SessionSnapshot, width: int = 80, height: int = 40) -> Seat:
    views = [EventsView() if view.name == "events" else view for view in VIEWS]
    keymap = Keymap(action_table([view.name for view in views]))
    seat = Seat(FakeSession(snapshot), views, keymap, look(), Told(), lambda: picture.NOW)
    seat.resize(width, height)
    return seat


def press(seat: Seat, *keys: str) -> None:
    for key in keys:
        acts.press(seat, key, key if len(key) == 1 else None)
        if seat.behind:
            seat.arrange()


def stand_on(seat: Seat, key: str) -> None:
    """Put the cursor of the focused pane on a row."""
    rows = seat.rows
    assert rows is not None
    assert rows.go_to(key), [row.key for row in rows.pile.rows if row.key]
    seat.arrange()


def drawn(seat: Seat) -> list[str]:
    return [line.text.rstrip() for line in screen_lines(seat)]


def crumbs(seat: Seat) -> str:
    return next((line.strip() for line in drawn(seat) if " › " in line), "")


def told(seat: Seat) -> Told:
    assert isinstance(seat.outside, Told)
    return seat.outside


def session(seat: Seat) -> FakeSession:
    assert isinstance(seat.session, FakeSession)
    return seat.session


def cursor(seat: Seat) -> str:
    return seat.row.key if seat.row is not None else ""


def test_enter_on_a_sentence_opens_its_lineage_and_esc_closes_it(teller: Teller) -> None:
    seat = seated(teller.snapshot())
    press(seat, "4")
    stand_on(seat, "event:6")
    press(seat, "enter")
    assert seat.stay.opened == "event:6"
    assert cursor(seat) == "this"
    press(seat, "escape")
    assert seat.stay.opened is None
    assert cursor(seat) == "event:6"


@pytest.mark.parametrize("width", [48, 80])
def test_v_in_what_is_opened_leads_to_the_list_it_names(teller: Teller, width: int) -> None:
    seat = seated(teller.snapshot(), width)
    press(seat, "4")
    stand_on(seat, "event:6")
    press(seat, "enter", "v")
    assert seat.stay.opened is None
    assert cursor(seat) == "event:6"
    assert any("state.ops_applied" in line or "graph:" in line for line in drawn(seat))


@pytest.mark.parametrize("width", [48, 80, 120, 160])
def test_a_stretch_outside_of_runs_says_what_it_is(teller: Teller, width: int) -> None:
    seat = seated(teller.snapshot(), width)
    press(seat, "4")
    stand_on(seat, "stretch:0")
    shown = " ".join(drawn(seat))
    assert "is not in this log" not in shown
    assert "These events belong to no" in shown


@pytest.mark.parametrize("width", [48, 80, 120, 160])
def test_enter_on_hop_after_hop_leaves_crumbs_and_esc_walks_them_back(
    teller: Teller, width: int
) -> None:
    seat = seated(teller.snapshot(), width)
    press(seat, "4")
    stand_on(seat, "event:6")
    press(seat, "enter")
    stand_on(seat, "up:node:task_9")
    press(seat, "enter")
    assert seat.stay.opened == "node:task_9"
    stand_on(seat, "up:node:goal_retry")
    press(seat, "enter")
    assert cursor(seat) == "this"
    assert " › task 9 › goal Make retry reliab…" in crumbs(seat)
    press(seat, "escape")
    assert seat.stay.opened == "node:task_9"
    assert cursor(seat) == "up:node:goal_retry"
    press(seat, "escape")
    assert seat.stay.opened == "event:6"
    assert cursor(seat) == "up:node:task_9"
    press(seat, "escape")
    assert seat.stay.opened is None
    assert cursor(seat) == "event:6"


def test_on_a_wide_screen_enter_goes_into_the_tree_beside_the_list(teller: Teller) -> None:
    seat = seated(teller.snapshot(), 120)
    press(seat, "4")
    stand_on(seat, "event:6")
    press(seat, "enter")
    assert seat.stay.focus == DETAIL
    assert cursor(seat) == "this"
    press(seat, "escape")
    assert seat.stay.focus == LIST
    assert cursor(seat) == "event:6"


@pytest.mark.parametrize(
    ("keys", "thing", "crumb"),
    [
        ("2", "node:todo:T5", "plan › task T5"),
        ("1", "node:todo:T5", "session › task T5"),
    ],
)
def test_l_leads_from_any_view_to_the_lineage_and_esc_back_to_it(
    teller: Teller, keys: str, thing: str, crumb: str
) -> None:
    seat = seated(teller.snapshot())
    press(seat, *keys)
    view = seat.current
    name = "task:T5" if keys == "2" else "now:T5"
    stand_on(seat, name)
    press(seat, "l")
    assert seat.views[seat.current].name == "events"
    assert seat.stay.opened == thing
    assert crumbs(seat) == crumb
    press(seat, "escape")
    assert seat.current == view
    assert cursor(seat) == name
    assert seat.stays[3].opened is None


def test_l_on_a_request_leads_to_its_question_in_the_log(teller: Teller) -> None:
    snapshot = teller.snapshot()
    request = picture.requests()[0]._replace(id="req_5")
    seat = seated(replace(snapshot, inbox=Part((request,), 9)))
    press(seat, "3", "l")
    assert seat.stay.opened == "node:req_5"
    assert any("none yet" in line for line in drawn(seat))


def test_l_on_the_goal_leads_to_the_goal_of_the_log(teller: Teller) -> None:
    snapshot = teller.snapshot()
    lifecycle = snapshot.lifecycle.value._replace(id="goal_retry")
    seat = seated(replace(snapshot, lifecycle=Part(lifecycle, 9)))
    press(seat, "5")
    stand_on(seat, "field:GOAL")
    press(seat, "l")
    assert seat.stay.opened == "node:goal_retry"


def test_l_says_why_it_cannot_act(teller: Teller) -> None:
    seat = seated(teller.snapshot())
    press(seat, "5")
    stand_on(seat, "field:WHY")
    press(seat, "l")
    assert seat.toast == "nothing in the log stands behind this row"


def test_asking_for_a_lineage_has_the_log_folded(teller: Teller) -> None:
    seat = seated(teller.snapshot(folded=False))
    assert session(seat).wants == 0
    press(seat, "2", "l")
    assert session(seat).wants > 0


def test_a_long_log_is_not_folded_before_somebody_asks(
    teller: Teller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppgp_tui.ui.views.log.event_panes.STORY_UP_TO", 10)
    seat = seated(teller.snapshot(folded=False))
    press(seat, "4", "j", "j")
    assert session(seat).wants == 0
    press(seat, "v")
    assert session(seat).wants > 0


def test_back_in_the_list_beside_it_the_tree_follows_the_cursor_again(teller: Teller) -> None:
    seat = seated(teller.snapshot(), 120)
    press(seat, "4")
    stand_on(seat, "event:6")
    press(seat, "enter")
    stand_on(seat, "up:node:task_9")
    press(seat, "enter", "tab")
    assert seat.stay.focus == LIST
    assert (seat.stay.opened, seat.stay.trail) == (None, ())


def test_in_what_is_opened_words_are_looked_for_within_and_nothing_is_left_out(
    teller: Teller,
) -> None:
    seat = seated(teller.snapshot())
    press(seat, "4")
    stand_on(seat, "event:6")
    press(seat, "enter")
    rows = drawn(seat)[4:-2]
    press(seat, "/", *"retry", "enter")
    assert drawn(seat)[4:-2] == rows
    assert seat.stay.opened == "event:6"
    first = match_at(seat.stay.lists[DETAIL], "retry")
    assert " of " in drawn(seat)[-2]
    press(seat, "n")
    assert match_at(seat.stay.lists[DETAIL], "retry") not in (None, first)
    press(seat, "N")
    assert match_at(seat.stay.lists[DETAIL], "retry") == first
    press(seat, "escape")
    assert (seat.stay.opened, seat.stay.filter, seat.stay.found_in) == ("event:6", "", "")


def test_events_are_filtered_from_the_list_beside_what_is_opened(teller: Teller) -> None:
    seat = seated(teller.snapshot(), 120)
    press(seat, "4", "/", *"kind:eval")
    assert any(line.startswith(" Story  2 of 37, kind eval") for line in drawn(seat))


def test_what_is_shown_already_is_not_gone_to_again(teller: Teller) -> None:
    seat = seated(teller.snapshot())
    press(seat, "4", "j", "enter", "l")
    assert seat.toast == "this is what is shown"
    assert seat.stay.trail == ()


def test_v_turns_from_the_story_to_every_event_and_back(teller: Teller) -> None:
    seat = seated(teller.snapshot())
    press(seat, "4")
    stand_on(seat, "event:6")
    assert any(line.startswith(" Story") for line in drawn(seat))
    press(seat, "v")
    assert any(line.startswith(" Events  37") for line in drawn(seat))
    assert cursor(seat) == "event:6"
    press(seat, "v")
    assert any(line.startswith(" Story") for line in drawn(seat))
    assert cursor(seat) == "event:6"


def test_v_elsewhere_says_where_it_acts(teller: Teller) -> None:
    seat = seated(teller.snapshot())
    press(seat, "2", "v")
    assert seat.toast == "events are listed in the view events"


def test_space_hides_a_run_and_shows_it_again(teller: Teller) -> None:
    seat = seated(teller.snapshot())
    press(seat, "4")
    stand_on(seat, "node:run_1")
    before = drawn(seat)
    press(seat, "space")
    assert not any("patch 9" in line for line in drawn(seat)[: len(before) // 2])
    assert cursor(seat) == "node:run_1"
    press(seat, "space")
    assert drawn(seat) == before
    stand_on(seat, "event:6")
    press(seat, "space")
    assert seat.toast == "no rows belong to this one that could be shown or hidden"


def test_what_was_left_out_is_shown_when_asked_for(teller: Teller) -> None:
    seat = seated(teller.snapshot(), 80, 60)
    press(seat, "4")
    seat.stay.opened = None
    stand_on(seat, "node:run_1")
    press(seat, "enter")
    rows = seat.rows
    assert rows is not None
    more = [row.key for row in rows.pile.rows if row.key.startswith("more:")]
    for key in more:
        stand_on(seat, key)
        press(seat, "enter")
    assert seat.stay.more == len(more)


def test_enter_on_a_commit_has_it_read_and_esc_comes_back(teller: Teller) -> None:
    seat = seated(teller.snapshot())
    press(seat, "4")
    stand_on(seat, "event:6")
    press(seat, "enter")
    rows = seat.rows
    assert rows is not None
    stand_on(seat, next(row.key for row in rows.pile.rows if row.thing == f"commit:{COMMIT}"))
    press(seat, "enter")
    assert told(seat).commits == [COMMIT]
    assert any("reading it" in line for line in drawn(seat))
    seat.commits[COMMIT] = "this repository has no commit 4e1f09c"
    seat.arrange()
    assert any("this repository has no commit 4e1f09c" in line for line in drawn(seat))
    press(seat, "escape")
    assert seat.stay.opened == "event:6"
    assert seat.row is not None
    assert seat.row.thing == f"commit:{COMMIT}"


def test_a_filter_is_kept_while_something_is_opened_and_esc_ends_it_first(
    teller: Teller,
) -> None:
    seat = seated(teller.snapshot())
    press(seat, "4", "/", *"kind:patch.*", "enter")
    assert any("4 of 37, kind patch.*" in line for line in drawn(seat))
    press(seat, "escape")
    assert seat.stay.filter == ""


def test_n_goes_from_match_to_match_past_the_headings(teller: Teller) -> None:
    seat = seated(teller.snapshot())
    press(seat, "4", "/", *"kind:task.created", "enter")
    seen = []
    for _ in range(3):
        press(seat, "n")
        seen.append(cursor(seat))
    assert seen == ["event:32", "event:4", "event:32"]


def test_new_events_do_not_move_what_is_opened(teller: Teller) -> None:
    from tests.ui.picture_story import event

    seat = seated(teller.snapshot())
    press(seat, "4")
    stand_on(seat, "event:6")
    press(seat, "enter")
    before = drawn(seat)[4:20]
    teller.write(event("late", "tool.called", {"tool": "Grep"}, 0, cause="r2", run="run_2"))
    seat.take(teller.snapshot())
    assert drawn(seat)[4:20] == before


KEYS = st.lists(
    st.sampled_from(
        ["j", "k", "enter", "escape", "l", "v", "space", "tab", "g", "G", "4", "2", "n", "/", "x"]
    ),
    max_size=30,
)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[SessionSnapshot]:
    teller = Teller(tmp_path_factory.mktemp("log"))
    return [teller.snapshot(), teller.snapshot(folded=False)]


@settings(max_examples=60)
@given(keys=KEYS, width=st.sampled_from([40, 48, 60, 80, 100, 120, 150, 160]), at=st.integers(0, 1))
def test_whatever_is_pressed_every_line_is_as_wide_as_the_screen(
    pictures: list[SessionSnapshot], keys: list[str], width: int, at: int
) -> None:
    seat = seated(pictures[at], width, 24)
    press(seat, "4")
    for key in keys:
        press(seat, key)
        assert {line.cell_length for line in screen_lines(seat)} == {width}
