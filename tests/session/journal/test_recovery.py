"""What the next writer makes of a log that a killed one left behind."""

import base64
import json
import os
import shutil
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.journal import Appended, line_of
from tests.session.journals import (
    LOG,
    NOW,
    RUN,
    add_by_hand,
    append,
    event,
    git,
    ids,
    journal_of,
    log_bytes,
    logged,
    new_journal,
    pair,
    refused,
    state_of,
    torn,
)


def leave_pending(journal, offset, data, /, **changes):
    pending = {
        "schema": 1,
        "offset": offset,
        "bytes": len(data),
        "sha256": sha256(data).hexdigest(),
        "data": base64.b64encode(data).decode(),
        **changes,
    }
    (journal.root / RUN).mkdir(exist_ok=True)
    (journal.root / RUN / "journal.pending").write_text(json.dumps(pending))


def bytes_of(batch):
    return b"".join(map(line_of, batch))


# The tail ----------------------------------------------------------------------------------------


def test_half_a_line_is_cut_off_and_its_bytes_are_kept(journal):
    append(journal, event())
    before = log_bytes(journal)
    add_by_hand(journal, b'{"id":"event_ha')
    result = append(journal, *pair())
    assert log_bytes(journal).startswith(before)
    assert len(logged(journal)) == 3
    kept = journal.root / RUN / "torn" / f"{NOW}-{len(before)}"
    assert kept.read_bytes() == b'{"id":"event_ha'
    assert result.warnings == (
        f"the log ended in half a line of 15 bytes; kept in .ppgp/run/torn/{kept.name}",
    )


def test_a_whole_event_that_only_lacks_its_newline_gets_it(journal):
    last = line_of(event())
    add_by_hand(journal, last[:-1])
    result = journal.flush()
    assert log_bytes(journal) == last
    assert result.warnings == ("the last line of the log had no newline; added",)
    assert torn(journal) == []


def test_json_that_is_no_event_is_no_line(journal):
    add_by_hand(journal, b'{"id":"event_1"}')
    journal.flush()
    assert log_bytes(journal) == b""
    assert torn(journal) == [b'{"id":"event_1"}']


def test_two_torn_tails_at_one_moment_are_both_kept(journal):
    for text in (b"{one", b"{two"):
        add_by_hand(journal, text)
        journal.flush()
    assert torn(journal) == [b"{one", b"{two"]


def test_a_refused_act_mends_the_log_all_the_same_and_says_so(journal):
    add_by_hand(journal, b"{")
    said = refused(journal, event("note.created", "event_" + "0" * 32))
    assert said.code == "refused"
    assert log_bytes(journal) == b""


def test_lines_that_are_no_events_are_other_peoples_business(journal):
    add_by_hand(journal, b"not json\n\n\xff\n")
    append(journal, event())
    assert log_bytes(journal).startswith(b"not json\n\n\xff\n{")


def test_half_a_line_that_is_in_a_commit_is_reported_as_beyond_repair(journal):
    root = journal.root
    git(root, "init", "-q")
    append(journal, event())
    add_by_hand(journal, b"{half")
    git(root, "add", "state")
    git(root, "commit", "-qm", "torn")
    result = append(journal, event())
    assert "the half line is in a commit: the log stays not append-only in Git" in result.warnings
    add_by_hand(journal, b"{half")
    assert len(append(journal, event()).warnings) == 1


# The batch written ahead -------------------------------------------------------------------------


@given(st.data())
def test_a_batch_written_in_part_is_completed_and_one_not_begun_is_dropped(tmp_path_factory, data):
    journal = new_journal(tmp_path_factory.mktemp("j"))
    if data.draw(st.booleans(), "log begun"):
        append(journal, *pair("before"))
    before = log_bytes(journal)
    batch = bytes_of(pair(data.draw(st.text(st.characters(exclude_categories=["Cs"])), "word")))
    written = data.draw(st.integers(0, len(batch)), "bytes written")
    leave_pending(journal, len(before), batch)
    add_by_hand(journal, batch[:written])

    journal.flush()

    assert log_bytes(journal) == (before + batch if written else before)
    assert not (journal.root / RUN / "journal.pending").exists()
    assert torn(journal) == []
    append(journal, event())


