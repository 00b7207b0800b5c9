"""What Git takes out of the work tree is noticed, shown, and put back when a person asks."""

import json
import shutil
import subprocess

import pytest

from ppgp_tui.session.journal import Appended, Refused
from ppgp_tui.session.journal.cuts import Cut
from ppgp_tui.session.journal.log import Log
from tests.session.journal.test_recovery import killed_at
from tests.session.journals import (
    LOG,
    add_by_hand,
    append,
    event,
    git,
    journal_of,
    log_bytes,
    logged,
    new_journal,
    pair,
    state_of,
)


@pytest.fixture
def journal(tmp_path):
    """A session in a Git repository whose log has one committed batch."""
    journal = new_journal(tmp_path)
    git(journal.root, "init", "-q")
    append(journal, *pair("committed"))
    commit(journal)
    return journal


def commit(journal):
    git(journal.root, "add", "state", ".ppgp/.gitignore")
    git(journal.root, "commit", "-qm", "log")


def words(lines):
    return [json.loads(line)["payload"]["word"] for line in lines]


def log_words(journal):
    return words(log_bytes(journal).splitlines())


TAKERS = {
    "git stash": (["stash"],),
    "git reset --hard": (["reset", "-q", "--hard"],),
    "git checkout --force": (["checkout", "-q", "--force", "HEAD"],),
    "git restore": (["restore", "state"],),
    "git clean and reset": (["clean", "-qfdx"], ["reset", "-q", "--hard"]),
    "a branch forced over": (["checkout", "-q", "--force", "-B", "other", "HEAD"],),
}


@pytest.mark.parametrize("taker", TAKERS)
def test_acknowledged_lines_that_git_removed_are_found_and_put_back_unchanged(journal, taker):
    append(journal, *pair("one"))
    append(journal, *pair("two"))
    text = log_bytes(journal)
    for command in TAKERS[taker]:
        git(journal.root, *command)
    assert log_words(journal) == ["committed"] * 2

    assert words(journal.cut().lines) == ["one", "one", "two", "two"]
    result = journal.restore()
    assert isinstance(result, Appended)
    assert len(result.events) == 4
    assert log_bytes(journal) == text
    assert journal.cut() == Cut()
    assert (state_of(journal) / "copy.jsonl").read_bytes() == text


def test_a_log_that_was_never_committed_and_cleaned_away_comes_back_with_its_folder(tmp_path):
    journal = new_journal(tmp_path)
    git(journal.root, "init", "-q")
    append(journal, *pair("one"))
    text = log_bytes(journal)
    git(journal.root, "clean", "-qfdx")
    assert not (journal.root / ".ppgp").exists()
    assert journal.append(lambda _view: pair()).code == "not_initialised"
    assert words(journal.cut().lines) == ["one", "one"]
    assert isinstance(journal.restore(), Appended)
    assert log_bytes(journal) == text


def test_without_git_lines_that_disappear_are_noticed_too(tmp_path):
    journal = new_journal(tmp_path)
    append(journal, *pair("one"))
    (journal.root / LOG).write_bytes(b"")
    assert words(journal.cut().lines) == ["one", "one"]
    assert isinstance(journal.restore(), Appended)
    assert log_words(journal) == ["one", "one"]


def test_cut_lines_are_part_of_what_is_decided_on_and_can_cause_nothing(journal):
    lost = append(journal, *pair("lost")).events[0]
    git(journal.root, "stash")

    def decide(view):
        assert words(view.cut) == ["lost", "lost"]
        assert view.where(lost) == "cut"
        return [event("note.created", lost)]

    said = journal.append(decide)
    assert said.code == "refused"
    assert lost in said.message


def test_nothing_is_put_back_by_itself(journal):
    append(journal, *pair("lost"))
    git(journal.root, "stash")
    append(journal, *pair("later"))
    journal.flush()
    assert log_words(journal) == ["committed"] * 2 + ["later"] * 2
    assert words(journal.cut().lines) == ["lost", "lost"]
    journal.restore()
    assert log_words(journal) == ["committed"] * 2 + ["later"] * 2 + ["lost"] * 2


def test_lines_cut_at_two_times_with_others_between_are_all_found(journal):
    append(journal, *pair("first"))
    git(journal.root, "stash")
    append(journal, *pair("kept"))
    commit(journal)
    append(journal, *pair("second"))
    git(journal.root, "reset", "-q", "--hard")
    append(journal, *pair("last"))
    assert words(journal.cut().lines) == ["first", "first", "second", "second"]


def test_after_a_popped_stash_nothing_is_missing(journal):
    append(journal, *pair("one"))
    git(journal.root, "stash")
    assert len(journal.cut().lines) == 2
    git(journal.root, "stash", "pop")
    assert journal.cut() == Cut()
    append(journal, *pair("two"))
    assert journal.cut() == Cut()


