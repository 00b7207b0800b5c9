"""An agent that the launcher started is frozen where it is, under tmux too, and thawed again."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.e2e.real.agents import program
from tests.e2e.real.desk import (
    PATIENCE_S,
    READ_S,
    UNTRUSTED,
    Desk,
    connected_to_claude,
    connected_to_codex,
)
from tests.e2e.real.dialects import Turn
from tests.e2e.real.model import exec_command, shell
from tests.waiting import until

VIA = "exec ppgp-tui run -- "


@pytest.fixture(params=["claude", "codex"])
def agent(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if program(name) is None:
        pytest.skip(f"{name} is not there")
    return name


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_frozen_it_does_nothing_and_thawed_it_goes_on(at: Desk, agent: str) -> None:
    at.set_up("[continue]\non = false\n")
    if agent == "claude":
        window = connected_to_claude(at).claude("--allowedTools", "Bash", via=VIA)
        at.model.will(Turn("", (shell("touch one.txt"),)), Turn("Done."))
    else:
        window = connected_to_codex(at).codex(UNTRUSTED, via=VIA)
        at.model.will(Turn("", (exec_command("touch one.txt"),)), Turn("Done."))
    app = at.server.app(110, 36)
    at.model.keep_waiting()
    at.prompts(window, "Please work.")
    at.model.asked(1)
    (launch,) = (one["launch"] for one in at.heartbeats() if "launch" in one)
    at.picks(app, agent)
    app.key("F")
    app.sees(f"Freeze {agent}?")
    time.sleep(READ_S)
    app.key("y")
    until(lambda: state_of(launch["group"]) == "T", PATIENCE_S)
    app.until(lambda text: "frozen" in text, PATIENCE_S)
    at.model.answer()
    time.sleep(3)
    assert state_of(launch["group"]) == "T"
    assert len(at.model.requests) == 1
    assert not at.has("one.txt")

    app.key("F")
    at.until_made("one.txt")
    at.model.asked(2)
    window.until(lambda text: "Done." in text, PATIENCE_S)
    app.until(lambda text: "F freeze" in text, PATIENCE_S)
