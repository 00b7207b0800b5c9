"""What Codex would ask its user is asked in the app first, for a short while."""

from __future__ import annotations

import time

import pytest

from tests.e2e.real.agents import program
from tests.e2e.real.desk import PATIENCE_S, READ_S, UNTRUSTED, Desk, connected_to_codex
from tests.e2e.real.dialects import Turn
from tests.e2e.real.model import exec_command

pytestmark = pytest.mark.skipif(program("codex") is None, reason="Codex is not there")

COMMAND = "touch made.txt"
ASKING = exec_command(
    COMMAND, sandbox_permissions="require_escalated", justification="The work needs it."
)


@pytest.fixture
def here(at: Desk) -> Desk:
    return connected_to_codex(at, asks=True)


def test_yes_in_the_inbox_lets_the_tool_run(here: Desk) -> None:
    here.model.will(Turn("I make it.", (ASKING,)), Turn("Made."))
    codex, app = here.codex(UNTRUSTED), here.server.app(110, 36)
    here.prompts(codex, "Please make it.")
    here.opens(app, COMMAND)
    assert not here.has("made.txt")
    app.key("y")
    here.until_made("made.txt")
    here.model.asked(2)
    codex.until(lambda text: "Made." in text, PATIENCE_S)


def test_no_with_a_note_reaches_the_model(here: Desk) -> None:
    here.model.will(Turn("I make it.", (ASKING,)), Turn("I leave it."))
    codex, app = here.codex(UNTRUSTED), here.server.app(110, 36)
    here.prompts(codex, "Please make it.")
    here.opens(app, COMMAND)
    app.key("m")
    app.types("not before the review")
    app.sees("not before the review")
    time.sleep(READ_S)
    app.key("n")
    assert "not before the review" in here.model.asked(2).words()
    codex.until(lambda text: "I leave it." in text, PATIENCE_S)
    assert not here.has("made.txt")


def test_without_an_answer_its_own_question_comes_and_the_app_says_so(here: Desk) -> None:
    here.set_up("[permission]\ncodex_wait_s = 3\n")
    here.model.will(Turn("I make it.", (ASKING,)), Turn("Made."))
    codex, app = here.codex(UNTRUSTED), here.server.app(110, 36)
    here.prompts(codex, "Please make it.")
    codex.until(lambda text: "Would you like to run" in text, PATIENCE_S)
    app.key("6")
    app.until(lambda text: "waits" in text or "waiting" in text, PATIENCE_S)
    assert not here.has("made.txt")
    codex.key("y")
    here.until_made("made.txt")
    app.until(lambda text: "idle" in text, PATIENCE_S)
