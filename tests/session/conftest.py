"""Places to look at, for the tests of the live session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ppgp_tui.session.files import places
from ppgp_tui.session.journal import Journal
from tests.session.fake_agent import FakeAgent
from tests.session.journals import new_journal
from tests.session.place import Place


@pytest.fixture
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The user's own folders of this test alone."""
    for name in ("STATE", "CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    places._folders.cache_clear()
    yield tmp_path
    places._folders.cache_clear()


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """The journal of an empty log."""
    return new_journal(tmp_path)


@pytest.fixture
def place(own_folders: Path) -> Place:
    """A session with an empty log, outside Git."""
    root = own_folders / "root"
    root.mkdir()
    return Place(root.resolve())


@pytest.fixture
def place_without_log(own_folders: Path) -> Place:
    """A folder in which nothing was made yet."""
    root = own_folders / "root"
    root.mkdir()
    return Place(root.resolve(), log=False)


@pytest.fixture
def agent(place: Place) -> FakeAgent:
    """An agent in the middle of its turn, between two calls."""
    made = FakeAgent(place.root, place.clock)
    made.tells("working")
    place.clock.passes(1)
    made.ends(made.begins())
    place.clock.passes(1)
    return made
