from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.hook.scene import Scene, made


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    """A repository nobody has begun a session in."""
    for name in ("STATE", "CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    for name in ("PPGP_ROOT", "PPGP_AGENT"):
        monkeypatch.delenv(name, raising=False)
    yield from made(tmp_path)


@pytest.fixture
def scene(bare: Scene) -> Scene:
    """A session with an empty log."""
    bare.begins()
    return bare
