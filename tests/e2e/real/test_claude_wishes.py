"""What a person wants of a Claude Code that works: a word to it, the end of its turn, and Esc."""

from __future__ import annotations

import time

import pytest

from tests.e2e.acting import Recording
from tests.e2e.real.agents import program
from tests.e2e.real.desk import PATIENCE_S, READ_S, Desk, connected_to_claude
from tests.e2e.real.dialects import Turn
from tests.e2e.real.model import shell
from tests.waiting import until

pytestmark = pytest.mark.skipif(program("claude") is None, reason="Claude Code is not there")


@pytest.fixture
def here(at: Desk) -> Desk:
    return connected_to_claude(at)


def test_a_note_reaches_the_model_with_the_next_call(here: Desk) -> None:
    here.model.will(Turn("", (shell("touch one.txt"),)), Turn("Done."))
    claude, app = here.claude("--allowedTools", "Bash"), here.server.app(110, 36)
    here.model.keep_waiting()
    here.prompts(claude, "Please work.")
    here.model.asked(1)
    here.picks(app, "claude")
    app.key("m")
    app.sees("Note to claude")
    time.sleep(READ_S)
    app.types("mind the old cursor")
    until(lambda: any((here.run / "notes").glob("*.json")), PATIENCE_S)
    here.model.answer()
    assert "mind the old cursor" in here.model.asked(2).words()
    app.until(lambda text: "delivered" in text, PATIENCE_S)


def test_a_turn_that_is_stopped_asks_the_model_nothing_more(here: Desk) -> None:
    here.model.will(Turn("", (shell("touch one.txt"),)), Turn("I should not say this."))
    claude, app = here.claude("--allowedTools", "Bash"), here.server.app(110, 36)
    here.model.keep_waiting()
    here.prompts(claude, "Please work.")
    here.model.asked(1)
    here.picks(app, "claude")
    app.key("S")
    until(lambda: here.order("stop"), PATIENCE_S)
    here.model.answer()
    app.until(lambda text: "idle" in text, PATIENCE_S)
    until(lambda: not here.order("stop"), PATIENCE_S)
    time.sleep(2)
    assert len(here.model.requests) == 1
    assert not here.has("one.txt")
    here.prompts(claude, "Go on, please.")
    here.model.asked(2)
    claude.until(lambda text: "I should not say this." in text, PATIENCE_S)


def test_esc_while_it_is_held_is_seen_and_the_next_call_is_held_again(here: Desk) -> None:
    call = shell("touch one.txt")
    here.model.will(Turn("", (call,)), Turn("", (call,)), Turn("Done."))
    claude, app = here.claude("--allowedTools", "Bash"), here.server.app(110, 36)
    app.sees("p pause")
    seen = Recording(app)
    time.sleep(READ_S)
    app.key("p")
    until(here.hold, PATIENCE_S)
    here.prompts(claude, "Please work.")
    seen.until("held, 0 events since", PATIENCE_S)
    until(lambda: here.events("agent.held"), PATIENCE_S)
    time.sleep(READ_S)
    claude.key("Escape")
    until(lambda: here.events("agent.released"), PATIENCE_S)
    (broken,) = here.events("agent.released")
    assert broken["payload"]["outcome"] == "killed"
    assert "esc" in [event["payload"]["what"] for event in here.events("human.interrupted")]
    app.key("6")
    app.until(lambda text: "idle" in text and "held 0" not in text, PATIENCE_S)
    seen.until("pause seen", PATIENCE_S)
    assert not any((here.run / "held").iterdir())

    here.prompts(claude, "Please try again.")
    seen.until("held, 0 events since", PATIENCE_S)
    assert not here.has("one.txt")
    time.sleep(READ_S)
    app.key("p")
    here.until_made("one.txt")
    here.model.asked(3)
