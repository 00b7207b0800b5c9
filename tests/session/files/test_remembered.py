"""What is remembered of a document counts for exactly that document and nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.session.files import remembered as module
from ppgp_tui.session.files.remembered import FILE, remember, remembered

DATA = b"""# Importer

## GOAL
Make it resumable.
## PHASE
EXECUTE
## DEFINITION_OF_DONE
- [x] The format is written down (commit 4e1f09c)
- [ ] A killed import resumes
## BLOCKERS
- Type B until 2026-12-01: the window opens.
## HUMAN_AUTHORITY_REQUIRED
- Owner: drop the column?
## NEXT_EXECUTABLE_ACTION
- Write the test.
"""
PATH = "docs/ACTIVE_GOAL.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    remember(tmp_path / "r", DATA, PATH, 8192, read_goal(DATA, PATH))
    return tmp_path / "r"


def test_the_same_document_gives_the_same_reading(folder: Path) -> None:
    assert remembered(folder, DATA, PATH, 8192) == read_goal(DATA, PATH)


def test_another_document_path_or_limit_gives_nothing(folder: Path) -> None:
    assert remembered(folder, DATA + b" ", PATH, 8192) is None
    assert remembered(folder, DATA, "ACTIVE_GOAL.md", 8192) is None
    assert remembered(folder, DATA, PATH, 1) is None


def test_another_reader_gives_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_reader", lambda: "newer")
    assert remembered(folder, DATA, PATH, 8192) is None


@pytest.mark.parametrize("damage", [b"", b"x", b"{}\n[]", b"\xff\n\xff"])
def test_a_damaged_memory_is_none(folder: Path, damage: bytes) -> None:
    (folder / FILE).write_bytes(damage)
    assert remembered(folder, DATA, PATH, 8192) is None


def test_one_changed_byte_is_noticed(folder: Path) -> None:
    kept = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(kept.replace(b"EXECUTE", b"HARDEN!", 1))
    assert remembered(folder, DATA, PATH, 8192) is None


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    remember(tmp_path / "file", DATA, PATH, 8192, read_goal(DATA, PATH))
    assert remembered(tmp_path / "file", DATA, PATH, 8192) is None


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_any_reading_comes_back_as_it_was(data: bytes) -> None:
    reading = read_goal(DATA + data, PATH)
    assert module._decoded(module._encoded(reading)) == reading


def test_a_remembered_document_is_shown_without_loading_the_reader(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (root / PATH).write_bytes(DATA)
    look = (
        "import sys; from pathlib import Path; "
        "from ppgp_tui.session.live.store import LiveSession; "
        "session = LiveSession(Path(sys.argv[1])); session.open(); "
        "print(session.snapshot.goal.value.goal, 'ppgp_tui.ppgp.goal' in sys.modules)"
    )

    def looked() -> str:
        environ = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
        words = [sys.executable, "-c", look, str(root)]
        return subprocess.run(words, env=environ, check=True, capture_output=True, text=True).stdout

    assert looked() == "Make it resumable. True\n"
    assert looked() == "Make it resumable. False\n"
