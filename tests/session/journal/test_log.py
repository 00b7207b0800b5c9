"""Appending to the log: all of a batch or nothing, and a plain word for every refusal."""

import json
import stat
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

from ppgp_tui.session.canonical import UnserialisableError
from ppgp_tui.session.journal import (
    Appended,
    MalformedEventError,
    RefusalError,
    Refused,
    line_of,
)
from ppgp_tui.session.journal.log import Log
from tests.session.journals import (
    LOG,
    NOW,
    RUN,
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
)


def test_a_batch_becomes_lines_of_the_log_in_its_order(journal):
    batch = pair("é→\u2028")
    result = append(journal, *batch)
    assert log_bytes(journal) == b"".join(map(line_of, batch))
    assert result == Appended(tuple(ids(batch)), "log", len(log_bytes(journal)))


def test_a_line_has_the_eight_members_in_order_and_a_sorted_payload():
    mixed = {**event(b={"z": 1, "y": [{"d": 1, "c": 2}]}, a=2)}
    mixed = dict(reversed(mixed.items())) | {"actor": {"id": "dev", "kind": "user"}}
    text = line_of(mixed).decode()
    assert text == (
        f'{{"id":"{mixed["id"]}","schema_version":1,"ts_ms":{NOW},'
        '"actor":{"kind":"user","id":"dev"},"kind":"session.started",'
        '"payload":{"a":2,"b":{"y":[{"c":2,"d":1}],"z":1}},'
        '"causation_id":null,"correlation_id":null}\n'
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"extra": 1}, "missing or unknown members: extra"),
        ({"actor": {"kind": "user"}}, "actor is not an object of kind and id"),
        ({"ts_ms": True}, "ts_ms is no integer"),
        ({"kind": None}, "id, actor and kind are texts"),
        ({"causation_id": 4}, "causation_id is neither text nor null"),
    ],
)
def test_what_is_no_event_is_never_written(journal, change, message):
    with pytest.raises(MalformedEventError, match=message):
        append(journal, {**event(), **change})
    assert log_bytes(journal) == b""


def test_a_payload_without_canonical_form_is_never_written(journal):
    with pytest.raises(UnserialisableError, match=r"payload\.score: floats"):
        append(journal, event(score=0.5))
    with pytest.raises(UnserialisableError, match="lone surrogate"):
        append(journal, event(text="\udc80"))
    assert log_bytes(journal) == b""


def test_the_caller_decides_under_the_lock_on_what_the_log_says_now(journal):
    first = append(journal, *pair())
    second = pair(cause=first.events[0])

    def decide(view):
        assert [json.loads(line.raw)["id"] for line in view.lines()] == list(first.events)
        assert view.size == first.offset
        return second

    assert journal.append(decide).recorded == "log"
    seen = []
    journal.append(lambda view: seen.extend(view.lines(first.offset)) or ())
    assert [json.loads(line.raw)["id"] for line in seen] == ids(second)
    assert seen[0].offset == first.offset


def test_a_decision_against_it_records_nothing_and_says_why(journal):
    no = Refused("stale", "revision 4 is newer than 3")
    assert journal.append(lambda _view: no) == no
    assert log_bytes(journal) == b""


def test_an_empty_batch_is_no_line_and_still_lets_the_caller_write_run_files(journal):
    written = []
    result = journal.append(lambda _view: (), then=lambda _view, done: written.append(done))
    assert result == Appended((), "none", 0)
    assert written == [result]


def test_projections_are_written_after_the_batch_with_the_lock_still_held(journal):
    batch = pair()

    def project(view, done):
        assert [line.raw for line in view.lines()] == log_bytes(journal).splitlines()
        assert done.events == tuple(ids(batch))
        other = journal_of(journal.root, wait_s=0)
        assert other.flush().code == "busy"
        view.run.publish("projected", b"yes")

    journal.append(lambda _view: batch, then=project)
    assert (journal.root / RUN / "projected").read_bytes() == b"yes"


def test_an_error_of_the_caller_lets_the_lock_and_the_lease_go(journal):
    (journal.root / ".agent").mkdir()

    def fail(view, done=None):
        raise LookupError("the caller's own")

    with pytest.raises(LookupError, match="the caller's own"):
        journal.append(fail)
    with pytest.raises(LookupError, match="the caller's own"):
        journal.append(lambda _view: pair(), then=fail)
    assert len(logged(journal)) == 2
    assert not (journal.root / ".agent/lease").exists()
    assert append(journal, event()).recorded == "log"


FAILURES = [
    (RefusalError("stale", "the bullet is gone"), "the bullet is gone"),
    (OSError(28, "No space left on device", "goal.json"), "no space left on device (goal.json)"),
]


@pytest.mark.parametrize(("failure", "text"), FAILURES)
def test_what_fails_beside_a_recorded_batch_is_a_warning_and_the_batch_stands(
    journal, failure, text
):
    def fail(view, done):
        raise failure

    result = journal.append(lambda _view: pair(), then=fail)
    assert isinstance(result, Appended)
    assert result.recorded == "log"
    assert result.warnings[0].startswith("recorded, but ")
    assert text in result.warnings[0]
    assert len(logged(journal)) == 2


@pytest.mark.parametrize(("failure", "text"), FAILURES)
def test_what_fails_without_a_batch_is_a_refusal(journal, failure, text):
    def fail(view, done):
        raise failure

    said = journal.append(lambda _view: (), then=fail)
    assert isinstance(said, Refused)
    assert text in said.message


def test_it_needs_nothing_but_the_standard_library():
    package = Path(__file__).parents[3]
    code = f"import sys; sys.path.insert(0, {str(package)!r}); import ppgp_tui.session.journal"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)


