import shutil
from pathlib import Path

import pytest

from tests.agents.mcp.place import Place


@pytest.fixture(autouse=True)
def _ssh_keygen_is_there() -> None:
    if shutil.which("ssh-keygen") is None:
        pytest.skip("ssh-keygen is not installed; install OpenSSH to run these tests")


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A repository without a session; the user's folders are the test's own."""
    place = Place(tmp_path)
    for name, value in place.environ.items():
        monkeypatch.setenv(name, value)
    return place


@pytest.fixture
def place(bare: Place) -> Place:
    return bare.begin()
