"""What Git knows, asked of real repositories."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ppgp_tui.session.model import Repo
from ppgp_tui.session.picture.repo_look import RepoLook
from ppgp_tui.session.sources import repo as repo_module
from ppgp_tui.session.sources.repo import RepoSource, blamed

GOAL = "docs/ACTIVE_GOAL.md"
CANDIDATES = (GOAL, "ACTIVE_GOAL.md")


class Work:
    """A repository with a clock of its own: every commit is a minute after the one before."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.minutes = 0
        root.mkdir(exist_ok=True)

    def git(self, *words: str) -> str:
        moment = f"2026-01-01T00:{self.minutes:02}:00Z"
        who = {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment, "GIT_CONFIG_GLOBAL": ""}
        command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", *words]
        done = subprocess.run(
            command, cwd=self.root, env={**os.environ, **who}, capture_output=True, check=True
        )
        return done.stdout.decode()

    def init(self) -> Work:
        self.git("init", "-q", "-b", "main")
        return self

    def commit(self, files: dict[str, str]) -> str:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.minutes += 1
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "work")
        return self.git("rev-parse", "HEAD").strip()

    def look(self) -> RepoLook:
        return RepoSource(self.root, lambda: 1000).look(GOAL, CANDIDATES)

    def read(self) -> Repo:
        look = self.look()
        assert look.why == ""
        return look.repo


@pytest.fixture
def work(tmp_path: Path) -> Work:
    return Work(tmp_path / "work").init()


def test_outside_of_git_nothing_is_claimed(tmp_path: Path) -> None:
    look = RepoSource(tmp_path, lambda: 1000).look(GOAL, CANDIDATES)
    assert (look.repo, look.found, look.why) == (Repo(), False, "")


def test_without_a_git_program_the_reason_is_said(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repo_module.shutil, "which", lambda _: None)
    look = work.look()
    assert (look.repo.git, look.why) == (False, "git is not installed")


def test_a_branch_without_a_commit(work: Work) -> None:
    (work.root / "a").touch()
    repo = work.read()
    assert (repo.git, repo.branch, repo.head, repo.dirty) == (True, "main", None, 1)
    assert (repo.ahead, repo.behind, repo.commits_since_goal) == (None, None, None)


def test_branch_head_and_what_is_changed(work: Work) -> None:
    head = work.commit({"a": "1\n", "b": "2\n", "c": "3\n"})
    (work.root / "a").write_text("changed")
    (work.root / "new\nname").touch()
    work.git("mv", "b", "moved")
    repo = work.read()
    assert (repo.branch, repo.head, repo.detached) == ("main", head, False)
    assert repo.dirty == 3


def test_a_detached_head(work: Work) -> None:
    head = work.commit({"a": "1"})
    work.git("checkout", "-q", "--detach")
    repo = work.read()
    assert (repo.branch, repo.detached, repo.head) == (None, True, head)


def test_how_far_the_branch_is_from_its_upstream(work: Work, tmp_path: Path) -> None:
    work.commit({"a": "1"})
    copy = Work(tmp_path / "copy")
    work.git("clone", "-q", ".", str(copy.root))
    copy.commit({"b": "1"})
    copy.commit({"b": "2"})
    work.commit({"c": "1"})
    copy.git("fetch", "-q")
    repo = copy.read()
    assert (repo.ahead, repo.behind) == (2, 1)


def test_a_worktree_whose_git_is_a_file(work: Work, tmp_path: Path) -> None:
    work.commit({"a": "1"})
    tree = Work(tmp_path / "tree")
    tree.root.rmdir()
    work.git("worktree", "add", "-q", "-b", "side", str(tree.root))
    assert (tree.root / ".git").is_file()
    assert tree.read().branch == "side"


def test_commits_since_the_goal_document_changed(work: Work) -> None:
    work.commit({"a": "1"})
    assert work.read().commits_since_goal is None
    work.commit({GOAL: "goal"})
    assert work.read().commits_since_goal == 0
    work.commit({"a": "2"})
    work.commit({"a": "3"})
    assert work.read().commits_since_goal == 2


def test_committed_lines_know_their_time_and_new_ones_do_not(work: Work) -> None:
    work.commit({GOAL: "one\ntwo\n"})
    work.commit({GOAL: "one\nTWO\n"})
    (work.root / GOAL).write_text("zero\none\nTWO\n")
    minute = 60_000
    start = 1_767_225_600_000
    assert work.read().goal_line_ms == {2: start + minute, 3: start + 2 * minute}


