"""Repositories of one user, each made by a few lines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ppgp_tui.session.files import places
from tests.session.sessions.repositories import Repositories


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repositories]:
    """A place for repositories, and the user's own folders beside it."""
    for name in ("STATE", "CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    places._folders.cache_clear()
    yield Repositories(tmp_path.resolve(), dict(os.environ))
    places._folders.cache_clear()
