"""The audit in the app, in a real terminal: planned, let run, watched, cancelled, left, judged."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ppgp_tui.audit import machine, whole
from ppgp_tui.session.actions import goal
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.sources.audit import running_now
from tests.e2e.acting import AGENT, PROGRAM, Place, Server, Window, odd_seconds
from tests.waiting import PATIENCE_S, until

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
KEPT = "read-only sandbox" if machine.bubblewrap()[0] else "a copy, no sandbox"
_DOCUMENT = """\
# ACTIVE_GOAL

## GOAL

Make the importer resumable

## PHASE

EXECUTE

## DEFINITION_OF_DONE

- [x] The format is written down
- [x] Old imports give the same rows

## FROZEN_DECISIONS

None.

## VERIFICATION_EVIDENCE

- DoD 1: `make check`
- DoD 2: seen on production

## NEXT_EXECUTABLE_ACTION

- Nothing.
"""


class Claimed(Place):
    """A goal that its agent says is reached, and a command that is to prove it."""

    def __init__(self, folder: Path, mark: str) -> None:
        super().__init__(folder)
        self.slow = ["sh", "-c", f"echo working on {mark}; exec sleep {mark}"]
        (self.root / "docs/ACTIVE_GOAL.md").write_text(_DOCUMENT)
        (self.root / "docs/format.md").write_text("# One row for each batch\n")
        (self.root / "Makefile").write_text("check:\n\tgrep -c batch docs/format.md\n")
        self.proves(self.slow)
        self.commits("begin")
        assert goal.claim(self.engine(Actor("agent", AGENT)), "all of it").ok

    def proves(self, *commands: list[str]) -> None:
        said = f"[verify]\ncommands = {json.dumps(commands)}\n"
        (self.root / ".ppgp/config.toml").write_text(said)

    def commits(self, *words: str) -> None:
        for one in (["add", "-A"], ["commit", "-q", "-m", *words]):
            name = ["-c", "user.name=Dev", "-c", "user.email=dev@example.org"]
            subprocess.run(["git", *name, *one], cwd=self.root, check=True)


@pytest.fixture
def mark() -> str:
    return odd_seconds()


@pytest.fixture
def place(tmp_path: Path, mark: str) -> Claimed:
    return Claimed(tmp_path, mark)


@pytest.fixture
def server(place: Claimed) -> Iterator[Server]:
    made = Server(place.root, place.environ, "audit")
    try:
        yield made
    finally:
        made.end()


def sleepers(mark: str) -> list[str]:
    """Processes that sleep for exactly that long."""
    found = subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, text=True, check=True)
    return [line for line in found.stdout.splitlines() if f"sleep {mark}" in line]


def plans(app: Window) -> None:
    """Look at the plan, and go to its start."""
    app.key("A")
    app.sees("Plan of the audit", "start the audit", "Enter start")


def begins(app: Window, mark: str) -> None:
    """Start the audit; the command is let run."""
    plans(app)
    app.key("Enter")
    app.sees("Let these 2 commands run here?", f"sleep {mark}")
    app.key("y")
    app.sees("check ", f"working on {mark}")


def test_a_command_runs_only_after_a_yes_and_is_ended_by_cancelling(
    place: Claimed, server: Server, mark: str
) -> None:
    app = server.app()
    app.sees("claimed")
    plans(app)
    assert "2 new here" in app.text()
    app.key("Enter")
    app.sees("Let these 2 commands run here?", "An agent may have")
    app.key("Enter")
    app.sees("Plan of the audit")
    assert (running_now(place.root), sleepers(mark)) == (None, [])
    app.key("Enter")
    app.sees("Let these 2 commands run here?")
    app.key("y")
    app.sees("check ", f"working on {mark}", "The format is written down")
    app.key("2")
    app.until(lambda text: "audit 3/" in text.split("\n")[1])
    app.key("A")
    app.sees("A audit", f"working on {mark}")
    app.key("X")
    app.sees("Cancel the audit?", "the claim stays a claim")
    app.key("y")
    app.sees("the audit was cancelled; nothing was recorded")
    until(lambda: running_now(place.root) is None)
    assert until(lambda: not sleepers(mark))
    assert place.events("eval.finished") == []
    app.sees("claimed")


def test_leaving_while_it_runs_asks_and_leaves_nothing_behind(
    place: Claimed, server: Server, mark: str
) -> None:
    app = server.app()
    begins(app, mark)
    app.key("q")
    app.sees("Leave and cancel the audit?")
    app.key("Escape")
    app.sees(f"working on {mark}")
    app.key("q")
    app.sees("Leave and cancel the audit?")
    app.key("y")
    app.sees("ended 0")
    assert sleepers(mark) == []
    assert running_now(place.root) is None
    assert [path.name for path in (place.root / ".ppgp/run/audit").iterdir()] == ["lock"]
    assert place.events("eval.finished") == []


def test_a_terminal_that_is_closed_takes_its_audit_with_it(
    place: Claimed, server: Server, mark: str
) -> None:
    app = server.app()
    begins(app, mark)
    server.run("kill-session", "-t", app.name)
    assert until(lambda: not sleepers(mark))
    until(lambda: running_now(place.root) is None)
    assert place.events("eval.finished") == []
    server.window()  # so that the server has something to end


def test_a_verdict_is_shown_with_its_evidence_and_what_nobody_can_check_is_taken(
    place: Claimed, server: Server
) -> None:
    place.proves(["test", "-s", "docs/format.md"])
    place.commits("begin", "--amend")
    app = server.app()
    plans(app)
    app.key("Enter")
    app.sees("Let these 2 commands run here?", "make check", "test -s docs/format.md")
    app.key("y")
    app.sees("UNDECIDED", "still fits", "cannot check", "The format is written down")
    assert [one["payload"]["metadata"]["verdict"] for one in place.events("eval.finished")] == [
        "inconclusive"
    ]
    app.key("Home", "j", "j")
    app.key("Enter")
    app.sees("Condition 2", "y takes it as done")
    app.key("y")
    app.sees("Why do you take it?")
    app.types("the customer compared them")
    app.sees("Take it as done?", "the customer compared them")
    app.key("y")
    app.sees("taken by a person", "the customer compared them")
    app.key("Escape")
    app.sees("VERIFIED", "Earlier audits")
    events = place.events("eval.finished")
    assert [one["payload"]["metadata"]["verdict"] for one in events] == [
        "inconclusive",
        "approved_with_notes",
    ]
    assert "taken from the report of" in events[1]["payload"]["command"]
    app.key("D")
    app.sees("Close the goal, verified?", "docs/ACTIVE_GOAL.md is removed; Git keeps it")
    app.key("y")
    app.sees("closed, verified")
    assert not (place.root / "docs/ACTIVE_GOAL.md").exists()


def test_a_command_that_was_taken_out_of_the_settings_stands_above_the_plan(
    place: Claimed, server: Server, mark: str
) -> None:
    place.proves(["true"])
    app = server.app()
    app.key("A")
    app.sees(
        "1 command taken out of the settings", f"- sh -c 'echo working on {mark}", "start the audit"
    )


def test_a_goal_without_a_verdict_is_closed_with_a_reason_only(
    place: Claimed, server: Server
) -> None:
    app = server.app()
    app.key("D")
    app.sees("Close the goal without a verdict", "Why do you close it in spite of that?")
    app.types("the customer has what he wanted")
    app.sees("Close it although it is not verified?", "the customer has what he wanted")
    app.key("n")
    app.key("D")
    app.sees("Close the goal without a verdict", "the customer has what he wanted")
    app.key("Enter")
    app.sees("Close it although it is not verified?")
    app.key("y")
    app.sees("closed, NOT verified")
    (decision,) = place.events("decision.created")
    assert decision["payload"]["reason"] == "the customer has what he wanted"
    assert decision["payload"]["metadata"]["type"] == "override"


def test_an_audit_that_the_command_line_makes_is_shown_the_same_and_can_be_cancelled(
    place: Claimed, server: Server, mark: str
) -> None:
    app = server.app()
    person = place.engine(Actor("user", "dev"))
    whole.trust(person, whole.untrusted(person, whole.planned_for(person)))
    with place.process(str(PROGRAM), "audit") as child:
        app.until(lambda text: "audit 3/" in text.split("\n")[1])
        app.key("A")
        app.sees("check 3 of", f"working on {mark}", KEPT)
        app.key("q")
        app.sees("ended 0")
        assert child.poll() is None
        app.start_app()
        app.key("A")
        app.sees(f"working on {mark}")
        app.key("X")
        app.sees("Cancel the audit?")
        app.key("y")
        assert child.wait(PATIENCE_S) == 3
    assert until(lambda: not sleepers(mark))
    app.sees("claimed")
