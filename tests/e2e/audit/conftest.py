"""Somebody who has something to lose."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.audit import machine
from tests.e2e.audit.victim import Victim


@pytest.fixture
def victim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Victim:
    made = Victim(tmp_path)
    monkeypatch.setenv("HOME", str(made.home))
    monkeypatch.setenv("API_TOKEN", made.environ["API_TOKEN"])
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.delenv(f"XDG_{name}_HOME", raising=False)
    return made


@pytest.fixture
def without_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "bubblewrap", lambda: ("", "bubblewrap is not installed"))
