"""At the end of its turn Claude Code goes on with the goal: until the plan is done, and never past
the counter or its own cap.
"""

from __future__ import annotations

import pytest

from tests.e2e.real.agents import program
from tests.e2e.real.desk import PATIENCE_S, Desk, connected_to_claude
from tests.e2e.real.dialects import Turn
from tests.e2e.real.model import shell
from tests.e2e.real.steps import plan, talking, working

pytestmark = pytest.mark.skipif(program("claude") is None, reason="Claude Code is not there")

GO_ON = "Stop hook feedback:\nContinue the Goal."


@pytest.fixture
def here(at: Desk) -> Desk:
    return connected_to_claude(at)


def test_it_goes_on_until_the_plan_is_done(here: Desk) -> None:
    here.model.will(
        Turn("", (shell(plan(1, "completed", "pending")),)),
        Turn("T1 is done."),
        Turn("", (shell(plan(2, "completed", "completed")),)),
        Turn("T2 is done."),
    )
    claude = here.claude("--allowedTools", "Bash")
    here.prompts(claude, "Please do the plan.")
    assert f"{GO_ON}\nNext: T2: Do T2" in here.model.asked(3).words()
    here.rests("nothing is left open")
    claude.until(lambda text: "T2 is done." in text, PATIENCE_S)
    assert len(here.model.requests) == 4
    assert here.model.requests[-1].words().count(GO_ON) == 1


def test_it_goes_on_as_often_as_the_counter_says_and_anew_after_a_prompt(here: Desk) -> None:
    here.set_up("[continue]\nlimit = 3\n")
    here.model.then(working(shell))
    claude = here.claude("--allowedTools", "Bash")
    here.prompts(claude, "Please work.")
    here.rests("it went on 3 times")
    assert here.model.requests[-1].words().count(GO_ON) == 3
    here.prompts(claude, "And once more.")
    claude.until(lambda text: "Step 8 is done." in text, PATIENCE_S)
    here.rests("it went on 3 times")
    assert here.model.requests[-1].words().count(GO_ON) == 6


def test_without_a_single_call_it_stops_before_claude_code_does(here: Desk) -> None:
    here.set_up("[continue]\nno_progress = 100\n")
    here.model.then(talking())
    claude = here.claude("--allowedTools", "Bash")
    here.prompts(claude, "Please work.")
    here.rests("it went on without a single call")
    assert here.model.requests[-1].words().count(GO_ON) == 7
    claude.until(lambda text: "step 8." in text, PATIENCE_S)


def test_it_does_not_go_round_and_round_where_nothing_moves(here: Desk) -> None:
    here.model.then(talking())
    claude = here.claude("--allowedTools", "Bash")
    here.prompts(claude, "Please work.")
    here.rests("nothing changed in 3 rounds")
    assert here.model.requests[-1].words().count(GO_ON) == 3
