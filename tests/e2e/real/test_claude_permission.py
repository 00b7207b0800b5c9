"""What Claude Code asks its user is answered in the app, or there: the first answer counts."""

from __future__ import annotations

import time

import pytest

from tests.e2e.real.agents import program
from tests.e2e.real.desk import PATIENCE_S, READ_S, Desk, connected_to_claude
from tests.e2e.real.dialects import Call, Turn
from tests.e2e.real.model import shell
from tests.waiting import until

pytestmark = pytest.mark.skipif(program("claude") is None, reason="Claude Code is not there")

COMMAND = "touch made.txt"
QUESTION = "Which way shall it go?"
ASKS = Call(
    "AskUserQuestion",
    {
        "questions": [
            {
                "question": QUESTION,
                "header": "Way",
                "multiSelect": False,
                "options": [
                    {"label": "Left", "description": "The short way"},
                    {"label": "Right", "description": "The long way"},
                ],
            }
        ]
    },
)


@pytest.fixture
def here(at: Desk) -> Desk:
    return connected_to_claude(at)


def test_yes_in_the_inbox_lets_the_tool_run(here: Desk) -> None:
    here.model.will(Turn("I make it.", (shell(COMMAND),)), Turn("Made."))
    claude, app = here.claude(), here.server.app(110, 36)
    here.prompts(claude, "Please make it.")
    claude.until(lambda text: "Do you want" in text, PATIENCE_S)
    assert not here.has("made.txt")
    here.opens(app, COMMAND)
    app.sees("Bash")
    app.key("y")
    here.until_made("made.txt")
    here.model.asked(2)
    claude.sees("Made.")


def test_no_with_a_note_reaches_the_model(here: Desk) -> None:
    here.model.will(Turn("I make it.", (shell(COMMAND),)), Turn("I leave it."))
    claude, app = here.claude(), here.server.app(110, 36)
    here.prompts(claude, "Please make it.")
    here.opens(app, COMMAND)
    app.key("m")
    app.types("not before the review")
    app.sees("not before the review")
    time.sleep(READ_S)
    app.key("n")
    assert "not before the review" in here.model.asked(2).words()
    claude.sees("I leave it.")
    assert not here.has("made.txt")


def test_an_answer_given_in_its_own_window_takes_the_request_away(here: Desk) -> None:
    here.model.will(Turn("I make it.", (shell(COMMAND),)), Turn("Made."))
    claude, app = here.claude(), here.server.app(110, 36)
    here.prompts(claude, "Please make it.")
    claude.until(lambda text: "Do you want" in text, PATIENCE_S)
    app.key("3")
    app.until(lambda text: COMMAND in text, PATIENCE_S)
    claude.key("1")
    here.until_made("made.txt")
    app.until(lambda text: "nothing waits" in text.lower(), PATIENCE_S)
    until(lambda: not any((here.run / "requests").iterdir()), PATIENCE_S)


def test_its_question_is_answered_with_an_option_in_the_inbox(here: Desk) -> None:
    here.model.will(Turn("", (ASKS,)), Turn("So it goes."))
    claude, app = here.claude(), here.server.app(110, 36)
    here.prompts(claude, "Which way?")
    claude.until(lambda text: QUESTION in text, PATIENCE_S)
    here.opens(app, QUESTION)
    app.key("b")
    assert "Right" in here.model.asked(2).said[-1]["content"][0]["content"]
    claude.sees("So it goes.")
