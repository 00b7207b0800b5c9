"""A home of loops, and a disk that gets full."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ppgp_tui.persist.disk.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """One that nobody has used yet."""
    return Home(tmp_path / "config" / "persist")


@contextmanager
def full_at(size: int) -> Iterator[None]:
    """Inside, no file can grow beyond so many bytes: a write that does is cut short."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
