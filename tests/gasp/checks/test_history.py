"""Check 4 on real repositories (reference section 11)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ppgp_tui.gasp import history
from tests.gasp.checks.agent_repository import LOG, AgentRepository, as_line, event
from tests.gasp.checks.said import Said, check

Check = Callable[..., Said]
PASS = ["PASS"]


def grow(repo: AgentRepository, number: int) -> str:
    repo.append(as_line(event(number, "tool.called", {"n": number}, "event_03")) + b"\n")
    return repo.commit(f"run {number}")[:7]


def edited(commit: str, path: str = LOG) -> str:
    return f"{path}: commit {commit} edits existing lines (not append-only)"


def test_a_long_honest_history_passes(repo: AgentRepository, said: Check) -> None:
    repo.commit()
    for number in range(11, 31):
        grow(repo, number)
    assert said().of(4) == PASS


def test_no_content_is_read_and_no_process_begun_for_an_honest_commit(
    repo: AgentRepository, said: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit()
    for number in range(11, 41):
        grow(repo, number)
    begun: list[str] = []
    real = subprocess.Popen

    def counted(command: list[str], *rest: object, **more: object) -> object:
        begun.extend({"rev-parse", "ls-files", "rev-list", "cat-file"} & {*command})
        return real(command, *rest, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(history.subprocess, "Popen", counted)
    assert said().of(4) == PASS
    assert sorted(begun) == ["cat-file", "ls-files", *["rev-list"] * 3, *["rev-parse"] * 2]
    begun.clear()
    repo.edit_line(6, {"payload.tool": "x"})
    commit = repo.commit()[:7]
    begun.clear()
    assert said().of(4) == ["FAIL", edited(commit)]
    assert begun.count("cat-file") == 2


def test_an_edit_and_its_revert_are_two_failures_among_honest_commits(
    repo: AgentRepository, said: Check
) -> None:
    repo.commit()
    grow(repo, 11)
    before = repo.read()
    repo.edit_line(6, {"payload.tool": "x"})
    edit = repo.commit()[:7]
    repo.write(LOG, before)
    revert = repo.commit()[:7]
    grow(repo, 12)
    assert said().of(4) == ["FAIL", edited(edit), edited(revert)]


def test_a_file_that_was_deleted_and_came_back_begins_anew(
    repo: AgentRepository, said: Check
) -> None:
    repo.commit()
    text = repo.read()
    repo.delete(LOG)
    deleted = repo.commit()[:7]
    repo.write(LOG, b"")
    repo.commit()
    repo.write(LOG, text)
    repo.commit()
    assert said().of(4) == ["FAIL", f"{LOG}: deleted in commit {deleted}"]


def test_what_is_committed_and_not_on_the_disk_is_missing(
    repo: AgentRepository, said: Check
) -> None:
    repo.commit()
    repo.delete(LOG)
    assert said().of(4) == ["FAIL", f"{LOG}: committed file missing from working tree"]


def test_a_folder_in_place_of_a_committed_file_cannot_be_read(
    repo: AgentRepository, said: Check
) -> None:
    repo.commit()
    repo.delete(LOG)
    repo.write(f"{LOG}/inside", "x")
    why = f"{LOG}: working tree unreadable: Is a directory (os error 21)"
    assert said().of(4) == ["FAIL", why]
    commit = repo.commit()[:7]
    assert said().of(4) == ["FAIL", edited(commit), why]


def test_a_pipe_in_place_of_a_committed_file_is_not_opened(
    repo: AgentRepository, said: Check
) -> None:
    repo.write("JOURNAL.md", "day 1\n")
    repo.commit()
    repo.delete("JOURNAL.md")
    os.mkfifo(repo.root / "JOURNAL.md")
    assert said().of(4) == ["FAIL", "JOURNAL.md: working tree unreadable: not a regular file"]


def test_two_branches_that_both_appended_fail_when_merged(
    repo: AgentRepository, said: Check
) -> None:
    repo.write(".gitattributes", "*.jsonl merge=union\n")
    repo.commit()
    repo.git("checkout", "-q", "-b", "side")
    grow(repo, 11)
    repo.git("checkout", "-q", "main")
    grow(repo, 12)
    repo.git("merge", "-q", "--no-edit", "side")
    outcome = said()
    assert outcome.failed == [4]
    assert all("edits existing lines" in line for line in outcome.of(4)[1:])


def test_two_branches_pass_when_the_second_is_rebased(repo: AgentRepository, said: Check) -> None:
    repo.write(".gitattributes", "*.jsonl merge=union\n")
    repo.commit()
    repo.git("checkout", "-q", "-b", "side")
    grow(repo, 11)
    repo.git("checkout", "-q", "main")
    grow(repo, 12)
    repo.git("checkout", "-q", "side")
    repo.git("rebase", "-q", "main")
    assert said().of(4) == PASS


def test_a_sub_directory_of_a_repository_counts_as_inside(
    repo: AgentRepository, capsys: pytest.CaptureFixture[str]
) -> None:
    inner = AgentRepository(repo.root / "agents" / "one")
    inner.write("deep/memory/facts.jsonl", "{}\n")
    repo.commit()
    assert check(capsys, "repo/agents/one").code == 0
    inner.substitute("cargo test", "cargo nextest", count=-1)
    inner.write("deep/memory/facts.jsonl", "[]\n")
    commit = repo.commit()[:7]
    assert check(capsys, "repo/agents/one").of(4) == [
        "FAIL", edited(commit, "deep/memory/facts.jsonl"), edited(commit)
    ]  # fmt: skip
    outer = check(capsys, "repo").of(4)
    assert outer == ["FAIL", edited(commit, "agents/one/deep/memory/facts.jsonl")]


def test_facts_are_found_by_their_name_at_any_depth_and_no_other_name(
    repo: AgentRepository, said: Check
) -> None:
    paths = ["facts.jsonl", "a/facts.jsonl", "a/b/c/facts.jsonl", "z z/facts.jsonl"]
    others = ["social_facts.jsonl", "facts.jsonl.bak", "a/facts.json", "Facts.jsonl"]
    for path in paths + others:
        repo.write(path, "one\n")
    repo.commit()
    for path in paths + others:
        repo.write(path, "two\n")
    commit = repo.commit()[:7]
    expected = [edited(commit, path) for path in sorted(paths, key=str.encode)]
    assert said().of(4) == ["FAIL", *expected]


def test_facts_that_git_is_told_to_name_plainly_are_walked_there(
    repo: AgentRepository, said: Check
) -> None:
    repo.write("entdeckt/für später/facts.jsonl", "one\n")
    repo.commit()
    repo.write("entdeckt/für später/facts.jsonl", "two\n")
    commit = repo.commit()[:7]
    assert said().of(4) == PASS
    repo.git("config", "core.quotePath", "false")
    assert said().of(4) == ["FAIL", edited(commit, "entdeckt/für später/facts.jsonl")]


def test_facts_that_moved_are_walked_where_they_are_now(repo: AgentRepository, said: Check) -> None:
    repo.write("memory/facts.jsonl", "one\n")
    repo.commit()
    repo.git("mv", "memory/facts.jsonl", "facts.jsonl")
    repo.write("facts.jsonl", "two\n")
    repo.commit()
    assert said().of(4) == PASS


def test_a_shallow_clone_shows_what_it_has(
    repo: AgentRepository, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    repo.commit()
    repo.edit_line(6, {"payload.tool": "x"})
    repo.commit()
    grow(repo, 11)
    source = f"file://{repo.root}"
    repo.git("clone", "-q", "--depth", "1", source, str(tmp_path / "shallow"))
    assert check(capsys, "shallow").of(4) == PASS


def test_a_submodule_and_a_second_work_tree_are_repositories(
    repo: AgentRepository, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    repo.commit()
    repo.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"))
    assert check(capsys, "tree").code == 0
    outer = AgentRepository(tmp_path / "outer")
    outer.init()
    allowed = ("-c", "protocol.file.allow=always")
    outer.git(*allowed, "submodule", "add", "-q", str(repo.root), "inner")
    outer.commit()
    assert check(capsys, "outer/inner").code == 0
    assert check(capsys, "outer").code == 0


def test_bytes_that_are_no_utf8_are_compared_as_replaced_text(
    repo: AgentRepository, said: Check
) -> None:
    whole = "day 1 – begun\n".encode()
    repo.write("JOURNAL.md", whole[:8])  # in the middle of the dash
    repo.commit()
    repo.write("JOURNAL.md", whole)
    commit = repo.commit()[:7]
    assert said().of(4) == ["FAIL", edited(commit, "JOURNAL.md")]
    repo.write("JOURNAL.md", whole + b"\xff")
    repo.commit()
    why = "JOURNAL.md: working tree unreadable: stream did not contain valid UTF-8"
    assert said().of(4)[-1] == why


def test_bytes_that_are_no_utf8_and_stay_only_grow(repo: AgentRepository, said: Check) -> None:
    repo.write("JOURNAL.md", b"\xff\n")
    repo.commit()
    repo.append(b"more\n", "JOURNAL.md")
    repo.commit()
    repo.write("JOURNAL.md", b"\xfe\nmore\n")
    repo.commit()
    why = "JOURNAL.md: working tree unreadable: stream did not contain valid UTF-8"
    assert said().of(4) == ["FAIL", why]


def test_an_empty_log_that_only_grows_passes(repo: AgentRepository, said: Check) -> None:
    text = repo.read()
    repo.write(LOG, b"")
    repo.commit()
    repo.write(LOG, text)
    repo.commit()
    assert said().of(4) == PASS


def test_the_environment_of_a_hook_names_no_other_repository(
    repo: AgentRepository, said: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit()
    other, nowhere = AgentRepository(tmp_path / "other"), str(tmp_path / "nowhere")
    for name, value in {
        "GIT_DIR": str(other.root / ".git"), "GIT_WORK_TREE": str(other.root),
        "GIT_INDEX_FILE": nowhere, "GIT_OBJECT_DIRECTORY": nowhere,
        "GIT_LITERAL_PATHSPECS": "1", "GIT_EXTERNAL_DIFF": nowhere,
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    assert said().code == 0
    monkeypatch.chdir(tmp_path)
    (repo.root / ".git").rename(tmp_path / "git")
    assert said().of(4)[0] == "FAIL"


def test_no_program_of_the_repository_is_run(repo: AgentRepository, said: Check) -> None:
    trap = repo.root / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {repo.root}/SPRUNG\ncat\n")
    trap.chmod(0o755)
    repo.write(".gitattributes", "*.jsonl filter=trap diff=trap\n")
    repo.commit()
    for hook in ("post-checkout", "pre-commit", "post-index-change", "reference-transaction"):
        (repo.root / ".git/hooks").mkdir(exist_ok=True)
        (repo.root / ".git/hooks" / hook).symlink_to(trap)
    for key in ("core.fsmonitor", "core.pager", "core.editor", "diff.external", "pager.rev-list",
                "diff.trap.textconv", "diff.trap.command", "filter.trap.clean",
                "filter.trap.smudge", "core.sshCommand", "gpg.program"):  # fmt: skip
        repo.git("config", key, str(trap))
    repo.git("config", "core.hooksPath", str(repo.root / ".git/hooks"))
    (repo.root / "SPRUNG").unlink(missing_ok=True)
    assert said().of(4) == PASS
    assert not (repo.root / "SPRUNG").exists()


def test_checking_writes_nothing(repo: AgentRepository, said: Check) -> None:
    repo.commit()
    os.utime(repo.root / LOG, (1, 1))

    def state() -> dict[str, tuple[int, int]]:
        return {
            str(path): (path.lstat().st_mtime_ns, path.lstat().st_size)
            for path in sorted(repo.root.rglob("*"))
        }  # fmt: skip

    before = state()
    assert said("--explain").code == 0
    assert state() == before


def test_git_that_is_not_there_is_told(
    repo: AgentRepository, said: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit()
    monkeypatch.setenv("PATH", "/nowhere")
    assert said().failed == [4]


def test_a_content_that_is_lost_counts_as_not_there(repo: AgentRepository, said: Check) -> None:
    repo.commit()
    repo.edit_line(6, {"payload.tool": "x"})
    repo.commit()
    name = repo.git("rev-parse", f"HEAD~1:{LOG}").strip()
    (repo.root / ".git/objects" / name[:2] / name[2:]).unlink()
    assert said().of(4) == PASS  # as git show would not have shown it either
