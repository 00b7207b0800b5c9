"""A repository made to lead us astray: nothing outside it changes, and it is said."""

import os
from contextlib import suppress
from pathlib import PurePosixPath

import pytest

from ppgp_tui.session.files.safe import UnsafePathError
from ppgp_tui.session.journal import RefusalError, Refused
from tests.session.journals import (
    LOG,
    RUN,
    append,
    event,
    journal_of,
    log_bytes,
    new_journal,
    pair,
    refused,
    state_of,
)


@pytest.fixture
def journal(tmp_path):
    journal = new_journal(tmp_path)
    append(journal, event())
    return journal


@pytest.fixture
def outside(tmp_path):
    """Somebody's precious folder."""
    outside = tmp_path / "outside"
    (outside / "run").mkdir(parents=True)
    for name in ("events.jsonl", "journal.lock", "journal.pending", "run/kept"):
        (outside / name).write_bytes(b"precious")
    return outside


def picture(folder):
    return {
        str(path.relative_to(folder)): (
            path.read_bytes() if path.is_file() else None,
            path.stat().st_mode,
        )
        for path in sorted(folder.rglob("*"))
    }


def put_link(path, target):
    """`path`, whatever it was, becomes a link."""
    if path.exists():
        path.rename(path.with_name(path.name + ".was"))
    path.symlink_to(target)


LINKS = [
    (".ppgp", "."),
    (".ppgp/run", "run"),
    (".ppgp/run/journal.lock", "journal.lock"),
    (".ppgp/run/journal.lock", "made"),
    (".ppgp/run/journal.pending", "journal.pending"),
    ("state", "."),
    ("state/events.jsonl", "events.jsonl"),
    ("state/events.jsonl", "made"),
    (".agent", "."),
]


@pytest.mark.parametrize(("link", "target"), LINKS)
@pytest.mark.parametrize("act", ["append", "flush", "create", "restore", "lock"])
def test_a_link_in_the_place_of_ours_is_refused_and_not_followed(
    journal, outside, link, target, act
):
    put_link(journal.root / link, outside / target)
    before = picture(outside)
    if act == "append":
        said = refused(journal, *pair())
        assert said.code == "refused"
        assert link in said.message
        assert "was not followed" in said.message
    elif act == "lock":
        with suppress(RefusalError), journal.lock() as run:
            run.publish("control.json", b"{}")
    else:
        getattr(journal, act)()
    assert picture(outside) == before


def test_a_link_for_torn_bytes_is_not_followed_and_the_bytes_stay_in_the_log(journal, outside):
    put_link(journal.root / RUN / "torn", outside / "run")
    with (journal.root / LOG).open("ab") as log:
        log.write(b"{half")
    before, text = picture(outside), log_bytes(journal)
    assert refused(journal, event()).code == "refused"
    assert (picture(outside), log_bytes(journal)) == (before, text)


@pytest.mark.parametrize("name", ["copy.jsonl", "outbox.jsonl", "checkpoint.json"])
def test_links_in_the_users_state_folder_are_not_followed_either(journal, outside, name):
    put_link(state_of(journal) / name, outside / "events.jsonl")
    before = picture(outside)
    (journal.root / ".agent").mkdir()
    journal.append(lambda view: view.keep_checkpoint({}) or pair())
    (journal.root / ".agent/lease").write_text("held")
    journal.append(lambda _view: pair())
    assert picture(outside) == before


def test_a_state_folder_that_is_a_link_is_not_used(journal, outside):
    put_link(state_of(journal), outside)
    before = picture(outside)
    result = append(journal, *pair())
    assert any("no safe copy" in warning for warning in result.warnings)
    assert picture(outside) == before


def test_a_log_that_is_no_file_is_refused(journal):
    (journal.root / LOG).unlink()
    os.mkfifo(journal.root / LOG)
    assert refused(journal, event()).code == "refused"
    (journal.root / LOG).unlink()
    (journal.root / LOG).mkdir()
    assert isinstance(journal.flush(), Refused)


def test_a_lock_that_is_a_pipe_does_not_stop_us(journal):
    lock = journal.root / RUN / "journal.lock"
    lock.unlink()
    os.mkfifo(lock)
    assert refused(journal, event()).code == "refused"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("theirs", [".ppgp", ".ppgp/run", "state", "state/events.jsonl"])
def test_what_belongs_to_somebody_else_is_refused(journal, theirs):
    os.chown(journal.root / theirs, 4711, 4711)
    said = refused(journal, event())
    assert said.code == "refused"
    assert "belongs to user 4711, not to you" in said.message


@pytest.mark.parametrize("path", ["/tmp/log.jsonl", "../log.jsonl", "state/../../log.jsonl"])
def test_a_log_bound_outside_the_root_is_refused(tmp_path, path):
    with pytest.raises(UnsafePathError, match="is not a path inside the root"):
        journal_of(tmp_path, log=PurePosixPath(path))
