"""A commit is read by Git alone, and only as much of it as a person can look at."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ppgp_tui.session.picture import commit as commit_module
from ppgp_tui.session.picture.commit import Commit, NoCommitError, read_commit

WHO = {
    "GIT_AUTHOR_NAME": "Ada \x1b[31mL\xe4mp",
    "GIT_AUTHOR_EMAIL": "ada@example.invalid",
    "GIT_COMMITTER_NAME": "c",
    "GIT_COMMITTER_EMAIL": "c@example.invalid",
    "GIT_AUTHOR_DATE": "1790000000 +0200",
    "GIT_COMMITTER_DATE": "1790000000 +0200",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
}


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *arguments],
        env={**os.environ, **WHO},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with two commits."""
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "a.py").write_text("one\ntwo\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    (tmp_path / "a.py").write_text("one\n2\nthree\n")
    (tmp_path / "pic.bin").write_bytes(b"\0\1\2")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "Count on\n\nBecause two is not enough.\nNor is one.")
    return tmp_path


def head(root: Path) -> str:
    return git(root, "rev-parse", "HEAD")


def test_a_commit_says_who_when_why_and_what(root: Path) -> None:
    shown = read_commit(root, head(root)[:7])
    assert shown.id == head(root)
    assert (shown.author, shown.at_ms, shown.parents) == (WHO["GIT_AUTHOR_NAME"], 1790000000000, 1)
    assert (shown.subject, shown.body) == ("Count on", "Because two is not enough.\nNor is one.")
    assert shown.files == (("a.py", 2, 1), ("pic.bin", None, None))
    assert [line for line in shown.changes if line[:1] in "+-"][:5] == [
        "--- a/a.py",
        "+++ b/a.py",
        "-two",
        "+2",
        "+three",
    ]
    assert not shown.left_out


def test_the_first_commit_is_compared_with_nothing(root: Path) -> None:
    shown = read_commit(root, git(root, "rev-parse", "HEAD~1"))
    assert shown.files == (("a.py", 2, 0),)
    assert shown.parents == 0


def test_a_merge_is_compared_with_its_first_parent(root: Path) -> None:
    git(root, "checkout", "-qb", "side", "HEAD~1")
    (root / "b.py").write_text("b\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "side")
    git(root, "checkout", "-q", "main")
    git(root, "merge", "-q", "--no-edit", "side")
    shown = read_commit(root, head(root))
    assert shown.parents == 2
    assert shown.files == (("b.py", 1, 0),)


def test_a_commit_without_changes_has_none(root: Path) -> None:
    git(root, "commit", "-q", "--allow-empty", "-m", "run run_1: completed")
    shown = read_commit(root, head(root))
    assert (shown.files, shown.changes, shown.body) == ((), (), "")


@pytest.mark.parametrize(
    "name", ["", "HEAD", "--all", "abc", "ABCDEF12", "main", "../x", "abcd\n", "abcd;ls", "f" * 65]
)
def test_what_is_no_hash_never_reaches_git(
    root: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("git was asked"))
    with pytest.raises(NoCommitError, match="is not the hash of a commit"):
        read_commit(root, name)


def test_a_commit_of_another_repository_is_said_to_be_missing(root: Path) -> None:
    with pytest.raises(NoCommitError, match="this repository has no commit deadbeefdead"):
        read_commit(root, "deadbeef" * 5)


def test_a_branch_with_the_name_of_a_hash_is_no_commit(root: Path) -> None:
    git(root, "branch", "deadbeef")
    with pytest.raises(NoCommitError, match="only a ref of that name"):
        read_commit(root, "deadbeef")


def test_a_file_is_no_commit(root: Path) -> None:
    with pytest.raises(NoCommitError, match="no commit"):
        read_commit(root, git(root, "rev-parse", "HEAD:a.py"))


def test_without_a_repository_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoCommitError, match="not in a Git repository"):
        read_commit(tmp_path, "deadbeef")


def test_only_so_much_is_read_and_the_rest_is_said_to_be_left_out(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "big.txt").write_text("".join(f"line {at}\n" for at in range(200_000)))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "big")
    monkeypatch.setattr(commit_module, "MOST_BYTES", 50_000)
    shown = read_commit(root, head(root))
    assert shown.left_out
    assert shown.subject == "big"
    assert 1_000 < len(shown.changes) < 10_000
    assert shown.changes[-1].startswith("+line ")


def test_no_program_that_the_repository_names_is_run(root: Path) -> None:
    trap = root / ".git" / "trap"
    ran = root / ".git" / "ran"
    trap.write_text(f'#!/bin/sh\necho x >> {ran}\ncat "$@" 2>/dev/null\n')
    trap.chmod(0o755)
    for name in (
        "diff.external", "diff.x.command", "diff.x.textconv", "core.pager", "core.fsmonitor",
        "filter.x.smudge", "filter.x.clean", "gpg.program", "core.sshCommand", "pager.show",
        "interactive.diffFilter",
    ):  # fmt: skip
        git(root, "config", name, str(trap))
    git(root, "config", "log.showSignature", "true")
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "attributes").write_text("* diff=x filter=x\n")
    shown: Commit = read_commit(root, head(root))
    assert "+three" in shown.changes
    assert not ran.exists()


def test_gits_own_variables_of_the_caller_name_no_other_repository(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path_factory.mktemp("other")
    git(other, "init", "-q")
    name = head(root)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "/bin/false")
    assert read_commit(root, name).subject == "Count on"
