"""Places to act in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.acting import Place


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A folder without a session; the user's folders are the test's own."""
    return Place(tmp_path, monkeypatch)


@pytest.fixture
def place(bare: Place) -> Place:
    """A session whose person lets scripts grant."""
    return bare.begin()
