"""A loop's scene for each test."""

from pathlib import Path

import pytest

from tests.persist.running.scene import Scene


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)
