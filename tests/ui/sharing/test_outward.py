"""What the app writes for a person to give away, and where."""

from __future__ import annotations

import tarfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ppgp_tui.ui.sharing import outward
from tests.cli.acting import Place
from tests.ui.acting_app import acting, files


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A session whose user has folders of their own."""
    return Place(tmp_path, monkeypatch).begin()


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's state folder."""
    folder = tmp_path / "own state"
    monkeypatch.setattr(outward, "state_folder", lambda: folder)
    return folder


def written(folder: Path, suffix: str) -> list[Path]:
    return sorted(folder.rglob(f"*{suffix}"))


async def test_a_picture_of_the_screen_and_the_same_as_text(place: Place, state: Path) -> None:
    before = files(place.root)
    async with acting(place, "3") as app:
        await app.press(",", "s")
        await app.until(lambda: written(state, ".txt"))
        await app.sees("the path is copied")
        assert files(place.root) == before
    (picture,) = written(state / "screens", ".svg")
    root = ET.fromstring(picture.read_text("utf-8"))
    assert root.attrib["role"] == "img"
    (text,) = written(state / "screens", ".txt")
    lines = text.read_text("utf-8").splitlines()
    assert len(lines) == 40
    assert "inbox" in lines[2]


async def test_two_pictures_in_one_second_are_two_files(place: Place, state: Path) -> None:
    async with acting(place) as app:
        await app.at_once(",", "s", ",", "s")
        await app.until(lambda: len(written(state, ".svg")) == 2)


async def test_a_report_beside_the_screen(place: Place, state: Path) -> None:
    before = files(place.root)
    async with acting(place) as app:
        await app.at_once(",", "r")
        await app.sees("writing a report")
        await app.sees("report.md, the path is copied")
        assert files(place.root) == before
    (report,) = written(state / "reports", ".md")
    assert report.read_text("utf-8").startswith("# ")
    assert written(state / "reports", "session-120.svg")


async def test_a_bug_report_is_asked_about_first(place: Place, state: Path) -> None:
    async with acting(place) as app:
        await app.press(",", "b")
        await app.sees("Write a bug report?")
        await app.sees("Nothing is sent anywhere")
        await app.press("n")
        await app.press(",", "b")
        assert written(state, ".tar.gz") == []
        await app.press("y")
        await app.sees("the path is copied")
    (bundle,) = written(state / "bugs", ".tar.gz")
    with tarfile.open(bundle) as archive:
        names = {one.name.partition("/")[2] for one in archive.getmembers()}
    assert {"README.txt", "about.json", "doctor.txt", "files.json"} <= names
    assert "log.jsonl" not in names


async def test_what_cannot_be_written_is_said(place: Place, state: Path) -> None:
    state.write_text("in the way")
    async with acting(place) as app:
        await app.press(",", "s")
        await app.sees("no picture written")
        await app.press(",", "r")
        await app.sees("no report written")


async def test_a_module_in_the_repository_is_never_run(place: Place, state: Path) -> None:
    for name in ("ppgp_tui", "click", "json", "sitecustomize"):
        (place.root / f"{name}.py").write_text(f"open({str(state)!r} + '-{name}', 'w')\n")
    async with acting(place) as app:
        await app.at_once(",", "r")
        await app.sees("report.md, the path is copied")
    assert not list(state.parent.glob("own state-*"))
