"""Keys in the plan: how it is drawn, which tasks, along its edges, to the next one, and back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppgp_tui.session.model import Part, Plan, SessionSnapshot, Task
from ppgp_tui.ui.acts import mouse
from ppgp_tui.ui.seat.plan_choice import FOLD, PlanLook
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.app.test_app import app
from tests.ui.picture_history import with_history
from tests.ui.pressing import cursor, press, whole
from tests.ui.stand_in import seat, text
from tests.ui.views import plans
from tests.ui.waiting import shown, until

PLAN = "2"


def at(
    key: str, snapshot: SessionSnapshot | None = None, width: int = 48, height: int = 24
) -> Seat:
    """A person in the plan with the cursor on a task."""
    of = press(seat(snapshot, width, height, VIEWS), PLAN)
    assert of.stay.lists["plan.list"].go_to(key if ":" in key else f"task:{key}")
    of.arrange()
    return of


def heading(of: Seat) -> str:
    return text(of)[of.body_top].rstrip()


# --- how it is drawn ----------------------------------------------------------------------------


def test_z_goes_from_keys_to_cards_to_dots_and_round() -> None:
    of = at("T8")
    zooms = [heading(press(of, "z")).split()[-1] for _ in range(3)]
    assert zooms == ["cards", "dots", "keys"]


def test_a_zoom_that_was_chosen_stays_while_the_screen_changes() -> None:
    of = press(at("T8"), "z", "z")
    of.resize(160, 50)
    assert heading(of).endswith("dots")
    assert of.stay.plan.look == PlanLook("dots")


def test_t_shows_the_tree_and_the_graph_again() -> None:
    of = press(at("T8"), "t")
    assert heading(of).endswith("tree")
    assert "   ✓ T2  Choose checkpoint format" in whole(of)
    assert heading(press(of, "t")).endswith("keys")


def test_z_in_the_tree_draws_the_graph() -> None:
    assert heading(press(at("T8"), "t", "z")).endswith("keys")


def test_where_nothing_fits_the_tree_stands_by_itself_until_a_zoom_is_asked_for() -> None:
    chain = [Task(f"K{at}", f"Step {at}", "pending", (f"K{at - 1}",)) for at in range(1, 41)]
    of = at("K1", plans.shown(Task("K0", "Begin", "pending"), *chain))
    assert heading(of).endswith("tree")
    assert heading(press(of, "z")).endswith("keys")
    assert "H L pan" in whole(of)


def test_a_reference_in_the_tree_goes_to_its_task() -> None:
    of = press(at("T7"), "t", "j")
    assert cursor(of) == "ref:T7>T9"
    assert cursor(press(of, "enter")) == "task:T9"


def test_h_and_l_pan_a_graph_that_is_larger_than_its_room() -> None:
    chain = [Task(f"K{at}", f"Step {at}", "pending", (f"K{at - 1}",)) for at in range(1, 41)]
    of = press(at("K0", plans.shown(Task("K0", "Begin", "pending"), *chain)), "z")
    first = text(of)[of.body_top + 1]
    moved = text(press(of, "L"))[of.body_top + 1]
    assert moved != first
    assert text(press(of, "H"))[of.body_top + 1] == first


def test_the_graph_follows_the_cursor_again_once_that_moves() -> None:
    chain = [Task(f"K{at}", f"Step {at}", "pending", (f"K{at - 1}",)) for at in range(1, 41)]
    of = press(at("K0", plans.shown(Task("K0", "Begin", "pending"), *chain)), "z", "L", "L", "L")
    assert "K0" not in text(of)[of.body_top + 1]
    assert "⋯K1─" in text(press(of, "j"))[of.body_top + 1]


def test_a_graph_that_is_all_on_the_screen_cannot_be_panned() -> None:
    assert "all of the graph is on the screen" in whole(press(at("T8"), "L"))


def test_more_than_two_thousand_tasks_are_listed_and_one_family_is_drawn() -> None:
    of = at("K1003", plans.layered(2_001, 9), 80, 24)
    assert heading(of).endswith("list")
    assert "2,000 tasks are not drawn" in whole(press(of, "z"))
    assert heading(press(of, "space")).endswith("keys")


# --- which tasks --------------------------------------------------------------------------------


def test_space_leaves_a_task_with_what_it_needs_and_unlocks_and_esc_comes_back() -> None:
    of = press(at("T8", width=80), "space")
    assert "7 of 12 in the family of T8" in heading(of)
    assert "T10" not in whole(of)
    assert cursor(of) == "task:T8"
    assert "in the family" not in heading(press(of, "esc"))


def test_space_again_shows_the_whole_plan() -> None:
    assert "family of" not in heading(press(at("T8"), "space", "space"))


def test_space_on_another_task_of_a_family_shows_that_ones() -> None:
    of = press(at("T8", width=80), "space", "j", "j", "space")
    assert "in the family of T12" in heading(of)


def test_f_goes_through_the_states_and_the_heading_says_which() -> None:
    of = at("T8", width=80)
    said = [heading(press(of, "f")).split("  ")[1] for _ in range(5)]
    assert said == [
        "1 of 12 ready", "3 of 12 blocked or for you", "1 of 12 running", "8 of 12 not done",
        "4 of 12 done",
    ]  # fmt: skip
    assert "8m ago, claude" in heading(press(of, "f"))


def test_a_task_that_is_not_asked_for_is_not_kept_struck() -> None:
    of = press(at("T5"), "f")
    assert cursor(of) == "task:T7"
    assert "gone" not in whole(of)
    assert cursor(press(of, "esc")) == "task:T7"


def test_esc_shows_all_states_again() -> None:
    of = press(at("T8", width=80), "f")
    assert "ready" in heading(of)
    assert "8m ago" in heading(press(of, "esc"))


def test_enter_unfolds_what_is_done_and_folds_it_again() -> None:
    of = at(FOLD, plans.layered(61), 80, 30)
    assert "K1 " not in whole(of)
    assert "K1  Read the batch header" in whole(press(of, "enter"))
    assert "K1  Read the batch header" not in whole(press(of, "enter"))


# --- along the edges ----------------------------------------------------------------------------


def test_right_and_left_go_along_the_edges_as_drawn() -> None:
    of = at("T3")
    way = [cursor(press(of, key)) for key in ("right", "right", "left", "left", "left", "left")]
    assert way == ["task:T5", "task:T6", "task:T5", "task:T3", "task:T2", "task:T1"]


def test_an_end_of_the_plan_says_that_there_is_nothing_more() -> None:
    assert "T1 needs nothing" in whole(press(at("T1"), "left"))
    assert "T12 unlocks nothing" in whole(press(at("T12"), "right"))


def test_edges_lead_out_of_what_is_filtered_and_the_filter_goes() -> None:
    of = press(at("T7"), "f")
    assert cursor(press(of, "right")) == "task:T9"
    assert of.stay.plan.states == "all"


# --- to the next one ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("letter", "stands_on"),
    [("r", ["T7"]), ("b", ["T8", "T11", "T8"]), ("p", ["T5"]), ("y", ["T8", "T10", "T8"]),
     ("u", ["T5", "T7", "T8"]), ("c", ["T5", "T6", "T9", "T11", "T12", "T5"])],
)  # fmt: skip
def test_jumps_go_to_the_next_one_and_round_the_end(letter: str, stands_on: list[str]) -> None:
    of = at("T1")
    for key in stands_on:
        assert cursor(press(of, "'", letter)) == f"task:{key}"


def test_jumps_come_to_the_plan_from_any_view() -> None:
    of = press(seat(None, 80, 24, VIEWS), "5", "'", "b")
    assert of.views[of.current].name == "plan"
    assert cursor(of) == "task:T8"


def test_a_jump_to_nothing_says_so() -> None:
    done = plans.shown(Task("T1", "Start", "completed", state="done"))
    for letter, why in (("r", "no task is ready"), ("c", "nothing is left to do")):
        assert why in whole(press(seat(done, 80, 24, VIEWS), "'", letter))


def test_the_only_one_is_said_to_be_the_only_one() -> None:
    assert "this is the only one" in whole(press(at("T1"), "'", "r", "'", "r"))


def test_the_longest_chain_stands_out_with_its_length_until_esc() -> None:
    of = press(at("T1", width=80), "'", "c")
    assert "longest chain, 5 tasks" in heading(of)
    assert "longest chain" not in heading(press(of, "esc"))


def test_a_jump_unfolds_nothing_and_drops_the_filter_that_hides_its_task() -> None:
    of = press(at("T8"), "f", "f", "f")
    assert cursor(press(of, "'", "r")) == "task:T7"
    assert of.stay.plan.states == "all"


# --- opening ------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [48, 80, 120])
def test_enter_on_a_task_that_waits_for_an_answer_goes_to_the_request(width: int) -> None:
    of = press(at("T8", width=width, height=40), "enter")
    assert of.views[of.current].name == "inbox"
    assert cursor(of) == f"req:{picture.requests()[0].id}"
    back = press(of, "esc")
    assert (back.views[back.current].name, cursor(back)) == ("plan", "task:T8")


def test_enter_on_another_task_reads_all_that_is_known_of_it() -> None:
    of = press(at("T5"), "enter")
    assert "test_batch flaky under" in whole(of)
    assert cursor(press(of, "esc")) == "task:T5"


def test_the_line_below_the_list_names_what_stops_a_task() -> None:
    assert "C, your answer: Drop the old cursor" in whole(at("T8"))
    assert "B external, until 02:00" in whole(at("T11"))


def test_a_task_that_unblocks_most_is_gone_to_from_its_row() -> None:
    of = at("T1", width=120, height=40)
    of.stay.focus = "plan.detail"
    assert of.stay.lists["plan.detail"].go_to("frees:T7")
    assert cursor(press(of, "enter")) == "task:T7"


# --- the mouse ----------------------------------------------------------------------------------


def place_of(of: Seat, words: str) -> tuple[int, int]:
    lines = text(of)
    y = next(at for at, line in enumerate(lines) if words in line)
    return lines[y].index(words), y


def test_a_click_on_a_card_moves_the_cursor_there_and_another_opens_it() -> None:
    of = at("T1", width=120, height=40)
    mouse.click(of, *place_of(of, "T8 C you"))
    assert cursor(of) == "task:T8"
    mouse.click(of, *place_of(of, "T8 C you"))
    assert of.views[of.current].name == "inbox"


def test_a_click_beside_the_cards_changes_nothing() -> None:
    of = at("T1", width=120, height=40)
    before = text(of)
    mouse.click(of, 110, 20)
    assert text(of) == before


def test_a_click_on_more_goes_there_and_one_on_what_is_done_unfolds_it() -> None:
    of = at("K153", plans.layered(300), 120, 40)
    mouse.click(of, *place_of(of, "150 done"))
    assert FOLD in of.stay.turned
    of = at("K153", plans.layered(300), 120, 40)
    mouse.click(of, *place_of(of, "+ 105 more"))
    assert cursor(of) not in ("task:K153", "")


def test_the_wheel_moves_a_graph_that_is_larger_than_its_room() -> None:
    chain = [Task(f"K{at}", f"Step {at}", "pending", (f"K{at - 1}",)) for at in range(1, 41)]
    of = press(at("K0", plans.shown(Task("K0", "Begin", "pending"), *chain)), "z")
    first = text(of)[of.body_top + 1]
    mouse.wheel(of, 5, of.body_top + 1, 1)
    assert text(of)[of.body_top + 1] != first
    mouse.wheel(of, 5, of.body_top + 1, -1)
    assert text(of)[of.body_top + 1] == first


# --- beside the revisions -----------------------------------------------------------------------


def compared(width: int = 120) -> Seat:
    return press(seat(with_history(), width, 40, VIEWS), PLAN, "[")


def test_a_click_while_revisions_are_compared_goes_to_what_changed() -> None:
    of = press(compared(), "z", "z")
    x, y = place_of(of, "T10")
    mouse.click(of, x, y)
    assert cursor(of) == "changed:T10"


def test_a_jump_comes_back_to_the_plan_of_now() -> None:
    of = press(compared(), "5", "'", "r")
    assert cursor(of) == "task:T7"
    assert "newest" in heading(of)


# --- what arrives -------------------------------------------------------------------------------


def test_a_task_whose_family_is_shown_may_leave_the_plan() -> None:
    of = press(at("T8", width=80), "space")
    rest = tuple(task for task in picture.plan().tasks if task.key != "T8")
    of.take(replace(of.snapshot, plan=Part(picture.plan()._replace(tasks=rest), 15)))
    assert whole(of)
    assert "T12" in whole(press(of, "esc"))


def test_an_empty_plan_has_no_keys_of_its_own() -> None:
    none = replace(picture.full(), plan=Part(Plan()))
    of = press(seat(none, 80, 24, VIEWS), PLAN, "z")
    assert "this is for the plan" in whole(of)


def test_a_graph_that_is_only_too_tall_is_panned_by_lines() -> None:
    fan = [Task(f"K{at}", f"Leaf {at}", "pending", ("K0",)) for at in range(1, 40)]
    of = press(at("K0", plans.shown(Task("K0", "Root", "pending"), *fan), 120, 40), "z", "z", "z")
    assert "K39" not in "\n".join(text(of)[: of.body_top + 20])
    press(of, *["L"] * 10)
    assert "K39" in "\n".join(text(of)[: of.body_top + 26])


def test_the_place_is_the_same_on_every_task_that_allows_the_same() -> None:
    of = at("T1")
    assert of.place() == press(of, "j").place()


# --- through the app ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (["z"], "newest   cards"),
        (["t"], "newest   tree"),
        (["j", "space"], "in the family of T2"),
        (["f"], "1 of 12 ready"),
        (["right"], "needs    T1"),
        (["j", "left"], "T2, T4, then"),
        (["z", "z", "z", "z", "L"], "H L pan"),
        (["z", "L", "H"], "H L pan"),
        (["apostrophe", "r"], "▹ T7  Make row writes idempotent"),
        (["apostrophe", "b"], "⊘ T8  Drop old cursor column"),
        (["apostrophe", "p"], "▸ T5  Write checkpoint per batch"),
        (["apostrophe", "u"], "▸ T5  Write checkpoint per batch"),
        (["apostrophe", "c"], "longest chain, 5 tasks"),
        (["apostrophe", "y"], "⊘ T8  Drop old cursor column"),
    ],
)
async def test_every_key_of_the_plan_arrives(keys: list[str], words: str) -> None:
    of = app()
    async with of.run_test(size=(80, 30)) as pilot:
        await pilot.press("2", *keys)
        await until(pilot, lambda: words in shown(of))


def test_beside_the_list_the_details_follow_the_cursor_also_after_enter() -> None:
    of = press(seat(picture.full(), 120, 40, VIEWS), "2", "home", "enter", "j")
    assert cursor(of) == "task:T2"
    heading = next(at for at, line in enumerate(text(of)) if "Under the cursor" in line)
    assert "Choose checkpoint format" in text(of)[heading + 1]
