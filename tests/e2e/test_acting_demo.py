"""The demo in a real terminal: `p`, `y` and, in the opened card, a letter change what agents do."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.acting import Recording, Server, Window, environ_of
from tests.waiting import until

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
READ_S = 0.6
"""Longer than something must have been on the screen before a key answers it."""
SPEED = 4


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Where the demo makes its folder; its path is as short as it usually is."""
    with tempfile.TemporaryDirectory(prefix="e2e-", ignore_cleanup_errors=True) as place:
        yield Path(place)


@pytest.fixture
def server(tmp_path: Path, temporary: Path) -> Iterator[Server]:
    own = {"TMPDIR": str(temporary), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    made = Server(tmp_path, environ_of(tmp_path) | own, "demo")
    try:
        yield made
    finally:
        made.end()


def statuses(temporary: Path) -> dict[str, str]:
    """Status of every task of the demo's plan."""
    (todo,) = temporary.glob("*/importer/.ppgp/todo.json")
    return {task["key"]: task["status"] for task in json.loads(todo.read_text())["tasks"]}


def presses(demo: Window, key: str) -> None:
    """Press a key once everything has been on the screen long enough to be read."""
    time.sleep(READ_S)
    demo.key(key)


def test_with_p_both_agents_stop_at_their_next_call_and_go_on_with_p_again(
    server: Server, temporary: Path
) -> None:
    demo = server.window(120, 40)
    demo.start_app("demo", "--speed", str(SPEED))
    seen = Recording(demo)
    presses(demo, "p")
    held = seen.until("held")
    assert "p resume" in held.screen
    (log,) = temporary.glob("*/importer/state/events.jsonl")
    until(lambda: len(list(log.parents[1].glob(".ppgp/run/held/*.json"))) == 2)
    before = log.read_bytes()
    time.sleep(1)
    assert log.read_bytes() == before
    presses(demo, "p")
    seen.until("working")
    until(lambda: log.read_bytes() != before)
    assert seen.lamps()[0].startswith("working")


def test_a_yes_and_a_letter_in_the_opened_card_change_the_story(
    server: Server, temporary: Path
) -> None:
    demo = server.window(48, 24)
    demo.start_app("demo", "--speed", str(SPEED))
    demo.sees("drop the old cursor")
    assert statuses(temporary)["T8"] == "pending"
    presses(demo, "Enter")
    demo.sees("your own words")
    presses(demo, "y")
    demo.sees("answered: yes")
    until(lambda: statuses(temporary)["T8"] == "in_progress")
    demo.key("2")
    demo.until(lambda text: any("T8" in line and "done" in line for line in text.splitlines()))

    demo.key("3")
    demo.sees("What to do with a torn")
    for key in "gjj":  # the answered one may still stand above it
        demo.key(key)
        time.sleep(READ_S)
        if "Who watches at night?" in demo.text():
            break
    demo.key("Enter")
    demo.sees("a  Skip it and redo one batch", "b  Stop and page an operator")
    presses(demo, "b")
    demo.sees("answered: b")
    until(lambda: "T14" in statuses(temporary))
    demo.key("2")
    demo.key("G")  # what comes after it may have pushed it out of the lines there are
    demo.sees("Stop at a torn checkpoint")
    demo.key("q")
    demo.sees("ended 0")
    assert list(temporary.iterdir()) == []


def test_the_claim_at_the_end_is_audited_by_its_commands_and_what_they_cannot_show_is_taken(
    server: Server, temporary: Path
) -> None:
    demo = server.window(80, 40)
    demo.start_app("demo", "--speed", "10")
    says_yes(demo, "drop the old cursor", "cannot come back")
    says_yes(demo, "What to do with a torn", "Who watches at night?")
    (log,) = temporary.glob("*/importer/state/events.jsonl")
    until(lambda: '"goal.claimed"' in log.read_text())
    demo.key("A")
    demo.sees("Plan of the audit", "start the audit", "Enter start")
    presses(demo, "Enter")
    demo.sees("Let these 6 commands run here?", "tests.test_kill")
    presses(demo, "y")
    demo.sees("UNDECIDED", "7 pass, 3 for you")
    for down in (8, 9, 10):
        takes(demo, down)
    demo.sees("VERIFIED")
    demo.key("D")
    demo.sees("Close the goal, verified?")
    presses(demo, "y")
    demo.sees("closed, verified")
    demo.key("q")
    demo.sees("ended 0")


def takes(demo: Window, down: int) -> None:
    """Take what nothing can check, so many lines below the first, with a reason."""
    demo.key("Home", *["j"] * down)
    demo.key("Enter")
    demo.sees("y takes it as done")
    presses_until(demo, "y", "Why do you take it?")
    demo.types("I have read the code")
    demo.sees("Take it as done?")
    presses_until(demo, "y", "taken by a person")
    demo.key("Escape")


def presses_until(demo: Window, key: str, words: str) -> None:
    """Press again where the first press came too early to count, as a person would."""

    def shown(text: str) -> bool:
        if words in text:
            return True
        presses(demo, key)
        return False

    demo.until(shown)


def says_yes(demo: Window, title: str, detail: str) -> None:
    """Open the request with that title in the inbox and answer it with `y`."""
    demo.key("3")
    demo.sees(title)
    for key in "gjjj":
        demo.key(key)
        time.sleep(READ_S)
        if detail in demo.text():
            break
    demo.key("Enter")
    demo.sees("m note", detail)
    presses(demo, "y")
    demo.sees("answered:")
    demo.key("Escape")
