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
    made = Server(tmp_path, {**environ_of(tmp_path), "TMPDIR": str(temporary)}, "demo")
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
