"""What is remembered of the last look at the plan."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ppgp_tui.session.files.places import root_folder
from ppgp_tui.session.plan_history.history import PlanHistory
from ppgp_tui.session.plan_history.revision import Revisions
from ppgp_tui.session.plan_history.seen import Looked, keep_looked, last_looked
from tests.session.plan_history.plans import history, task


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    root.mkdir()
    return root


def test_a_look_is_remembered_outside_the_repository(root: Path) -> None:
    keep_looked(root, Looked(12, "ab" * 8, 1000))

    assert last_looked(root) == Looked(12, "ab" * 8, 1000)
    assert not list(root.iterdir())
    said = json.loads((root_folder(root) / "seen.json").read_text())
    assert said == {
        "schema": 1,
        "plan": {"revision": 12, "digest": "ab" * 8, "at_ms": 1000},
    }


def test_before_the_first_look_nothing_is_known(root: Path) -> None:
    assert last_looked(root) is None


@pytest.mark.parametrize("said", ["", "[]", '{"plan": 3}', '{"plan": {"at_ms": "x"}}', "\xff"])
def test_a_damaged_file_counts_as_no_look_and_is_written_anew(root: Path, said: str) -> None:
    path = root_folder(root) / "seen.json"
    path.parent.mkdir(parents=True)
    path.write_text(said, "latin-1")

    assert last_looked(root) is None
    keep_looked(root, Looked(1, "", 5))
    assert last_looked(root) == Looked(1, "", 5)


def test_an_older_look_of_a_second_app_does_not_undo_a_newer_one(root: Path) -> None:
    keep_looked(root, Looked(14, "", 2000))

    assert keep_looked(root, Looked(12, "", 1000)) == Looked(14, "", 2000)
    assert last_looked(root) == Looked(14, "", 2000)


def test_what_others_keep_in_the_file_stays(root: Path) -> None:
    path = root_folder(root) / "seen.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"schema": 1, "later": {"x": 1}}')
    keep_looked(root, Looked(1, "", 5))

    assert json.loads(path.read_text())["later"] == {"x": 1}


def test_many_looks_at_once_leave_the_newest(root: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda at: keep_looked(root, Looked(at, "", at)), range(40)))

    assert last_looked(root) == Looked(39, "", 39)


def test_a_look_is_found_in_the_history_only_while_it_is_the_same_plan() -> None:
    told = history([[task("a")], [task("a"), task("b")]])

    assert Looked(2, "", 0).place(told) == 1
    assert Looked(7, "", 0).place(told) is None
    last = told.revisions[-1]._replace(digest="ab" * 8)
    dated = PlanHistory("log", Revisions([told.revisions[0], last]))
    assert Looked(2, "cd" * 8, 0).place(dated) is None
    assert Looked(None, "ab" * 8, 0).place(dated) == 1
