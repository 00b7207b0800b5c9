"""An agent repository to look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.session.actions import scaffold
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from tests.session.gits import Repository


@pytest.fixture
def agent(tmp_path: Path) -> Repository:
    """A new agent repository with its first commit."""
    root = tmp_path / "agent"
    root.mkdir()
    assert scaffold.init(Engine(root, Actor("user", "dev"))).ok
    made = Repository(root, init=False)
    made.commit("begin")
    made.git("branch", "-qM", "main")
    return made
