"""The history of a `todo.json` that only Git keeps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.model import PlanHistory
from ppgp_tui.session.plan_history.blame import last_change
from ppgp_tui.session.plan_history.comparing import between
from ppgp_tui.session.sources import plan_commits
from ppgp_tui.session.sources.plan_commits import PlanCommits, read_commits
from ppgp_tui.ui.views import VIEWS
from tests.session.gits import Repository
from tests.ui.pressing import press
from tests.ui.stand_in import seat, text

TODO = ".ppgp/todo.json"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "work")


def plan(revision: int, **tasks: str) -> str:
    listed = [{"key": key, "subject": f"Do {key}", "status": state} for key, state in tasks.items()]
    return json.dumps({"schemaVersion": 1, "revision": revision, "tasks": listed}, indent=2)


def committed(repository: Repository, author: str, revision: int, **tasks: str) -> str:
    repository.write(TODO, plan(revision, **tasks))
    return repository.commit(f"plan {revision}", GIT_AUTHOR_NAME=author)


def told(repository: Repository) -> PlanHistory:
    return LiveSession(repository.root).read_all().history.value


def test_every_version_in_git_is_a_revision_with_its_author(repository: Repository) -> None:
    first = committed(repository, "ann", 1, a="pending")
    second = committed(repository, "ben", 2, a="completed", b="pending")
    found = told(repository)

    assert (found.source, found.words()) == ("git", "from Git")
    assert [(one.id, one.by, one.name) for one in found.revisions] == [
        (first, "ann", first[:7]),
        (second, "ben", second[:7]),
    ]
    assert found.revisions[-1].brief == "b added; a done"
    assert [one.said for one in found.revisions] == ["plan 1", "plan 2"]
    last = last_change(found, "a")
    assert last is not None
    assert last.revision.by == "ben"


def test_what_the_author_said_of_a_revision_stands_over_what_it_changed(
    repository: Repository,
) -> None:
    committed(repository, "ann", 1, a="pending")
    repository.write(TODO, plan(2, a="completed"))
    second = repository.commit("A is done: the parser reads all", GIT_AUTHOR_NAME="ben")
    shown = LiveSession(repository.root).read_all()
    at = shown.history.value.revisions[-1].ts_ms or 0
    of = press(seat(shown, 100, 30, VIEWS, clock=lambda: at + 60_000), "2", "[")
    heading = next(line for line in text(of) if second[:7] in line)
    assert "1m ago, ben: A is done: the parser reads all" in heading


def test_the_file_as_it_is_stands_behind_its_last_commit(repository: Repository) -> None:
    committed(repository, "ann", 1, a="pending")
    repository.write(TODO, plan(1, a="completed"))
    found = told(repository)

    assert [one.name for one in found.revisions][-1] == "file"
    change = between(found, 0, 1)
    assert change is not None
    assert [one.after for one in change.change.restated] == ["completed"]


def test_a_file_in_no_commit_is_the_whole_history(repository: Repository) -> None:
    repository.write("readme", "x")
    repository.commit()
    repository.write(TODO, plan(1, a="pending"))
    found = told(repository)

    assert found.words() == f"the file alone, no commit holds {TODO}"
    assert [one.brief for one in found.revisions] == ["as it is now"]


def test_a_merge_that_takes_over_one_side_tells_the_story_of_that_side(
    repository: Repository,
) -> None:
    committed(repository, "ann", 1, a="pending")
    repository.git("checkout", "-q", "-b", "side")
    committed(repository, "ben", 2, a="completed")
    repository.git("checkout", "-q", "main")
    repository.write("other", "x")
    repository.commit()
    repository.git("merge", "-q", "--no-edit", "side")
    found = told(repository)

    assert [one.by for one in found.revisions] == ["ann", "ben"]
    assert found.note == ""


def test_a_merge_that_makes_a_new_plan_of_two_is_a_revision_of_its_own(
    repository: Repository,
) -> None:
    committed(repository, "ann", 1, a="pending", b="pending")
    repository.git("checkout", "-q", "-b", "side")
    committed(repository, "ben", 2, a="pending", b="completed")
    repository.git("checkout", "-q", "main")
    committed(repository, "cid", 2, a="completed", b="pending")
    repository.run("merge", "--no-commit", "--no-ff", "side")
    repository.write(TODO, plan(3, a="completed", b="completed"))
    repository.commit("both", GIT_AUTHOR_NAME="dan")
    found = told(repository)

    assert [one.by for one in found.revisions] == ["ann", "cid", "dan"]
    assert "1 commit of a merged branch left out" in found.words()


def test_a_version_that_is_no_plan_is_counted_and_passed_by(repository: Repository) -> None:
    committed(repository, "ann", 1, a="pending")
    repository.write(TODO, "<<<<<<< nothing sound")
    repository.commit()
    committed(repository, "ann", 2, a="completed")
    found = told(repository)

    assert [one.number for one in found.revisions] == [1, 2]
    assert found.note == "1 commit holds no plan"


def test_a_file_renamed_in_its_folder_or_a_root_below_the_top_is_found(tmp_path: Path) -> None:
    top = Repository(tmp_path / "top")
    top.write(f"sub/{TODO}", plan(1, a="pending"))
    top.commit(GIT_AUTHOR_NAME="ann")

    assert [one.by for one in read_commits(top.root / "sub", TODO).revisions] == ["ann"]


def test_git_is_asked_twice_for_any_number_of_commits_and_not_again_before_refs_move(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, 8):
        committed(repository, "ann", number, a="pending" if number % 2 else "completed")
    asked = []
    ask = plan_commits.ask
    monkeypatch.setattr(plan_commits, "ask", lambda *a, **k: asked.append(a[1]) or ask(*a, **k))
    source = PlanCommits(repository.root)

    assert len(source.look(TODO)) == 7
    source.look(TODO)
    assert asked == ["log", "cat-file"]
    committed(repository, "ann", 8, a="completed", b="pending")
    assert len(source.look(TODO)) == 8


def test_without_git_it_is_said_that_nothing_is_known(tmp_path: Path) -> None:
    (tmp_path / ".ppgp").mkdir()
    (tmp_path / TODO).write_text(plan(1, a="pending"))
    found = LiveSession(tmp_path).read_all().history.value

    assert found.source == "file"
    assert found.note
