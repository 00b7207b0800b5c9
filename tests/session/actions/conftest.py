"""A session in memory for the tests of actions."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.session.engine.conftest import memory
from tests.session.engine.repository import TEXT, Repository, repository

__all__ = ["memory"]


@pytest.fixture
def here(memory: Path) -> Repository:
    """A session beside a goal document, without Git."""
    return repository(memory / "here", TEXT)


@pytest.fixture
def utc() -> Iterator[None]:
    """The days that are written into documents are those of UTC."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()
