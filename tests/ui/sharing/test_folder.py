"""A report is one folder; what else is there is never touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.ui.sharing.report.folder import FolderTakenError, write

FILES = {"report.md": "# x\n", "screens/a.svg": "<svg/>\n"}


def there(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_folder_holds_the_files_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    write(tmp_path / "report", FILES)
    assert there(tmp_path) == {f"report/{name}": text for name, text in FILES.items()}


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "report").mkdir()
    write(tmp_path / "report", FILES)
    assert there(tmp_path / "report") == FILES


def test_a_report_is_replaced_only_by_force(tmp_path: Path) -> None:
    folder = tmp_path / "report"
    write(folder, {**FILES, "screens/old.svg": "old"})
    with pytest.raises(FolderTakenError, match="--force"):
        write(folder, FILES)
    assert "screens/old.svg" in there(folder)
    write(folder, FILES, force=True)
    assert there(folder) == FILES
    assert [one.name for one in tmp_path.iterdir()] == ["report"]


@pytest.mark.parametrize("name", ["mine.txt", "screens/mine.png", "sub/report.md"])
def test_a_folder_with_anything_else_is_never_replaced(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "report"
    write(folder, FILES)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("mine")
    with pytest.raises(FolderTakenError, match="other things"):
        write(folder, FILES, force=True)
    assert there(folder)[name] == "mine"


def test_a_file_or_a_link_there_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to("elsewhere")
    for name in ("file", "link"):
        with pytest.raises(FolderTakenError, match="no folder"):
            write(tmp_path / name, FILES, force=True)
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("inside", [".ppgp", ".ppgp/reports", ".git/x", ".GIT"])
def test_nothing_is_written_among_the_sessions_own_files(tmp_path: Path, inside: str) -> None:
    (tmp_path / ".ppgp").mkdir()
    with pytest.raises(FolderTakenError, match="--out"):
        write(tmp_path / inside / "report", FILES)
    (tmp_path / "door").symlink_to(".ppgp")
    with pytest.raises(FolderTakenError, match="--out"):
        write(tmp_path / "door/report", FILES)
    assert list((tmp_path / ".ppgp").iterdir()) == []
