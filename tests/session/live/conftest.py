"""An empty repository, and a live session on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.session.live.living import Live


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    path = tmp_path.resolve() / "root"
    for folder in ("docs", "state", ".ppgp"):
        (path / folder).mkdir(parents=True)
    return path


@pytest.fixture
def live(root: Path) -> Iterator[Live]:
    live = Live(root)
    yield live
    live.session.close()
