"""What a person is asked before a new restart loop begins, and what becomes of the answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.model import Lifecycle, Part
from ppgp_tui.session.picture.loop import Loop
from ppgp_tui.session.picture.loops import Loops
from ppgp_tui.ui.acts import confirming, deeds
from tests.ui import picture_loops as loops
from tests.ui.desk import Person

AGENTS = "6"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Somebody in a folder with a prompt, who asked for a new loop."""
    (tmp_path / "PROMPT.md").write_text("do it")
    (tmp_path / "agent").write_text("#!/bin/sh\n")
    (tmp_path / "agent").chmod(0o755)
    monkeypatch.delenv("TMUX", raising=False)
    of = Person()
    of.show(replace(loops.with_loops(loops.running()), root=tmp_path))
    return of.press(AGENTS).look().press("I")


def enter(of: Person, *answers: str) -> Person:
    """Answer one question after the other in place of what stands there."""
    for answer in answers:
        of.press("ctrl+u")
        of.paste(answer).press("enter")
    return of


GOOD = ("PROMPT.md", "none", "5", "90m", "./agent {}", "no")


def test_a_new_loop_is_shown_as_the_command_it_is_and_started_after_a_yes(desk: Person) -> None:
    enter(desk, *GOOD)
    assert "ppgp-tui persist iterate --max-iterations=5 --max-wall-clock=5400" in desk.screen
    assert "It runs beside this terminal" in desk.screen
    assert desk.deeds == []
    options = ("--max-iterations=5", "--max-wall-clock=5400", "--agent-cmd=./agent {}")
    assert desk.press("y").deeds == [deeds.StartLoop((*options, "--", "PROMPT.md"))]


def test_the_question_before_can_be_asked_again_and_nothing_typed_is_lost(desk: Person) -> None:
    assert "the question before" not in desk.screen
    enter(desk, "PROMPT.md", "line:DONE:STATUS")
    assert "Shift+Tab asks the question before again" in desk.screen
    desk.press("ctrl+u").type("7").press("shift+tab")
    assert desk.seat.entry is not None
    assert desk.seat.entry.text == "line:DONE:STATUS"
    desk.press("shift+tab", "shift+tab")
    assert desk.seat.entry.text == "PROMPT.md"
    desk.press("enter")
    enter(desk, "exit-code-0")
    assert desk.seat.entry.text == "7"


def began(desk: Person) -> Loop:
    """The loop was started, and this is the one."""
    enter(desk, *GOOD).press("y")
    (deed,) = desk.deeds
    confirming.done(desk.seat, deed, Result("persist.start", "done", "it runs"))
    return loops.loop("brand-new")


def arrives(desk: Person, loop: Loop) -> None:
    desk.show(replace(desk.seat.snapshot, loops=loops.with_loops(loops.running(), loop).loops))


def test_the_cursor_goes_to_the_new_loop_as_soon_as_it_is_there(desk: Person) -> None:
    loop = began(desk)
    assert desk.cursor != f"loop:{loop.id}"
    arrives(desk, loop)
    assert desk.cursor == f"loop:{loop.id}"
    desk.press("k").look()
    arrives(desk, loop)
    assert desk.cursor != f"loop:{loop.id}", "once"


def test_who_went_elsewhere_meanwhile_stays_there(desk: Person) -> None:
    loop = began(desk)
    desk.press("j").look()
    at = desk.cursor
    arrives(desk, loop)
    assert desk.cursor == at
    desk.press("1").look()
    assert desk.seat.view.name == "session"


@pytest.mark.parametrize(
    ("at", "answer", "why"),
    [
        (0, "MISSING.md", "prompt file not found"),
        (0, ".", "is a folder"),
        (1, "exit-code-zero", "is no condition and could never hold"),
        (1, "file-exists:", "names no path"),
        (1, "file-exists:agent", "it holds already: agent exists"),
        (2, "0", "a whole number from 1 to 999,999,999"),
        (2, "many", "a whole number from 1 to 999,999,999"),
        (3, "soon", "a time such as 4h"),
        (3, "0", "a time such as 4h"),
        (2, "10000000000", "a whole number from 1 to 999,999,999"),
        (4, "agent 'open", "close the quote, or ask for --shell of ppgp-tui persist iterate"),
        (4, "no-such-agent {}", "no such program is found"),
        (5, "perhaps", "yes or no"),
    ],
)
def test_every_answer_is_checked_and_can_be_put_right(
    desk: Person, at: int, answer: str, why: str
) -> None:
    enter(desk, *GOOD[:at], answer)
    assert why in " ".join(desk.screen.split())
    assert desk.seat.entry is not None
    assert desk.seat.entry.text == answer
    enter(desk, *GOOD[at:])
    assert "Start this loop?" in desk.screen


