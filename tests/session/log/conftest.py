"""A log that is followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.session.log.tail import LogTail
from tests.session.log.writing import LOG


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / LOG
    path.parent.mkdir()
    return path


@pytest.fixture
def tail(tmp_path: Path) -> LogTail:
    return LogTail(tmp_path, LOG, lambda: 5_000, settle_s=0)
