"""All sessions in one list: opening one, answering in any, and coming back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ppgp_tui.session.sessions.join import joint_id
from ppgp_tui.session.sessions.row import SessionRow
from ppgp_tui.ui.acts import acts
from ppgp_tui.ui.acts.deeds import Answer
from ppgp_tui.ui.seat.asking import note_painted
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.session.sessions.repositories import row
from tests.ui import picture
from tests.ui.all_sessions import every, list_seat, rows
from tests.ui.desk import question
from tests.ui.hostile import HOSTILE, is_harmless
from tests.ui.picture import NOW
from tests.ui.pressing import cursor, press, whole
from tests.ui.stand_in import seat, text, told

KEY = rows()[0].key


def asked(*requests: object, clock: object = picture.clock) -> Seat:
    """A list in which the first session asks these requests, the cursor on the first of them."""
    found = row("/src/a", needs=1)._replace(requests=requests)  # type: ignore[arg-type]
    other = row("/src/b")
    of = list_seat(snapshot=every((found, other)), clock=clock)  # type: ignore[arg-type]
    return press(of, "tab")


# --- what the list says ---------------------------------------------------------------------------


def test_a_row_says_where_what_for_what_it_needs_and_how_old_that_is() -> None:
    lines = text(list_seat())
    at = next(at for at, line in enumerate(lines) if " ? importer " in line)
    assert lines[at].endswith("2 for you    6m ")
    assert "importer  feat/resume" in lines[at]
    assert "Make the importer resumable" in lines[at + 1]
    assert "⊘3  EXECUTE 2/7" in lines[at + 1]


def test_what_needs_a_person_is_on_top_and_the_cursor_stands_there() -> None:
    of = list_seat()
    assert cursor(of) == f"session:{KEY}"
    shown = whole(of)
    names = ["importer  feat", "docs-site", "importer-fix", " archive ", "billing"]
    places = [shown.rindex(name) for name in names]
    assert places == sorted(places)


def test_what_cannot_be_read_is_said_with_its_age() -> None:
    shown = whole(list_seat())
    assert "archive is not read" in shown
    assert "reading it has not ended yet" in shown
    assert "not read    9s" in shown


def test_the_lamps_count_over_all_sessions() -> None:
    _, lamps, *_ = text(list_seat())
    assert "▸ 2 working" in lamps
    assert "? 2 for you 6m" in lamps
    assert "⊘ 3 blockers" in lamps


def test_while_rows_are_still_coming_the_cursor_stands_nowhere() -> None:
    of = list_seat(snapshot=every(early=True, reading=True))
    assert cursor(of) == ""
    of.take(every())
    assert cursor(of) == f"session:{KEY}"


def test_without_a_session_it_says_so() -> None:
    assert "looking for sessions" in whole(list_seat(snapshot=every((), reading=True)))
    assert "no session was found" in whole(list_seat(snapshot=every(())))


def test_what_could_not_be_searched_is_said() -> None:
    shown = every()
    assert shown.sessions is not None
    broken = replace(shown, sessions=shown.sessions._replace(problems=("/x does not exist",)))
    assert "/x does not exist" in whole(list_seat(snapshot=broken))


def test_on_a_screen_too_small_for_it_one_line_says_what_waits() -> None:
    assert text(list_seat(width=30, height=6))[0].startswith(" ? 2 for you 6m  ▸ 2 working")


# --- opening and coming back ----------------------------------------------------------------------


def test_enter_opens_a_session_and_a_number_opens_that_view_of_it() -> None:
    of = press(list_seat(), "enter", "j", "2")
    assert told(of).sessions == [KEY, f"{rows()[1].key} plan"]


@pytest.mark.parametrize("at", range(len(VIEWS)))
def test_every_view_of_a_session_can_be_opened_by_its_number(at: int) -> None:
    assert told(press(list_seat(), str(at + 1))).sessions == [f"{KEY} {VIEWS[at].name}"]


def test_a_number_on_a_request_says_that_no_session_is_under_the_cursor() -> None:
    of = press(list_seat(), "tab", "2")
    assert of.toast == "no session is under the cursor: its row opens it in this view"


@pytest.mark.parametrize("key", ["w", "esc"])
def test_w_and_esc_lead_from_the_list_to_the_open_session(key: str) -> None:
    of = list_seat()
    of.home = "importer"
    assert "Esc back to importer" in text(of)[-1]
    assert told(press(of, key)).sessions == ["home"]


def test_where_no_session_is_open_yet_w_says_what_opens_one() -> None:
    of = press(list_seat(), "w")
    assert of.toast == "no session is open yet: Enter opens the one under the cursor"


def test_w_leads_from_a_session_to_the_list_and_esc_does_where_it_came_from_there() -> None:
    of = press(seat(views=VIEWS), "w")
    assert told(of).sessions == ["all"]
    of.home = "all sessions"
    assert told(press(of, "2", "esc", "esc")).sessions == ["all", "home"]


def test_where_there_is_no_list_w_says_so() -> None:
    of = seat(views=VIEWS)
    of.others = False
    assert press(of, "w").toast == "this screen shows one session only"


@pytest.mark.parametrize("key", ["p", "P", "S", "F", "W"])
def test_keys_that_act_in_one_session_do_not_act_in_the_list(key: str) -> None:
    of = press(list_seat(), key)
    assert told(of).deeds == []
    assert of.toast == "this acts in one session: Enter opens the one under the cursor"


def test_no_action_of_the_table_fails_in_the_list() -> None:
    for action in list_seat().keymap.actions:
        for start in ((), ("tab",)):
            of = press(list_seat(), *start)
            why = action.refuses(of.place())
            acts.run(of, action.id)
            of.arrange()
            assert not why or of.toast == why, action.id


def test_looking_for_words_leaves_the_rows_that_say_them() -> None:
    of = press(list_seat(), "/", *"links", "enter")
    shown = whole(of)
    assert "importer-fix" in shown
    assert "billing" not in shown


# --- answering ------------------------------------------------------------------------------------


class Clock:
    """A clock that only tests move."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


