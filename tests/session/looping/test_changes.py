"""What one run of a loop changed, as Git tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.session.looping.changes import Head, changes_since, head_of
from tests.session.gits import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "root")
    made.write("a.txt", "one\ntwo\n")
    made.commit()
    return made


def test_a_run_that_did_nothing(repository: Repository) -> None:
    before = head_of(repository.root)
    short = repository.git("rev-parse", "HEAD")[:12]
    assert changes_since(repository.root, before) == {
        "before": short, "after": short, "commits": 0,
        "files": 0, "insertions": 0, "deletions": 0, "untracked": 0,
    }  # fmt: skip


def test_commits_and_what_is_not_committed_count_together(repository: Repository) -> None:
    before = head_of(repository.root)
    repository.write("a.txt", "one\n2\n3\n")
    repository.commit()
    repository.write("b.txt", "b\n")
    repository.commit()
    repository.write("a.txt", "one\n2\n3\n4\n")
    repository.write("new/c.txt", "c\n")
    found = changes_since(repository.root, before)
    assert found["before"] != found["after"]
    assert found["commits"] == 2
    assert (found["files"], found["insertions"], found["deletions"]) == (2, 4, 1)
    assert found["untracked"] == 1


def test_what_the_session_itself_writes_is_no_change(repository: Repository) -> None:
    repository.write("state/events.jsonl", "{}\n")
    repository.write(".ppgp/config.toml", "")
    repository.commit()
    before = head_of(repository.root)
    repository.write("state/events.jsonl", "{}\n{}\n")
    repository.write(".ppgp/audits/x/report.json", "{}")
    found = changes_since(repository.root, before)
    assert (found["files"], found["insertions"], found["untracked"]) == (0, 0, 0)


def test_a_binary_file_counts_and_has_no_lines(repository: Repository) -> None:
    before = head_of(repository.root)
    repository.write("a.txt", b"\0\1\2")
    found = changes_since(repository.root, before)
    assert (found["files"], found["insertions"], found["deletions"]) == (1, 0, 0)


def test_odd_names_are_one_file_each(repository: Repository) -> None:
    before = head_of(repository.root)
    for name in ("two\nlines", "a\ttab", "ümlaut", '"quoted"', "-flag"):
        repository.write(name, "x\n")
    repository.git("add", "-A")
    found = changes_since(repository.root, before)
    assert (found["files"], found["insertions"]) == (5, 5)


def test_a_repository_without_a_commit_begins_with_its_first(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "root")
    before = head_of(repository.root)
    assert before == Head(known=True)
    repository.write("a.txt", "one\n")
    found = changes_since(repository.root, before)
    assert (found["before"], found["after"], found["untracked"]) == (None, None, 1)
    repository.commit()
    found = changes_since(repository.root, before)
    assert found["before"] is None
    assert (found["commits"], found["files"], found["insertions"]) == (1, 1, 1)


def test_a_reset_made_no_commits(repository: Repository) -> None:
    repository.write("a.txt", "one\n")
    repository.commit()
    before = head_of(repository.root)
    repository.git("reset", "-q", "--hard", "HEAD~1")
    found = changes_since(repository.root, before)
    assert found["commits"] == 0
    assert (found["files"], found["insertions"], found["deletions"]) == (1, 1, 0)


def test_nothing_is_said_where_git_cannot_tell(tmp_path: Path) -> None:
    assert head_of(tmp_path) == Head()
    assert changes_since(tmp_path, Head()) == {}


def test_no_program_that_the_repository_names_is_run(repository: Repository) -> None:
    mark = repository.root.parent / "mark"
    for key in ("core.fsmonitor", "diff.external", "filter.evil.clean", "diff.evil.textconv"):
        repository.git("config", key, f"touch {mark}; false")
    repository.write(".gitattributes", "* filter=evil diff=evil\n")
    before = head_of(repository.root)
    repository.write("a.txt", "other\n")
    assert changes_since(repository.root, before)["files"] == 1
    assert not mark.exists()


def test_no_time_is_spent_beyond_the_limit(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = head_of(repository.root)
    slow = repository.root.parent / "bin"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nexec sleep 600\n")
    (slow / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow}:/usr/bin:/bin")
    assert changes_since(repository.root, before, limit_s=0.2) == {}
