"""These tests need the real agents and are run by `make e2e` alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.real.agents import GIVEN
from tests.e2e.real.desk import Desk, desk

collect_ignore_glob = [] if os.environ.get(GIVEN) else ["test_*.py"]


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Desk]:
    """A person's desk."""
    with desk(tmp_path) as made:
        yield made
