"""Cloning a stranger's repository: the bytes as committed, and nothing of it run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ppgp_tui.gasp.clone import CloneError, clone
from tests.session.gits import Repository


@pytest.fixture
def there(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "there")
    made.write("a.txt", "one\r\ntwo\n")
    made.commit("begin")
    return made


@pytest.fixture
def into(tmp_path: Path) -> Path:
    return tmp_path / "here" / "clone"


@pytest.fixture(autouse=True)
def _above(into: Path) -> None:
    into.parent.mkdir()


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A program that leaves a trace when it is run."""
    made = tmp_path / "trap"
    made.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    made.chmod(0o755)
    return made


class Silent(SimpleHTTPRequestHandler):
    """A server of plain files, as an old host of repositories is."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def sprung(trap: Path) -> bool:
    return (trap.parent / "sprung").exists()


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_the_files_are_as_committed_and_nothing_else_is_left(
    there: Repository, into: Path, scheme: str
) -> None:
    clone(f"{scheme}{there.root}", into)
    assert (into / "a.txt").read_bytes() == b"one\r\ntwo\n"
    assert names(into.parent) == ["clone"]
    kept = Repository(into, init=False)
    assert kept.git("status", "--porcelain") == ""
    assert kept.git("rev-parse", "HEAD") == there.git("rev-parse", "HEAD")


def test_for_a_look_only_the_newest_commit_comes_along(there: Repository, into: Path) -> None:
    there.write("a.txt", "three\n")
    there.commit("more")
    clone(f"file://{there.root}", into, whole=False)
    assert (into / "a.txt").read_text() == "three\n"
    assert Repository(into, init=False).git("log", "--format=%s") == "more\n"


def test_where_the_other_side_cannot_give_that_alone_everything_does(
    there: Repository, into: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    there.git("clone", "-q", "--bare", str(there.root), str(tmp_path / "bare.git"))
    Repository(tmp_path / "bare.git", init=False).git("update-server-info")
    handler = partial(Silent, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            clone(f"http://127.0.0.1:{server.server_port}/bare.git", into, whole=False)
        finally:
            server.shutdown()
    assert (into / "a.txt").exists()


def test_an_empty_folder_is_taken(there: Repository, into: Path) -> None:
    into.mkdir()
    clone(str(there.root), into)
    assert (into / "a.txt").exists()


@pytest.mark.parametrize("kind", ["folder with files", "file", "link"])
def test_what_is_there_is_never_overwritten(
    there: Repository, into: Path, tmp_path: Path, kind: str
) -> None:
    if kind == "folder with files":
        into.mkdir()
        (into / "mine").write_text("x")
    elif kind == "file":
        into.write_text("x")
    else:
        into.symlink_to(tmp_path)
    with pytest.raises(CloneError):
        clone(str(there.root), into)
    if kind == "folder with files":
        assert names(into) == ["mine"]
    else:
        assert into.is_file() or into.is_symlink()


@pytest.mark.parametrize(
    "source",
    [
        "ext::sh -c touch% /tmp/restore-sprung", "fd::17", "foo::bar", "--upload-pack=touch x",
        "-u", "", "a\nb", "\0",
    ],
)  # fmt: skip
def test_an_address_that_would_run_something_is_refused(into: Path, source: str) -> None:
    with pytest.raises(CloneError) as refused:
        clone(source, into)
    assert refused.value.mend
    assert names(into.parent) == []


def test_an_ext_address_behind_a_rewriting_rule_is_refused(
    into: Path, trap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(f'[url "ext::{trap} "]\n\tinsteadOf = https://odd.invalid/\n')
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    with pytest.raises(CloneError, match="transport 'ext' not allowed"):
        clone("https://odd.invalid/x", into)
    assert not sprung(trap)


def test_filters_of_the_user_are_not_run_on_it(
    there: Repository, into: Path, trap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there.write(".gitattributes", "*.txt filter=lfs\n*.txt text eol=crlf\n")
    there.commit("filtered")
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(
        f'[filter "lfs"]\n\tsmudge = {trap}\n\tclean = {trap}\n\trequired = true\n'
        f"[core]\n\tautocrlf = true\n\thooksPath = {tmp_path}/hooks\n\tfsmonitor = {trap}\n"
        f"[init]\n\ttemplateDir = {tmp_path}/template\n"
    )
    for folder in ("hooks", "template/hooks"):
        hooks = tmp_path / folder
        hooks.mkdir(parents=True)
        for name in ("post-checkout", "reference-transaction", "post-index-change"):
            (hooks / name).write_text(trap.read_text())
            (hooks / name).chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    clone(str(there.root), into)
    assert not sprung(trap)
    blob = there.git("rev-parse", "HEAD:a.txt").strip()
    assert there.git("hash-object", "--no-filters", str(into / "a.txt")).strip() == blob
    assert not any(path.is_file() for path in (into / ".git" / "hooks").glob("*"))


def test_programs_that_the_source_names_are_not_run(
    there: Repository, into: Path, trap: Path
) -> None:
    for key in (
        "core.fsmonitor", "core.pager", "uploadpack.packObjectsHook", "core.sshCommand",
        "core.alternateRefsCommand",
    ):  # fmt: skip
        there.git("config", key, str(trap))
    clone(str(there.root), into)
    assert not sprung(trap)


def test_submodules_do_not_come_along(there: Repository, into: Path, tmp_path: Path) -> None:
    part = Repository(tmp_path / "part")
    part.write("x", "x")
    part.commit()
    there.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(part.root), "sub")
    there.commit("submodule")
    clone(str(there.root), into)
    assert list((into / "sub").iterdir()) == []


def test_gits_own_variables_do_not_lead_it_astray(
    there: Repository, into: Path, trap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_SSH_COMMAND", str(trap))
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(tmp_path / "elsewhere"))
    clone(str(there.root), into)
    assert (into / "a.txt").exists()
    assert not (tmp_path / "elsewhere").exists()


def test_an_empty_repository_is_said_to_be_empty(into: Path, tmp_path: Path) -> None:
    empty = Repository(tmp_path / "empty")
    with pytest.raises(CloneError, match="no commit"):
        clone(str(empty.root), into)
    assert names(into.parent) == []


@pytest.mark.parametrize("kind", ["missing", "folder", "file"])
def test_what_is_no_repository_is_said_to_be_none(into: Path, tmp_path: Path, kind: str) -> None:
    source = tmp_path / "source"
    if kind == "folder":
        source.mkdir()
    elif kind == "file":
        source.write_text("x")
    with pytest.raises(CloneError, match="cannot be cloned") as refused:
        clone(str(source), into)
    assert refused.value.mend
    assert names(into.parent) == []


def test_a_relative_path_is_taken_from_here(
    there: Repository, into: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(there.root.parent)
    clone("there", into)
    assert (into / "a.txt").exists()


def test_it_gives_up_in_time(into: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "bin"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nsleep 600\n")
    (slow / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow}:{os.environ['PATH']}")
    with pytest.raises(CloneError, match="not done after"):
        clone("https://example.invalid/x", into, limit_s=0.3)
    assert names(into.parent) == []


def test_without_git_it_says_so(
    into: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(CloneError, match="git is not installed"):
        clone("https://example.invalid/x", into)


def test_killed_at_any_moment_there_is_a_whole_clone_or_none(there: Repository, into: Path) -> None:
    for number in range(200):
        there.write(f"files/{number}", "x" * 1000)
    there.commit("more")
    program = (
        "import sys; from pathlib import Path\n"
        "from ppgp_tui.gasp.clone import clone\n"
        "print('ready', flush=True)\n"
        "clone(sys.argv[1], Path(sys.argv[2]))\n"
    )
    for number in range(8):
        target = into.with_name(f"clone{number}")
        child = subprocess.Popen(
            [sys.executable, "-c", program, str(there.root), str(target)], stdout=subprocess.PIPE
        )
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(number * 0.01)
        child.send_signal(signal.SIGKILL)
        child.wait()
        if target.exists():
            assert len(list((target / "files").iterdir())) == 200
