"""The live session on real files: what is written is seen, whatever happens to the files."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.sources import goal as goal_module
from tests.session.live.living import GOAL, LOG, TODO, Live, git, goal, plan, revised
from tests.session.log.writing import event, events
from tests.waiting import until


def test_an_agent_at_work_is_seen(live: Live) -> None:
    live.follow()
    (live.root / GOAL).write_text(goal("Ship it"))
    live.until(lambda now: now.goal.value.goal == "Ship it")
    (live.root / LOG).write_bytes(event(1))
    live.count_is(1)
    (live.root / TODO).write_text(json.dumps(plan(1, "a")))
    live.until(lambda now: now.plan.value.source == "todo.json")
    with (live.root / LOG).open("ab") as file:
        file.write(revised(2, 1, "a", "b"))
    now = live.until(lambda now: now.plan.value.source == "log")
    assert [task.key for task in now.plan.value.tasks] == ["a", "b"]
    live.until(lambda now: now.plan.value.hand_edit)


def test_each_picture_is_newer_and_the_last_one_is_handed_out(live: Live) -> None:
    live.follow()
    for number in range(20):
        (live.root / GOAL).write_text(goal(f"Goal {number}"))
    live.until(lambda now: now.goal.value.goal == "Goal 19")
    until(lambda: live.pictures and live.pictures[-1] is live.now)
    revisions = [picture.goal.revision for picture in live.pictures]
    assert revisions == sorted(revisions)


def test_ten_thousand_lines_in_a_burst_are_all_seen_in_few_pictures(live: Live) -> None:
    live.follow()
    writer = (
        "import sys\n"
        "with open(sys.argv[1], 'ab', buffering=0) as log:\n"
        "    for n in range(10_000):\n"
        '        log.write(b\'{"id":"e%d","schema_version":1,"ts_ms":1,"actor":'
        '{"kind":"agent","id":"a"},"kind":"k","payload":null,'
        '"causation_id":null,"correlation_id":null}\\n\' % n)\n'
    )
    subprocess.run([sys.executable, "-c", writer, str(live.root / LOG)], check=True)
    now = live.count_is(10_000)
    log = now.events.value.log
    assert log is not None
    assert [log.event(at).id for at in (0, 5_000, 9_999)] == ["e0", "e5000", "e9999"]
    assert log.event(9_999).line == 10_000
    assert len(live.pictures) < 500
    assert now.events.value.rewritten is None


def test_a_line_written_in_pieces_is_in_flight_until_it_is_whole(live: Live) -> None:
    live.follow()
    whole = event(1)
    with (live.root / LOG).open("ab", buffering=0) as file:
        file.write(whole[:30])
        live.until(lambda now: now.events.value.torn is not None)
        assert live.now.events.value.count == 0
        file.write(whole[30:])
    now = live.count_is(1)
    assert now.events.value.torn is None


def test_a_failing_read_keeps_the_last_good_picture(live: Live) -> None:
    (live.root / TODO).write_text(json.dumps(plan(1, "a")))
    (live.root / GOAL).write_text(goal("Ship it"))
    live.follow()
    (live.root / TODO).write_text('{"tasks": [')
    now = live.until(lambda now: now.plan.stale_since_ms)
    assert [task.key for task in now.plan.value.tasks] == ["a"]
    assert [(p.code, p.path, p.line) for p in now.problems] == [("damaged", TODO, 1)]
    (live.root / GOAL).unlink()
    (live.root / GOAL).symlink_to(GOAL)
    now = live.until(lambda now: now.goal.stale_since_ms)
    assert now.goal.value.goal == "Ship it"
    (live.root / TODO).write_text(json.dumps(plan(2, "b")))
    now = live.until(lambda now: now.plan.value.revision == 2)
    assert now.plan.stale_since_ms is None


def test_no_picture_is_empty_while_a_file_is_replaced(live: Live) -> None:
    (live.root / GOAL).write_text(goal("Goal 0"))
    live.follow()
    for number in range(1, 30):
        path = live.root / GOAL
        if number % 3 == 0:
            path.unlink()
        path.write_text(goal(f"Goal {number}"))
    live.until(lambda now: now.goal.value.goal == "Goal 29")
    assert all(picture.goal.value.goal for picture in live.pictures)


def test_a_deleted_document_is_missing_once_that_is_sure(live: Live) -> None:
    (live.root / GOAL).write_text(goal("Ship it"))
    live.follow()
    (live.root / GOAL).unlink()
    now = live.until(lambda now: now.goal.value.health == "MISSING")
    assert now.goal.stale_since_ms is None


def test_another_branch_with_a_shorter_log_is_a_broken_promise_until_it_is_left(
    live: Live,
) -> None:
    root = live.root
    git(root, "init", "-q", "-b", "main")
    (root / LOG).write_bytes(events(1, 2))
    (root / GOAL).write_text(goal("First"))
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "one")
    git(root, "branch", "old")
    with (root / LOG).open("ab") as file:
        file.write(events(3, 4))
    (root / GOAL).write_text(goal("Second"))
    git(root, "commit", "-q", "-a", "-m", "two")
    live.follow()
    live.count_is(6)
    git(root, "checkout", "-q", "old")
    now = live.count_is(2)
    assert now.events.value.rewritten is not None
    assert (now.events.value.rewritten.line, now.events.value.rewritten.lost_lines) == (3, 4)
    live.until(lambda now: now.goal.value.goal == "First" and now.repo.value.branch == "old")
    git(root, "checkout", "-q", "main")
    now = live.count_is(6)
    assert now.events.value.rewritten is None
    live.until(lambda now: now.goal.value.goal == "Second" and now.repo.value.branch == "main")


def test_the_repository_deleted_and_restored_goes_on(live: Live) -> None:
    (live.root / GOAL).write_text(goal("Ship it"))
    (live.root / LOG).write_bytes(events(1, 3))
    live.follow()
    live.count_is(3)
    away = live.root.with_name("away")
    shutil.copytree(live.root, away)
    shutil.rmtree(live.root)
    now = live.until(lambda now: now.watching.mode == "stale")
    assert (now.goal.value.goal, now.events.value.count) == ("Ship it", 3)
    shutil.copytree(away, live.root)
    with (live.root / LOG).open("ab") as file:
        file.write(event(4))
    (live.root / GOAL).write_text(goal("Still"))
    live.until(lambda now: now.goal.value.goal == "Still" and now.watching.mode == "live")
    now = live.count_is(4)
    assert now.events.value.rewritten is None


def test_a_deleted_log_keeps_its_lines_and_a_new_one_is_followed(live: Live) -> None:
    (live.root / LOG).write_bytes(events(1, 3))
    live.follow()
    live.count_is(3)
    shutil.rmtree(live.root / "state")
    now = live.until(lambda now: now.events.stale_since_ms)
    assert now.events.value.count == 3
    assert [problem.code for problem in now.problems] == ["log-gone"]
    (live.root / "state").mkdir()
    (live.root / LOG).write_bytes(events(1, 5))
    now = live.count_is(5)
    assert (now.events.stale_since_ms, now.problems) == (None, ())


def test_a_changed_setting_moves_the_session_to_other_files(live: Live) -> None:
    (live.root / LOG).write_bytes(events(1, 3))
    (live.root / GOAL).write_text(goal("Old"))
    (live.root / "TARGET.md").write_text(goal("New"))
    live.follow()
    live.count_is(3)
    (live.root / "log.jsonl").write_bytes(events(10, 1))
    settings = '[paths]\ngoal = "TARGET.md"\nlog = "log.jsonl"\n'
    (live.root / ".ppgp/config.toml").write_text(settings)
    live.until(lambda now: now.goal.value.goal == "New" and now.events.value.count == 1)
    (live.root / "TARGET.md").write_text(goal("Newer"))
    live.until(lambda now: now.goal.value.goal == "Newer")


def test_a_long_document_is_read_after_the_first_picture(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goal_module, "LONG", 100)
    (live.root / GOAL).write_text(goal("Ship it") + "x" * 1000)
    assert live.session.open().sources[0].state == "reading"
    live.session.follow(live.pictures.append)
    live.until(lambda now: now.sources[0].state == "found")


def test_agents_come_and_go(live: Live) -> None:
    live.follow()
    folder = live.root / ".ppgp/run/agents"
    folder.mkdir(parents=True)
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    said = {"agent": "claude", "state": "working", "since_ms": 1, "pid": child.pid}
    (folder / "claude-1.json").write_text(json.dumps(said))
    now = live.until(lambda now: now.agents.value)
    assert now.agents.value[0].state == "working"
    child.communicate(b"\n")
    live.until(lambda now: now.agents.value[0].state == "gone")


# Faults


def test_a_reader_that_fails_is_a_problem_and_the_others_go_on(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppgp_tui.session.live.worker.RETRY_S", 0.01)
    broken = True

    def look(*_: object, **__: object) -> None:
        if broken:
            raise RuntimeError("the disk sings")
        return original()

    todo = live.session._readers.todo
    original = todo.look
    live.follow()
    monkeypatch.setattr(todo, "look", look)
    (live.root / TODO).write_text(json.dumps(plan(1, "a")))
    now = live.until(lambda now: now.problems)
    assert [(p.code, p.path) for p in now.problems] == [("reader-failed", "documents")]
    assert "RuntimeError: the disk sings" in now.problems[0].text
    (live.root / LOG).write_bytes(event(1))
    live.count_is(1)
    broken = False
    (live.root / TODO).write_text(json.dumps(plan(2, "a")))
    live.until(lambda now: not now.problems and now.plan.value.revision == 2)


def test_a_listener_that_fails_does_not_end_the_pictures(root: Path) -> None:
    session = LiveSession(root)
    seen: list[SessionSnapshot] = []

    def listen(picture: SessionSnapshot) -> None:
        seen.append(picture)
        raise RuntimeError("not now")

    session.follow(listen)
    try:
        (root / LOG).write_bytes(event(1))
        until(lambda: seen and seen[-1].events.value.count == 1)
    finally:
        session.close()


def test_a_closed_session_hands_out_nothing_more(live: Live) -> None:
    live.follow()
    live.session.close()
    until(lambda: not any(thread_names() & {"documents", "log", "watch"} for _ in [0]))
    count = len(live.pictures)
    (live.root / GOAL).write_text(goal("Late"))
    assert len(live.pictures) == count


def thread_names() -> set[str]:
    import threading

    return {thread.name for thread in threading.enumerate()}
