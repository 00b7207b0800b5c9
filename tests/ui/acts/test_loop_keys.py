"""What keys do to the restart loop under the cursor, and why they sometimes cannot."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppgp_tui.session.model import Lifecycle, Part
from ppgp_tui.session.picture.loop import Loop, LoopRunner
from ppgp_tui.ui.acts import deeds
from tests.ui import picture_loops as loops
from tests.ui.desk import Person
from tests.ui.stand_in import told

AGENTS = "6"


def person(*shown: Loop, width: int = 80, **counts: int) -> Person:
    """Somebody whose cursor is on the first of these loops."""
    of = Person(width=width)
    of.show(loops.with_loops(*shown, **counts))
    return of.press(AGENTS, "j").look()


def test_a_loop_is_paused_and_resumed_by_the_key_that_holds_an_agent() -> None:
    loop = loops.running()
    of = person(loop)
    assert "P pause" in of.key_line
    assert of.press("P").deeds == [deeds.PauseLoop(loop.id)]
    held = person(loops.paused())
    assert "P resume" in held.key_line
    assert held.press("P").deeds == [deeds.ResumeLoop(loops.paused().id)]


def test_a_loop_that_needs_you_goes_on_by_that_key_without_the_decision() -> None:
    asking = loops.asking()
    assert "P resume" in person(asking).key_line
    assert person(asking).press("P").deeds == [deeds.ResumeLoop(asking.id)]


@pytest.mark.parametrize("view", ["1", "3"])
def test_it_is_among_what_waits_for_you_and_keys_act_on_it_there(view: str) -> None:
    asking = loops.asking()
    of = Person(width=80)
    of.show(loops.with_loops(asking))
    of.press(view).look()
    for _ in range(6):
        if of.cursor == f"asks:{asking.id}":
            break
        of.press("j").look()
    assert of.cursor == f"asks:{asking.id}"
    assert "kill-points rests and needs you" in of.screen
    assert "the audit could not decide" in of.screen
    assert of.press("P").deeds == [deeds.ResumeLoop(asking.id)]
    assert "goal-verified" in of.press("enter").look().screen


def test_at_48_columns_pausing_is_named_also_beside_a_finding() -> None:
    assert "P pause" in person(loops.running(), width=48).key_line


def test_on_an_agent_the_same_key_holds_the_agent() -> None:
    of = person(loops.running()).press("k").look().press("P")
    assert isinstance(of.deeds[0], deeds.Hold)


@pytest.mark.parametrize(
    ("loop", "why"),
    [
        (loops.orphan(), "its runner is gone, so there is nothing to hold: close the loop"),
        (
            loops.of_the_original(),
            "another program runs this loop, and does not listen: end it there",
        ),
    ],
)  # fmt: skip
def test_what_nobody_would_obey_is_not_ordered(loop: Loop, why: str) -> None:
    of = person(loop).press("P")
    assert (of.deeds, of.toast) == ([], why)


def test_abandoning_asks_why_says_what_it_does_and_waits_for_a_yes() -> None:
    loop = loops.running()
    of = person(loop).press("X").type("not needed").press("enter")
    assert "Because: not needed" in of.screen
    assert "Its runner (process 4711) sees that within a second" in of.screen
    assert of.deeds == []
    assert of.press("y").deeds == [deeds.AbandonLoop(loop.id, "not needed")]


def test_esc_abandons_nothing_and_keeps_what_was_typed() -> None:
    of = person(loops.running()).press("X").type("not n").press("esc")
    assert (of.sheet, of.deeds) == ("", [])
    assert "not n" in of.press("X").screen


def test_no_is_where_the_cursor_rests() -> None:
    of = person(loops.running()).press("X").type("x").press("enter", "enter")
    assert (of.sheet, of.deeds) == ("", [])


def test_of_the_originals_loop_it_is_said_that_it_cannot_be_stopped_from_here() -> None:
    of = person(loops.of_the_original()).press("X").type("over").press("enter")
    assert "cannot be stopped from here" in of.screen


def test_a_loop_that_nobody_runs_is_closed_without_a_reason() -> None:
    of = person(loops.orphan())
    assert "X close it" in of.key_line
    of.press("X")
    assert "The process that ran it (4711) is gone" in of.screen
    assert of.press("y").deeds == [deeds.CloseOrphan(loops.orphan().id)]


def test_a_closed_loop_is_left_alone() -> None:
    shown = loops.closed()[0]
    of = person(shown, closed_here=1).press("space").look().press("j").look()
    assert of.cursor == f"loop:{shown.id}"
    assert of.press("P").toast == "the loop schema is closed"
    assert of.press("X").deeds == []


def test_a_loop_that_ended_just_now_is_still_in_the_list() -> None:
    ended = loops.closed()[0]._replace(changed_ms=loops.ago(minutes=2))
    of = person(ended, closed_here=1)
    assert of.cursor == f"loop:{ended.id}"
    assert "success" in of.screen
    assert "closed" not in of.screen


def test_a_loop_that_was_only_tried_is_no_news() -> None:
    tried = loops.closed()[2]._replace(
        changed_ms=loops.ago(minutes=2), reason="dry run", rows=1, iteration=0
    )
    of = person(tried, closed_here=1)
    assert of.cursor == "loops:all"
    assert "1 closed" in of.screen
    assert "dry run" in of.press("space").screen


def test_the_card_of_a_closed_loop_says_how_long_it_took_and_that_nobody_runs_it() -> None:
    ended = loops.closed()[0]._replace(changed_ms=loops.ago(minutes=2))
    of = person(ended, closed_here=1).press("enter").look()
    assert "took 1h11 of 4h00" in of.screen
    assert "process 4711 here, ended" in of.press("G").screen


@pytest.mark.parametrize(
    ("id_", "said"), [("goal_1", "Survive every crash (goal_1)"), ("goal_2", "goal_2")]
)
def test_the_goal_of_a_loop_is_said_in_its_own_words_where_it_is_the_one_of_now(
    id_: str, said: str
) -> None:
    of = Person()
    shown = loops.with_loops(loops.running()._replace(goal=id_))
    now = Lifecycle("goal_1", "active", objective="Survive\nevery crash")
    of.show(replace(shown, lifecycle=Part(now)))
    of.press(AGENTS, "j").look().press("enter").look()
    assert f"goal       {said}" in of.press("G").screen


def test_space_and_enter_show_the_loops_of_other_places_and_hide_them() -> None:
    of = person(loops.running(), loops.elsewhere()).press("j").look()
    assert of.cursor == "loops:all"
    assert "/home/kim/site/PROMPT.md" not in of.screen
    assert "/home/kim/site/PROMPT.md" in of.press("space").screen
    assert "/home/kim/site/PROMPT.md" not in of.press("enter").screen


def test_a_card_opens_and_keys_act_in_it_too() -> None:
    loop = loops.running()
    of = person(loop).press("enter").look()
    assert "next: src/importer/batch.py" in of.screen, "what it prints needs no scrolling"
    assert "process 4711 here, alive" in of.press("G").screen
    assert of.press("P").deeds == [deeds.PauseLoop(loop.id)]
    assert "nightly" not in of.press("esc").screen


def test_e_opens_the_prompt_and_on_the_output_the_whole_of_it() -> None:
    loop = loops.running()
    of = person(loop).press("e")
    assert told(of.seat).edited == [(loop.prompt, 0)]
    of.press("enter").look()
    while of.cursor != "loop.output":
        of.press("j")
    of.press("e")
    assert loop.output is not None
    assert told(of.seat).edited[1:] == [(loop.output.path, 0)]


def test_in_the_past_there_are_no_loops_to_act_on() -> None:
    of = person(loops.running()).press("4", "<", AGENTS).look().press("I")
    assert of.sheet == ""


def test_a_runner_elsewhere_is_told_through_the_log() -> None:
    far = loops.running()._replace(runner=LoopRunner("elsewhere", 12, "attic"))
    of = person(far).press("X").type("over").press("enter")
    assert "Its runner is on attic" in of.screen
