"""Repositories to check."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.gasp.checks.agent_repository import AgentRepository
from tests.gasp.checks.said import Said, check


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AgentRepository:
    """The fixture repository at `repo` below the working directory, with no commit yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    made = AgentRepository(tmp_path / "repo")
    made.init()
    return made


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run the command on `repo` with more words."""
    return lambda *words: check(capsys, "repo", *words)
