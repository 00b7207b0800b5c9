"""A commit that the lineage leads to is read beside the screen."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from ppgp_tui.session.picture.commit import NoCommitError
from ppgp_tui.ui.app.app import PpgpApp
from ppgp_tui.ui.terminal.ability import Ability
from tests.ui.app.test_app import Clock
from tests.ui.picture_story import COMMIT, Teller
from tests.ui.stand_in import FakeSession
from tests.ui.waiting import shown, until


def git(root: Path, *arguments: str) -> str:
    who = ["-c", "user.name=ada", "-c", "user.email=ada@example.invalid"]
    done = subprocess.run(
        ["git", "-C", str(root), *who, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


async def test_a_commit_is_read_beside_the_screen_and_its_changes_are_shown(
    tmp_path: Path,
) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "retry.py").write_text("once\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "Retry once")
    commit = git(tmp_path, "rev-parse", "HEAD")
    snapshot = replace(Teller(tmp_path).snapshot(), root=tmp_path)
    made = PpgpApp(FakeSession(snapshot), clock=Clock(), ability=Ability())
    async with made.run_test(size=(80, 24)) as pilot:
        await pilot.press("4")
        made.seat.stay.opened = f"commit:{commit}"
        made.doors.read_commit(commit)
        await until(pilot, lambda: "+once" in shown(made))
        assert "Retry once" in shown(made)
        assert "ada, " in shown(made)


async def test_a_commit_that_cannot_be_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(root: Path, name: str) -> None:
        raise NoCommitError(f"git did not answer about {name[:7]}")

    monkeypatch.setattr("ppgp_tui.session.picture.commit.read_commit", fails)
    snapshot = replace(Teller(tmp_path).snapshot(), root=tmp_path)
    made = PpgpApp(FakeSession(snapshot), clock=Clock(), ability=Ability())
    async with made.run_test(size=(80, 24)) as pilot:
        await pilot.press("4")
        made.seat.stay.opened = f"commit:{COMMIT}"
        made.doors.read_commit(COMMIT)
        await until(pilot, lambda: "git did not answer about 4e1f09c" in shown(made))
