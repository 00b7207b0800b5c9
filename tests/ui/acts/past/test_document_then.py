"""The goal document as it was: that of Git, and said to be that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.gits import Repository
from tests.session.travel.logs import BEGUN, STORY, lay
from tests.ui.traveller import GOAL, NOW, SESSION, Voyager

DOC = "docs/ACTIVE_GOAL.md"
HOURS = 3 * 3600
TEXT = """# PPGP

## GOAL
Make it resumable

## PHASE
FREEZE

## DEFINITION_OF_DONE
- [x] A checkpoint is written
- [ ] A killed import resumes
"""


@pytest.fixture
def git(root: Path) -> Repository:
    """The repository of the story; its document was committed three hours before it began."""
    repository = Repository(root)
    repository.git("init", "-q", "-b", "main")
    repository.write(DOC, TEXT)
    repository.git("add", DOC)
    repository.git("commit", "-qm", "goal", GIT_COMMITTER_DATE=f"{BEGUN // 1000 - HOURS} +0000")
    repository.write(DOC, TEXT.replace("FREEZE", "EXECUTE"))
    return repository


def shown(of: Voyager) -> str:
    return "\n".join(of.lines)


def commit(git: Repository) -> str:
    return git.git("rev-parse", "--short=7", "HEAD").strip()


@pytest.mark.parametrize("width", [48, 80, 120, 160])
def test_the_document_of_the_commit_that_was_current_is_shown_as_that(
    root: Path, git: Repository, width: int
) -> None:
    of = Voyager(root, NOW, width, 40).press(GOAL, "<", "home")
    words = " ".join(shown(of).split())
    assert f"committed in {commit(git)}, 3h00 before this moment" in words
    assert "0 of 2, 1 claimed" in words
    assert "not recorded" not in "".join(of.lines[1:])
    assert ("A killed import resumes" in words) is (width >= 100)


def test_its_text_is_opened_where_it_has_no_room_beside(root: Path, git: Repository) -> None:
    of = Voyager(root, NOW, 80, 30).press(GOAL, "<", "enter")
    assert f"{DOC} in {commit(git)}" in shown(of)
    assert "- [ ] A killed import resumes" in shown(of)


def test_where_a_value_was_read_names_the_commit_and_no_line_of_now(
    root: Path, git: Repository
) -> None:
    of = Voyager(root, NOW, 80, 30).press(GOAL, "<", "j", "o")
    assert any(text.split() == ["git", git.git("rev-parse", "HEAD")[:12]] for text in of.lines)
    of.press("escape", "e")
    assert of.seat.toast == "nobody knows a file for this row"


def test_what_the_log_says_otherwise_stands_above_the_older_document(
    root: Path, git: Repository
) -> None:
    of = Voyager(root, NOW, 80, 30).press(GOAL, "<")
    assert "by then the log said phase EXECUTE" in shown(of)
    assert of.lines[0].startswith(" EXECUTE  Make it resumable")
    of.press("home")
    assert "by then the log said" not in shown(of)


def test_a_goal_of_several_paragraphs_is_the_same_in_document_and_log(
    root: Path, git: Repository
) -> None:
    more = "Make it resumable\n\nNo row is written twice."
    line = STORY[0].replace(b"Make it resumable", more.replace("\n", "\\n").encode())
    lay(root, [line, *STORY[1:]])
    git.write(DOC, TEXT.replace("Make it resumable", more))
    git.git("commit", "-qam", "more", GIT_COMMITTER_DATE=f"{BEGUN // 1000 - 60} +0000")
    of = Voyager(root, NOW, 80, 30).press(GOAL, "<", "home")
    assert "by then the log said" not in shown(of)
    assert of.lines[0].rstrip().endswith("Make it resumable")


def test_the_commit_stays_in_sight_wherever_the_fields_are_scrolled_to(
    root: Path, git: Repository
) -> None:
    of = Voyager(root, NOW, 48, 24).press(GOAL, "<", "G")
    assert f"committed in {commit(git)}, 3h00 before this moment" in shown(of)


def test_why_leads_to_the_commit(root: Path, git: Repository) -> None:
    of = Voyager(root, NOW, 80, 30).press(GOAL, "<", "G", "l")
    assert of.seat.stay.opened == f"commit:{git.git('rev-parse', 'HEAD').strip()}"


def test_the_conditions_stand_in_the_session_with_the_commit_they_are_of(
    root: Path, git: Repository
) -> None:
    of = Voyager(root, NOW, 80, 40).press(SESSION, "<")
    assert "0 of 2 done, 1 claimed" in shown(of)
    assert f"as committed in {commit(git)}, 3h00 before" in shown(of)
    assert "A killed import resumes" in shown(of)


def test_a_document_that_was_removed_by_then_is_said_to_be(root: Path, git: Repository) -> None:
    git.git("rm", "-qf", DOC)
    git.git("commit", "-qm", "done", GIT_COMMITTER_DATE=f"{BEGUN // 1000 + 5} +0000")
    of = Voyager(root, NOW, 80, 30).press(GOAL, "<")
    assert f"removed by commit {commit(git)}, 5s before this moment." in " ".join(shown(of).split())
    assert "not recorded" in shown(of)


def test_without_a_commit_of_then_the_other_fields_are_not_recorded(tmp_path: Path) -> None:
    of = Voyager(lay(tmp_path.resolve() / "other", STORY), NOW, 80, 30).press(GOAL, "<")
    assert "not recorded" in shown(of)
    assert "no commit by then holds the document." in shown(of)


def test_no_step_waits_for_git(root: Path, git: Repository) -> None:
    of = Voyager(root, NOW, 80, 30)
    of.traveller.git = False
    of.press(GOAL, "<")
    assert of.at == 10
    assert "Git is being asked for the document of that time." in shown(of)


def test_there_and_back_shows_the_document_of_now_again(root: Path, git: Repository) -> None:
    of = Voyager(root, NOW, 120, 40).press(GOAL)
    before = of.lines
    of.press("<", "end")
    assert of.lines == before
