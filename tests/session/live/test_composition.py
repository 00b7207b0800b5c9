"""From what the sources know to the one picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.pi.todo import read_todo
from ppgp_tui.ppgp.reading import Authority, Blocker, GoalReading, Item
from ppgp_tui.session.canonical import digest
from ppgp_tui.session.live.composition import SETTLE_MS, TORN_MS, Known, compose
from ppgp_tui.session.log.facts import LogSays, RecordedBlocker, RecordedPlan
from ppgp_tui.session.log.lines import Lines
from ppgp_tui.session.log.tail import Damaged, LogRead
from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.model import (
    Control,
    Origin,
    Plan,
    Repo,
    Request,
    Rewritten,
    SessionSnapshot,
    Task,
    TornTail,
    Watching,
)
from ppgp_tui.session.picture.beside import JournalLook
from ppgp_tui.session.picture.inbox import completed, inbox
from ppgp_tui.session.picture.planning import plan_now, plan_problems
from ppgp_tui.session.picture.repo_look import RepoLook
from ppgp_tui.session.settings.settings import Settings
from ppgp_tui.session.sources.document import Look
from ppgp_tui.session.sources.goal import GoalLook
from ppgp_tui.session.sources.todo import TodoFile

NOW = 1_790_000_000_000
PATH = "docs/ACTIVE_GOAL.md"


def reading(*pending: str, blockers: tuple[Blocker, ...] = ()) -> GoalReading:
    items = tuple(Item(text, 10 + at) for at, text in enumerate(pending))
    return GoalReading(PATH, "PARTIAL", (), authority=Authority(items), blockers=blockers)


def known(goal: GoalReading | None = None, **parts: Any) -> Known:
    look = Look(PATH, goal or reading(), b"x", "found", NOW - 5, NOW - 9)
    nothing: Look[TodoFile | None] = Look(".ppgp/todo.json", None, seen_ms=NOW - 5)
    control = Look(".ppgp/run/control.json", Control(), seen_ms=NOW - 5)
    return Known(Settings(), GoalLook(look), nothing, control)._replace(**parts)


def picture(
    state: Known, before: SessionSnapshot | None = None, now_ms: int = NOW
) -> SessionSnapshot:
    return compose(Path("/root"), state, before, now_ms)


def asked(key: str, *frees: str, created: int | None = NOW - 1000, **more: Any) -> Request:
    return Request(
        key, "waiting", "d", "question", "C", "?", frees=frees, created_ms=created, **more
    )


def state(*tasks: dict[str, Any], revision: int = 3) -> dict[str, Any]:
    return {"schemaVersion": 1, "revision": revision, "tasks": list(tasks)}


def task(key: str, status: str = "pending", *needs: str) -> dict[str, Any]:
    raw: dict[str, Any] = {"key": key, "subject": key, "status": status}
    return {**raw, "dependsOn": list(needs)} if needs else raw


def says(*tasks: dict[str, Any], **more: Any) -> LogSays:
    value = state(*tasks)
    origin = Origin("state/events.jsonl", 7, 100, NOW - 5000)
    plan = RecordedPlan(value, "", 3, 2, NOW - 9000, "claude", origin, {"a": NOW - 9000})
    return LogSays(plan=plan, **more)


def file_of(*tasks: dict[str, Any], **more: Any) -> TodoFile:
    value = state(*tasks, **more)
    found = read_todo(value)
    assert found is not None
    return TodoFile(found, digest(value))


# Parts


def test_a_part_keeps_its_revision_until_its_value_differs() -> None:
    first = picture(known())
    second = picture(known(watching=Watching("live")), first)
    assert second is not first
    assert second.goal is first.goal
    third = picture(known(reading("Owner: decide")), second)
    assert (third.goal.revision, third.inbox.revision) == (
        first.goal.revision + 1,
        first.inbox.revision + 1,
    )
    assert third.plan is second.plan


def test_the_same_knowledge_is_the_same_picture() -> None:
    first = picture(known())
    assert picture(known(), first, NOW + 5) is first


def test_a_stale_part_keeps_value_and_revision() -> None:
    first = picture(known())
    stale = known().goal.look._replace(
        state="unread", stale_since_ms=NOW, code="permission", why="no"
    )
    second = picture(known()._replace(goal=GoalLook(stale)), first)
    assert second.goal.value == first.goal.value
    assert (second.goal.revision, second.goal.stale_since_ms) == (first.goal.revision, NOW)
    assert [(problem.code, problem.path) for problem in second.problems] == [("permission", PATH)]
    assert second.sources[0].state == "unread"


def test_every_source_tells_where_it_stands() -> None:
    sources = {source.name: source for source in picture(known()).sources}
    assert list(sources) == ["goal", "plan", "events", "control", "agents", "git"]
    assert (sources["goal"].state, sources["goal"].changed_ms) == ("found", NOW - 9)
    assert (sources["plan"].state, sources["plan"].path) == ("absent", ".ppgp/todo.json")
    assert sources["git"].state == "reading"


# Log


def log_read(**more: Any) -> LogRead:
    lines = Lines()
    lines.add(0, b"x", "id")
    view = LogView(lines, None, 1)  # type: ignore[arg-type]
    view._decoded[0] = EVENT
    return LogRead("found", view, **more)


EVENT: Any = object()


def test_an_unfinished_line_becomes_a_problem_only_after_a_while() -> None:
    torn = TornTail(1, 5, NOW - TORN_MS + 1)
    assert picture(known(log=log_read(torn=torn))).problems == ()
    torn = torn._replace(since_ms=NOW - TORN_MS)
    (problem,) = picture(known(log=log_read(torn=torn))).problems
    assert (problem.code, problem.line) == ("log-torn", 2)
    assert problem.text == "state/events.jsonl line 2 is cut off; waiting for the rest"


def test_a_broken_promise_is_a_problem_with_its_line() -> None:
    (problem,) = picture(known(log=log_read(rewritten=Rewritten(812, NOW, 4)))).problems
    assert (problem.code, problem.line) == ("log-rewritten", 812)
    assert problem.text.endswith("from line 812 on, not only appended to; 4 lines are gone")
    (problem,) = picture(known(log=log_read(rewritten=Rewritten(812, NOW, 1)))).problems
    assert problem.text.endswith("; 1 line is gone")


def test_lines_that_are_no_events_are_one_problem_with_the_first_line() -> None:
    (problem,) = picture(known(log=log_read(damaged=Damaged(21, "not JSON", 3)))).problems
    assert (problem.code, problem.line) == ("log-line", 21)
    assert problem.text.endswith("line 21 is no sound event: not JSON, and 2 more like it")


def test_a_log_nobody_can_read_is_one_problem_and_not_two() -> None:
    read = LogRead("unread", code="permission", why="denied")
    beside = JournalLook(unknown="cannot be opened")
    assert [p.code for p in picture(known(log=read, journal=beside)).problems] == ["permission"]
    assert [p.code for p in picture(known(log=log_read(), journal=beside)).problems] == [
        "log-unknown"
    ]


def test_while_a_log_is_being_read_the_rates_are_unknown() -> None:
    read = log_read()._replace(state="reading", progress=0.4)
    events = picture(known(log=read)).events.value
    assert (events.count, events.per_hour, events.pulse) == (1, None, ())
    assert picture(known(log=log_read())).events.value.per_hour == 0


# Inbox


def requests(
    goal: GoalReading, *recorded: Request, ages: dict[int, int] | None = None
) -> tuple[Request, ...]:
    return inbox(goal, recorded, ages or {}, NOW - 5, NOW)


def test_a_pending_bullet_is_a_request_with_a_lasting_id() -> None:
    first, second = requests(reading("Owner: publish?", "Owner: publish?"))
    (again,) = requests(reading("Owner: publish?"))
    assert first == again
    assert first.id != second.id
    assert first.id.startswith("req_")
    assert (first.kind, first.klass, first.question) == ("document", "C", "Owner: publish?")
    assert (first.created_ms, first.origin) == (None, Origin(PATH, 10, None, NOW - 5))


def test_a_reworded_bullet_is_another_request() -> None:
    (one,) = requests(reading("Owner: publish?"))
    (other,) = requests(reading("Owner: publish now?"))
    assert one.id != other.id
    assert one.digest != other.digest


def test_a_bullet_frees_the_tasks_that_it_names_as_its_scope() -> None:
    item = Item("Owner: publish? Scope: T8, step 9", 10, "T8, step 9")
    written = GoalReading(PATH, "PARTIAL", (), authority=Authority((item,)))
    (request,) = completed(requests(written), (Task("T8", "x", "pending"),), lambda _: (None, None))
    assert (request.scope, request.frees) == ("T8, step 9", ("T8",))


def test_a_committed_bullet_waits_since_its_commit() -> None:
    (request,) = requests(reading("Owner: publish?"), ages={10: NOW - 60_000})
    assert request.created_ms == NOW - 60_000


def test_a_bullet_that_the_log_knows_has_the_logs_state_and_age() -> None:
    (bullet,) = requests(reading("Owner: publish?"))
    recorded = bullet._replace(state="answered", created_ms=NOW - 7, origin=None)
    (request,) = requests(reading("Owner: publish?"), recorded)
    assert (request.state, request.created_ms) == ("answered", NOW - 7)
    assert request.origin == Origin(PATH, 10, None, NOW - 5)


def test_what_frees_most_comes_first_then_what_is_oldest_then_what_no_longer_waits() -> None:
    done = asked("done", "a", "b", "c")._replace(state="acted_on")
    order = requests(
        reading(), asked("new"), done, asked("ageless", created=None),
        asked("old", created=NOW - 9000), asked("two", "a", "b"), asked("one", "a"),
    )  # fmt: skip
    assert [request.id for request in order] == ["two", "one", "old", "new", "ageless", "done"]


def test_nobody_answered_in_time_is_expired_and_never_a_no() -> None:
    late, soon = requests(
        reading(), asked("late", expires_ms=NOW + 1), asked("soon", expires_ms=NOW)
    )
    assert (late.state, soon.state) == ("waiting", "expired")


def test_half_a_character_in_a_bullet_does_no_harm() -> None:
    (request,) = requests(reading("Owner: \ud800?"))
    assert request.id.startswith("req_")


# Plan


def test_the_log_comes_first_then_the_file_then_nothing() -> None:
    by_log = plan_now(says(task("a")), file_of(task("b")), (), ())
    assert (by_log.source, by_log.revision, by_log.history_count) == ("log", 3, 2)
    assert [t.key for t in by_log.tasks] == ["a"]
    by_file = plan_now(LogSays(), file_of(task("b")), (), ())
    assert (by_file.source, [t.key for t in by_file.tasks]) == ("todo.json", ["b"])
    assert plan_now(LogSays(), None, (), ()) == Plan()


def test_a_recorded_plan_without_tasks_list_does_not_hide_the_file() -> None:
    broken = says()
    assert broken.plan is not None
    broken = broken._replace(plan=broken.plan._replace(state={"tasks": 5}))
    assert plan_now(broken, file_of(task("b")), (), ()).source == "todo.json"


def test_a_file_that_differs_from_the_log_is_a_hand_edit() -> None:
    same = plan_now(says(task("a")), file_of(task("a")), (), ())
    assert (same.hand_edit, same.digest) == (False, file_of(task("a")).digest)
    other = plan_now(says(task("a")), file_of(task("a"), task("b")), (), ())
    assert other.hand_edit
    problems = plan_problems(other, says(task("a")), file_of(task("b")), ".ppgp/todo.json")
    assert [(problem.code, problem.path) for problem in problems] == [
        ("hand-edit", ".ppgp/todo.json")
    ]


@pytest.mark.parametrize(
    ("written_ago", "seen_ago", "hand_edit"),
    [(10, 10, False), (SETTLE_MS, 10, True), (10, SETTLE_MS, True)],
)
def test_log_and_file_get_a_moment_to_be_written_one_after_the_other(
    written_ago: int, seen_ago: int, hand_edit: bool
) -> None:
    said = says(task("a"))
    assert said.plan is not None
    said = said._replace(plan=said.plan._replace(origin=Origin("log", 1, 0, NOW - seen_ago)))
    todo = Look(
        ".ppgp/todo.json", file_of(task("b")), b"x", "found", NOW - seen_ago, NOW - written_ago
    )
    made = picture(known(log=LogRead(says=said, changed_ms=NOW - written_ago), todo=todo))
    assert made.plan.value.hand_edit == hand_edit


def test_a_damaged_file_is_no_hand_edit_but_a_problem() -> None:
    todo = Look(
        ".ppgp/todo.json", file_of(task("b")), b"x", "unread", NOW - 9000, NOW - 9000,
        code="damaged", why="no JSON", line=4,
    )  # fmt: skip
    made = picture(known(log=LogRead(says=says(task("a"))), todo=todo))
    assert not made.plan.value.hand_edit
    assert [(problem.code, problem.line) for problem in made.problems] == [("damaged", 4)]


def test_tasks_stand_where_their_dependencies_let_them() -> None:
    tasks = (task("a", "completed"), task("b", "in_progress"), task("c", "pending", "a"),
             task("d", "pending", "b"))  # fmt: skip
    plan = plan_now(says(*tasks), None, (), ())
    assert [t.state for t in plan.tasks] == ["done", "running", "ready", "waits"]
    assert plan.tasks[0].changed_ms == NOW - 9000
    assert plan.tasks[1].changed_ms is None


def raised(klass: str, *keys: str, until: str = "") -> RecordedBlocker:
    return RecordedBlocker("blk", klass, "text", "", until, keys, "claude", NOW)


@pytest.mark.parametrize(
    ("blocker", "state", "words"),
    [
        (raised("C", "a"), "blocked", "C you"),
        (raised("B", "a", until="2026-10-23"), "blocked", "B 2026-10-23"),
        (raised("B", "a", until="2026-10-23T02:00:00Z"), "blocked", "B 02:00"),
        (raised("D", "a"), "blocked", "D"),
        (raised("A", "a"), "ready", None),
        (raised("C", "other"), "ready", None),
    ],
)
def test_a_blocker_stops_the_tasks_it_names_unless_the_agent_can_solve_it(
    blocker: RecordedBlocker, state: str, words: str | None
) -> None:
    plan = plan_now(says(task("a"), blockers=(blocker,)), None, (), ())
    assert (plan.tasks[0].state, plan.tasks[0].stopped_by) == (state, words)


def test_a_blocker_of_the_document_stops_the_tasks_of_its_scope() -> None:
    written = Blocker("B", False, "T1, T2 and T3", "2026-10-23", "window", 5)
    plan = plan_now(says(task("T1"), task("T3", "completed"), task("T4")), None, (written,), ())
    assert [(t.state, t.stopped_by) for t in plan.tasks] == [
        ("blocked", "B 2026-10-23"),
        ("done", None),
        ("ready", None),
    ]


def test_what_a_person_can_answer_is_said_before_what_else_stops_a_task() -> None:
    made = says(task("a"), blockers=(raised("B", "a", until="2026-10-23"),))
    (stopped,) = plan_now(made, None, (), (asked("req_1", "a"),)).tasks
    assert (stopped.state, stopped.stopped_by) == ("blocked", "C you")


def test_a_task_an_answer_sets_free_is_for_the_person() -> None:
    answered = asked("req_2", "b")._replace(state="answered")
    plan = plan_now(says(task("a"), task("b")), None, (), (asked("req_1", "a"), answered))
    assert [(t.state, t.stopped_by) for t in plan.tasks] == [("for_you", "C you"), ("ready", None)]


def test_what_is_odd_within_the_plan_is_a_problem() -> None:
    said = says(task("a", "pending", "ghost"), task("a"))
    problems = plan_problems(plan_now(said, None, (), ()), said, None, ".ppgp/todo.json")
    assert [(problem.code, problem.path, problem.line) for problem in problems] == [
        ("plan-missing-dependency", "state/events.jsonl", 7),
        ("plan-duplicate-key", "state/events.jsonl", 7),
    ]


def test_reading_the_same_bytes_again_changes_no_part() -> None:
    goal = reading("Owner: publish?")
    first = picture(known(goal))
    again = known(goal).goal.look._replace(seen_ms=NOW + 500, changed_ms=NOW + 400)
    second = picture(known(goal)._replace(goal=GoalLook(again)), first, NOW + 500)
    assert second.part_revisions() == first.part_revisions()
    assert second.sources[0].changed_ms == NOW + 400


@pytest.mark.parametrize(("written_ms", "known_age"), [(NOW - 9, True), (NOW - 15, False)])
def test_ages_of_lines_are_dropped_once_the_document_is_another_than_git_saw(
    written_ms: int, known_age: bool
) -> None:
    blamed = Repo(git=True, goal_line_ms={3: NOW - 60_000})
    look = RepoLook(blamed, goal_written_ms=written_ms, seen_ms=NOW, found=True)
    assert bool(picture(known(repo=look)).repo.value.goal_line_ms) == known_age


def test_a_question_keeps_its_age_while_git_has_yet_to_see_the_edited_document() -> None:
    blamed = Repo(git=True, goal_line_ms={10: NOW - 60_000})
    look = RepoLook(blamed, goal_written_ms=NOW - 9, seen_ms=NOW, found=True)
    first = picture(known(reading("Owner: publish?"), repo=look))
    edited = reading("Owner: rename?", "Owner: publish?")
    newer = known(edited, repo=look._replace(goal_written_ms=NOW - 15))
    rename, publish = sorted(picture(newer, first).inbox.value, key=lambda one: one.question)[::-1]
    assert (rename.created_ms, publish.created_ms) == (None, NOW - 60_000)
