"""Whatever happens to us, Codex works on; and what was missed is said afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import time

import pytest

from tests.e2e.acting import Window
from tests.e2e.real.agents import program
from tests.e2e.real.desk import PATIENCE_S, READ_S, UNTRUSTED, Desk, connected_to_codex
from tests.e2e.real.dialects import Turn
from tests.e2e.real.model import exec_command
from tests.e2e.test_acting_hold import child_of
from tests.waiting import until

pytestmark = pytest.mark.skipif(program("codex") is None, reason="Codex is not there")

STEPS = tuple(Turn(f"Step {at}.", (exec_command(f"touch ../{at}.txt"),)) for at in range(3))


@pytest.fixture
def here(at: Desk) -> Desk:
    at.set_up("[continue]\non = false\n")
    return connected_to_codex(at)


def is_held(here: Desk) -> Window:
    """`p`, and then a prompt whose request to the model is held; returns the window of the app."""
    here.model.will(*STEPS, Turn("Done."))
    codex, app = here.codex(UNTRUSTED), here.server.app(110, 36)
    app.sees("p pause")
    time.sleep(READ_S)
    app.key("p")
    until(here.hold, PATIENCE_S)
    here.prompts(codex, "Please work.")
    app.until(lambda text: "held 1s" in text, PATIENCE_S)
    return app


def test_our_crash_leaves_it_held_and_the_next_app_lets_it_go(here: Desk) -> None:
    app = is_held(here)
    os.kill(child_of(app), signal.SIGKILL)
    app.sees("ended 137")
    time.sleep(2)
    assert here.model.requests == []
    app.types("clear")
    app.start_app()
    app.sees("held", "0 events since", "p resume")
    time.sleep(READ_S)
    app.key("p")
    here.until_made("../2.txt")
    here.model.asked(4)


def test_a_deleted_run_folder_is_made_again_and_it_stays_held(here: Desk) -> None:
    app = is_held(here)
    hold = here.hold()
    shutil.rmtree(here.run)
    until(lambda: here.hold() == hold, PATIENCE_S)
    app.until(lambda text: "held" in text and "0 events since" in text, PATIENCE_S)
    time.sleep(1)
    assert here.model.requests == []
    app.key("p")
    here.until_made("../2.txt")
    here.model.asked(4)


def test_a_deleted_run_folder_without_an_app_holds_it_no_longer_and_that_is_said(
    here: Desk,
) -> None:
    app = is_held(here)
    os.kill(child_of(app), signal.SIGKILL)
    app.sees("ended 137")
    shutil.rmtree(here.run)
    here.until_made("../2.txt")
    here.model.asked(4)
    app.types("clear; ppgp-tui doctor | grep codex-")
    app.until(lambda text: "the pause was lost and not ordered again" in text, PATIENCE_S)
