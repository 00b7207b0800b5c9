"""Addresses: of files below the root and of commits at known forges, and nothing else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.ui.terminal.links import Links, commits_at

LINKS = Links("/home/dev/importer", "box", "https://github.com/dev/importer/commit")
ADDRESS = re.compile(r"(?:file://|https://)[A-Za-z0-9._~/%-]*")


def test_a_file_and_a_commit_have_an_address() -> None:
    assert LINKS.address("file:docs/ACTIVE_GOAL.md") == (
        "file://box/home/dev/importer/docs/ACTIVE_GOAL.md"
    )
    assert LINKS.address("commit:4e1f09c") == "https://github.com/dev/importer/commit/4e1f09c"


@pytest.mark.parametrize(
    "target",
    [
        "", "file:", "file:/etc/passwd", "file:../secret", "file:a/../../b", "file:a\0b",
        "commit:", "commit:HEAD", "commit:4e1f09c/../../x", "commit:4E1F09C",
        "https://example.test", "javascript:alert(1)", "x-apple:evil",
    ],
)  # fmt: skip
def test_anything_else_has_none(target: str) -> None:
    assert LINKS.address(target) == ""


def test_a_commit_without_a_known_forge_has_none() -> None:
    assert Links("/r").address("commit:4e1f09c") == ""


@given(st.text())
def test_no_name_of_a_file_gets_out_of_its_address(name: str) -> None:
    address = LINKS.address(f"file:{name}")
    assert not address or ADDRESS.fullmatch(address)


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://github.com/dev/importer.git", "https://github.com/dev/importer/commit"),
        ("https://github.com/dev/importer", "https://github.com/dev/importer/commit"),
        ("git@github.com:dev/importer.git", "https://github.com/dev/importer/commit"),
        ("ssh://git@github.com:22/dev/importer", "https://github.com/dev/importer/commit"),
        ("https://gitlab.com/a/b/c.git", "https://gitlab.com/a/b/c/-/commit"),
        ("https://bitbucket.org/a/b", "https://bitbucket.org/a/b/commits"),
        ("https://git.sr.ht/~a/b", "https://git.sr.ht/~a/b/commit"),
        ("https://GitHub.com/dev/importer/", "https://github.com/dev/importer/commit"),
    ],
)
def test_a_remote_at_a_known_forge_says_where_commits_are_shown(remote: str, address: str) -> None:
    assert commits_at(remote) == address


def test_a_password_in_a_remote_is_in_no_address() -> None:
    remote = "https://dev:hunter2@github.com/dev/importer.git"
    assert commits_at(remote) == "https://github.com/dev/importer/commit"


@pytest.mark.parametrize(
    "remote",
    [
        "", "/srv/git/importer.git", "../importer", "file:///srv/git/x/y", "https://example.test/a/b",
        "git@example.test:a/b", "https://github.com/", "https://github.com/only",
        "https://github.com/a/../b", "https://github.com/a/b?x=y", "https://github.com/a/b\x1b]8;;",
        "https://github.com.evil.test/a/b", "https://evil.test/github.com/a/b",
    ],
)  # fmt: skip
def test_any_other_remote_says_nothing(remote: str) -> None:
    assert commits_at(remote) == ""


@given(st.text())
def test_no_remote_gets_out_of_its_address(remote: str) -> None:
    address = commits_at(remote)
    assert not address or ADDRESS.fullmatch(address)
