"""A repository, and the folders of its user."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ppgp_tui.session.files import places
from tests.session.status.reading import (
    DOCUMENT,
    GOAL,
    LOG,
    agrees,
    cache_of,
    write,
)
from tests.session.status.test_log import ask, line


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "PATH": os.environ["PATH"],
    }


@pytest.fixture(autouse=True)
def _nobodys_settings(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, environ[name])
    places._folders.cache_clear()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    return folder.resolve()


@pytest.fixture
def remembered(root: Path, environ: dict[str, str]) -> Path:
    write(root, DOCUMENT, GOAL)
    write(root, LOG, ask("req_a") + line("tool.called", {}, 5))
    agrees(root, environ)
    return cache_of(root, environ)
