"""What Claude Code is told again when its memory was cut down, and the proof of it."""

from __future__ import annotations

import pytest

from tests.e2e.acting import OBJECTIVE
from tests.e2e.real.agents import program
from tests.e2e.real.desk import PATIENCE_S, Desk, connected_to_claude
from tests.e2e.real.dialects import Turn
from tests.waiting import until

pytestmark = pytest.mark.skipif(program("claude") is None, reason="Claude Code is not there")


@pytest.fixture
def here(at: Desk) -> Desk:
    at.set_up("[continue]\non = false\n")
    return connected_to_claude(at)


def test_after_a_compaction_it_is_told_the_goal_again(here: Desk) -> None:
    claude, app = here.claude(), here.server.app(110, 36)
    for at in range(3):  # with less it finds nothing to cut
        here.model.will(Turn(f"I know {at}."))
        here.prompts(claude, f"Do you know {at}?")
        claude.sees(f"I know {at}.")

    here.prompts(claude, "/compact")
    (cut,) = until(lambda: here.events("context.compacted"), PATIENCE_S)
    assert cut["payload"]["trigger"] == "manual"
    assert cut["payload"]["before"] == cut["payload"]["after"] != ""
    assert cut["payload"]["injected"]
    claude.until(lambda text: "for shortcuts" in text, PATIENCE_S)
    here.prompts(claude, "And what is it now?")
    told = here.model.asked_with("And what is it now?").words()
    assert "I know 1." not in told
    assert OBJECTIVE in told
    app.key("6")
    app.until(lambda text: "compact" in text.lower(), PATIENCE_S)


def test_a_session_that_begins_anew_is_told_the_goal_and_is_a_run_of_its_own(here: Desk) -> None:
    here.model.will(Turn("One."), Turn("Two."))
    claude = here.claude()
    here.prompts(claude, "Say one.")
    claude.until(lambda text: "One." in text, PATIENCE_S)
    here.prompts(claude, "/clear")
    until(lambda: len(here.events("run.started")) == 2, PATIENCE_S)
    here.prompts(claude, "Say two.")
    told = here.model.asked_with("Say two.").words()
    assert "Say one." not in told
    assert OBJECTIVE in told
    here.prompts(claude, "/exit")
    until(lambda: len(here.events("run.finished")) == 2, PATIENCE_S)
    assert [one["state"] for one in here.heartbeats()] == ["ended", "ended"]
