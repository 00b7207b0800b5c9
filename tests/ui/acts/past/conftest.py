"""A small session that is over, and a person before its screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.travel.logs import STORY, lay
from tests.ui.traveller import NOW, Voyager


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with the log of the story."""
    return lay(tmp_path.resolve() / "root", STORY)


@pytest.fixture
def of(root: Path) -> Voyager:
    """A person before it, some minutes later."""
    return Voyager(root, NOW)
