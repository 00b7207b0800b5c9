"""The lease other GASP writers respect, and the outbox for the time somebody else has it."""

import json
import os

import pytest

from ppgp_tui.session.journal.lease import Lease
from tests.session.journals import (
    LOG,
    NOW,
    add_by_hand,
    append,
    event,
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

DAY = 86_400_000


class Clock:
    def __init__(self):
        self.now = NOW

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def journal(tmp_path, clock):
    journal = new_journal(tmp_path, clock=clock)
    (journal.root / ".agent").mkdir()
    return journal


@pytest.fixture
def lease_file(journal):
    return journal.root / ".agent/lease"


def hold(path, worker="yoyo", until=NOW + DAY, pid=4711):
    path.write_text(json.dumps({"worker_id": worker, "pid": pid, "expires_at_ms": until}))


# Taking it ---------------------------------------------------------------------------------------


def test_without_a_folder_for_it_there_is_no_lease(journal, lease_file):
    lease_file.parent.rmdir()
    append(journal, event())
    assert not lease_file.parent.exists()


def test_while_we_write_it_says_who_and_until_when_and_afterwards_it_is_gone(journal, lease_file):
    seen = []

    def look(_view):
        seen.append(json.loads(lease_file.read_bytes()))
        return pair()

    journal.append(look, then=lambda _view, _done: seen.append(lease_file.exists()))
    ours = {"worker_id": "ppgp-tui", "pid": os.getpid(), "expires_at_ms": NOW + 10_000}
    assert seen == [ours, False]
    assert list(lease_file.parent.iterdir()) == []


def test_our_own_from_a_killed_writer_is_replaced(journal, lease_file):
    hold(lease_file, worker="ppgp-tui", until=NOW + DAY)
    assert append(journal, event()).recorded == "log"
    assert not lease_file.exists()


def test_one_that_has_run_out_is_taken_over(journal, lease_file):
    hold(lease_file, until=NOW)
    assert append(journal, event()).recorded == "log"
    assert list(lease_file.parent.iterdir()) == []


def test_one_renewed_at_the_moment_of_taking_over_is_put_back(journal, lease_file, clock):
    hold(lease_file, until=NOW)
    rename = os.rename

    def renewed_first(*names, **folders):
        hold(lease_file, until=NOW + DAY)
        rename(*names, **folders)

    os.rename = renewed_first
    try:
        holder = Lease(journal.root, clock).take()
    finally:
        os.rename = rename
    assert (holder.worker, holder.until_ms) == ("yoyo", NOW + DAY)
    assert json.loads(lease_file.read_bytes())["expires_at_ms"] == NOW + DAY
    assert list(lease_file.parent.iterdir()) == [lease_file]


def test_a_long_decision_renews_it_before_writing(journal, lease_file, clock):
    def ponder(_view):
        clock.now += 9_000
        return pair()

    journal.append(ponder)
    assert len(logged(journal)) == 2


def test_when_another_took_it_during_a_long_decision_the_batch_goes_to_the_outbox(
    journal, lease_file, clock
):
    def ponder(_view):
        clock.now += 11_000
        hold(lease_file, until=NOW + DAY)
        return pair()

    assert journal.append(ponder).recorded == "outbox"
    assert json.loads(lease_file.read_bytes())["worker_id"] == "yoyo"
    assert log_bytes(journal) == b""


# Somebody else has it ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"worker_id": "yoyo", "pid": 1, "expires_at_ms": NOW + DAY}),
        "",
        "{",
        "[]",
        "{}",
        json.dumps({"worker_id": "ppgp-tui", "pid": 1}),
        json.dumps({"worker_id": 7, "pid": 1, "expires_at_ms": 1}),
    ],
)
def test_one_held_or_unreadable_is_never_touched_and_the_act_is_kept(journal, lease_file, text):
    append(journal, event())
    before = log_bytes(journal)
    lease_file.write_text(text)
    batch = pair()
    result = append(journal, *batch)
    assert (result.recorded, result.events) == ("outbox", tuple(ids(batch)))
    assert log_bytes(journal) == before
    assert lease_file.read_text() == text
    assert list(lease_file.parent.iterdir()) == [lease_file]


def test_a_lease_that_is_a_link_is_respected_and_not_followed(journal, lease_file, tmp_path):
    (tmp_path / "outside").write_text("{}")
    lease_file.symlink_to(tmp_path / "outside")
    assert append(journal, event()).recorded == "outbox"
    assert (tmp_path / "outside").read_text() == "{}"


def test_run_files_are_written_at_once_also_when_the_batch_has_to_wait(journal, lease_file):
    hold(lease_file)
    done = []
    journal.append(lambda _view: pair(), then=lambda _view, result: done.append(result.recorded))
    assert done == ["outbox"]


