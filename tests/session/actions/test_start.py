"""Beginning a session, and putting things back."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ppgp_tui.session.actions import goal, plan, start
from tests.session.engine.desk import CLAUDE
from tests.session.engine.repository import (
    LOG,
    RUN,
    TODO,
    Repository,
    good,
    refused,
    repository,
    task,
)
from tests.session.gits import Repository as Git


def empty(memory: Path) -> Repository:
    made = Repository(memory / "new")
    made.root.mkdir(parents=True)
    return made


def test_init_makes_a_folder_its_ignore_file_and_an_empty_log(memory: Path) -> None:
    new = empty(memory)
    result = good(start.init(new.engine()))
    assert (result.code, result.created) == (
        "done",
        (".ppgp/", ".ppgp/.gitignore", "state/events.jsonl"),
    )
    assert new.read(LOG) == b""
    assert new.read(".ppgp/.gitignore") == b"run/\ngoal.json\n"
    assert new.read(RUN / ".gitignore") == b"*\n"


def test_a_dry_run_says_what_it_would_make_and_makes_nothing(memory: Path) -> None:
    new = empty(memory)
    result = start.init(new.engine(), dry_run=True)
    assert result.data["create"] == [".ppgp/", ".ppgp/.gitignore", "state/events.jsonl"]
    assert list(new.root.iterdir()) == []


def test_a_second_init_changes_nothing(here: Repository) -> None:
    here.write(".ppgp/.gitignore", "mine\n")
    good(goal.create(here.engine(), "Retry survives"))
    before = here.read(LOG)
    result = start.init(here.engine())
    assert (result.code, result.created) == ("unchanged", ())
    assert here.read(LOG) == before
    assert here.read(".ppgp/.gitignore") == b"mine\n"


def test_of_many_that_begin_a_session_at_once_one_says_that_it_did(memory: Path) -> None:
    new = empty(memory)
    with ThreadPoolExecutor(8) as people:
        results = list(people.map(lambda _: start.init(new.engine()), range(8)))
    assert all(result.ok for result in results)
    assert sorted(result.code for result in results) == ["done"] + ["unchanged"] * 7


def test_init_keeps_what_is_there_and_makes_the_rest(memory: Path) -> None:
    new = empty(memory)
    new.write(TODO, "{}")
    result = good(start.init(new.engine()))
    assert result.created == (".ppgp/.gitignore", "state/events.jsonl")
    assert new.read(TODO) == b"{}"


def test_init_refuses_a_session_folder_that_is_a_link(memory: Path) -> None:
    new = empty(memory)
    elsewhere = memory / "elsewhere"
    elsewhere.mkdir()
    (new.root / ".ppgp").symlink_to(elsewhere)
    said = refused(start.init(new.engine()))
    assert ".ppgp is a link or not a folder; it was not followed" in said
    assert list(elsewhere.iterdir()) == []


def test_init_makes_no_empty_log_where_a_committed_one_was_deleted(memory: Path) -> None:
    new = repository(memory / "there")
    Git(new.root).commit("one")
    (new.root / LOG).unlink()
    for said in (start.init(new.engine()), start.init(new.engine(), dry_run=True)):
        assert f"git restore --source=HEAD {LOG}" in refused(said)
    assert f"git restore --source=HEAD {LOG}" in refused(start.restore(new.engine()))
    assert not (new.root / LOG).exists()


def test_rebuild_writes_what_is_missing_and_says_what(here: Repository) -> None:
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    right = here.read(TODO)
    (here.root / TODO).unlink()
    result = good(start.rebuild(here.engine()))
    assert (result.code, result.created) == ("done", (".ppgp/todo.json",))
    assert here.read(TODO) == right
    assert start.rebuild(here.engine()).code == "unchanged"


def test_rebuild_leaves_a_plan_that_was_edited_by_hand(here: Repository) -> None:
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    here.write(TODO, here.read(TODO).replace(b"Do a", b"Do it"))
    good(start.rebuild(here.engine()))
    assert b"Do it" in here.read(TODO)


def test_there_is_nothing_to_restore_where_nothing_was_cut(here: Repository) -> None:
    assert refused(start.restore(here.engine())) == "nothing was cut out of the log"


def test_a_repository_made_here_has_its_session(memory: Path) -> None:
    assert repository(memory / "there").kinds() == []
