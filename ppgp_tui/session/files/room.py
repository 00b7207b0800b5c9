"""Whether the disk of a repository has room for what agents and the app write there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from ppgp_tui.session.model import Problem

RUN: Final = ".ppgp/run"
LEAST: Final = 64 * 1024
"""Bytes; with less the next line of the log or of the calls may not fit."""


def no_room(root: Path) -> Problem | None:
    """Say so where the disk of `.ppgp/run` is full; None where it is not, or nobody can tell."""
    try:
        disk = os.statvfs(root / RUN)
    except OSError:
        return None
    full = disk.f_blocks > 0 and disk.f_bavail * disk.f_frsize < LEAST
    if not full and not (disk.f_files > 0 and disk.f_favail == 0):
        return None
    why = "the disk is full: agents work on, but what they say and do is not written down"
    return Problem("disk-full", RUN, None, why, "make room on it")
