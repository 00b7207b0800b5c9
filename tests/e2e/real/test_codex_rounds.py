"""At the end of its turn Codex, which has no cap of its own, goes on no longer than we let it."""

from __future__ import annotations

import pytest

from tests.e2e.real.agents import program
from tests.e2e.real.desk import PATIENCE_S, UNTRUSTED, Desk, connected_to_codex
from tests.e2e.real.dialects import Turn
from tests.e2e.real.model import exec_command
from tests.e2e.real.steps import plan, working

pytestmark = pytest.mark.skipif(program("codex") is None, reason="Codex is not there")

GO_ON = "Continue the Goal."


@pytest.fixture
def here(at: Desk) -> Desk:
    return connected_to_codex(at)


def test_it_goes_on_until_the_plan_is_done(here: Desk) -> None:
    here.model.will(
        Turn("", (exec_command(plan(1, "completed", "pending")),)),
        Turn("T1 is done."),
        Turn("", (exec_command(plan(2, "completed", "completed")),)),
        Turn("T2 is done."),
    )
    codex = here.codex(UNTRUSTED)
    here.prompts(codex, "Please do the plan.")
    assert f"{GO_ON}\nNext: T2: Do T2" in here.model.asked(3).words()
    here.rests("nothing is left open")
    codex.until(lambda text: "T2 is done." in text, PATIENCE_S)
    assert len(here.model.requests) == 4
    assert here.model.requests[-1].words().count(GO_ON) == 1


def test_it_goes_on_as_often_as_the_counter_says_and_anew_after_a_prompt(here: Desk) -> None:
    here.set_up("[continue]\nlimit = 3\n")
    here.model.then(working(exec_command))
    codex = here.codex(UNTRUSTED)
    here.prompts(codex, "Please work.")
    here.rests("it went on 3 times")
    assert here.model.requests[-1].words().count(GO_ON) == 3
    here.prompts(codex, "And once more.")
    codex.until(lambda text: "Step 8 is done." in text, PATIENCE_S)
    here.rests("it went on 3 times")
    assert here.model.requests[-1].words().count(GO_ON) == 6
