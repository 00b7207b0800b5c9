"""A home of loops that is the test's own, and the command in this process."""

from __future__ import annotations

import pytest

from tests.cli.acting import OF_AGENTS
from tests.cli.persist.loops import Loops


@pytest.fixture
def loops(tmp_path, monkeypatch: pytest.MonkeyPatch) -> Loops:
    for name in OF_AGENTS:
        monkeypatch.delenv(name, raising=False)
    home, work = tmp_path / "home", tmp_path / "work"
    work.mkdir()
    monkeypatch.setenv("BROOMVA_PERSIST_HOME", str(home))
    monkeypatch.setenv("LOGNAME", "dev")
    monkeypatch.chdir(work)
    return Loops(home, work)
