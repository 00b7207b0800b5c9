"""Addresses: of files below the root and of commits at known forges, and nothing else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.ui.terminal.links import Links, commits_at, host_of

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
    ("name", "environ", "address"),
    [
        ("a terminal that knows hosts", {}, "file://box/r/a"),
        ("the same over ssh", {"SSH_CONNECTION": "1 2 3 4"}, "file://box/r/a"),
        ("VS Code", {"TERM_PROGRAM": "vscode"}, "file:///r/a"),
        ("VS Code, its shell far away",
         {"TERM_PROGRAM": "vscode", "SSH_CONNECTION": "1 2 3 4"}, "file:///r/a"),
        ("WSL in Windows Terminal", {"WT_SESSION": "x", "WSL_DISTRO_NAME": "Ubuntu-24.04"},
         "file://wsl.localhost/Ubuntu-24.04/r/a"),
        ("a share with a blank in its name", {"WT_SESSION": "x", "WSL_DISTRO_NAME": "My Linux"},
         "file://wsl.localhost/My%20Linux/r/a"),
        ("Windows Terminal and no WSL", {"WT_SESSION": "x"}, "file:///r/a"),
    ],
)  # fmt: skip
def test_a_file_is_named_so_that_the_terminal_finds_it(
    name: str, environ: dict[str, str], address: str
) -> None:
    assert Links("/r", host_of(environ, "box")).address("file:a") == address, name


def test_a_machine_with_a_strange_name_does_not_get_out_of_the_address() -> None:
    assert Links("/r", host_of({}, "a/b@c")).address("file:a") == "file://a%2Fb%40c/r/a"
    assert Links("/r", host_of({}, "käse")).address("file:a") == "file:///r/a"


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
