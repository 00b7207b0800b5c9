"""`ppgp-tui report`: said where before, written only there, and nothing else changes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.cli.running import imported_by, run
from tests.cli.telling import tell
from tests.ui.acting_app import files
from tests.ui.sharing.reading import html, links, pictures


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("told")
    return tell(place / "importer", place / "state", until=20).root


def test_every_picture_it_names_is_there_and_sound(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    said = run("report", root, "--out", out)
    assert (said.code, said.out) == (0, f"{out}/report.md\n")
    assert str(out) in said.err
    text = (out / "report.md").read_text("utf-8")
    named = pictures(text)
    assert {"screens/session-120.svg", "screens/plan-120.svg", "screens/session-48.svg"} <= {*named}
    assert sorted(named) == sorted(f"screens/{one.name}" for one in (out / "screens").iterdir())
    for name in named:
        ET.fromstring((out / name).read_text("utf-8"))
    assert links(text) == []
    assert html(text) == []


def test_nothing_in_the_repository_changes(root: Path, tmp_path: Path) -> None:
    before = files(root)
    assert run("report", root, "--out", tmp_path / "report").code == 0
    assert files(root) == before


def test_without_a_place_it_is_a_new_folder_with_the_date_here(root: Path, tmp_path: Path) -> None:
    said = run("report", root, "--no-pictures", cwd=tmp_path)
    assert said.code == 0
    assert re.fullmatch(r"ppgp-report-\d{4}-\d\d-\d\d-\d{4}/report\.md\n", said.out)
    assert [one.name for one in (tmp_path / said.out.partition("/")[0]).iterdir()] == ["report.md"]


def test_what_is_there_stays_without_force(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    words = ("report", root, "--out", out, "--no-pictures")
    assert run(*words).code == 0
    (out / "report.md").write_text("mine")
    said = run(*words)
    assert said.code == 1
    assert "--force" in said.err
    assert (out / "report.md").read_text() == "mine"
    assert run(*words, "--force").code == 0
    assert (out / "report.md").read_text("utf-8").startswith("# ")


def test_it_never_writes_into_the_sessions_own_folder(root: Path) -> None:
    said = run("report", root, "--out", root / ".ppgp/report")
    assert said.code == 1
    assert ".ppgp" in said.err
    assert not (root / ".ppgp/report").exists()


def test_only_what_was_since_then_is_told(root: Path, tmp_path: Path) -> None:
    assert run("report", root, "--out", tmp_path / "r", "--since", "1h", "--no-pictures").code == 0
    text = (tmp_path / "r/report.md").read_text("utf-8")
    assert "No change of the plan is recorded since" in text
    assert run("report", root, "--since", "soon").code == 2


def test_as_json_it_says_what_was_written(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    said = run("report", root, "--out", out, "--json")
    value = json.loads(said.out)
    assert said.err == ""
    assert value["schema"] == "ppgp-tui/report/1"
    assert value["path"] == str(out)
    assert {one["name"] for one in value["files"]} >= {"report.md", "screens/plan-120.svg"}
    assert all((out / one["name"]).stat().st_size == one["bytes"] for one in value["files"])


def test_an_empty_folder_has_a_report_too(tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    assert run("report", tmp_path / "bare", "--out", tmp_path / "r").code == 0
    assert "There is no goal document" in (tmp_path / "r/report.md").read_text("utf-8")


def test_an_unknown_theme_and_a_path_that_is_not_there_are_said(tmp_path: Path) -> None:
    said = run("report", tmp_path, "--theme", "papper", "--out", tmp_path / "r")
    assert (said.code, "did you mean paper" in said.err) == (1, True)
    assert run("report", tmp_path / "nowhere").code == 1


def test_other_commands_load_nothing_of_it() -> None:
    assert not {one for one in imported_by("--version") if "sharing" in one}
