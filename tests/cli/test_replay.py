"""`ppgp-tui replay`: which log is played, from where, and what is refused."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from ppgp_tui.cli.replay import beginning, log_at
from ppgp_tui.session.files.root import RootError
from ppgp_tui.session.travel.destination import Destination
from tests.cli.running import run
from tests.session.travel.logs import LOG, STORY, lay


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return lay(tmp_path.resolve() / "root", STORY)


def test_a_repository_is_played_from_its_log(root: Path) -> None:
    assert log_at(root) == (root, LOG, "docs/ACTIVE_GOAL.md")


def test_the_repository_one_is_in_is_played_without_a_name(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / ".ppgp").mkdir()
    monkeypatch.chdir(root / "state")
    monkeypatch.delenv("PPGP_ROOT", raising=False)
    assert log_at(None) == (root, LOG, "docs/ACTIVE_GOAL.md")


def test_a_log_needs_no_repository_around_it(tmp_path: Path) -> None:
    box = tmp_path.resolve() / "black box.jsonl"
    box.write_bytes(b"".join(STORY))
    assert log_at(box) == (tmp_path.resolve(), "black box.jsonl", None)


def test_log_and_document_are_where_the_settings_of_the_repository_say(root: Path) -> None:
    (root / ".ppgp").mkdir()
    said = '[paths]\nlog = "other/log.jsonl"\ngoal = "GOAL.md"\n'
    (root / ".ppgp/config.toml").write_text(said)
    assert log_at(root) == (root, "other/log.jsonl", "GOAL.md")


def test_a_place_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(RootError):
        log_at(tmp_path / "nowhere")


def test_it_begins_at_the_first_event_unless_told() -> None:
    assert beginning(None) == Destination(at=0)
    assert beginning("812") == Destination(at=811)


@pytest.mark.parametrize("words", ["yesterday", "-3", "12:99", ""])
def test_a_beginning_that_makes_no_sense_is_refused(words: str) -> None:
    with pytest.raises(click.BadParameter, match="no number of an event"):
        beginning(words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--speed", "-1"], "must be 0 or more"),
        (["--speed", "nan"], "must be 0 or more"),
        (["--at", "soon"], "no number of an event"),
        ([], "terminal"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_reason(
    root: Path, words: list[str], said: str
) -> None:
    ended = run("replay", str(root), *words)
    assert ended.code == 2
    assert said in ended.err