def test_goals_on_other_refs_are_listed_and_nothing_is_switched(work: Work) -> None:
    work.commit({GOAL: "main's goal\n"})
    work.git("checkout", "-q", "-b", "same")
    work.git("checkout", "-q", "-b", "feat/other")
    work.commit({GOAL: "another goal\n"})
    work.git("checkout", "-q", "-b", "moved", "main")
    work.git("rm", "-q", GOAL)
    work.commit({"ACTIVE_GOAL.md": "third\n"})
    work.git("checkout", "-q", "main")
    before = work.git("status", "--porcelain=v2", "--branch")
    assert work.read().other_goals == (
        f"feat/other:{GOAL} (last change 2026-01-01)",
        "moved:ACTIVE_GOAL.md (last change 2026-01-01)",
    )
    assert work.git("status", "--porcelain=v2", "--branch") == before


def test_a_goal_only_on_another_branch_is_found_from_main(work: Work) -> None:
    work.commit({"a": "1"})
    work.git("checkout", "-q", "-b", "topic")
    work.commit({GOAL: "goal"})
    work.git("checkout", "-q", "main")
    assert work.read().other_goals == (f"topic:{GOAL} (last change 2026-01-01)",)


def test_looking_writes_nothing_into_the_repository(work: Work) -> None:
    work.commit({GOAL: "goal", "a": "1"})
    (work.root / "a").write_text("1")  # same content, another time: status would refresh the index
    before = everything(work.root / ".git")
    work.read()
    assert everything(work.root / ".git") == before


def everything(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path): (path.lstat().st_mtime_ns, path.lstat().st_size) for path in folder.rglob("*")
    }


def test_a_repository_git_refuses_keeps_the_picture_and_says_why(work: Work) -> None:
    work.commit({GOAL: "goal"})
    source = RepoSource(work.root, lambda: 1000)
    good = source.look(GOAL, CANDIDATES)
    (work.root / ".git" / "config").write_text("[broken\n")
    look = source.look(GOAL, CANDIDATES)
    assert look.repo == good.repo
    assert look.stale_since_ms == 1000
    assert "bad config" in look.why
    assert [problem.code for problem in look.problems()] == ["git"]


def test_a_goal_document_with_a_name_like_an_option_or_pattern_is_only_a_name(work: Work) -> None:
    work.commit({"--output=x": "goal\n", "*.md": "goal\n"})
    for name in ("--output=x", "*.md"):
        look = RepoSource(work.root, lambda: 1000).look(name, CANDIDATES)
        assert (look.why, look.repo.commits_since_goal) == ("", 0)
        assert list(look.repo.goal_line_ms) == [1]


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"])
def test_variables_that_name_another_repository_do_not_mislead(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    work.init().commit({GOAL: "one"})
    expected = work.read()
    other = Work(tmp_path / "other").init()
    other.commit({"a": "b"})
    paths = {"GIT_DIR": ".git", "GIT_INDEX_FILE": ".git/index", "GIT_WORK_TREE": "."}

    monkeypatch.setenv(name, str(other.root / paths[name]))

    assert work.read() == expected
    command, environ = repo_module.blame_command(work.root, GOAL)
    said = subprocess.run(command, env=environ, capture_output=True, check=True).stdout
    assert blamed(said.decode()).keys() == {1}


def test_programs_named_in_the_settings_of_a_repository_are_not_run(
    work: Work, tmp_path: Path
) -> None:
    work.init().commit({GOAL: "one", ".gitattributes": "*.md diff=evil\n"})
    trace = tmp_path / "ran"
    program = tmp_path / "evil.sh"
    program.write_text(f'#!/bin/sh\ntouch {trace}\ncat "$1"\n')
    program.chmod(0o755)
    for setting in ("core.fsmonitor", "gpg.program", "diff.evil.textconv", "diff.external"):
        work.git("config", setting, str(program))
    work.git("config", "log.showSignature", "true")

    assert work.look().repo.goal_line_ms

    assert not trace.exists()


def test_below_the_top_of_the_work_tree(work: Work) -> None:
    work.commit({f"sub/{GOAL}": "goal\n", "a": "1"})
    work.commit({"a": "2"})
    look = RepoSource(work.root / "sub", lambda: 1000).look(GOAL, CANDIDATES)
    assert (look.repo.branch, look.repo.commits_since_goal) == ("main", 1)
    assert list(look.repo.goal_line_ms) == [1]


def test_what_depends_on_the_goal_is_asked_again_only_when_it_moved(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.commit({GOAL: "goal\n"})
    source = RepoSource(work.root, lambda: 1000)
    source.look(GOAL, CANDIDATES)
    asked: list[str] = []
    run = source._run
    monkeypatch.setattr(
        source, "_run", lambda *words, **given: asked.append(words[0]) or run(*words, **given)
    )
    source.look(GOAL, CANDIDATES)
    assert asked == ["status"]
    (work.root / GOAL).write_text("goal\nmore\n")
    source.look(GOAL, CANDIDATES)
    assert asked == ["status", "status", "log", "rev-list", "blame"]


def test_strange_blame_output_is_no_age() -> None:
    assert blamed("") == {}
    assert blamed("fatal: no\n\tline\n" + "0" * 40 + " 1 1 1\ncommitter-time 5\n") == {}
