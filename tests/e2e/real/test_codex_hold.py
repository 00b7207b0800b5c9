"""Codex is told its goal, and `p` holds its next call, or its next request to the model."""

from __future__ import annotations

import time

import pytest

from tests.e2e.acting import OBJECTIVE, Recording
from tests.e2e.real.agents import program
from tests.e2e.real.desk import PATIENCE_S, READ_S, UNTRUSTED, Desk, connected_to_codex
from tests.e2e.real.dialects import Turn
from tests.e2e.real.model import exec_command
from tests.waiting import until

pytestmark = pytest.mark.skipif(program("codex") is None, reason="Codex is not there")


@pytest.fixture
def here(at: Desk) -> Desk:
    return connected_to_codex(at)


def test_it_is_told_the_goal_held_by_p_and_let_go_by_p(here: Desk) -> None:
    here.model.will(
        Turn("First.", (exec_command("echo one > one.txt"),)),
        Turn("Second.", (exec_command("echo two > two.txt"),)),
        Turn("Done."),
    )
    codex = here.codex(UNTRUSTED)
    app = here.server.app(110, 36)
    here.model.keep_waiting()
    here.prompts(codex, "Please do the work.")

    first = here.model.asked(1)
    assert OBJECTIVE in first.words()

    seen = Recording(app)
    seen.until("working", PATIENCE_S)
    time.sleep(READ_S)
    app.key("p")
    until(here.hold)
    here.model.answer()
    held = seen.until("held, 0 events since", PATIENCE_S)
    assert "p resume" in held.screen
    asked = len(here.model.requests)
    time.sleep(3.5)
    assert len(here.model.requests) == asked
    assert not here.has("one.txt")
    assert "held" in seen.look()

    app.key("p")
    here.until_made("one.txt")
    here.until_made("two.txt")
    here.model.asked(3)
    (released,) = here.events("agent.released")
    assert released["payload"]["outcome"] == "resumed"
    assert released["payload"]["waited_ms"] >= 3500
    assert not here.model.odd

    here.until_idle()
    here.prompts(codex, "/exit")
    codex.until(lambda text: "ended 0" in text, PATIENCE_S)
    here.says("disconnect", "codex", "--local", "--yes")
    assert not here.has(".codex/hooks.json")
