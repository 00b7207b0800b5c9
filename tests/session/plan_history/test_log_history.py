"""The plan's history as the log holds it."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from ppgp_tui.pi.plan import TodoState, state_json
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.log.tail import LogTail
from ppgp_tui.session.model import PlanHistory, SessionSnapshot
from ppgp_tui.session.plan_history.blame import blame
from ppgp_tui.session.plan_history.comparing import between, counted, step
from tests.session.log.writing import event
from tests.session.plan_history.plans import revised, task, write_log


def picture(root: Path) -> SessionSnapshot:
    return LiveSession(root).read_all()


def told(root: Path) -> PlanHistory:
    return picture(root).history.value


def test_every_revision_is_listed_with_event_author_time_and_counts(tmp_path: Path) -> None:
    actor = {"kind": "agent", "id": "claude-0f3a9c21-8d1e-4c55-9a11-1f2e3d4c5b6a"}
    write_log(
        tmp_path,
        event(1),
        revised(2, 1, task("a"), task("b"), actor=actor),
        event(3),
        revised(4, 2, task("a", "in_progress"), origin="adopted", removed=[
            {"key": "b", "reason": "not needed"}
        ]),
    )  # fmt: skip
    found = told(tmp_path)

    assert (found.source, found.where) == ("log", "state/events.jsonl")
    first, second = found.revisions
    assert (first.number, first.at, first.by, first.origin) == (1, 1, "claude", "call")
    assert (second.number, second.at, second.origin) == (2, 3, "adopted")
    assert second.ts_ms == 1_790_000_004_000
    assert (second.added, second.changed, second.removed) == (0, 1, 1)
    assert second.reasons[0].reason == "not needed"


def test_the_plan_of_any_revision_is_read_from_the_log_when_asked_for(tmp_path: Path) -> None:
    write_log(tmp_path, revised(1, 1, task("a")), revised(2, 2, task("a", "completed"), task("b")))
    found = told(tmp_path)

    states = [found.state(at) for at in range(2)]
    assert [[one.key for one in state.tasks] for state in states if state] == [["a"], ["a", "b"]]


def test_a_log_without_a_plan_has_no_history(tmp_path: Path) -> None:
    write_log(tmp_path, event(1))

    assert told(tmp_path).words() == "no history"


def test_a_revision_put_back_later_stands_where_its_number_belongs(tmp_path: Path) -> None:
    write_log(
        tmp_path,
        revised(1, 1, task("a")),
        revised(3, 3, task("a"), task("b"), task("c")),
        revised(2, 2, task("a"), task("b")),
    )
    found = told(tmp_path)

    assert [one.number for one in found.revisions] == [1, 2, 3]
    exact = [counted(found, at) for at in range(3)]
    assert [(one.added, one.keys) for one in exact] == [(1, ("a",)), (1, ("b",)), (1, ("c",))]
    assert [one.revision.number for one in blame(found, "c")] == [3]
    assert picture(tmp_path).plan.value.revision == 3


def test_revisions_written_by_hand_or_damaged_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    odd = event(2, "todo.revised", {"revision": "two", "state": {"tasks": [7, {"key": "a"}]}})
    write_log(tmp_path, revised(1, 1, task("a")), odd, event(3, "todo.revised", {"state": 1}))
    found = told(tmp_path)

    assert [one.name for one in found.revisions] == ["r1", "r?"]
    assert step(found, 1) is not None


def test_a_log_put_in_its_place_gives_no_plan_for_a_line_that_is_another_now(
    tmp_path: Path,
) -> None:
    write_log(tmp_path, revised(1, 1, task("a")), revised(2, 2, task("b")))
    found = told(tmp_path)
    write_log(tmp_path, event(7), event(8))

    assert found.state(0) is None


def test_the_history_stays_the_same_value_while_other_events_arrive(tmp_path: Path) -> None:
    path = write_log(tmp_path, revised(1, 1, task("a")))
    session = LiveSession(tmp_path)
    before = session.read_all().history
    with path.open("ab") as log:
        log.write(event(2))
    after = session.read_all().history

    assert after.revision == before.revision


def test_five_thousand_revisions_are_listed_and_any_two_of_them_compared(tmp_path: Path) -> None:
    count = 5_000
    tasks = [task(f"T{at}", subject=f"Task number {at} of the plan") for at in range(60)]

    def states() -> list[bytes]:
        lines = []
        for number in range(1, count + 1):
            at = number % 60
            done = tasks[at].status == "completed"
            tasks[at] = tasks[at]._replace(status="pending" if done else "completed")
            lines.append(revised(number, number, *tasks))
        return lines

    path = write_log(tmp_path, *states())
    assert path.stat().st_size > 20_000_000
    tail = LogTail(tmp_path, "state/events.jsonl", lambda: 0)
    read = tail.look()
    plan = read.says.plan
    assert plan is not None
    assert len(plan.history) == count
    assert [one.changed for one in plan.history[1:]] == [1] * (count - 1)

    found = told(tmp_path)
    began = time.process_time()
    whole = between(found, 0, count - 1)
    assert time.process_time() - began < 1
    assert whole is not None
    assert not whole.change.added
    assert len(blame(found, "T7", most=10)) == 10


def test_an_edit_by_hand_that_nobody_recorded_stands_behind_the_newest_revision(
    tmp_path: Path,
) -> None:
    write_log(tmp_path, revised(1, 1, task("a")))
    edited = state_json(TodoState(1, (task("a", "completed"), task("b"))))
    (tmp_path / ".ppgp").mkdir()
    (tmp_path / ".ppgp/todo.json").write_text(json.dumps(edited))
    long_ago = (1_000_000_000, 1_000_000_000)
    os.utime(tmp_path / ".ppgp/todo.json", long_ago)
    os.utime(tmp_path / "state/events.jsonl", long_ago)
    found = told(tmp_path)

    assert (found.source, [one.name for one in found.revisions]) == ("log", ["r1", "file"])
    change = step(found, 1)
    assert change is not None
    assert ([one.key for one in change.change.added], change.changed) == (["b"], 1)


def test_lines_beside_the_log_are_in_the_history_only_while_they_are_there(tmp_path: Path) -> None:
    write_log(tmp_path, revised(1, 1, task("a")))
    tail = LogTail(tmp_path, "state/events.jsonl", lambda: 0)
    alone = tail.look().says.plan
    further = tail.says_with([revised(2, 2, task("a"), task("b")).rstrip(b"\n")])

    assert further is not None
    assert further.plan is not None
    assert [one.number for one in further.plan.history] == [1, 2]
    again = tail.look().says.plan
    assert alone is not None
    assert again is not None
    assert [one.number for one in again.history] == [1]
    assert again.revision == 1
