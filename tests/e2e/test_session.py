"""The whole program on a real repository: files change under it, vanish and come back."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.terminal import Terminal
from tests.ui import picture

pytestmark = pytest.mark.terminal


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The importer's goal and log in a repository of their own."""
    root = tmp_path / "importer"
    write(root)
    return root


def write(root: Path) -> None:
    for name in ("docs", "state"):
        (root / name).mkdir(parents=True)
    (root / picture.GOAL_PATH).write_bytes(picture.document())
    log = picture.log(30)
    lines = b"".join(log.raw(index) + b"\n" for index in range(len(log)))
    (root / picture.LOG_PATH).write_bytes(lines)
    subprocess.run(["git", "init", "-q", str(root)], check=True)


def shown(root: Path, home: Path, **env: str) -> Terminal:
    """The program on `root`, with settings of its own."""
    places = {"XDG_CONFIG_HOME": str(home / "config"), "XDG_STATE_HOME": str(home / "state")}
    program = "import sys; from ppgp_tui.cli.entry import main; sys.exit(main())"
    return Terminal(["-c", program, str(root)], env={**places, **env})


def add_event(root: Path, words: str) -> None:
    event = {
        "id": f"event_{abs(hash(words)):032x}"[:38],
        "schema_version": 1,
        "ts_ms": 1_790_000_000_000,
        "actor": {"kind": "tool", "id": "Edit"},
        "kind": "tool.called",
        "payload": {"input_summary": words},
        "causation_id": None,
        "correlation_id": None,
    }
    with (root / picture.LOG_PATH).open("a") as log:
        log.write(json.dumps(event, separators=(",", ":")) + "\n")


def test_changes_of_the_files_are_on_the_screen_by_themselves(
    repository: Path, tmp_path: Path
) -> None:
    with shown(repository, tmp_path) as terminal:
        terminal.until("Make the importer resumable")
        terminal.until("live")
        goal = repository / picture.GOAL_PATH
        goal.write_text(goal.read_text().replace("EXECUTE", "HARDEN"))
        terminal.until("HARDEN  Make the importer")
        terminal.send("4")
        terminal.until("Events")
        add_event(repository, "Edit src/quite_new.py")
        terminal.until("Edit src/quite_new.py")
        terminal.send("q")
        assert terminal.wait() == 0


def test_a_repository_that_is_deleted_and_restored_is_followed(
    repository: Path, tmp_path: Path
) -> None:
    with shown(repository, tmp_path) as terminal:
        terminal.until("Make the importer resumable")
        terminal.until("live")
        shutil.rmtree(repository)
        terminal.settle()
        write(repository)
        terminal.until("Make the importer resumable")
        goal = repository / picture.GOAL_PATH
        goal.write_text(goal.read_text().replace("Make the importer resumable", "Come back whole"))
        terminal.until("EXECUTE  Come back whole")
        terminal.send("q")
        assert terminal.wait() == 0


def test_a_storm_of_events_is_survived_and_ends_with_the_last(
    repository: Path, tmp_path: Path
) -> None:
    with shown(repository, tmp_path) as terminal:
        terminal.until("Make the importer resumable")
        terminal.send("4")
        terminal.until("Events")
        line = picture.log(30).raw(29) + b"\n"
        with (repository / picture.LOG_PATH).open("ab", buffering=0) as log:
            for _ in range(10_000):
                log.write(line)
        add_event(repository, "Edit the_very_last.py")
        terminal.until("Edit the_very_last.py")
        terminal.send("j")
        terminal.send("q")
        assert terminal.wait() == 0


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("keys.toml", '"move.dwon" = "x"\n', b"line 1: move.dwon: there is no such action"),
        ("config.toml", '[ui]\ntheme = "harbour"\n', b"there is no theme of that name; did you"),
    ],
)
def test_settings_that_cannot_be_used_are_named_before_the_screen_is_taken(
    repository: Path, tmp_path: Path, name: str, text: str, complaint: bytes
) -> None:
    folder = tmp_path / "config" / "ppgp-tui"
    folder.mkdir(parents=True)
    (folder / name).write_text(text)
    with shown(repository, tmp_path) as terminal:
        assert terminal.wait() == 2
        assert complaint in terminal.bytes.replace(b"\r\n", b"")
        assert b"\x1b[?1049h" not in terminal.bytes
