"""What these tests may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.agents.connect import detect
from tests.agents.connect.places import Connected
from tests.cli.acting import Place


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Connected:
    """A user with Claude Code in the tried version, and an empty repository."""
    place = Place(tmp_path, monkeypatch)
    found = Connected(place, tmp_path)
    for name, value in found.environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(detect, "KNOWN", ("~/.local/bin",))
    found.agent("claude", "echo '2.1.197 (Claude Code)'")
    return found
