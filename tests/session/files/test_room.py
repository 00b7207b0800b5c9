"""A full disk is said; what nobody can tell is not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ppgp_tui.session.files.room import no_room


def disk(
    *, blocks: int = 1000, free: int = 1000, files: int = 1000, free_files: int = 1000
) -> os.statvfs_result:
    """A disk with blocks of 4 kB."""
    return os.statvfs_result(
        (4096, 4096, blocks, free, free, files, free_files, free_files, 0, 255)
    )


@pytest.mark.parametrize(
    ("found", "full"),
    [
        (disk(), False),
        (disk(free=0), True),
        (disk(free=15), True),
        (disk(free=16), False),
        (disk(free_files=0), True),
        (disk(files=0, free_files=0), False),
        (disk(blocks=0, free=0), False),
    ],
)
def test_a_disk_is_full_without_blocks_or_without_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: os.statvfs_result, full: bool
) -> None:
    monkeypatch.setattr(os, "statvfs", lambda _: found)
    problem = no_room(tmp_path)
    assert (problem is not None) == full
    if problem is not None:
        assert (problem.code, problem.path) == ("disk-full", ".ppgp/run")


def test_where_there_is_no_session_nothing_is_said(tmp_path: Path) -> None:
    assert no_room(tmp_path) is None
