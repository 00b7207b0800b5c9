"""The guard, as Git runs it: a commit may add to an append-only file and nothing else."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ppgp_tui.gasp.guard import HOOKS, MARK, guard
from ppgp_tui.session import guard_hook
from tests.session.gits import Repository

LOG = "state/events.jsonl"


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """A repository with a guard and a committed log of two lines."""
    made = Repository(tmp_path / "repository")
    made.write(LOG, "one\ntwo\n")
    made.git("add", ".")
    made.git("commit", "-qm", "begin")
    hooks = guard_hook.look(made.root)
    assert hooks is not None
    assert guard_hook.install(hooks) == ("pre-commit", "pre-merge-commit")
    return made


def refused(said: subprocess.CompletedProcess[str], path: str = LOG) -> str:
    assert said.returncode != 0, said.stdout
    assert f"gasp-guard: {path}" in said.stderr
    return said.stderr


def test_the_first_commit_of_all_passes(tmp_path: Path) -> None:
    made = Repository(tmp_path / "new")
    hooks = guard_hook.look(made.root)
    assert hooks is not None
    guard_hook.install(hooks)
    made.write(LOG, "one\n")
    made.git("add", ".")
    made.git("commit", "-qm", "first")
    assert made.git("show", f"HEAD:{LOG}") == "one\n"


def test_a_commit_that_adds_lines_passes(repo: Repository) -> None:
    repo.write(LOG, "one\ntwo\nthree\n")
    repo.git("commit", "-qam", "grow")
    assert repo.git("show", f"HEAD:{LOG}") == "one\ntwo\nthree\n"


def test_the_end_of_a_torn_line_may_be_added(repo: Repository) -> None:
    repo.write(LOG, "one\ntwo\nthr")
    repo.git("commit", "-qam", "torn")
    repo.write(LOG, "one\ntwo\nthree\n")
    repo.git("commit", "-qam", "whole")


@pytest.mark.parametrize(
    "text",
    ["one\n", "ONE\ntwo\nthree\n", "zero\none\ntwo\n", "", "one\r\ntwo\r\n", "one\ntwo"],
    ids=["a line cut", "edited", "put before", "emptied", "CRLF", "last newline cut"],
)
@pytest.mark.parametrize("how", ["staged", "commit -a", "commit PATH"])
def test_a_commit_that_changes_what_is_there_is_refused(
    repo: Repository, text: str, how: str
) -> None:
    repo.write(LOG, text)
    head = repo.git("rev-parse", "HEAD")
    if how == "staged":
        repo.git("add", LOG)
        said = repo.run("commit", "-m", "edit")
    else:
        said = repo.run("commit", "-m", "edit", "-a" if how == "commit -a" else LOG)
    assert "existing lines are changed" in refused(said)
    assert repo.git("rev-parse", "HEAD") == head


def test_a_removed_log_is_refused(repo: Repository) -> None:
    repo.git("rm", "-q", LOG)
    assert "is removed" in refused(repo.run("commit", "-m", "gone"))


def test_a_renamed_log_is_a_removed_one(repo: Repository) -> None:
    repo.git("mv", LOG, "state/old.jsonl")
    assert "is removed" in refused(repo.run("commit", "-m", "moved"))


def test_a_log_that_became_a_link_is_refused(repo: Repository) -> None:
    (repo.root / LOG).unlink()
    (repo.root / LOG).symlink_to("/dev/null")
    refused(repo.run("commit", "-am", "a link"))


def test_what_is_staged_counts_and_not_what_lies_in_the_folder(repo: Repository) -> None:
    repo.write(LOG, "one\ntwo\nthree\n")
    repo.git("add", LOG)
    repo.write(LOG, "edited\n")
    repo.git("commit", "-qm", "grow")
    repo.git("add", LOG)
    repo.write(LOG, "one\ntwo\nthree\nfour\n")
    refused(repo.run("commit", "-m", "edit"))


def test_one_hunk_of_a_change_may_be_committed_when_it_is_the_end(repo: Repository) -> None:
    lines = [f"line {number}\n" for number in range(40)]
    repo.write(LOG, "one\ntwo\n" + "".join(lines))
    repo.git("commit", "-qam", "long")
    repo.write(LOG, "ONE\ntwo\n" + "".join(lines) + "end\n")
    repo.git("add", "-p", LOG, stdin="n\ny\n")
    repo.git("commit", "-qm", "the end")
    assert repo.git("show", f"HEAD:{LOG}") == "one\ntwo\n" + "".join(lines) + "end\n"
    repo.git("add", "-p", LOG, stdin="y\n")
    refused(repo.run("commit", "-m", "the beginning"))


def test_other_files_are_nobodys_business(repo: Repository) -> None:
    repo.write("notes.jsonl", "a\n")
    repo.write("docs/JOURNAL.md", "a\n")
    repo.git("add", ".")
    repo.git("commit", "-qm", "more")
    repo.write("notes.jsonl", "b\n")
    repo.write("docs/JOURNAL.md", "b\n")
    repo.git("commit", "-qam", "edit")


@pytest.mark.parametrize(
    "path",
    ["JOURNAL.md", "journal/JOURNAL.md", "facts.jsonl", "memory/facts.jsonl", "a b/é/facts.jsonl"],
)
def test_every_append_only_file_is_guarded(repo: Repository, path: str) -> None:
    repo.write(path, "a\n")
    repo.git("add", ".")
    repo.git("commit", "-qm", "more")
    repo.write(path, "b\n")
    refused(repo.run("commit", "-am", "edit"), path)


def test_every_fault_of_a_commit_is_named(repo: Repository) -> None:
    repo.write("memory/facts.jsonl", "a\n")
    repo.git("add", ".")
    repo.git("commit", "-qm", "more")
    repo.write("memory/facts.jsonl", "b\n")
    repo.git("rm", "-q", LOG)
    said = refused(repo.run("commit", "-am", "edit"), "memory/facts.jsonl")
    assert f"{LOG} is removed" in said


def test_no_verify_passes_the_guard(repo: Repository) -> None:
    repo.write(LOG, "edited\n")
    repo.git("commit", "-q", "--no-verify", "-am", "on purpose")


# Merges


def test_a_merge_that_brings_new_lines_passes(repo: Repository) -> None:
    repo.git("checkout", "-qb", "side")
    repo.write(LOG, "one\ntwo\nthree\n")
    repo.git("commit", "-qam", "grow")
    repo.git("checkout", "-q", "main")
    repo.write("other", "x")
    repo.git("add", "other")
    repo.git("commit", "-qm", "other")
    repo.git("merge", "-q", "--no-edit", "side")
    assert repo.git("show", f"HEAD:{LOG}") == "one\ntwo\nthree\n"


@pytest.fixture
def forked(repo: Repository) -> Repository:
    """Both branches have appended, and Git would join the lines without asking."""
    repo.write(".gitattributes", "*.jsonl merge=union\n")
    repo.git("add", ".")
    repo.git("commit", "-qm", "union")
    repo.git("checkout", "-qb", "side")
    repo.write(LOG, "one\ntwo\nthree\n")
    repo.git("commit", "-qam", "side")
    repo.git("checkout", "-q", "main")
    repo.write(LOG, "one\ntwo\nfour\n")
    repo.git("commit", "-qam", "main")
    return repo


def test_a_merge_of_two_branches_that_appended_is_refused(forked: Repository) -> None:
    said = refused(forked.run("merge", "--no-edit", "side"))
    assert "both branches have appended" in said
    assert "rebase" in said


def test_so_is_the_commit_that_ends_a_conflict(forked: Repository) -> None:
    forked.write(".gitattributes", "")
    forked.git("commit", "-qam", "no union")
    assert forked.run("merge", "side").returncode == 1
    forked.write(LOG, "one\ntwo\nfour\nthree\n")
    forked.git("add", ".")
    assert "both branches have appended" in refused(forked.run("commit", "-m", "joined"))


def test_a_rebase_of_the_same_branches_passes(forked: Repository) -> None:
    forked.git("rebase", "-q", "side")
    assert forked.git("show", f"HEAD:{LOG}") == "one\ntwo\nthree\nfour\n"


# Places


def test_the_guard_works_in_another_worktree(repo: Repository, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "tree"))
    tree = Repository(tmp_path / "tree", init=False)
    tree.write(LOG, "edited\n")
    refused(tree.run("commit", "-am", "edit"))
    hooks = guard_hook.look(tree.root)
    assert hooks is not None
    assert hooks.is_guarded
    assert hooks.wanted(insist=False) == ()


@pytest.mark.parametrize("name", ["agent", "odd *[x] name", "it's"])
def test_the_guard_of_a_root_below_the_top_knows_its_files(tmp_path: Path, name: str) -> None:
    top = Repository(tmp_path / "top")
    for path in (f"{name}/{LOG}", f"{name}/memory/facts.jsonl", "JOURNAL.md"):
        top.write(path, "one\n")
    top.git("add", ".")
    top.git("commit", "-qm", "begin")
    hooks = guard_hook.look(top.root / name)
    assert hooks is not None
    guard_hook.install(hooks)
    top.write("JOURNAL.md", "of the whole repository, which is no agent's\n")
    top.git("commit", "-qam", "edit")
    for path in (f"{name}/{LOG}", f"{name}/memory/facts.jsonl"):
        top.write(path, "edited\n")
        refused(top.run("commit", "-am", "edit"), path)
        top.write(path, "one\n")


def test_a_folder_that_others_may_share_gets_the_guard_only_on_demand(
    repo: Repository, tmp_path: Path
) -> None:
    shared = tmp_path / "hooks"
    shared.mkdir()
    repo.git("config", "core.hooksPath", str(shared))
    hooks = guard_hook.look(repo.root)
    assert hooks is not None
    assert not hooks.own
    assert guard_hook.install(hooks) == ()
    assert guard_hook.install(hooks, insist=True) == HOOKS
    repo.write(LOG, "edited\n")
    refused(repo.run("commit", "-am", "edit"))


@pytest.mark.parametrize("code", [0, 3])
def test_a_hook_that_was_there_stays_and_still_decides(tmp_path: Path, code: int) -> None:
    made = Repository(tmp_path / "repository")
    mine = made.root / ".git" / "hooks" / "pre-commit"
    mine.parent.mkdir(exist_ok=True)
    mine.write_text(f"#!/bin/sh\necho mine >&2\nexit {code}\n")
    mine.chmod(0o755)
    before = mine.read_bytes()
    hooks = guard_hook.look(made.root)
    assert hooks is not None
    assert guard_hook.install(hooks) == ()
    assert mine.read_bytes() == before
    assert guard_hook.install(hooks, insist=True) == HOOKS
    assert mine.with_name("pre-commit.local").read_bytes() == before
    made.write(LOG, "one\n")
    made.git("add", ".")
    said = made.run("commit", "-m", "first")
    assert (said.returncode == 0) == (code == 0)
    assert "mine" in said.stderr


def test_a_hook_that_was_put_aside_before_is_not_lost(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repository")
    folder = made.root / ".git" / "hooks"
    folder.mkdir(exist_ok=True)
    for name in ("pre-commit", "pre-commit.local"):
        (folder / name).write_text(f"#!/bin/sh\n# {name}\n")
    hooks = guard_hook.look(made.root)
    assert hooks is not None
    with pytest.raises(FileExistsError):
        guard_hook.install(hooks, insist=True)
    assert (folder / "pre-commit").read_text() == "#!/bin/sh\n# pre-commit\n"
    assert (folder / "pre-commit.local").read_text() == "#!/bin/sh\n# pre-commit.local\n"


def test_a_guard_of_another_release_is_replaced_only_on_demand(repo: Repository) -> None:
    path = repo.root / ".git" / "hooks" / "pre-commit"
    path.write_text(guard().replace(MARK, "# gasp-guard 0"))
    hooks = guard_hook.look(repo.root)
    assert hooks is not None
    assert hooks.is_guarded
    assert guard_hook.install(hooks) == ()
    assert guard_hook.install(hooks, insist=True) == ("pre-commit",)
    assert path.read_text() == guard()
    assert not path.with_name("pre-commit.local").exists()


def test_where_no_repository_is_there_are_no_hooks(tmp_path: Path) -> None:
    assert guard_hook.look(tmp_path) is None


def test_a_link_in_the_place_of_a_hook_is_not_written_through(
    repo: Repository, tmp_path: Path
) -> None:
    path = repo.root / ".git" / "hooks" / "pre-commit"
    path.unlink()
    victim = tmp_path / "victim"
    victim.write_text("precious")
    path.symlink_to(victim)
    hooks = guard_hook.look(repo.root)
    assert hooks is not None
    guard_hook.install(hooks, insist=True)
    assert victim.read_text() == "precious"
    assert path.with_name("pre-commit.local").readlink() == victim


@pytest.mark.parametrize("shell", ["sh", "dash", "bash", "busybox"])
def test_the_guard_is_plain_shell(shell: str) -> None:
    try:
        command = [shell, "sh", "-n"] if shell == "busybox" else [shell, "-n"]
        done = subprocess.run(command, input=guard().encode(), capture_output=True)
    except FileNotFoundError:
        pytest.skip(f"{shell} is not installed")
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_guard_works_where_objects_have_longer_names(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repository", init=False)
    made.root.mkdir()
    made.git("init", "-q", "-b", "main", "--object-format=sha256")
    hooks = guard_hook.look(made.root)
    assert hooks is not None
    guard_hook.install(hooks)
    for text in ("one\n", "one\ntwo\n"):
        made.write(LOG, text)
        made.commit()
    made.write(LOG, "two\n")
    refused(made.run("commit", "-am", "edit"))


def test_gits_variables_for_paths_do_not_lead_the_guard_astray(repo: Repository) -> None:
    repo.write("memory/facts.jsonl", "a\n")
    repo.commit()
    repo.write("memory/facts.jsonl", "b\n")
    said = repo.run("commit", "-am", "edit", GIT_LITERAL_PATHSPECS="1")
    refused(said, "memory/facts.jsonl")


def test_an_amended_commit_may_not_lose_a_line(repo: Repository) -> None:
    repo.write(LOG, "one\ntwo\nthree\n")
    repo.commit()
    repo.write(LOG, "one\ntwo\n")
    refused(repo.run("commit", "--amend", "-a", "-m", "again"))
    repo.write(LOG, "one\ntwo\nthree\nfour\n")
    repo.git("commit", "-q", "--amend", "-a", "-m", "again")