def test_a_loop_that_waits_for_the_goals_verdict_is_bound_to_it_without_a_question(
    desk: Person,
) -> None:
    enter(desk, "PROMPT.md", "goal-verified", *GOOD[2:5])
    assert "Bound to the goal: each run is told of it" in desk.screen
    (deed,) = desk.press("y").deeds
    assert isinstance(deed, deeds.StartLoop)
    assert deed.options[-4:] == (
        "--success-condition=goal-verified", "--goal", "--", "PROMPT.md",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("life", "said"),
    [
        (Lifecycle(), "only a document, so nobody can claim it"),
        (Lifecycle("goal_1", "active", objective="Ship it", source="log"),
         "leave out every command that you have not let run here"),
    ],
)  # fmt: skip
def test_what_a_person_has_to_do_for_the_verdict_is_said_before_the_loop_begins(
    desk: Person, life: Lifecycle, said: str
) -> None:
    desk.show(replace(desk.seat.snapshot, lifecycle=Part(life)))
    desk.press("esc", "I")
    enter(desk, "PROMPT.md", "goal-verified", *GOOD[2:5])
    assert said in " ".join(desk.screen.split())


@pytest.mark.parametrize("answer", ["yes", "y", "Y"])
def test_a_loop_serves_the_goal_where_a_person_says_so(desk: Person, answer: str) -> None:
    (deed,) = enter(desk, *GOOD[:5], answer).press("y").deeds
    assert isinstance(deed, deeds.StartLoop)
    assert "--goal" in deed.options


def test_where_there_is_no_goal_none_is_offered_and_none_is_asked_for(desk: Person) -> None:
    here = desk.seat.snapshot
    nothing = GoalReading("docs/ACTIVE_GOAL.md", "MISSING", ())
    desk.show(replace(here, goal=Part(nothing), lifecycle=Part(Lifecycle())))
    desk.press("esc", "I")
    enter(desk, "PROMPT.md")
    assert "goal-verified" not in desk.screen
    enter(desk, "goal-verified")
    assert "there is no goal here" in desk.screen
    enter(desk, *GOOD[1:5])
    assert "Start this loop?" in desk.screen
    assert "--goal" not in desk.screen


def test_an_answer_that_was_taken_away_is_missed(desk: Person) -> None:
    desk.press("ctrl+u", "enter")
    assert "! nothing was typed" in desk.screen
    assert "PROMPT.md" in desk.screen


def test_a_second_loop_on_one_prompt_is_refused(desk: Person) -> None:
    root = desk.seat.snapshot.root
    there = loops.running()._replace(prompt=str(root.resolve() / "PROMPT.md"))
    desk.show(replace(desk.seat.snapshot, loops=Part(Loops((there,)))))
    desk.press("esc", "I")
    enter(desk, "PROMPT.md")
    assert f"the loop {there.id} runs on this prompt already" in " ".join(desk.screen.split())


def test_a_prompt_too_large_for_an_argument_is_said_before_anything_runs(desk: Person) -> None:
    (desk.seat.snapshot.root / "PROMPT.md").write_bytes(b"x" * 200_000)
    enter(desk, *GOOD[:5])
    assert "one argument holds at most 131071" in " ".join(desk.screen.split())


# --- in the first view --------------------------------------------------------------------------


def test_the_first_view_lists_open_loops_and_keys_act_on_them_there() -> None:
    of = Person(height=60)
    of.show(loops.with_loops(loops.orphan(), loops.running(), loops.elsewhere(), *loops.closed()))
    of.press("G").look()
    while not of.cursor.startswith("loop:"):
        of.press("k").look()
    assert of.cursor == f"loop:{loops.running().id}"
    assert "kill-points  run 5 of 20" in of.screen
    assert "site" not in of.screen
    assert of.press("P").deeds == [deeds.PauseLoop(loops.running().id)]
    of.press("k").look().press("enter").look()
    assert "nobody runs it any more: X closes it" in of.screen
    assert of.press("X").sheet == "confirm"
