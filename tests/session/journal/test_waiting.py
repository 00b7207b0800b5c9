"""Waiting for the lock, and what a journal keeps for its next reader."""

import shutil

import pytest

from ppgp_tui.session.journal import (
    line_of,
)
from tests.session.journals import (
    LOG,
    RUN,
    add_by_hand,
    append,
    event,
    journal_of,
    log_bytes,
    logged,
    pair,
    refused,
    state_of,
    torn,
)
from tests.waiting import PATIENCE_S

# Waiting -----------------------------------------------------------------------------------------


def test_another_writer_who_stays_too_long_makes_it_busy(journal):
    with journal.lock():
        said = refused(journal_of(journal.root, wait_s=0.02), event())
    assert said.code == "busy"
    assert "try again" in said.message
    assert append(journal, event()).recorded == "log"


def test_a_cleaned_run_folder_is_made_again_and_the_old_lock_counts_no_more(journal):
    with journal.lock():
        shutil.rmtree(journal.root / RUN)
        assert append(journal_of(journal.root, wait_s=PATIENCE_S), event()).recorded == "log"
    append(journal, event())
    assert (journal.root / RUN / ".gitignore").read_text() == "*\n"


def test_two_writers_never_meet_even_when_the_lock_file_is_cleaned_away_between_them(journal):
    def clean_and_meet(view):
        shutil.rmtree(journal.root / RUN)
        assert refused(journal_of(journal.root, wait_s=0.02), event()).code == "busy"
        return [event()]

    said = journal.append(clean_and_meet)
    assert said.code == "disk"  # the write-ahead has no folder any more, so nothing was written
    assert log_bytes(journal) == b""
    append(journal, event())


def test_a_log_that_git_replaces_while_we_write_is_said_not_lost(journal):
    append(journal, event())
    before = log_bytes(journal)

    def replaced(view):
        (journal.root / "other").write_bytes(before)
        (journal.root / "other").replace(journal.root / LOG)
        return pair()

    said = journal.append(replaced)
    assert said.code == "busy"
    assert "replaced" in said.message
    assert log_bytes(journal) == before
    assert not (journal.root / RUN / "journal.pending").exists()
    append(journal, *pair())


def test_lines_another_program_adds_between_reading_and_writing_make_it_busy(journal):
    def meddled(view):
        add_by_hand(journal, line_of(event()))
        return pair()

    said = journal.append(meddled)
    assert said.code == "busy"
    assert "another program" in said.message
    assert len(logged(journal)) == 1
    assert torn(journal) == []


# Checkpoint and marks ----------------------------------------------------------------------------


def checkpoint_of(journal):
    found = []
    journal.append(lambda view: found.append(view.checkpoint()) or ())
    return found[0]


def keep(journal, fold):
    journal.append(lambda view: view.keep_checkpoint(fold) or ())


def test_a_kept_fold_comes_back_with_the_offset_it_stands_at(journal):
    assert checkpoint_of(journal) is None
    offset = append(journal, *pair()).offset
    keep(journal, {"goal": None, "score": 0.5, "text": "\ud800"})
    append(journal, *pair())
    assert checkpoint_of(journal) == ({"goal": None, "score": 0.5, "text": "\ud800"}, offset)


def test_a_fold_of_another_log_is_never_used(journal):
    append(journal, *pair())
    append(journal, *pair())
    keep(journal, {"fold": 1})
    log = journal.root / LOG
    text = log.read_bytes()

    log.write_bytes(text[:-10] + b"!" + text[-9:])  # another byte just before the offset
    journal.flush()
    assert checkpoint_of(journal) is None

    log.write_bytes(text)
    assert checkpoint_of(journal) == ({"fold": 1}, len(text))

    log.write_bytes(text[: text.index(b"\n") + 1])  # shorter
    assert checkpoint_of(journal) is None

    log.write_bytes(text)
    (journal.root / "copy").write_bytes(text)
    (journal.root / "copy").replace(log)  # the same bytes in another file
    assert checkpoint_of(journal) is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"schema":2}', b'{"log":{}}', b"\xff"])
def test_a_damaged_checkpoint_is_no_checkpoint(journal, damage):
    append(journal, event())
    keep(journal, 1)
    (state_of(journal) / "checkpoint.json").write_bytes(damage)
    assert checkpoint_of(journal) is None


def test_a_fold_in_memory_may_go_on_while_the_log_only_grew(journal):
    marks = []
    append(journal, event())
    journal.append(lambda view: marks.append(view.mark()) or ())
    append(journal, event())
    seen = []
    journal.append(lambda view: seen.append(view.agrees(marks[0])) or ())
    text = log_bytes(journal)
    (journal.root / LOG).unlink()
    (journal.root / LOG).write_bytes(text)
    (journal.root / LOG).write_bytes(b"{}" + text)
    journal.append(lambda view: seen.append(view.agrees(marks[0])) or ())
    assert seen == [True, False]
