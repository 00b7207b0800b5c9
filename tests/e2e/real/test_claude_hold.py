"""Claude Code is told its goal, and `p` holds its next call and lets it go on."""

from __future__ import annotations

import time

import pytest

from tests.e2e.acting import OBJECTIVE, Recording
from tests.e2e.real.agents import program
from tests.e2e.real.desk import PATIENCE_S, READ_S, Desk
from tests.e2e.real.dialects import Turn
from tests.e2e.real.model import shell
from tests.waiting import until

pytestmark = pytest.mark.skipif(program("claude") is None, reason="Claude Code is not there")

SETTINGS = """\
{
    "permissions": { "allow": ["Bash(ls:*)"] },

  "env": {"MINE": "yes"} }
"""


@pytest.fixture
def here(at: Desk) -> Desk:
    """Connected to Claude Code, with settings that were there before; it does not go on alone."""
    at.set_up("[continue]\non = false\n")
    at.knows_claude()
    (at.root / ".claude").mkdir()
    (at.root / ".claude/settings.local.json").write_text(SETTINGS)
    at.says("connect", "claude", "--local", "--yes")
    return at


def test_it_is_told_the_goal_held_by_p_and_let_go_by_p(here: Desk) -> None:
    here.model.will(
        Turn("First.", (shell("echo one > one.txt"),)),
        Turn("Second.", (shell("echo two > two.txt"),)),
        Turn("Done."),
    )
    claude = here.claude("--allowedTools", "Bash")
    app = here.server.app(110, 36)
    here.model.keep_waiting()
    here.prompts(claude, "Please do the work.")

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
    held_for = [event["payload"] for event in here.events("agent.released")]
    assert [one["outcome"] for one in held_for] == ["resumed"]
    assert held_for[0]["waited_ms"] >= 3500
    assert set(here.model.odd) <= {"HEAD /"}

    here.prompts(claude, "/exit")
    claude.until(lambda text: "ended 0" in text, PATIENCE_S)
    file = here.root / ".claude/settings.local.json"
    assert file.read_text() != SETTINGS
    here.says("disconnect", "claude", "--local", "--yes")
    assert file.read_text() == SETTINGS


def test_a_call_under_way_ends_while_the_pause_stands_and_that_is_no_violation(here: Desk) -> None:
    here.model.will(
        Turn("", (shell("while [ ! -e ../go ]; do sleep 0.1; done; echo one > one.txt"),)),
        Turn("", (shell("echo two > two.txt"),)),
        Turn("Done."),
    )
    claude, app = here.claude("--allowedTools", "Bash"), here.server.app(110, 36)
    here.prompts(claude, "Please do the work.")
    until(lambda: any(" pre " in line for line in here.calls()), PATIENCE_S)
    seen = Recording(app)
    seen.until("working", PATIENCE_S)
    time.sleep(READ_S)
    app.key("p")
    until(here.hold, PATIENCE_S)
    (here.home / "go").touch()
    here.until_made("one.txt")
    seen.until("held, 0 events since", PATIENCE_S)
    app.sees("held 2s")
    seen.look()
    assert not here.has("two.txt")
    app.key("p")
    here.until_made("two.txt")
    here.model.asked(3)
    seen.until("idle", PATIENCE_S)
    assert not [lamp for lamp in seen.lamps() if "violated" in lamp]
