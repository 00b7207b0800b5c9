"""Goal and plan that a Pi agent holds, read from its session file while it writes it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.pi.plan import Removal
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.sources.pi_session import PiSource, sessions_folder
from tests.session.live.living import Live
from tests.session.plan_history.plans import revised, task, write_log

CASES = Path(__file__).parents[2] / "data/pi"
EXPECTED: dict[str, Any] = json.loads((CASES / "sessions-expected.json").read_text())
TIMELINES: dict[str, Any] = json.loads((CASES / "session-timelines.json").read_text())
SESSIONS = sorted(name for name in EXPECTED if name != "hm_not_a_session")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "agent"))
    root = tmp_path / "shop"
    root.mkdir()
    return root


def written(root: Path, name: str, *, lines: int | None = None, file: str = "") -> Path:
    """One of the real sessions as a session of `root`."""
    said = (CASES / f"sessions/{name}.jsonl").read_bytes()
    said = said.replace(b'"/home/dev/shop"', json.dumps(str(root)).encode())
    path = sessions_folder(root) / (file or f"2026-11-30T12-25-48-558Z_{name}.jsonl")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(said if lines is None else b"".join(said.splitlines(True)[:lines]))
    return path


def picture(root: Path) -> SessionSnapshot:
    return LiveSession(root).read_all()


@pytest.mark.parametrize("name", SESSIONS)
def test_goal_and_plan_are_read_as_pi_itself_reads_them(root: Path, name: str) -> None:
    written(root, name)
    goal, todo = EXPECTED[name]["goal"], EXPECTED[name]["todo"]
    look = PiSource(root, lambda: 0).look()

    assert look.state == "found"
    if "error" in goal:
        assert look.invalid_goal
        assert look.lifecycle is None
    elif goal["present"]:
        assert look.lifecycle is not None
        assert look.lifecycle.state_revision == goal["stateRevision"]
        assert look.lifecycle.status == (goal["status"] or "none")
        assert look.lifecycle.objective == goal["objective"]
    else:
        assert look.lifecycle is None
    if todo["present"]:
        assert look.plan is not None
        assert look.plan.reading.revision == todo["revision"]
        assert [one.key for one in look.plan.reading.tasks] == [one["key"] for one in todo["tasks"]]
    else:
        assert look.plan is None


@pytest.mark.parametrize("name", sorted(TIMELINES))
def test_a_session_is_followed_line_by_line_while_pi_writes_it(root: Path, name: str) -> None:
    path = written(root, name)
    whole = path.read_bytes().splitlines(True)
    path.write_bytes(b"")
    source = PiSource(root, lambda: 0)
    for moment in TIMELINES[name]:
        with path.open("ab") as file:
            line = whole[moment["lines"] - 1]
            file.write(line[: len(line) // 2])
        source.look()  # in the middle of a line nothing is taken for granted
        with path.open("ab") as file:
            file.write(line[len(line) // 2 :])
        look = source.look()
        plan, life = look.plan, look.lifecycle
        assert (plan.reading.revision if plan else 0) == moment["todo_revision"]
        assert (life.objective if life else None) == moment["objective"]
        assert (life.state_revision if life else None) == moment["goal_revision"]


def test_the_revisions_of_the_branch_are_the_plans_history_with_the_reasons_of_its_calls(
    root: Path,
) -> None:
    written(root, "todo_six_revisions")
    shown = picture(root)
    told = shown.history.value

    assert shown.plan.value.source == "pi session"
    assert shown.plan.value.history_count == 6
    assert shown.plan.value.changed_by == "pi"
    assert told.words() == "from a Pi session"
    assert [one.number for one in told.revisions] == [1, 2, 3, 4, 5, 6]
    assert [reason for one in told.revisions for reason in one.reasons] == [
        Removal("verify", "Folded into implementation")
    ]
    left = next(one for one in told.revisions if one.reasons)
    assert left.removed == 1


def test_a_branch_that_was_left_is_no_part_of_the_history(root: Path) -> None:
    written(root, "tree_nav_then_written")
    told = picture(root).history.value

    assert [one.number for one in told.revisions] == [1, 2]
    newest = told.state(1)
    assert newest is not None
    assert [one.key for one in newest.tasks] == ["a", "z"]


def test_a_copy_written_by_compaction_is_no_new_revision(root: Path) -> None:
    written(root, "compaction_blocked")

    assert [one.number for one in picture(root).history.value.revisions] == [1]


def test_the_goal_of_pi_is_shown_as_held_by_its_session(root: Path) -> None:
    written(root, "goal_blocked")
    shown = picture(root).lifecycle

    assert (shown.value.source, shown.value.status) == ("pi session", "blocked")
    assert shown.value.block["unblock_condition"]
    assert shown.origin is not None
    assert shown.origin.path.endswith("goal_blocked.jsonl")


def test_the_newest_session_of_this_very_folder_counts(root: Path) -> None:
    old = written(root, "todo_cleared", file="2026-01-01T00-00-00-000Z_old.jsonl")
    new = written(root, "labels_and_name", file="2026-01-02T00-00-00-000Z_new.jsonl")
    other = written(root, "todo_six_revisions", file="2026-01-03T00-00-00-000Z_other.jsonl")
    other.write_bytes(other.read_bytes().replace(str(root).encode(), b"/somewhere/else"))
    for age, path in enumerate((other, new, old)):
        os.utime(path, (10_000 - age, 10_000 - age))

    assert picture(root).plan.value.keys_in("running", "ready", "waits", "done") == ("k",)


def test_a_file_that_is_no_session_is_passed_by(root: Path) -> None:
    written(root, "hm_not_a_session")

    assert picture(root).plan.value.source == "none"


def test_a_log_or_a_file_with_a_plan_goes_before_pi(root: Path) -> None:
    written(root, "todo_six_revisions")
    plan = root / ".ppgp/todo.json"
    plan.parent.mkdir()
    plan.write_text('{"schemaVersion": 1, "revision": 1, "tasks": []}')
    assert picture(root).plan.value.source == "todo.json"

    write_log(root, revised(1, 1, task("a")))
    assert picture(root).plan.value.source == "log"


def test_a_session_file_is_never_written(root: Path) -> None:
    path = written(root, "todo_six_revisions")
    before = path.stat()
    folder = sorted(path.parent.iterdir())
    picture(root)

    assert (path.stat().st_mtime_ns, path.stat().st_size) == (before.st_mtime_ns, before.st_size)
    assert sorted(path.parent.iterdir()) == folder


def test_a_file_that_pi_rewrote_is_read_anew(root: Path) -> None:
    path = written(root, "todo_six_revisions")
    source = PiSource(root, lambda: 0)
    source.look()
    written(root, "todo_cleared", file=path.name)
    look = source.look()

    assert look.plan is not None
    assert look.plan.reading.revision == 2


def test_where_pi_is_told_to_keep_sessions_they_are_looked_for(tmp_path: Path) -> None:
    root = Path("/home/dev/shop")
    own = {"PI_CODING_AGENT_DIR": str(tmp_path)}

    assert sessions_folder(root, own) == tmp_path / "sessions/--home-dev-shop--"
    assert sessions_folder(root, {**own, "PI_CODING_AGENT_SESSION_DIR": "/s"}) == Path("/s")
    (tmp_path / "settings.json").write_text('{"sessionDir": "/chosen"}')
    assert sessions_folder(root, own) == Path("/chosen")


def test_a_followed_session_shows_each_plan_as_pi_writes_it(root: Path) -> None:
    path = written(root, "todo_six_revisions")
    lines = path.read_bytes().splitlines(True)
    path.write_bytes(lines[0])
    live = Live(root).follow()
    try:
        for line in lines[1:]:
            with path.open("ab") as file:
                file.write(line)
        now = live.until(lambda now: now.plan.value.revision == 6)
        assert now.plan.value.source == "pi session"
        assert len(now.history.value) == 6
    finally:
        live.session.close()
