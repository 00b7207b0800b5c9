"""Walking the plan's revisions: since one looked, one by one, any two, and who changed what."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from ppgp_tui.pi.plan import Removal, TodoState, TodoTask, state_json
from ppgp_tui.session.model import Part, PlanHistory
from ppgp_tui.session.plan_history.gathering import RevisionLog
from ppgp_tui.session.plan_history.history import Decoded
from ppgp_tui.session.plan_history.revision import Revision
from ppgp_tui.session.plan_history.seen import Looked
from ppgp_tui.ui.acts.revisions import go_to
from ppgp_tui.ui.seat.revision_choice import Walk
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.hostile import HOSTILE, is_harmless
from tests.ui.picture_history import LOOKED, history, with_history
from tests.ui.pressing import cursor, press, whole
from tests.ui.stand_in import seat, text, told

CHANGES = "plan.changes"


def sitting(*keys: str, looked: Looked | None = LOOKED, width: int = 80, height: int = 24) -> Seat:
    of = seat(with_history(), width, height, VIEWS)
    of.lately.looked = looked
    of.arrange()
    return press(of, *keys)


def heading(of: Seat) -> str:
    """The line over the graph."""
    return next(line.strip() for line in whole(of).splitlines() if " to r" in line[:14])


# --- walking ------------------------------------------------------------------------------------


def test_the_first_step_back_shows_what_changed_since_one_last_looked() -> None:
    of = sitting("2", "[")

    assert heading(of).startswith("r12 to r14  since you last looked, 25m")
    assert heading(of).endswith("+2 ~3 /1")


def test_further_steps_back_go_revision_by_revision_with_who_and_when() -> None:
    of = sitting("2", "[", "[")

    assert heading(of).startswith("r13 to r14  8m ago, claude")
    assert heading(press(of, "[")).startswith("r12 to r13  14m ago, claude")
    assert heading(press(of, "[")).startswith("r11 to r12  25m ago, claude")


def test_forward_again_ends_at_the_plan_of_now() -> None:
    of = sitting("2", "[", "[", "[", "]", "]")
    assert "since you last looked" in heading(of)

    press(of, "]")
    assert of.walk == Walk()
    assert "Plan r14" in whole(of)
    assert press(of, "]").toast == "this is the newest revision"


def test_escape_goes_back_to_the_plan_of_now_from_anywhere() -> None:
    of = sitting("2", "[", "[", "[", "esc")

    assert of.walk == Walk()
    assert "Plan r14" in whole(of)


def test_the_first_revision_is_the_end_of_the_way() -> None:
    of = sitting("2", *["["] * 15)

    assert "nothing to r1" in whole(of)
    assert press(of, "[").toast == "this is the first one that is known"


@pytest.mark.parametrize("looked", [None, Looked(14, "", 0), Looked(99, "", 0)])
def test_where_nothing_is_new_or_nobody_knows_the_newest_revision_comes_first(
    looked: Looked | None,
) -> None:
    of = sitting("2", "[", looked=looked)

    assert heading(of).startswith("r13 to r14  8m ago")


def test_from_another_view_the_key_leads_to_the_plan_and_escape_twice_back() -> None:
    of = sitting("1", "[")

    assert "since you last looked" in heading(of)
    press(of, "esc", "esc")
    assert of.views[of.current].name == "session"


def test_without_any_revision_the_keys_say_so() -> None:
    of = seat(picture.full(), 80, 24, VIEWS)

    assert press(of, "2", "[").toast == "no revision of the plan is known here"
    assert press(of, "=").toast == "no revision of the plan is known here"
    assert press(of, "B").toast == "no revision of the plan is known here"


def test_a_revision_that_arrives_while_one_looks_back_moves_nothing() -> None:
    of = sitting("2", "[", "[", "[")
    before = heading(of)
    more = history()
    grown = PlanHistory(
        "log",
        type(more.revisions)([*more.revisions, more.revisions[-1]._replace(id="event_15")]),
        more.where,
        states=more.states,
    )
    of.take(replace(of.snapshot, history=Part(grown, 1)))

    assert heading(of) == before


def test_a_comparison_since_the_last_look_follows_the_newest_revision() -> None:
    of = sitting("2", "[")
    more = history()
    newest = more.revisions[-1]._replace(id="event_15", number=15)
    grown = PlanHistory(
        "log", type(more.revisions)([*more.revisions, newest]), more.where, states=more.states
    )
    of.take(replace(of.snapshot, history=Part(grown, 1)))

    assert heading(of).startswith("r12 to r15")


# --- any two ------------------------------------------------------------------------------------


def test_any_two_revisions_are_compared_by_holding_one_and_walking_with_the_other() -> None:
    of = sitting("2", "=", "[", "[", "[")

    assert heading(of).startswith("r10 to r14  compared, r14 is held")
    assert "~ T4  ready, now done" in whole(of)


def test_the_held_one_may_be_the_older_too() -> None:
    of = sitting("2", "[", "[", "[", "[", "=", "]", "]", "]")

    assert heading(of).startswith("r12 to r14  compared, r12 is held")


def test_walking_passes_over_the_one_that_is_held() -> None:
    of = sitting("2", "[", "[", "[", "=", "]", "]")

    assert "r13 to r14  compared, r13 is held" in heading(of)


def test_let_go_it_is_a_walk_one_by_one_again() -> None:
    of = sitting("2", "=", "[", "[", "=")

    assert heading(of).startswith("r10 to r11")


def test_one_revision_cannot_be_compared_with_another() -> None:
    first = history()
    only = PlanHistory("log", type(first.revisions)([first.revisions[0]]), states=first.states)
    of = seat(replace(picture.full(), history=Part(only)), 80, 24, VIEWS)

    assert press(of, "2", "=").toast == "there is only one revision of the plan"


# --- what a row leads to ------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["enter", "l"])
def test_a_change_leads_to_the_event_that_made_it_and_back(key: str) -> None:
    of = sitting("2", "[")
    assert cursor(of) == "changed:T10"

    press(of, key)
    assert of.views[of.current].name == "events"
    assert of.stay.opened == "event:1014"
    press(of, "esc")
    assert of.views[of.current].name == "plan"
    assert heading(of).startswith("r12 to r14")


def test_on_a_wide_screen_the_rail_leads_to_the_event_of_each_revision() -> None:
    of = sitting("2", "[", "tab", "j", width=120, height=40)
    assert cursor(of) == "rev:12:event_13"

    press(of, "enter")
    assert of.stay.opened == "event:1013"


def test_keys_of_the_plan_of_now_say_why_they_do_not_act_in_a_comparison() -> None:
    of = sitting("2", "[", "f")

    assert of.toast == "two revisions are compared: Esc goes back to the plan of now"


def test_the_graph_of_both_plans_can_be_zoomed() -> None:
    of = sitting("2", "[", width=120, height=40)
    assert "+ T10  new" in whole(of)

    assert "+ T10  new" not in whole(press(of, "z"))


# --- blame --------------------------------------------------------------------------------------


def test_blame_tells_who_changed_the_task_under_the_cursor() -> None:
    of = sitting("2", "[")
    press(of, *"jj", "B")
    said = whole(of)

    assert "Who changed T9" in said
    assert "~ r14  claude  event 1,015" in said
    assert "Kill test at 50 points, was “Kill test at 10 points”" in said
    assert "from the event log" in said


def test_from_blame_one_goes_to_the_event_and_comes_back() -> None:
    of = sitting("2")
    of.stay.lists["plan.list"].go_to("task:T4")
    press(of, "B", "enter")

    assert of.sheet is None
    assert of.stay.opened == "event:1012"
    press(of, "esc")
    assert of.views[of.current].name == "plan"


def test_escape_closes_blame() -> None:
    of = sitting("2", "B", "esc")

    assert of.sheet is None


def test_blame_needs_a_task() -> None:
    of = sitting("5")

    assert press(of, "B").toast == "no task is under the cursor"


def test_copying_a_change_says_what_became_of_the_task() -> None:
    of = sitting("2", "[", "c")

    assert told(of).copied == ["T10 Progress and resume messages, added"]


def test_what_the_person_did_is_told_as_done_by_you(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ppgp_tui.ui.views.plan.revision_rows.login", lambda: "claude")

    assert heading(sitting("2", "[", "[")).startswith("r13 to r14  8m ago, you")


# --- the view of the session --------------------------------------------------------------------


def test_the_session_says_what_changed_since_one_last_looked() -> None:
    said = whole(sitting(width=120, height=40))

    assert "Since you last looked" in said
    assert "25m, r12 to r14" in said
    assert "+ T10 Progress and resume messages" in said


def test_where_nothing_changed_the_session_says_nothing_of_it() -> None:
    assert "Since you" not in whole(sitting(looked=Looked(14, "", 0), width=120, height=40))


# --- words of others ----------------------------------------------------------------------------


def hostile_history() -> PlanHistory:
    """Two plans in which every word is one that a terminal must not get."""
    log, states = RevisionLog(), []
    for number, status in enumerate(("pending", "completed"), 1):
        tasks = [
            TodoTask(f"k{at}{words}", f"{words} {number}", status, words)  # type: ignore[arg-type]
            for at, words in enumerate(HOSTILE)
        ]
        state = state_json(TodoState(number, tuple(tasks[number - 1 :])))
        states.append(state)
        why = tuple(Removal(task.key, HOSTILE[0]) for task in tasks[:1])
        revision = Revision(number, number - 1, f"e{number}", 0, HOSTILE[0], "commit", reasons=why)
        log.add(revision, state)
    return PlanHistory(
        "git", log.now, HOSTILE[0], HOSTILE[-1], Decoded(lambda revision: states[revision.at])
    )


@pytest.mark.parametrize(("width", "height"), [(40, 12), (48, 24), (80, 24), (120, 40), (160, 50)])
def test_words_of_others_are_drawn_harmless_and_within_the_screen(width: int, height: int) -> None:
    of = seat(replace(picture.full(), history=Part(hostile_history())), width, height, VIEWS)
    for keys in (("2", "["), ("=",), ("B",), ("esc", "esc", "1")):
        press(of, *keys)
        for line in text(of):
            assert is_harmless(line)
            assert cell_len(line) == width


def test_one_can_go_to_any_revision_at_once() -> None:
    of = sitting("1")
    go_to(of, 9)
    of.arrange()

    assert heading(of).startswith("r9 to r10  40m ago, you")
