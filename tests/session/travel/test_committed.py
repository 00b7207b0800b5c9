"""The goal document of a moment is that of the newest commit by then which touched it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.session.picture.moment import Committed
from ppgp_tui.session.travel.committed import LARGEST, CommittedDocuments
from tests.session.gits import Repository

DOC, OTHER = "docs/ACTIVE_GOAL.md", "ACTIVE_GOAL.md"
PATHS = (DOC, OTHER)
BEGUN_S = 1_790_000_000


@pytest.fixture
def git(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "root")


def written(git: Repository, goal: str, at_s: int, path: str = DOC) -> str:
    """Commit a document with that goal `at_s` seconds after the beginning."""
    git.write(path, f"# PPGP\n\n## GOAL\n{goal}\n")
    return committed(git, at_s)


def committed(git: Repository, at_s: int) -> str:
    return git.commit(GIT_COMMITTER_DATE=f"{BEGUN_S + at_s} +0000")


def at(git: Repository, second: float) -> Committed | str:
    return CommittedDocuments(git.root).ask(PATHS, int((BEGUN_S + second) * 1000))


def goal_at(git: Repository, second: float) -> tuple[str, str | None]:
    """Commit and goal."""
    found = at(git, second)
    assert isinstance(found, Committed)
    return found.commit, found.reading.goal if found.reading else None


def test_the_newest_commit_at_or_before_the_moment_counts(git: Repository) -> None:
    first, second = written(git, "One", 10), written(git, "Two", 20)
    assert goal_at(git, 10) == (first, "One")
    assert goal_at(git, 19.9) == (first, "One")
    assert goal_at(git, 20) == (second, "Two")
    assert goal_at(git, 9_999) == (second, "Two")


def test_a_commit_that_touches_other_files_only_does_not_count(git: Repository) -> None:
    first = written(git, "One", 10)
    git.write("src/x.py", "x = 1\n")
    committed(git, 20)
    assert goal_at(git, 30)[0] == first


def test_of_two_commits_within_one_second_the_later_one_counts(git: Repository) -> None:
    written(git, "One", 10)
    second = written(git, "Two", 10)
    assert goal_at(git, 10) == (second, "Two")


def test_other_branches_do_not_count(git: Repository) -> None:
    first = written(git, "One", 10)
    git.git("checkout", "-q", "-b", "aside")
    written(git, "Aside", 20)
    git.git("checkout", "-q", "main")
    assert goal_at(git, 30) == (first, "One")


def test_the_document_is_found_where_it_lay_then(git: Repository) -> None:
    written(git, "At the top", 10, OTHER)
    git.git("mv", OTHER, "moved.md")
    (git.root / "docs").mkdir()
    git.git("mv", "moved.md", DOC)
    committed(git, 20)
    then, now = at(git, 15), at(git, 25)
    assert isinstance(then, Committed)
    assert isinstance(now, Committed)
    assert (then.path, now.path) == (OTHER, DOC)


def test_a_commit_that_removed_it_says_so(git: Repository) -> None:
    written(git, "One", 10)
    git.git("rm", "-q", DOC)
    git.write("kept", "")
    gone = committed(git, 20)
    found = at(git, 25)
    assert isinstance(found, Committed)
    assert (found.commit, found.data, found.reading) == (gone, None, None)


def test_what_git_has_not_is_a_reason_and_no_document(git: Repository, tmp_path: Path) -> None:
    assert at(git, 5) == "no commit by then holds the document"
    written(git, "One", 10)
    assert at(git, 9) == "no commit by then holds the document"
    documents = CommittedDocuments(git.root)
    assert documents.ask((), 1) == "a log by itself has no document beside it"
    assert "no time" in str(documents.ask(PATHS, None))
    (tmp_path / "bare").mkdir()
    elsewhere = CommittedDocuments(tmp_path / "bare")
    assert elsewhere.ask(PATHS, BEGUN_S * 1000) == "no commit by then holds the document"


def test_a_link_and_what_is_too_large_are_not_read(git: Repository) -> None:
    (git.root / "docs").mkdir()
    (git.root / DOC).symlink_to("/etc/passwd")
    link = committed(git, 10)
    assert at(git, 11) == f"{DOC} is no file in commit {link[:7]}"
    (git.root / DOC).unlink()
    git.write(DOC, b"x" * (LARGEST + 1))
    large = committed(git, 20)
    assert at(git, 21) == f"{DOC} in commit {large[:7]} has more than {LARGEST:,} bytes"


def test_how_large_it_may_be_is_a_setting_of_now_and_no_finding_of_then(git: Repository) -> None:
    git.write(DOC, "# PPGP\n\n## GOAL\nOne\n\n## WHY\n" + "words of a diary\n" * 2000)
    committed(git, 10)
    found = at(git, 10)
    assert isinstance(found, Committed)
    assert found.reading is not None
    assert [one.text for one in found.reading.reasons if "bytes" in one.text] == []


def test_git_is_asked_once_and_again_when_a_branch_moved(
    git: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ppgp_tui.session.travel import committed as module

    asked: list[str] = []
    real = module.ask

    def counted(root: Path, *words: str, **more: float) -> object:
        asked.append(words[0])
        return real(root, *words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "ask", counted)
    written(git, "One", 10)
    documents = CommittedDocuments(git.root)
    moment = (BEGUN_S + 15) * 1000
    assert documents.known(PATHS, moment) is None
    first = documents.ask(PATHS, moment)
    assert asked == ["log", "ls-tree", "cat-file"]
    assert documents.known(PATHS, moment) is first
    assert documents.ask(PATHS, moment + 900) is first
    assert len(asked) == 3
    written(git, "Two", 12)
    assert documents.known(PATHS, moment) is None
    later = documents.ask(PATHS, moment)
    assert isinstance(later, Committed)
    assert later.reading is not None
    assert later.reading.goal == "Two"