# Causes ------------------------------------------------------------------------------------------


def test_a_cause_must_be_a_line_of_the_log(journal):
    lost = event()
    said = refused(journal, event("note.created", lost["id"]))
    assert said.code == "refused"
    assert lost["id"] in said.message
    assert log_bytes(journal) == b""
    append(journal, lost)
    append(journal, event("note.created", lost["id"]))


def test_a_cause_may_come_earlier_in_the_batch_but_not_later(journal):
    first, second = pair()
    assert refused(journal, second, first).code == "refused"
    append(journal, first, second)


def test_an_id_inside_a_payload_or_as_somebody_elses_cause_is_not_that_event(journal):
    ghost = event()
    append(journal, event(id=ghost["id"], text=f'"id":"{ghost["id"]}"'))
    add_by_hand(journal, line_of(event("odd.created", ghost["id"])))
    assert refused(journal, event("note.created", ghost["id"])).code == "refused"


def test_causes_are_found_among_many_long_lines(journal):
    old = append(journal, event(text="x" * 3_000_000)).events[0]
    middle = append(journal, event(text="y" * 1_500_000)).events[0]
    for _ in range(3):
        append(journal, event(text="z" * 400_000))
    append(journal, event("note.created", old), event("note.created", middle))

    def decide(view):
        assert view.where(old) == "log"
        assert view.where("event_" + "0" * 32) is None
        return ()

    journal.append(decide)


def test_a_cause_far_back_is_read_where_it_was_found_before(journal, monkeypatch):
    far = append(journal, event()).events[0]
    add_by_hand(journal, line_of(event(text="x" * 2_000_000)))
    append(journal, event("note.created", far))
    assert json.loads((state_of(journal) / "causes.json").read_bytes()) == {far: 0}
    monkeypatch.setattr(Log, "find", lambda _log, _id: None)
    append(journal, event("note.created", far))


@pytest.mark.parametrize("notes", [b"", b"[]", b"{}", b'{"FAR":7}', b'{"FAR":999999999}'])
def test_a_wrong_note_of_where_a_cause_is_makes_nothing_wrong(journal, notes):
    first, far, lost = (append(journal, event()).events[0] for _ in range(3))
    add_by_hand(journal, line_of(event(text="x" * 2_000_000)))
    (state_of(journal) / "causes.json").write_bytes(notes.replace(b"FAR", far.encode()))
    append(journal, event("note.created", far), event("note.created", first))

    text = log_bytes(journal)
    (journal.root / LOG).write_bytes(text.replace(lost.encode(), ("event_" + "0" * 32).encode()))
    assert refused(journal, event("note.created", lost)).code == "refused"


def test_the_same_id_twice_in_a_batch_is_a_mistake_of_the_caller(journal):
    twice = event()
    with pytest.raises(ValueError, match="twice"):
        append(journal, twice, twice)
    assert log_bytes(journal) == b""


# Beginning ---------------------------------------------------------------------------------------


def test_without_a_session_everything_is_refused_and_nothing_is_made(tmp_path):
    journal = journal_of(tmp_path)
    said = refused(journal, event())
    assert said.code == "not_initialised"
    assert said.message == (
        "no session here: run ppgp-tui init (creates .ppgp/, .ppgp/.gitignore, state/events.jsonl)"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_log_without_the_folder_or_the_folder_without_a_log_is_no_session(tmp_path):
    journal = journal_of(tmp_path)
    (tmp_path / "state").mkdir()
    (tmp_path / LOG).touch()
    assert refused(journal, event()).code == "not_initialised"
    assert not (tmp_path / ".ppgp").exists()
    (tmp_path / LOG).unlink()
    (tmp_path / ".ppgp").mkdir()
    assert "(creates .ppgp/.gitignore, state/events.jsonl)" in refused(journal, event()).message


def test_creating_makes_what_it_said_and_a_second_time_nothing(tmp_path):
    journal = journal_of(tmp_path)
    promised = journal.missing()
    assert journal.create() == promised == (".ppgp/", ".ppgp/.gitignore", "state/events.jsonl")
    assert log_bytes(journal) == b""
    assert (tmp_path / ".ppgp/.gitignore").read_text() == "run/\ngoal.json\n"
    assert (tmp_path / RUN / ".gitignore").read_text() == "*\n"
    append(journal, event())
    assert journal.create() == ()
    assert len(logged(journal)) == 1


def test_files_and_folders_belong_to_the_user_alone(journal):
    append(journal, event())
    places = [journal.root / ".ppgp", journal.root / RUN, journal.root / LOG, state_of(journal)]
    places += [journal.root / RUN / "journal.lock", state_of(journal) / "copy.jsonl"]
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in places}
    assert set(modes.values()) == {0o600, 0o700}
    assert all(mode == (0o700 if path.is_dir() else 0o600) for path, mode in
               ((path, modes[path.name]) for path in places))  # fmt: skip


def test_run_files_can_be_locked_without_a_log(tmp_path):
    journal = journal_of(tmp_path)
    with journal.lock() as run:
        run.publish("control.json", b"{}\n")
        assert journal_of(tmp_path, wait_s=0).create().code == "busy"
    assert (tmp_path / RUN / "control.json").read_bytes() == b"{}\n"
    assert not (tmp_path / LOG).exists()


def test_a_log_elsewhere_in_the_root_is_used_where_it_was_bound(tmp_path):
    journal = new_journal(tmp_path, log=PurePosixPath("docs/agent/log.jsonl"))
    append(journal, event())
    assert (journal.root / "docs/agent/log.jsonl").read_bytes().count(b"\n") == 1
    assert not (journal.root / LOG).exists()
