"""What a person wants of a Codex that works: a word to it, the end of its turn, and Esc."""

from __future__ import annotations

import time

import pytest

from tests.e2e.acting import Recording
from tests.e2e.real.agents import program
from tests.e2e.real.desk import PATIENCE_S, READ_S, UNTRUSTED, Desk, connected_to_codex
from tests.e2e.real.dialects import Turn
from tests.e2e.real.model import exec_command
from tests.waiting import until

pytestmark = pytest.mark.skipif(program("codex") is None, reason="Codex is not there")


@pytest.fixture
def here(at: Desk) -> Desk:
    at.set_up("[continue]\non = false\n")
    return connected_to_codex(at)


def test_a_note_reaches_the_model_with_the_next_call(here: Desk) -> None:
    here.model.will(Turn("", (exec_command("touch one.txt"),)), Turn("Done."))
    codex, app = here.codex(UNTRUSTED), here.server.app(110, 36)
    here.model.keep_waiting()
    here.prompts(codex, "Please work.")
    here.model.asked(1)
    here.picks(app, "codex")
    app.key("m")
    app.sees("Note to codex")
    time.sleep(READ_S)
    app.types("mind the old cursor")
    until(lambda: any((here.run / "notes").glob("*.json")), PATIENCE_S)
    here.model.answer()
    assert "mind the old cursor" in here.model.asked(2).words()
    app.until(lambda text: "delivered" in text, PATIENCE_S)


def test_a_turn_that_is_stopped_has_its_calls_refused_until_it_ends(here: Desk) -> None:
    call = exec_command("touch one.txt")
    here.model.will(Turn("", (call,)), Turn("", (call,)), Turn("So I end."), Turn("On again."))
    codex, app = here.codex(UNTRUSTED), here.server.app(110, 36)
    here.model.keep_waiting()
    here.prompts(codex, "Please work.")
    here.model.asked(1)
    here.picks(app, "codex")
    app.key("S")
    until(lambda: here.order("stop"), PATIENCE_S)
    here.model.answer()
    codex.until(lambda text: "So I end." in text, PATIENCE_S)
    app.until(lambda text: "idle" in text, PATIENCE_S)
    until(lambda: not here.order("stop"), PATIENCE_S)
    assert not here.has("one.txt")
    assert "Stopped by the operator" in here.model.requests[-1].words()
    here.prompts(codex, "Go on, please.")
    codex.until(lambda text: "On again." in text, PATIENCE_S)


def test_a_pause_before_the_prompt_lets_no_request_reach_the_model(here: Desk) -> None:
    here.model.will(Turn("Here I am."))
    codex, app = here.codex(UNTRUSTED), here.server.app(110, 36)
    app.sees("p pause")
    time.sleep(READ_S)
    app.key("p")
    until(here.hold, PATIENCE_S)
    here.prompts(codex, "Are you there?")
    app.until(lambda text: "held 3s" in text, PATIENCE_S)
    assert here.model.requests == []
    app.key("p")
    codex.until(lambda text: "Here I am." in text, PATIENCE_S)


def test_esc_while_it_is_held_is_seen_and_the_next_turn_is_held_again(here: Desk) -> None:
    call = exec_command("touch one.txt")
    here.model.will(Turn("", (call,)), Turn("", (call,)), Turn("Done."))
    codex, app = here.codex(UNTRUSTED), here.server.app(110, 36)
    here.model.keep_waiting()
    here.prompts(codex, "Please work.")
    here.model.asked(1)
    seen = Recording(app)
    time.sleep(READ_S)
    app.key("p")
    until(here.hold, PATIENCE_S)
    here.model.answer()
    seen.until("held, 0 events since", PATIENCE_S)
    until(lambda: here.events("agent.held"), PATIENCE_S)
    time.sleep(READ_S)
    codex.key("Escape")
    until(lambda: here.events("agent.released"), PATIENCE_S)
    (broken,) = here.events("agent.released")
    assert broken["payload"]["outcome"] == "killed"
    until(lambda: "esc" in [e["payload"]["what"] for e in here.events("human.interrupted")])
    seen.until("pause seen", PATIENCE_S)
    assert not any((here.run / "held").iterdir())

    here.prompts(codex, "Please try again.")
    seen.until("held, 0 events since", PATIENCE_S)
    assert not here.has("one.txt")
    time.sleep(READ_S)
    app.key("p")
    here.until_made("one.txt")