def look(of: Seat, clock: Clock, ms: int = 500) -> None:
    for step in (0, ms):
        clock.now += step
        of.arrange()
        text(of)
        note_painted(of)


def test_y_answers_the_request_of_the_session_it_is_of_as_it_was_painted() -> None:
    clock, request = Clock(), question()
    of = asked(request, clock=clock)
    look(of, clock)
    press(of, "y")
    joint = joint_id(row("/src/a").key, request.id)
    assert told(of).deeds == [Answer(joint, request.digest, "yes")]


def test_a_key_before_the_row_was_looked_at_answers_nothing() -> None:
    clock = Clock()
    of = asked(question(), clock=clock)
    look(of, clock, ms=100)
    assert told(press(of, "y")).deeds == []
    assert "look, then press again" in of.toast


def test_a_request_that_changes_under_the_eyes_is_to_be_read_again() -> None:
    clock, request = Clock(), question()
    of = asked(request, clock=clock)
    look(of, clock)
    other = request._replace(question="Publish 9.0.0?", digest="sha256:" + "f" * 64)
    found = row("/src/a", needs=1)._replace(requests=(other,))
    of.take(every((found, row("/src/b"))))
    look(of, clock, ms=10)
    assert told(press(of, "y")).deeds == []
    assert "changed, read it again" in whole(of)


def test_a_request_with_more_to_it_than_its_row_is_opened_and_read_first() -> None:
    clock = Clock()
    of = asked(question(why="Because of many things."), clock=clock)
    look(of, clock)
    press(of, "y")
    assert of.sheet is not None
    assert of.sheet.kind == "card"
    assert "a, C authority" in whole(of)
    look(of, clock)
    press(of, "y")
    assert len(told(of).deeds) == 1


def test_an_answered_request_stays_where_it_was_until_the_cursor_leaves() -> None:
    clock, request = Clock(), question()
    of = asked(request, clock=clock)
    look(of, clock)
    done = row("/src/a")._replace(requests=(request._replace(state="answered"),))
    of.take(every((done, row("/src/b"))))
    assert cursor(of) == f"req:{joint_id(done.key, request.id)}"
    assert "answered" in whole(of)
    press(of, "tab")
    of.take(every((done, row("/src/b"))))
    assert "nothing waits for you" in whole(of)


def test_the_same_request_in_two_worktrees_is_answered_in_the_one_under_the_cursor() -> None:
    clock, request = Clock(), question()
    both = [
        row(path, needs=1, needs_oldest_ms=1)._replace(requests=(request,))
        for path in ("/src/a", "/src/b")
    ]
    of = press(list_seat(snapshot=every(tuple(both)), clock=clock), "tab", "j")
    look(of, clock)
    press(of, "y")
    (deed,) = told(of).deeds
    assert isinstance(deed, Answer)
    assert deed.request == joint_id(both[1].key, request.id)


# --- whatever the files say -----------------------------------------------------------------------


@given(st.sampled_from(HOSTILE), st.sampled_from(HOSTILE), st.integers(40, 170))
def test_no_name_goal_or_problem_reaches_the_terminal_as_a_command(
    name: str, goal: str, width: int
) -> None:
    path = "/src/" + name.replace("/", "").replace("\0", "")
    bad = row("/src/x", needs=1)._replace(root=path, objective=goal, branch=name, problem="")
    worse = SessionRow("k", path, "named", problem=goal, since_ms=NOW)
    of = list_seat(width, 24, every((bad, worse)))
    for line in text(of):
        assert is_harmless(line)
        assert cell_len(line) == width


def test_a_path_is_copied_whole() -> None:
    of = press(list_seat(), "c")
    assert told(of).copied == [str(Path("/src/importer"))]
