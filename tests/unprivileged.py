"""A user to whom something is forbidden, also where the tests run as root, who may do anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NOBODY = 65534


@contextmanager
def open_place() -> Iterator[Path]:
    """A new folder that every user may enter; it is made readable and removed at the end."""
    place = Path(tempfile.mkdtemp(prefix="ppgp-tui-test-"))
    place.chmod(0o777)
    try:
        yield place
    finally:
        for folder, _, _ in os.walk(place):
            Path(folder).chmod(0o700)
        shutil.rmtree(place)


@contextmanager
def nobody() -> Iterator[None]:
    """Inside, this process may only what an ordinary user may."""
    if os.geteuid() != 0:
        yield
        return
    group = os.getegid()
    os.setresgid(NOBODY, NOBODY, group)
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(group, group, group)


def forbidden_things_stay_forbidden() -> list[str]:
    """Words before a command, so that root too may only what an owner may.

    Skips the test where root cannot give that up.
    """
    if os.geteuid() != 0:
        return []
    words = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    try:
        subprocess.run([*words, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this root cannot give up reading everything")
    return words
