"""Whatever happens to us, Claude Code works on; and what was missed is said afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import time

import pytest

from tests.e2e.acting import Window
from tests.e2e.real.agents import program
from tests.e2e.real.desk import PATIENCE_S, READ_S, Desk, connected_to_claude
from tests.e2e.real.dialects import Turn
from tests.e2e.real.model import shell
from tests.e2e.test_acting_hold import child_of
from tests.waiting import until

pytestmark = pytest.mark.skipif(program("claude") is None, reason="Claude Code is not there")

STEPS = tuple(Turn(f"Step {at}.", (shell(f"touch ../{at}.txt"),)) for at in range(3))


@pytest.fixture
def here(at: Desk) -> Desk:
    at.set_up("[continue]\non = false\n")
    return connected_to_claude(at)


def is_held(here: Desk, claude: Window, app: Window) -> None:
    """`p`, and then a prompt whose first call is held."""
    app.sees("p pause")
    time.sleep(READ_S)
    app.key("p")
    until(here.hold, PATIENCE_S)
    here.prompts(claude, "Please work.")
    app.until(lambda text: "held 1s" in text, PATIENCE_S)


def test_our_crash_lets_it_work_on_and_the_next_app_shows_what_it_did(here: Desk) -> None:
    here.model.will(*STEPS, Turn("Done."))
    claude, app = here.claude("--allowedTools", "Bash"), here.server.app(110, 36)
    here.model.keep_waiting()
    here.prompts(claude, "Please work.")
    here.model.asked(1)
    os.kill(child_of(app), signal.SIGKILL)
    app.sees("ended 137")
    here.model.answer()
    here.model.asked(4)
    here.until_made("../2.txt")
    app.types("clear")
    app.start_app()
    app.key("6")
    app.until(lambda text: "claude" in text and "idle" in text, PATIENCE_S)
    assert len([line for line in here.calls() if " pre " in line]) == 3


def test_our_crash_leaves_it_held_and_the_next_app_lets_it_go(here: Desk) -> None:
    here.model.will(*STEPS, Turn("Done."))
    claude, app = here.claude("--allowedTools", "Bash"), here.server.app(110, 36)
    is_held(here, claude, app)
    os.kill(child_of(app), signal.SIGKILL)
    app.sees("ended 137")
    time.sleep(2)
    assert not here.has("../0.txt")
    app.types("clear")
    app.start_app()
    app.sees("held", "0 events since", "p resume")
    time.sleep(READ_S)
    app.key("p")
    here.until_made("../2.txt")
    here.model.asked(4)


def test_a_deleted_run_folder_is_made_again_and_it_stays_held(here: Desk) -> None:
    here.model.will(*STEPS, Turn("Done."))
    claude, app = here.claude("--allowedTools", "Bash"), here.server.app(110, 36)
    is_held(here, claude, app)
    hold = here.hold()
    shutil.rmtree(here.run)
    until(lambda: here.hold() == hold, PATIENCE_S)
    app.until(lambda text: "held" in text and "0 events since" in text, PATIENCE_S)
    time.sleep(1)
    assert not here.has("../0.txt")
    time.sleep(READ_S)
    app.key("p")
    here.until_made("../2.txt")
    here.model.asked(4)


def test_a_deleted_run_folder_without_an_app_holds_it_no_longer_and_that_is_said(
    here: Desk,
) -> None:
    here.model.will(*STEPS, Turn("Done."))
    claude, app = here.claude("--allowedTools", "Bash"), here.server.app(110, 36)
    is_held(here, claude, app)
    os.kill(child_of(app), signal.SIGKILL)
    app.sees("ended 137")
    shutil.rmtree(here.run)
    here.until_made("../2.txt")
    here.model.asked(4)
    lost = "the pause was lost and not ordered again"
    app.types("clear")
    app.types("ppgp-tui doctor")
    app.until(lambda text: lost in text, PATIENCE_S)
