"""Agent repositories to follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gasp.checks.agent_repository import AgentRepository


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AgentRepository:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    return AgentRepository(tmp_path / "repo")


@pytest.fixture
def repository(made: AgentRepository) -> AgentRepository:
    made.init()
    made.commit()
    return made
