"""Pause, forms, the effect to confirm, leaving: a person's other acts, sent only when meant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.model import Control, Lifecycle, Part, SourceState
from ppgp_tui.ui.acts import confirming, deeds, mouse
from ppgp_tui.ui.acts.deeds import (
    Abandon,
    Adopt,
    Block,
    Hold,
    Init,
    NewGoal,
    Release,
    Restore,
    Unblock,
)
from tests.ui.desk import PLAN, Person
from tests.ui.stand_in import told

HELD = Control(generation=13, hold_id="hold_1", held_since_ms=1)


def with_goal(status: str, objective: str | None = "Make it resumable") -> Person:
    of = Person(view=PLAN)
    goal = Lifecycle("goal_1", status, 1, 4, objective)  # type: ignore[arg-type]
    return of.show(replace(of.seat.snapshot, lifecycle=Part(goal))).look()


def from_palette(of: Person, words: str) -> Person:
    return of.press(":").type(words).press("enter")


# --- pause --------------------------------------------------------------------------------------


def test_p_sends_hold_or_release_with_the_generation_on_the_screen() -> None:
    of = Person().press("p")
    assert of.deeds == [Hold(12)]
    of.order(HELD).look().press("p")
    assert of.deeds[1:] == [Release(13)]


def test_p_with_no_order_at_all_holds() -> None:
    assert Person().order(Control()).look().press("p").deeds == [Hold(None)]


def test_p_within_400_ms_of_a_change_of_the_order_turns_nothing_round() -> None:
    of = Person().order(HELD).press("p")
    assert of.deeds == []
    assert of.toast == "the order to the agents just changed: look, then press again"
    of.now += 600
    assert of.press("p", late_ms=500).deeds == []
    assert of.press("p").deeds == [Release(13)]


def test_while_the_order_is_lost_p_gives_the_pause_up() -> None:
    of = Person().order(Control(generation=13, lost=True)).look()
    assert "p resume" in of.key_line
    assert of.press("p").deeds == [Release(13)]


def test_the_key_line_says_what_p_does() -> None:
    of = Person()
    assert "p pause" in of.key_line
    assert "p resume" in of.order(HELD).key_line


# --- leaving ------------------------------------------------------------------------------------


@pytest.mark.parametrize("keys", [("q", "q"), ("ctrl+q", "q"), ("ctrl+c", "ctrl+c", "ctrl+c")])
def test_quitting_while_agents_are_held_says_once_that_they_stay_so(keys: tuple[str, ...]) -> None:
    of = Person().order(HELD)
    *before, last = keys
    for key in before:
        of.press(key)
        of.now += 900
    assert told(of.seat).left == 0
    assert of.toast == "agents stay held: q again leaves, p resumes"
    of.press(last)
    assert told(of.seat).left == 1
    assert of.deeds == []


def test_a_word_of_long_ago_does_not_count() -> None:
    of = Person().order(HELD).press("q")
    of.now += 11_000
    of.press("q")
    assert told(of.seat).left == 0


# --- forms --------------------------------------------------------------------------------------


def test_a_new_goal_is_typed_confirmed_and_then_sent() -> None:
    of = from_palette(with_goal("none", None), "new goal")
    assert "What must be true when it is done?" in of.screen
    of.type("ships on Monday").press("enter")
    assert "Start this goal?" in of.screen
    assert "It is active at once" in of.screen
    assert of.deeds == []
    of.press("y")
    assert of.deeds == [NewGoal("ships on Monday")]
    assert of.sheet == ""


@pytest.mark.parametrize("keys", [("n",), ("esc",), ("enter",), ("j", "k", "enter")])
def test_a_confirmation_rests_on_no(keys: tuple[str, ...]) -> None:
    of = from_palette(with_goal("none", None), "new goal").type("x").press("enter", *keys)
    assert of.deeds == []
    assert of.sheet == ""


def test_a_second_click_on_yes_does_it_and_the_first_does_not() -> None:
    of = from_palette(with_goal("none", None), "new goal").type("x").press("enter")
    at = of.line_with("do it")
    mouse.click(of.seat, 10, at)
    assert of.deeds == []
    mouse.click(of.seat, 10, at)
    assert of.deeds == [NewGoal("x")]


def test_enter_on_yes_does_it() -> None:
    of = from_palette(with_goal("none", None), "new goal").type("x").press("enter", "j", "enter")
    assert of.deeds == [NewGoal("x")]


@pytest.mark.parametrize("key", ["a", "c", "d", "g", "Y", "u", "p", "r", "m", "2", "o"])
def test_no_other_key_confirms(key: str) -> None:
    of = from_palette(with_goal("none", None), "new goal").type("x").press("enter", key)
    assert of.deeds == []


def test_an_effect_that_cannot_be_seen_cannot_be_confirmed() -> None:
    of = from_palette(with_goal("none", None), "new goal").type("x").press("enter")
    of.seat.resize(39, 10)
    of.press("y", "enter")
    assert of.deeds == []


def test_a_blank_answer_asks_again_and_says_why() -> None:
    of = from_palette(with_goal("none", None), "new goal").press("enter", "space", "enter")
    assert of.sheet == "form"
    assert "! nothing was typed" in of.screen
    assert of.deeds == []


def test_blocking_asks_for_the_whole_proof_and_shows_it() -> None:
    of = from_palette(with_goal("active"), "block the goal")
    for words in ("no disk", "df says so", "no other host", "a new disk"):
        of.type(words).press("enter")
    for words in ("In the way: no disk", "Shown by: df says so", "Until: a new disk"):
        assert words in of.screen
    assert of.press("y").deeds == [Block("no disk", "df says so", "no other host", "a new disk")]


def test_changing_the_objective_begins_with_the_present_one() -> None:
    of = from_palette(with_goal("active", "Make it\nresumable"), "change the")
    assert "Make it resumable_" in of.screen
    of.type(" twice").press("enter")
    assert "The goal now: Make it resumable" in of.screen
    assert of.press("y").deeds == [deeds.Tweak("Make it resumable twice")]


def test_giving_up_says_which_goal_ends() -> None:
    of = from_palette(with_goal("active"), "give the").type("no use").press("enter")
    assert "The goal now: Make it resumable" in of.screen
    assert "cannot be resumed" in of.screen
    assert of.press("y").deeds == [Abandon("no use")]


def test_letting_go_on_says_what_becomes_active() -> None:
    of = from_palette(with_goal("blocked"), "let a")
    assert "It is blocked and becomes active again" in of.screen
    assert of.press("y").deeds == [Unblock()]


def test_what_was_typed_is_there_again_when_nothing_came_of_it() -> None:
    of = from_palette(with_goal("active"), "block the goal").type("no disk").press("enter")
    of.type("df sa").press("esc")
    from_palette(of, "block the goal")
    assert "no disk_" in of.screen
    assert "df sa_" in of.press("enter").screen
    of.press("enter").type("a").press("enter").type("b").press("enter", "y")
    confirming.done(of.seat, of.deeds[0], Result("goal.block", "refused", "no proof"))
    assert "no disk_" in from_palette(of, "block the goal").screen
    of.press("esc")
    confirming.done(of.seat, of.deeds[0], Result("goal.block", "done", "goal blocked"))
    assert "no disk" not in from_palette(of, "block the goal").screen


def test_a_long_text_is_seen_while_it_is_typed() -> None:
    of = Person(view=PLAN, width=48, height=24)
    from_palette(with_size(of), "new goal").paste("word " * 250 + "END")
    assert "END_" in of.screen
    assert len(of.screen.splitlines()) == 24


def with_size(of: Person) -> Person:
    goal = Lifecycle("goal_1", "none")
    return of.show(replace(of.seat.snapshot, lifecycle=Part(goal))).look()


# --- offered only where they can act ------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "status", "why"),
    [
        ("goal.new", "active", "there is a goal: change it, or give it up"),
        ("goal.new", "blocked", "there is a goal: change it, or give it up"),
        ("goal.new", "none", ""),
        ("goal.new", "complete", ""),
        ("goal.tweak", "none", "there is no recorded goal: new goal makes one"),
        ("goal.tweak", "complete", "the goal is complete"),
        ("goal.tweak", "paused", ""),
        ("goal.block", "blocked", "the goal is blocked already"),
        ("goal.block", "paused", "the goal is paused already"),
        ("goal.block", "active", ""),
        ("goal.unblock", "active", "the goal goes on already"),
        ("goal.unblock", "paused", ""),
        ("goal.unblock", "none", "there is no recorded goal: new goal makes one"),
        ("goal.abandon", "none", "there is no recorded goal: new goal makes one"),
        ("goal.abandon", "paused", ""),
    ],
)
def test_an_act_on_the_goal_is_offered_where_it_can_act(action: str, status: str, why: str) -> None:
    of = with_goal(status)
    found = next(one for one in of.seat.keymap.actions if one.id == action)
    assert found.refuses(of.seat.place()) == why


def test_while_the_log_is_read_nothing_is_said_of_the_goal() -> None:
    of = with_goal("none", None)
    reading = (SourceState("events", "state/events.jsonl", "reading", 0.4),)
    of.show(replace(of.seat.snapshot, sources=reading))
    assert of.seat.place().goal == "unread"


def test_a_plan_edited_by_hand_is_adopted_or_dropped_when_that_is_confirmed() -> None:
    of = Person(view=PLAN)
    assert from_palette(of, "adopt").toast.startswith("the plan's file holds no edit")
    plan = of.seat.snapshot.plan.value._replace(hand_edit=True)
    of.show(replace(of.seat.snapshot, plan=Part(plan)))
    from_palette(of, "adopt")
    assert ".ppgp/todo.json as it is now becomes revision 15" in of.screen
    assert of.press("y").deeds == [Adopt()]
    from_palette(of, "drop")
    assert "is set back to revision 14" in of.screen
    assert ".ppgp/run/torn/" in of.screen
    assert of.press("y").deeds[1:] == [Adopt(drop=True)]


@pytest.mark.parametrize(("cut", "words"), [(1, "1 recorded event that"), (4, "4 recorded events")])
def test_what_was_cut_out_of_the_log_is_put_back_when_that_is_confirmed(
    cut: int, words: str
) -> None:
    of = Person(view=PLAN)
    events = of.seat.snapshot.events.value
    of.show(replace(of.seat.snapshot, events=Part(replace(events, cut=cut))))
    from_palette(of, "put back")
    assert words in of.screen
    assert of.press("y").deeds == [Restore()]


def test_where_nothing_was_cut_nothing_is_put_back() -> None:
    of = Person(view=PLAN)
    events = of.seat.snapshot.events.value
    of.show(replace(of.seat.snapshot, events=Part(replace(events, cut=0))))
    assert from_palette(of, "put back").toast == "nothing was cut out of the log"


def test_a_session_is_begun_with_the_list_of_what_is_created() -> None:
    of = Person(view=PLAN)
    sources = (SourceState("events", "state/events.jsonl", "absent"),)
    of.show(replace(of.seat.snapshot, sources=sources))
    from_palette(of, "begin a session")
    assert of.deeds == [Init(dry_run=True)]
    would = Result("init", "unchanged", "would", data={"create": [".ppgp/", "log/e.jsonl"]})
    confirming.done(of.seat, of.deeds[0], would)
    of.paint()
    assert "Creates .ppgp/, log/e.jsonl." in of.screen
    assert of.press("y").deeds[1:] == [Init()]


def test_any_act_without_a_session_offers_to_begin_one() -> None:
    of = Person(view=PLAN)
    confirming.done(of.seat, NewGoal("x"), Result("goal.create", "not_initialised", "no session"))
    assert of.deeds == [Init(dry_run=True)]


def test_what_the_app_puts_right_by_itself_is_said_and_offers_nothing() -> None:
    of = Person(view=PLAN)
    confirming.done(of.seat, deeds.Flush(), Result("flush", "not_initialised", "no session"))
    assert of.toast == "no session"
    assert of.deeds == []


def test_how_a_deed_went_is_said_with_its_warnings_and_harmless() -> None:
    of = Person()
    result = Result("answer", "done", "answered\x1b[2J", warnings=("the document\nchanged",))
    confirming.done(of.seat, NewGoal("x"), result)
    of.paint()
    assert of.toast == "answered␛[2J; the document changed"


def test_every_act_of_the_palette_can_be_reached_and_stopped_by_esc() -> None:
    for status in ("none", "active", "blocked"):
        for action in with_goal(status).seat.keymap.actions:
            if action.id.startswith(("goal.", "todo.", "log.")):
                of = with_goal(status)
                from_palette(of, action.label).press("esc", "esc")
                looks = [deed for deed in of.deeds if getattr(deed, "dry_run", False)]
                assert (of.deeds, of.sheet) == (looks, "")
