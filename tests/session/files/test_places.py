"""Where a user's own files are."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from ppgp_tui.session.files.places import config_folder, root_folder, root_key, state_folder


def test_the_xdg_folders_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert config_folder() == tmp_path / "config" / "ppgp-tui"
    assert state_folder() == tmp_path / "state" / "ppgp-tui"


def test_without_them_the_usual_ones_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert config_folder() == tmp_path / ".config" / "ppgp-tui"


def test_a_root_is_known_by_its_real_path(tmp_path: Path) -> None:
    real = tmp_path.resolve() / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    key = hashlib.sha256(str(real).encode()).hexdigest()[:16]
    assert root_key(real) == root_key(tmp_path / "link") == key
    assert root_folder(real) == state_folder() / "roots" / key
