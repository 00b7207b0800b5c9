"""Travelling in time: every key of it, and what the screen says meanwhile."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ppgp_tui.session.travel.destination import Destination
from ppgp_tui.ui.acts import travelling
from ppgp_tui.ui.acts.travelling import FIRST, LOST, REWRITTEN
from ppgp_tui.ui.seat.journey import Journey
from tests.session.travel.logs import (
    BEGUN,
    STORY,
    lay,
    line,
    plan,
    request,
)
from tests.ui.traveller import AGENTS, EVENTS, GOAL, INBOX, NOW, PLAN, SESSION, Voyager

# --- keys ---------------------------------------------------------------------------------------


def test_one_event_back_shows_the_moment_before_the_last_event(of: Voyager) -> None:
    of.press("<")
    assert of.at == 10
    assert " REPLAY  13m ago, event 11 of 12. Keys change nothing" in of.lines[2]
    assert of.lines[2].rstrip().endswith("End back to now")


def test_one_event_on_from_the_last_one_is_now(of: Voyager) -> None:
    assert of.press("<", "<", ">").at == 10
    assert of.press(">").at == 11
    of.press(">")
    assert of.at is None
    assert "session" in of.lines[2]


def test_from_now_the_way_leads_back_only(of: Voyager) -> None:
    of.press(">")
    assert of.at is None
    assert of.seat.toast == "this is now"


def test_home_is_the_first_moment_and_end_is_now(of: Voyager) -> None:
    of.press("<", "home")
    assert of.at == 0
    of.press("<")
    assert (of.at, of.seat.toast) == (0, FIRST)
    of.press("end")
    assert of.at is None
    assert of.seat.snapshot is of.seat.live


def test_in_the_present_home_and_end_still_move_the_cursor(of: Voyager) -> None:
    of.press(EVENTS, "end")
    assert of.at is None
    last = of.seat.row.key if of.seat.row else ""
    of.press("home")
    assert of.seat.row is not None
    assert of.seat.row.key != last


def test_back_and_on_again_is_the_same_screen(of: Voyager) -> None:
    of.press("<", "<", "<")
    before = of.lines
    of.press("<", "<", ">", ">")
    assert of.lines == before


@pytest.mark.parametrize("view", [SESSION, PLAN, INBOX, EVENTS, GOAL, AGENTS])
def test_there_and_back_leaves_the_present_as_it_was(of: Voyager, view: str) -> None:
    of.press(view)
    of.seat.toast = ""
    before = of.lines
    of.press("<", "home", ">", "end")
    assert of.lines == before


@pytest.mark.parametrize(
    ("view", "moves", "at"),
    [
        (EVENTS, ["v", "j", "j", "j"], 8),
        (PLAN, ["t"], 7),
        (PLAN, ["t", "j"], 2),
        (AGENTS, ["<", "g"], 1),
    ],
)
def test_the_moment_of_the_thing_under_the_cursor(
    of: Voyager, view: str, moves: list[str], at: int
) -> None:
    of.press(view, *moves, "T")
    assert of.at == at


def test_the_moment_of_a_request_is_when_it_was_asked(of: Voyager) -> None:
    of.press(INBOX)
    assert of.seat.row is not None
    assert of.seat.row.key == "req:req_1"
    of.press("T")
    assert of.at == 4


def test_what_the_log_knows_nothing_of_has_no_moment(of: Voyager) -> None:
    of.press(GOAL)
    of.press("T")
    assert of.at is None
    assert of.seat.toast == "the log does not say when this was"


def test_what_the_log_does_not_have_is_said_and_nothing_changes(of: Voyager) -> None:
    travelling.go(of.seat, Destination(task="z"))
    assert of.seat.toast == LOST
    assert of.seat.journey is None


def test_playing_goes_on_from_the_moment_and_stops(of: Voyager) -> None:
    of.press("<", "<", ".")
    assert of.traveller.played == (9, BEGUN + 9000, 1.0)
    assert "stop" in of.lines[-1]
    of.press(".")
    assert of.traveller.played is None
    assert "play" in of.lines[-1]


def test_nothing_is_played_in_the_present(of: Voyager) -> None:
    of.press(".")
    assert of.seat.toast == "this is now: there is nothing to play"


def test_there_is_nothing_to_travel_in_without_events(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    of = Voyager((tmp_path / "root").resolve(), NOW)
    of.press("<")
    assert of.seat.toast == "there are no events to travel to"


# --- what the screen says -----------------------------------------------------------------------


def test_the_first_line_and_the_views_show_the_moment_the_second_line_shows_now(
    of: Voyager,
) -> None:
    of.press(PLAN, "<", "<", "<", "<", "<", "<")
    assert of.at == 5
    assert of.lines[0].startswith(" EXECUTE  Make it resumable")
    assert of.lines[0].rstrip().endswith("plan r2")
    assert of.lines[1].startswith(" now ")
    assert "1 for you" not in of.lines[1]
    of.press(INBOX)
    assert any("Drop it?" in text for text in of.lines)


def test_the_source_word_is_replay_and_keys_that_act_are_not_offered(of: Voyager) -> None:
    of.press("T", "<", SESSION)
    assert of.lines[-1].rstrip().endswith("replay")
    assert "pause" not in of.lines[-1]
    assert "< > event" in of.lines[-1]
    assert "End now" in of.lines[-1]


def test_ages_are_those_of_the_moment(of: Voyager) -> None:
    of.press(AGENTS, "<")
    assert any("violated" in text and "0s" in text for text in of.lines)


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (SESSION, ["phase not recorded", "Done when", "not recorded"]),
        (PLAN, ["no plan was recorded by then"]),
        (INBOX, ["nothing waits for you", "not recorded"]),
        (GOAL, ["Why", "not recorded", "Invariants"]),
        (AGENTS, ["no run of an agent was in the log by then"]),
    ],
)
def test_what_no_log_holds_is_said_to_be_not_recorded(
    of: Voyager, view: str, words: list[str]
) -> None:
    of.press(view, "<", "home")
    shown = "\n".join(of.lines)
    assert [one for one in words if one not in shown] == []
    assert "looked for" not in shown


def test_the_list_of_events_marks_the_moment_and_goes_on_beyond_it(of: Voyager) -> None:
    of.press(EVENTS, "<", "<", "<")
    marked = [text for text in of.lines if "here" in text]
    assert len(marked) == 1
    assert "moment at 9" in of.lines[3]
    assert any("+2s" in text or "+3s" in text for text in of.lines)


def test_from_thirty_rows_on_the_tabs_stand_below_the_band(root: Path) -> None:
    of = Voyager(root, NOW, 120, 40).press("<")
    assert "REPLAY" in of.lines[2]
    assert "1 session" in of.lines[3]


@pytest.mark.parametrize("width", [40, 48, 60, 80, 100, 120, 160])
def test_the_band_fills_the_line_and_keeps_the_way_back(root: Path, width: int) -> None:
    of = Voyager(root, NOW, width, 24).press("<")
    assert len(of.lines[2]) == width
    assert of.lines[2].rstrip().endswith("End back to now")
    assert "REPLAY" in of.lines[2]


def test_events_without_a_time_say_no_age(tmp_path: Path) -> None:
    lines = [line(at, "x.y", {}, ts_ms=None) for at in range(3)]
    of = Voyager(lay(tmp_path.resolve() / "root", lines), NOW).press("<")
    assert of.at == 1
    assert "REPLAY  event 2 of 3" in of.lines[2]


def test_damaged_lines_and_a_torn_tail_can_be_travelled_over(tmp_path: Path) -> None:
    lines = [*STORY[:4], b'{"kind": 5}\n', b"null\n", *STORY[4:6], b'{"id": "event_torn']
    of = Voyager(lay(tmp_path.resolve() / "root", lines), NOW).press("<", "<", "<")
    assert of.at == 4
    assert of.seat.snapshot.goal.value.phase == "EXECUTE"


# --- while one is there -------------------------------------------------------------------------


def test_events_go_on_arriving_and_the_moment_stays(of: Voyager, root: Path) -> None:
    of.press(EVENTS, "<", "<", "j")
    cursor = of.seat.row.key if of.seat.row else ""
    lay(root, [*STORY, line(12, "observation.created", {"id": "obs_9"})])
    of.grow()
    assert of.at == 9
    assert "event 10 of 13" in of.lines[2]
    assert of.seat.row is not None
    assert of.seat.row.key == cursor


def test_a_request_that_comes_meanwhile_is_seen_in_the_line_of_now(of: Voyager, root: Path) -> None:
    of.press("<", "<")
    lay(root, [*STORY, line(12, "authority.requested", request("req_2", "Really?"))])
    of.grow()
    assert "1 for you" in of.lines[1]
    assert not any("Really?" in text for text in of.lines)


def test_a_log_that_was_written_anew_brings_one_back_to_now(of: Voyager, root: Path) -> None:
    of.press("<", "<")
    lay(root, [line(0, "todo.revised", plan(7, z="pending"))])
    of.grow()
    assert of.at is None
    assert of.seat.toast == REWRITTEN


def test_a_picture_that_comes_after_one_went_home_is_not_shown(of: Voyager) -> None:
    of.traveller.late = []
    of.press("<")
    assert "reading event 11 of 12" in of.lines[2]
    made = of.traveller.moment(of.traveller.late[0])
    of.press("end")
    travelling.arrived(of.seat, made)
    assert of.at is None


def test_quick_steps_go_on_from_the_event_asked_for(of: Voyager) -> None:
    of.traveller.late = []
    of.press("<", "<", "<", ">")
    assert [wanted.at for wanted in of.traveller.late] == [10, 9, 8, 9]


def test_of_a_recording_no_step_is_taken_before_its_first_moment_is_there(of: Voyager) -> None:
    of.seat.journey = Journey(recorded=True)
    of.seat.journey.pending = Destination(at=0)
    of.press(">")
    assert of.seat.toast == travelling.ON_THE_WAY


def test_a_step_from_the_first_moment_of_a_recording_is_not_taken_back(of: Voyager) -> None:
    """What Git has of that moment was not asked yet, and of the next one it is asked anyway."""
    of.press("<", "<")
    shown = of.seat.snapshot
    assert of.seat.journey is not None
    of.seat.journey.unasked = True
    of.traveller.late = []
    of.press(">", ">")
    travelling.arrived(of.seat, shown)
    assert [wanted.at for wanted in of.traveller.late] == [10, 11]


def test_a_long_way_is_shown_as_being_read(of: Voyager) -> None:
    of.press("<")
    moment = of.seat.snapshot.moment
    assert moment is not None
    on_the_way = replace(of.seat.snapshot, moment=moment._replace(at=3, target=10, progress=0.4))
    travelling.arrived(of.seat, on_the_way)
    assert "REPLAY  reading 40 % of the way to event 11" in of.lines[2]