@given(st.data())
def test_cut_anywhere_without_a_write_ahead_only_the_last_line_is_touched(tmp_path_factory, data):
    journal = new_journal(tmp_path_factory.mktemp("j"))
    batch = bytes_of(pair("a") + pair("b"))
    end = data.draw(st.integers(0, len(batch)), "bytes left")
    add_by_hand(journal, batch[:end])

    journal.flush()

    whole = batch[: batch.rfind(b"\n", 0, end) + 1]
    tail = batch[len(whole) : end]
    if batch[end : end + 1] == b"\n" and tail:
        assert log_bytes(journal) == whole + tail + b"\n"
    else:
        assert log_bytes(journal) == whole
        assert torn(journal) == ([tail] if tail else [])


def test_a_completed_batch_is_in_the_safe_copy_too(journal):
    batch = bytes_of(pair())
    leave_pending(journal, 0, batch)
    add_by_hand(journal, batch[:50])
    journal.flush()
    assert (state_of(journal) / "copy.jsonl").read_bytes() == batch


def test_a_batch_that_others_have_written_behind_counts_as_complete(journal):
    batch, later = bytes_of(pair()), line_of(event())
    leave_pending(journal, 0, batch)
    add_by_hand(journal, batch + later)
    assert journal.flush().warnings == ()
    assert log_bytes(journal) == batch + later
    assert torn(journal) == []


def test_a_batch_that_fits_the_log_no_more_is_kept_aside(journal):
    batch = bytes_of(pair())
    other = line_of(event())
    leave_pending(journal, 0, batch)
    add_by_hand(journal, other)
    result = journal.flush()
    assert log_bytes(journal) == other
    assert torn(journal) == [batch]
    assert result.warnings == (
        f"an unfinished batch does not fit the log; kept in .ppgp/run/torn/{NOW}-0",
    )


def test_a_log_that_was_cut_behind_the_write_ahead_gets_nothing_appended(journal):
    append(journal, *pair())
    text = log_bytes(journal)
    leave_pending(journal, len(text), bytes_of(pair()))
    (journal.root / LOG).write_bytes(text[: text.index(b"\n") + 1])
    journal.flush()
    assert log_bytes(journal) == text[: text.index(b"\n") + 1]
    assert len(torn(journal)) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": 2},
        {"bytes": 1},
        {"sha256": "0" * 64},
        {"data": "?"},
        {"data": None},
        {"offset": "0"},
        {"offset": -1},
    ],
)
def test_a_write_ahead_that_does_not_agree_with_itself_is_never_followed(journal, changes):
    leave_pending(journal, 0, bytes_of(pair()), **changes)
    raw = (journal.root / RUN / "journal.pending").read_bytes()
    journal.flush()
    assert log_bytes(journal) == b""
    assert torn(journal) == [raw]
    assert not (journal.root / RUN / "journal.pending").exists()


def test_while_another_holds_the_log_a_half_written_batch_waits(journal):
    batch = bytes_of(pair())
    leave_pending(journal, 0, batch)
    add_by_hand(journal, batch[:50])
    lease = journal.root / ".agent/lease"
    lease.parent.mkdir()
    lease.write_text("held")
    journal.flush()
    assert log_bytes(journal) == batch[:50]
    lease.unlink()
    journal.flush()
    assert log_bytes(journal) == batch


# Every crash point -------------------------------------------------------------------------------

CALLS = ("write", "fsync", "ftruncate", "rename", "replace", "link", "unlink", "mkdir")