def test_what_waits_is_part_of_what_the_next_act_is_decided_on(journal, lease_file):
    hold(lease_file)
    waiting = append(journal, *pair()).events

    def decide(view):
        assert [json.loads(line)["id"] for line in view.outbox] == list(waiting)
        assert view.where(waiting[0]) == "outbox"
        assert list(view.lines()) == []
        return [event("note.created", waiting[0])]

    assert journal.append(decide).recorded == "outbox"
    assert len(journal.waiting()) == 3


def test_when_the_lease_is_free_the_next_writer_appends_what_waits_first(journal, lease_file):
    hold(lease_file)
    first, second = pair(), pair()
    append(journal, *first)
    append(journal, *second)
    lease_file.unlink()
    last = event()
    result = append(journal, last)
    assert ids(logged(journal)) == ids([*first, *second, last])
    assert result.recorded == "log"
    assert result.flushed == tuple(ids([*first, *second]))
    assert journal.waiting() == ()
    assert not (state_of(journal) / "outbox.jsonl").exists()


def test_the_running_app_can_empty_the_outbox_without_an_act(journal, lease_file):
    hold(lease_file)
    batch = pair()
    append(journal, *batch)
    assert journal.flush().flushed == ()
    lease_file.unlink()
    assert journal.flush().flushed == tuple(ids(batch))
    assert journal.flush().flushed == ()
    assert ids(logged(journal)) == ids(batch)


def test_lines_of_the_outbox_reach_the_log_with_the_same_bytes(journal, lease_file):
    hold(lease_file)
    append(journal, *pair("é😀"))
    lines = journal.waiting()
    lease_file.unlink()
    journal.flush()
    assert tuple(log_bytes(journal).splitlines()) == lines


def test_a_flush_killed_before_it_could_empty_the_outbox_appends_nothing_twice(journal, lease_file):
    hold(lease_file)
    append(journal, *pair())
    kept = (state_of(journal) / "outbox.jsonl").read_bytes()
    lease_file.unlink()
    journal.flush()
    (state_of(journal) / "outbox.jsonl").write_bytes(kept)
    assert journal.flush().flushed == ()
    assert len(logged(journal)) == 2
    assert journal.waiting() == ()


def test_an_act_whose_cause_was_cut_out_meanwhile_waits_on_and_so_does_what_follows_from_it(
    journal, lease_file
):
    cause = event()
    append(journal, cause)
    before = log_bytes(journal)
    hold(lease_file)
    follows = pair(cause=cause["id"])
    further = event("note.created", follows[0]["id"])
    free = event()
    for batch in (follows, [further], [free]):
        append(journal, *batch)
    (journal.root / LOG).write_bytes(b"")
    lease_file.unlink()

    result = journal.flush()
    assert result.flushed == (free["id"],)
    assert "2 acts stay in the outbox: their cause is not in the log" in result.warnings
    waits = append(journal, event("note.created", further["id"]))
    assert waits.recorded == "outbox"  # its antecedent is still there

    text = log_bytes(journal)
    (journal.root / LOG).write_bytes(before + text)
    journal.flush()
    assert ids(logged(journal)) == [
        cause["id"], free["id"], *ids(follows), further["id"], *waits.events,
    ]  # fmt: skip


def test_a_cause_that_is_nowhere_is_refused_also_while_the_log_is_held(journal, lease_file):
    hold(lease_file)
    assert refused(journal, event("note.created", "event_" + "0" * 32)).code == "refused"
    waiting = append(journal, event()).events[0]
    mixed = [event("note.created", waiting), event("note.created", "event_" + "0" * 32)]
    assert refused(journal, *mixed).code == "refused"
    assert len(journal.waiting()) == 1


def test_a_torn_tail_may_be_the_holders_own_line_and_is_left_alone(journal, lease_file):
    hold(lease_file)
    add_by_hand(journal, b'{"id":"event_')
    append(journal, event())
    assert log_bytes(journal) == b'{"id":"event_'
    add_by_hand(journal, b'1"}\n')
    lease_file.unlink()
    journal.flush()
    assert torn(journal) == []
    assert log_bytes(journal).startswith(b'{"id":"event_1"}\n{"id":"event_')


def test_a_batch_the_outbox_holds_only_in_part_was_never_acknowledged(journal, lease_file):
    hold(lease_file)
    kept = pair()
    append(journal, *kept)
    with (state_of(journal) / "outbox.jsonl").open("ab") as outbox:
        outbox.write(b'{"id":"event_half"}\n')
    assert len(journal.waiting()) == 2
    lease_file.unlink()
    assert journal.flush().flushed == tuple(ids(kept))


def test_with_the_log_held_and_no_place_for_an_outbox_it_is_busy(journal, lease_file, tmp_path):
    hold(lease_file)
    (tmp_path / "user").write_text("a file in the way")
    said = refused(journal, event())
    assert said.code == "busy"
    assert "`yoyo` (pid 4711)" in said.message
    lease_file.unlink()
    result = append(journal_of(journal.root), event())
    assert result.recorded == "log"
    assert any("no safe copy" in warning for warning in result.warnings)
