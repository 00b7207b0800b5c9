"""Notes on disk, and the last calls: what of them is shown."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.files import notes
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.sources.last_calls import KEPT, last_calls
from ppgp_tui.session.sources.notes import NOTES, notes_seen


@pytest.fixture
def run(tmp_path: Path) -> Folder:
    (tmp_path / ".ppgp/run").mkdir(parents=True)
    return Folder.open(tmp_path, ".ppgp", "run")


def send(run: Folder, text: str, *to: str) -> None:
    notes.send(run, text, to, by="user:ann", at_ms=5)


def test_without_a_folder_there_are_no_notes(tmp_path: Path) -> None:
    assert notes_seen(tmp_path) == {}


def test_a_note_waits_and_then_went_to_whoever_claimed_it(tmp_path: Path, run: Folder) -> None:
    send(run, "Use staging", "claude-1")
    (note,) = notes_seen(tmp_path)["claude-1"]
    assert (note.text, note.by, note.at_ms, note.delivered_ms) == (
        "Use staging",
        "user:ann",
        5,
        None,
    )
    notes.claim(run, "claude-1")
    (note,) = notes_seen(tmp_path)["claude-1"]
    assert note.delivered_ms is not None


def test_a_note_to_everybody_belongs_to_the_one_that_took_it(tmp_path: Path, run: Folder) -> None:
    send(run, "Use staging", "*")
    assert notes_seen(tmp_path)["*"][0].everybody
    notes.claim(run, "codex-2")
    assert list(notes_seen(tmp_path)) == ["codex-2"]


def test_the_newest_note_comes_first(tmp_path: Path, run: Folder) -> None:
    for text in ("one", "two", "three"):
        send(run, text, "claude-1")
    assert [note.text for note in notes_seen(tmp_path)["claude-1"]] == ["three", "two", "one"]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"to": 7}', b"{}" * 100_000])
def test_what_is_no_note_is_left_out(tmp_path: Path, run: Folder, data: bytes) -> None:
    send(run, "Use staging", "claude-1")
    (tmp_path / NOTES / "9.json").write_bytes(data)
    (tmp_path / NOTES / "x.json").write_bytes(data)
    os.mkfifo(tmp_path / NOTES / "10.json")
    (tmp_path / NOTES / "11.json").symlink_to("/etc/passwd")
    assert [note.number for note in notes_seen(tmp_path)["claude-1"]] == [1]


def test_calls_are_shown_as_their_newest_line_leaves_them() -> None:
    tail = (
        b"10 pre 1 go t1 - Bash\n20 post 1 go t1 - Bash\n30 pre 1 held t2 - Edit\n"
        b"40 fail 1 go t3 - Read\n50 pre 1 deny t4 - Write\n60 pre 1 go - sub Task\ntorn"
    )
    assert [tuple(call) for call in last_calls(tail)] == [
        ("Task", 60, "running"),
        ("Write", 50, "denied"),
        ("Read", 40, "failed"),
        ("Edit", 30, "held"),
        ("Bash", 20, "done"),
    ]


@given(
    st.binary(max_size=400)
    | st.text(alphabet="0123 preostfailgohd-\n", max_size=400).map(str.encode)
)
def test_any_bytes_give_a_few_calls(tail: bytes) -> None:
    calls = last_calls(tail)
    assert len(calls) <= KEPT
    assert json.dumps([call._asdict() for call in calls])