def test_a_line_whose_cause_stays_gone_is_not_put_back(journal):
    cause = append(journal, *pair("cause")).events[0]
    append(journal, *pair("effect", cause))
    append(journal, *pair("free"))
    copy = state_of(journal) / "copy.jsonl"
    copy.write_bytes(b"".join(line + b"\n" for line in copy.read_bytes().splitlines()
                              if b'"cause"' not in line))  # fmt: skip
    git(journal.root, "stash")
    result = journal.restore()
    assert log_words(journal) == ["committed"] * 2 + ["free"] * 2
    assert "2 events stay cut: their cause is not in the log" in result.warnings
    assert words(journal.cut().lines) == ["effect", "effect"]


def test_what_a_commit_still_has_is_not_called_cut(journal):
    append(journal, *pair("second"))
    commit(journal)
    git(journal.root, "checkout", "-q", "HEAD~1", "--", "state")
    assert journal.cut() == Cut((), committed=2)
    append(journal, *pair("uncommitted"))
    git(journal.root, "checkout", "-q", "HEAD~1", "--", "state")
    assert words(journal.cut().lines) == ["uncommitted", "uncommitted"]
    said = journal.restore()
    assert said == Refused(
        "stale", "committed lines are missing too; first: git restore state/events.jsonl"
    )


def test_a_line_only_an_older_commit_has_is_found_there(journal):
    append(journal, *pair("old"))
    commit(journal)
    (journal.root / LOG).write_bytes(log_bytes(journal).splitlines(keepends=True)[0])
    commit(journal)
    assert journal.cut() == Cut((), committed=3)


def test_commits_taken_back_make_their_lines_cut(journal):
    append(journal, *pair("second"))
    commit(journal)
    git(journal.root, "reset", "-q", "--hard", "HEAD~1")
    assert words(journal.cut().lines) == ["second", "second"]


def test_a_log_deleted_by_hand_comes_from_git_first(journal):
    append(journal, *pair("lost"))
    (journal.root / LOG).unlink()
    assert journal.restore().code == "stale"
    git(journal.root, "restore", "state")
    assert isinstance(journal.restore(), Appended)
    assert log_words(journal) == ["committed"] * 2 + ["lost"] * 2


def test_restoring_waits_for_another_programs_lease(journal):
    append(journal, *pair("lost"))
    git(journal.root, "stash")
    (journal.root / ".agent").mkdir()
    (journal.root / ".agent/lease").write_text("held")
    assert journal.restore().code == "busy"
    assert len(journal.cut().lines) == 2


def test_what_waits_in_the_outbox_is_not_cut_and_follows_its_restored_cause(journal):
    cause = append(journal, *pair("cause")).events[0]
    (journal.root / ".agent").mkdir()
    (journal.root / ".agent/lease").write_text("held")
    append(journal, *pair("waits", cause))
    git(journal.root, "stash")
    (journal.root / ".agent/lease").unlink()
    journal.flush()
    assert words(journal.cut().lines) == ["cause", "cause"]
    result = journal.restore()
    assert len(result.flushed) == 2
    assert log_words(journal) == ["committed"] * 2 + ["cause"] * 2 + ["waits"] * 2


def test_lines_other_programs_wrote_are_not_ours_to_miss(journal):
    add_by_hand(journal, b'{"foreign":1}\n')
    append(journal, *pair("ours"))
    git(journal.root, "stash")
    assert words(journal.cut().lines) == ["ours", "ours"]


def test_there_is_nothing_to_restore_when_nothing_was_cut(journal):
    assert journal.restore() == Refused("refused", "nothing was cut out of the log")


def test_looking_for_cut_lines_writes_nothing(journal, tmp_path):
    append(journal, *pair("lost"))
    git(journal.root, "stash")
    before = {
        path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if ".git" not in path.parts
    }
    journal.cut()
    journal.waiting()
    after = {
        path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if ".git" not in path.parts
    }
    assert after == before


def test_when_git_cannot_be_asked_nothing_is_called_cut_and_nothing_restored(journal, monkeypatch):
    append(journal, *pair("lost"))
    git(journal.root, "stash")
    monkeypatch.setenv("PATH", "/nowhere")
    found = journal.cut()
    assert found.lines == ()
    assert "git cannot be started" in found.unknown
    assert journal.restore().code == "refused"
    result = append(journal, *pair("later"))
    assert any("cannot tell whether the log was cut" in warning for warning in result.warnings)
    monkeypatch.undo()
    assert len(journal.cut().lines) == 2


def test_git_settings_of_the_repository_start_no_program(journal, tmp_path):
    append(journal, *pair("lost"))
    commit(journal)
    (journal.root / LOG).write_bytes(b"")
    commit(journal)
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    (journal.root / ".gitattributes").write_text("*.jsonl diff=trap\n")
    for name in ("diff.trap.command", "diff.trap.textconv", "diff.external", "core.fsmonitor",
                 "core.pager", "gpg.program"):  # fmt: skip
        git(journal.root, "config", name, str(trap))
    git(journal.root, "config", "log.showSignature", "true")
    assert journal.cut() == Cut((), committed=4)
    assert not (tmp_path / "sprung").exists()