@contextmanager
def dying_at(step: int):
    """Exit as if killed before the system call number `step`; a write gets half way."""
    left = [step]

    def counted(name, call):
        def wrapper(*arguments, **keywords):
            left[0] -= 1
            if left[0] < 0:
                if name == "write":
                    call(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
                os._exit(9)
            return call(*arguments, **keywords)

        return wrapper

    for name in CALLS:
        setattr(os, name, counted(name, getattr(os, name)))
    yield


def killed_at(step: int, act) -> bool:
    """Run `act` in a process of its own that dies at `step`; False when it came to its end."""
    child = os.fork()
    if child == 0:
        try:
            with dying_at(step):
                act()
            os._exit(0)
        finally:
            os._exit(7)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, 9), "the act failed"
    return status == 9


def copied(template: Path, to: Path):
    shutil.copytree(template, to, symlinks=True)
    return journal_of(to / "repo")


def plain(journal):
    """Nothing special has happened before."""


def after_half_a_line(journal):
    add_by_hand(journal, b"{half")


def after_half_a_batch(journal):
    batch = bytes_of(pair("pending"))
    leave_pending(journal, len(log_bytes(journal)), batch)
    add_by_hand(journal, batch[: len(batch) // 2])


def with_an_outbox(journal):
    lease = journal.root / ".agent/lease"
    lease.parent.mkdir()
    lease.write_text("held")
    append(journal, *pair("outbox"))
    append(journal, *pair("outbox"))
    lease.unlink()


def after_a_cleaned_run_folder(journal):
    shutil.rmtree(journal.root / RUN)


BEFORE = [plain, after_half_a_line, after_half_a_batch, with_an_outbox, after_a_cleaned_run_folder]


def check(journal, kept, batch, words):
    """Nothing acknowledged is gone, every batch is whole or absent, the copy has every line."""
    result = journal.flush()
    assert isinstance(result, Appended), result
    events = logged(journal)
    assert log_bytes(journal).startswith(kept)
    found = ids(events)
    assert len(found) == len(set(found))
    assert found[-2:] == ids(batch) or not set(found) & set(ids(batch))
    for word in words:
        assert len([each for each in events if each["payload"].get("word") == word]) % 2 == 0
    assert set(log_bytes(journal).splitlines()) == set(
        (state_of(journal) / "copy.jsonl").read_bytes().splitlines()
    )
    assert not (journal.root / RUN / "journal.pending").exists()
    assert journal.cut().lines == ()
    append(journal, *pair())


@pytest.mark.parametrize("before", BEFORE, ids=lambda each: each.__name__)
def test_killed_at_any_system_call_the_next_start_is_clean(tmp_path, before):
    (tmp_path / "template").mkdir()
    template = new_journal(tmp_path / "template")
    append(template, *pair("kept"))
    kept = log_bytes(template)
    before(template)
    batch = pair("batch")
    step, outcomes = 0, set()
    while True:
        journal = copied(tmp_path / "template", tmp_path / str(step))
        died = killed_at(step, lambda journal=journal: append(journal, *batch))
        check(journal, kept, batch, ("outbox", "pending"))
        there = batch[0]["id"] in ids(logged(journal))
        outcomes.add(there)
        if before is with_an_outbox:
            assert [each["payload"]["word"] for each in logged(journal)].count("outbox") == 4
        if before is after_half_a_line:
            assert set(torn(journal)) == {b"{half"}
        if not died:
            break
        step += 1
    assert there
    assert outcomes == {True, False}
    assert step > 8


def test_killed_again_while_putting_right_what_the_first_kill_left(tmp_path):
    (tmp_path / "template").mkdir()
    template = new_journal(tmp_path / "template")
    append(template, *pair("kept"))
    kept = log_bytes(template)
    add_by_hand(template, b"{half")
    batch = pair("batch")
    for first in range(4, 40, 6):
        base = tmp_path / f"first-{first}"
        journal = copied(tmp_path / "template", base)
        if not killed_at(first, lambda journal=journal: append(journal, *batch)):
            break
        second = 0
        while True:
            journal = copied(base, tmp_path / f"{first}-{second}")
            died = killed_at(second, journal.flush)
            check(journal, kept, batch, ())
            if not died:
                break
            second += 1
