"""`p` in a real terminal: what the lamp says is what the agents do, also when they lie or are deaf.

Each test records the pane and asserts what it showed before and after.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.acting import AGENT, Place, Recording, Server, Window
from tests.e2e.terminal import REPOSITORY
from tests.waiting import until

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def server(place: Place) -> Iterator[Server]:
    made = Server(place.root, place.environ, "hold")
    try:
        yield made
    finally:
        made.end()


def presses_p(app: Window) -> None:
    """Press `p` once the order has been on the screen long enough to be read."""
    time.sleep(0.6)
    app.key("p")


def steps(place: Place) -> int:
    return len(place.events("goal.checkpointed"))


def test_with_p_an_agent_stops_at_its_next_step_and_with_p_again_it_goes_on(
    place: Place, server: Server
) -> None:
    with place.agent("honest"):
        app = server.app()
        seen = Recording(app)
        seen.until("working")
        presses_p(app)
        held = seen.until("held")
        stopped = steps(place)
        assert "p resume" in held.screen
        assert place.control()["hold"]["who"] == ["*"]
        app.until(lambda text: "held 1s" in text)
        assert steps(place) == stopped
        presses_p(app)
        released = seen.until("working")
        assert "p pause" in released.screen
        until(lambda: steps(place) > stopped)
    assert without_repeats(seen.lamps(), "pause asked", "pause seen") == [
        "working", "held, 0 events since", "working",
    ]  # fmt: skip
    what = [event["payload"]["what"] for event in place.events("human.interrupted")]
    assert what == ["pause", "resume"]
    status = [event["payload"]["status"] for event in place.events("goal.status_changed")]
    assert status == ["Open", "InProgress"]


def test_a_lying_agent_that_says_it_waits_and_works_on_is_shown_as_violated(
    place: Place, server: Server
) -> None:
    with place.agent("lying"):
        app = server.app()
        seen = Recording(app)
        seen.until("working")
        presses_p(app)
        seen.until("held, 0 events since")
        broken = seen.until("violated")
        assert re.search(r"violated, \d+ events? since", broken.screen)
        app.key("6")
        app.sees("violated")
    assert without_repeats(seen.lamps(), "pause asked", "pause seen")[:2] == [
        "working", "held, 0 events since",
    ]  # fmt: skip


def test_a_deaf_agent_that_only_leaves_records_is_shown_as_not_having_seen_it(
    place: Place, server: Server
) -> None:
    app = server.app()
    seen = Recording(app)
    seen.until("no agent connected")
    with place.agent("deaf"):
        presses_p(app)
        seen.until("pause not seen")
    assert "held" not in " ".join(seen.lamps())


def test_a_connected_agent_that_never_answers_is_not_seen_after_half_a_minute(
    place: Place, server: Server, tmp_path: Path
) -> None:
    ahead = tmp_path / "ahead"
    ahead.write_text("0")
    with place.agent("silent"):
        until((place.root / f".ppgp/run/agents/{AGENT}.json").exists)
        app = server.window(PYTHONPATH=str(REPOSITORY))
        app.types(f"{sys.executable} -m tests.e2e.late_clock {place.root} {ahead}")
        app.sees("working", "p pause")
        seen = Recording(app)
        presses_p(app)
        seen.until("pause asked")
        ahead.write_text("29")
        app.sees("pause asked 29s")
        ahead.write_text("31")
        seen.until("pause not seen")
    assert seen.lamps() == ["working", "pause asked", "pause not seen for"]


def test_an_app_that_was_killed_shows_the_same_hold_when_it_is_opened_again(
    place: Place, server: Server
) -> None:
    with place.agent("honest"):
        app = server.app()
        app.sees("working")
        presses_p(app)
        app.sees("held", "0 events since")
        before = place.control()
        os.kill(child_of(app), signal.SIGKILL)
        app.sees("ended 137")
        app.types("clear")
        app.start_app()
        app.sees("held", "0 events since", "p resume")
        assert place.control() == before
        presses_p(app)
        app.sees("working", "p pause")


def test_a_deleted_order_is_given_again_and_no_call_slips_through(
    place: Place, server: Server
) -> None:
    with place.agent("honest"):
        app = server.app()
        app.sees("working")
        presses_p(app)
        app.sees("held", "0 events since")
        hold = place.control()["hold"]
        (place.root / ".ppgp/run/control.json").unlink()
        until((place.root / ".ppgp/run/control.json").exists)
        assert place.control()["hold"] == hold
        app.sees("p resume")


def test_leaving_says_once_that_the_agents_stay_held(place: Place, server: Server) -> None:
    with place.agent("honest"):
        app = server.app()
        app.sees("working")
        presses_p(app)
        app.sees("held", "0 events since")
        app.key("q")
        app.sees("agents stay held: ")
        app.key("q")
        app.sees("ended 0")
        assert place.control()["hold"] is not None


def without_repeats(lamps: list[str], *passing: str) -> list[str]:
    """The lamps without those that may be too short to be seen, each only once in a row."""
    kept = [lamp for lamp in lamps if lamp not in passing]
    return [lamp for at, lamp in enumerate(kept) if at == 0 or lamp != kept[at - 1]]


def child_of(window: Window) -> int:
    """The program that runs in the shell of a window."""
    pid = window.shell_pid()
    children = Path(f"/proc/{pid}/task/{pid}/children")
    if not children.exists():
        pytest.skip("the system does not tell a process's children")
    return int(children.read_text().split()[0])
