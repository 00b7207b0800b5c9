"""Which folder a session belongs to: CONTRACTS section 1, in order."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ppgp_tui.session.files.root import (
    RootError,
    find_root,
    git_common_folder,
    git_folder,
    git_top,
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path.resolve()


def folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path


def git(path: Path, *words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "-C", path, *who, *words], check=True, capture_output=True)


def test_what_is_asked_for_wins(place: Path) -> None:
    named, other = folder(place / "named"), folder(place / "other/.ppgp").parent
    assert find_root(other, named, {"PPGP_ROOT": str(other)}) == named
    assert find_root(place, Path("named"), {}) == named


def test_then_the_environment(place: Path) -> None:
    named, here = folder(place / "named"), folder(place / "here/.ppgp").parent
    assert find_root(here, None, {"PPGP_ROOT": str(named)}) == named
    assert find_root(here, None, {"PPGP_ROOT": "../named"}) == named
    assert find_root(here, None, {"PPGP_ROOT": ""}) == here


def test_then_the_nearest_folder_upwards_that_holds_ppgp(place: Path) -> None:
    git(folder(place / "top"), "init")
    folder(place / "top/part/.ppgp")
    deep = folder(place / "top/part/deep/er")
    assert find_root(deep, None, {}) == place / "top/part"


def test_but_not_above_the_git_top_level(place: Path) -> None:
    folder(place / ".ppgp")
    git(folder(place / "top"), "init")
    assert find_root(folder(place / "top/deep"), None, {}) == place / "top"


def test_then_the_folder_itself(place: Path) -> None:
    assert find_root(folder(place / "plain"), None, {}) in (place / "plain", git_top(place))


def test_a_file_called_ppgp_is_no_session(place: Path) -> None:
    git(folder(place / "top"), "init")
    (place / "top/.ppgp").write_text("")
    assert find_root(place / "top", None, {}) == place / "top"


def test_links_are_resolved(place: Path) -> None:
    real = folder(place / "real/.ppgp").parent
    (place / "link").symlink_to(real)
    assert find_root(place / "link", None, {}) == real
    assert find_root(place, place / "link", {}) == real


def test_a_worktree_is_its_own_root_and_shares_refs(place: Path) -> None:
    main = folder(place / "main")
    git(main, "init")
    git(main, "commit", "--allow-empty", "-m", "x")
    git(main, "worktree", "add", str(place / "second"))
    assert find_root(place / "second", None, {}) == place / "second"
    second = git_folder(place / "second")
    assert second == main / ".git/worktrees/second"
    assert git_common_folder(second).resolve() == main / ".git"
    first = git_folder(main)
    assert first == main / ".git"
    assert git_common_folder(first) == first


def test_a_damaged_git_folder_is_none(place: Path) -> None:
    (folder(place / "empty") / ".git").mkdir()
    (folder(place / "text") / ".git").write_text("nonsense")
    assert git_folder(place / "empty") is None
    assert git_folder(place / "text") is None
    assert git_folder(place / "nowhere") is None


@pytest.mark.parametrize("asked", ["nowhere", "a-file", "no\0path"])
def test_a_name_that_is_no_folder_is_refused_with_its_name(place: Path, asked: str) -> None:
    (place / "a-file").write_text("")
    with pytest.raises(RootError, match=r"name the folder of a repository"):
        find_root(place, Path(asked), {})
    with pytest.raises(RootError, match=r"\$PPGP_ROOT must name"):
        find_root(place, None, {"PPGP_ROOT": asked})
