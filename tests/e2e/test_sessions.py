"""Three repositories and two worktrees in one list, in a real terminal: one is answered from it."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.acting import PROGRAM, Place, Server, Window, first_line

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
READ_S = 0.6
"""Longer than a request must have been on the screen before a key answers it."""


class Several:
    """The importer with two worktrees, and two repositories beside it."""

    def __init__(self, folder: Path) -> None:
        self.main = Place(folder)
        for name in ("docs-site", "billing"):
            self._repository(folder / name)
        self._commit(self.main.root)
        for name in ("fix", "try"):
            self._git(self.main.root, "worktree", "add", "-q", "-b", name, f"../importer-{name}")

    def _repository(self, root: Path) -> None:
        (root / "docs").mkdir(parents=True)
        goal = f"# ACTIVE_GOAL\n\n## GOAL\n\nGoal of {root.name}\n\n## PHASE\n\nEXECUTE\n"
        (root / "docs/ACTIVE_GOAL.md").write_text(goal)
        self._git(root, "init", "-q")
        self._run(str(PROGRAM), "init", cwd=root)
        self._commit(root)

    def _commit(self, root: Path) -> None:
        self._git(root, "add", "-A")
        self._git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")

    def _git(self, root: Path, *words: str) -> None:
        self._run("git", *words, cwd=root)

    def _run(self, *words: str, cwd: Path) -> None:
        subprocess.run(words, cwd=cwd, env=self.main.environ, check=True, capture_output=True)

    def asking(self, name: str, question: str) -> subprocess.Popen[bytes]:
        """An agent in that repository that waits for an answer."""
        return subprocess.Popen(
            [str(PROGRAM), "ask", question, "--wait", "600"], cwd=self.main.root.parent / name,
            env={**self.main.environ, "PPGP_AGENT": "claude-0f3a9c21"}, stdout=subprocess.PIPE,
        )  # fmt: skip


@pytest.fixture
def several(tmp_path: Path) -> Several:
    return Several(tmp_path)


@pytest.fixture
def server(several: Several) -> Iterator[Server]:
    made = Server(several.main.root, several.main.environ, "sessions")
    try:
        yield made
    finally:
        made.end()


def on_list(server: Server, *words: str) -> Window:
    """The app on the list, all five sessions read."""
    window = server.window()
    window.types(f"{PROGRAM} {' '.join(words)}; echo ended $?")
    window.sees("ALL SESSIONS  5 sessions", "importer-fix", "importer-try", "docs-site", "billing")
    window.until(lambda text: text.rstrip().endswith("poll"))
    return window


def test_a_question_in_a_worktree_is_answered_from_the_list_and_its_agent_goes_on(
    several: Several, server: Server
) -> None:
    app = on_list(server, "--all", "../docs-site", "../billing")
    app.sees("nothing waits for you")
    child = several.asking("importer-fix", "Drop the old links?")
    try:
        app.sees("Drop the old links?", "1 for you")
        app.key("Tab")
        app.sees("y yes")
        time.sleep(READ_S)
        app.key("y")
        assert first_line(child) == "yes"
        assert child.wait() == 0
        app.sees("importer-fix: answered: yes", "nothing for you")
    finally:
        child.kill()
        child.wait()
    app.key("q")
    app.sees("ended 0")


def test_a_session_is_opened_from_the_list_and_w_goes_to_and_fro(
    several: Several, server: Server
) -> None:
    app = on_list(server, "../docs-site", "../billing")
    with several.asking("billing", "Send the invoices?") as child:
        app.sees("Send the invoices?")
        app.key("g")
        app.key("Enter")
        app.sees("Goal of billing", "Send the invoices?", "1 session", "live")
        app.key("w")
        app.sees("ALL SESSIONS  5 sessions", "back to billing")
        app.key("Escape")
        app.sees("Goal of billing", "1 session")
        time.sleep(READ_S)
        app.key("n")
        assert first_line(child) == "no"
    app.key("q")
    app.sees("ended 0")


def test_from_a_session_w_finds_the_worktrees_and_what_was_opened_before(
    several: Several, server: Server
) -> None:
    for name in ("docs-site", "billing"):
        window = server.window()
        window.types(f"{PROGRAM} ../{name}")
        window.sees(f"Goal of {name}", "live")
        window.key("q")
    app = server.app()
    app.key("w")
    app.sees("ALL SESSIONS  5 sessions", "importer-fix", "docs-site", "billing")
    said = subprocess.run(
        [str(PROGRAM), "sessions"], cwd=several.main.root, env=several.main.environ,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert sorted(line.split()[0] for line in said.stdout.splitlines()) == [
        "billing", "docs-site", "importer", "importer-fix", "importer-try",
    ]  # fmt: skip