def test_variables_a_git_hook_leaves_behind_do_not_mislead_the_question(journal, monkeypatch):
    append(journal, *pair("second"))
    commit(journal)
    (journal.root / LOG).write_bytes(b"")
    nowhere = journal.root / "nowhere"
    monkeypatch.setenv("GIT_DIR", str(nowhere))
    monkeypatch.setenv("GIT_INDEX_FILE", str(nowhere))
    assert journal.cut() == Cut((), committed=4)
    assert not nowhere.exists()


def test_no_program_is_started_while_the_lock_is_held(journal, monkeypatch):
    append(journal, *pair("lost"))
    git(journal.root, "stash")
    popen = subprocess.Popen

    def unlocked_only(*arguments, **keywords):
        with journal_of(journal.root, wait_s=0).lock():
            return popen(*arguments, **keywords)

    monkeypatch.setattr(subprocess, "Popen", unlocked_only)
    append(journal, *pair("later"))
    add_by_hand(journal, b"{half")
    append(journal, *pair("later"))
    assert isinstance(journal.restore(), Appended)


def test_lines_that_disappear_between_asking_git_and_locking_are_asked_about_again(
    journal, monkeypatch
):
    append(journal, *pair("lost"))
    text = log_bytes(journal)
    (journal.root / LOG).write_bytes(text[: text.rindex(b"\n", 0, -1) + 1])  # one of the two
    ask, times = journal._ask_git, []

    def ask_and_cut():
        verdict = ask()
        if not times:
            git(journal.root, "stash")
        times.append(verdict)
        return verdict

    monkeypatch.setattr(journal, "_ask_git", ask_and_cut)
    seen = []
    journal.append(lambda view: seen.extend(view.cut) or ())
    assert words(seen) == ["lost", "lost"]
    assert len(times) == 2


def test_a_restore_killed_at_any_system_call_is_whole_or_absent(journal, tmp_path):
    append(journal, *pair("one"))
    append(journal, *pair("two"))
    text = log_bytes(journal)
    git(journal.root, "stash")
    step = 0
    while True:
        shutil.copytree(tmp_path / "repo", tmp_path / str(step) / "repo")
        shutil.copytree(tmp_path / "user", tmp_path / str(step) / "user")
        copy = journal_of(tmp_path / str(step) / "repo")
        died = killed_at(step, copy.restore)
        copy.flush()
        assert len(logged(copy)) in (2, 6)
        if len(logged(copy)) == 2:
            copy.restore()
        assert log_bytes(copy) == text
        assert copy.cut() == Cut()
        if not died:
            break
        step += 1
    assert step > 5


# Work in proportion to what is new ---------------------------------------------------------------


def test_an_act_reads_no_more_of_a_long_log_than_of_a_short_one(journal, monkeypatch):
    lines, read = Log.lines, [0]

    def counted(self, since=0):
        for line in lines(self, since):
            read[0] += 1
            yield line

    monkeypatch.setattr(Log, "lines", counted)
    most = []
    for _ in range(5):
        for _ in range(40):
            before = read[0]
            append(journal, *pair("many"))
            most.append(read[0] - before)
    assert max(most[100:]) <= max(most[:100]) < 100
    git(journal.root, "stash")
    assert len(journal.cut().lines) == 400


def test_a_line_of_ours_that_only_lost_its_newline_is_not_cut(journal):
    append(journal, *pair("last"))
    (journal.root / LOG).write_bytes(log_bytes(journal)[:-1])
    assert journal.cut() == Cut()
    journal.flush()
    assert log_words(journal) == ["committed"] * 2 + ["last"] * 2


def test_the_memory_of_a_comparison_may_be_lost_or_damaged(journal):
    append(journal, *pair("lost"))
    git(journal.root, "stash")
    append(journal, *pair("later"))
    checked = state_of(journal) / "copy.checked.json"
    for damage in (None, b"", b"[]", b"\xff", b'{"schema":1}'):
        checked.unlink(missing_ok=True)
        if damage is not None:
            checked.write_bytes(damage)
        assert words(journal.cut().lines) == ["lost", "lost"]
        assert isinstance(journal.flush(), Appended)


def test_another_safe_copy_than_the_one_compared_is_compared_anew(journal):
    for _ in range(5):
        append(journal, *pair("many"))
    copy = state_of(journal) / "copy.jsonl"
    copy.write_bytes(copy.read_bytes().splitlines(keepends=True)[0])
    append(journal, *pair("more"))
    assert journal.cut() == Cut()
    git(journal.root, "stash")
    assert words(journal.cut().lines) == ["more", "more"]
