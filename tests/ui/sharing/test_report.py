"""A report says what is so, the same for the same files, and nothing in it does anything."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.gasp.telling.chapters import Chapter, Telling
from ppgp_tui.pi.plan import Removal, TodoState, TodoTask
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.model import Part, SessionSnapshot, SourceState
from ppgp_tui.session.plan_history.history import PlanHistory
from ppgp_tui.session.plan_history.revision import Revision, Revisions
from ppgp_tui.ui.sharing.report.material import Material, Told, gathered
from ppgp_tui.ui.sharing.report.screens import graph_text, screens
from ppgp_tui.ui.sharing.report.whole import report
from tests.cli.telling import OPENED_MS, tell
from tests.session.sharing.test_markdown import WORDS
from tests.ui import picture
from tests.ui.sharing.reading import html, links, pictures, shape, tokens
from tests.ui.stand_in import look

GOLDEN = Path(__file__).parent / "golden/report.md"
SECOND = 22.0
NOW = OPENED_MS + round(SECOND * 1000)
SECTIONS = [
    "Where it stands", "Goal and done when", "Plan", "What changed", "Blockers", "Requests",
    "Story", "Agents and the person", "Conformance of the log", "Open problems",
    "What this rests on",
]  # fmt: skip


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> LiveSession:
    """The demo's session at one second of its story, its files as old as that second."""
    place = tmp_path_factory.mktemp("told")
    root = place / "importer"
    with contextlib.chdir("/"):
        tell(root, place / "state", until=SECOND, pid=1)
    for path in ("docs/ACTIVE_GOAL.md", "state/events.jsonl", ".ppgp/todo.json"):
        os.utime(root / path, (NOW // 1000, NOW // 1000))
    live = LiveSession(root, clock=lambda: NOW)
    live.read_all()
    return live


def written(session: LiveSession, since_ms: int | None = None) -> str:
    material = gathered(session.snapshot, "state/events.jsonl", NOW, since_ms)
    return report(material, " ✓T1──┬── ✓T2")


def test_the_report_of_the_demo_is_the_golden_one(session: LiveSession) -> None:
    found = written(session)
    if os.environ.get("PPGP_GOLDEN") == "write":
        GOLDEN.write_text(found, "utf-8")
    assert found == GOLDEN.read_text("utf-8")


def test_the_graph_names_every_task_of_a_plan_that_can_be_drawn(session: LiveSession) -> None:
    plan = session.snapshot.plan.value
    drawn = graph_text(plan, look())
    assert {*re.findall(r"T\d+", drawn)} == {task.key for task in plan.tasks}
    assert all(line == line.rstrip() for line in drawn.splitlines())
    many = tuple(plan.tasks[0]._replace(key=f"K{at}") for at in range(100))
    assert graph_text(plan._replace(tasks=many), look()) == ""
    assert graph_text(plan._replace(tasks=()), look()) == ""


def test_it_is_the_same_each_time_and_so_are_its_pictures(session: LiveSession) -> None:
    assert written(session) == written(session)
    session.read_graph()
    assert screens(session, look(), NOW) == screens(session, look(), NOW)


def test_every_section_is_there_in_order(session: LiveSession) -> None:
    lines = written(session).splitlines()
    assert [line[3:] for line in lines if line.startswith("## ")] == SECTIONS


def test_what_was_before_is_left_out_where_only_the_rest_is_asked_for(session: LiveSession) -> None:
    found = written(session, NOW - 60_000)
    assert "r9" in found
    assert "### r8" not in found
    assert "12:55:20" not in found.partition("## Story")[2].partition("## Agents")[0]


def test_a_person_in_it_is_no_you(session: LiveSession) -> None:
    words = "".join(one.content for one in tokens(written(session)) if one.type == "text")
    assert " you" not in words.replace("‘", "").casefold()


def test_a_repository_with_nothing_in_it_has_a_report_too() -> None:
    empty = picture.empty()
    found = report(Material(empty, picture.NOW, None, no_story="there is no log"))
    assert [line[3:] for line in found.splitlines() if line.startswith("## ")] == SECTIONS
    assert "There is no goal document" in found
    assert "There is no plan." in found
    assert "There is no story" in found


def everywhere(words: Callable[[], str]) -> SessionSnapshot:
    """The full picture with other words wherever a file could have put words."""

    def other(value: Any) -> Any:
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            kept = ("state", "status", "kind", "health", "match", "source", "goal_source", "mode",
                    "signature", "decision", "state_source", "name", "how")  # fmt: skip
            return value._replace(
                **{
                    name: other(getattr(value, name))
                    for name in value._fields
                    if name not in kept and not (name == "klass" and getattr(value, name) in "ABCD")
                }
            )
        if isinstance(value, tuple):
            return tuple(other(one) for one in value)
        if isinstance(value, Part):
            return replace(value, value=other(value.value))
        return words() if isinstance(value, str) else value

    full = picture.full()
    return replace(
        full,
        goal=other(full.goal), plan=other(full.plan), inbox=other(full.inbox),
        agents=other(full.agents), repo=other(full.repo),
        sources=(SourceState("x", words(), "unread", why=words()),),
    )  # fmt: skip


def story_of(words: Callable[[], str]) -> tuple[Told, ...]:
    """A run and a stretch outside of runs, in these words."""
    run = Chapter(
        0, f"run_{words()}", words(), "finished", words(), NOW - 9, NOW, 9, 2, 0, 1, events=2
    )
    loose = run._replace(group=1, run="", state="no run")
    said = tuple(Telling("done", words(), words(), at, (0,), 0) for at in (None, NOW))
    return Told(run, said), Told(loose, said[:1])


def history_of(words: Callable[[], str]) -> PlanHistory:
    """Two revisions that add, remove, reword, restate and re-wire tasks, in these words."""
    kept, left, new = words(), words() + "1", words() + "2"
    states = [
        TodoState(1, (TodoTask(kept, words()), TodoTask(left, words()))),
        TodoState(2, (TodoTask(kept, words(), "completed", None, (new,)), TodoTask(new, words()))),
    ]
    revisions = Revisions(
        [
            Revision(
                one.revision, at, words(), NOW, words(), "call", reasons=(Removal(left, words()),)
            )
            for at, one in enumerate(states)
        ]
    )
    return PlanHistory("log", revisions, states=lambda revision: states[revision.at])


@given(st.data())
def test_nor_do_the_story_and_the_history_of_the_plan(st_data: Any) -> None:
    def made(words: Callable[[], str]) -> str:
        snapshot = replace(picture.empty(), history=Part(history_of(words)))
        return report(Material(snapshot, NOW, None, told=story_of(words)))

    plain_shape, found = shape(made(lambda: "word")), made(lambda: st_data.draw(WORDS) or "word")
    assert (links(found), pictures(found), html(found)) == ([], [], [])
    for kind in ("table_open", "tr_open", "td_open", "heading_open", "bullet_list_open"):
        assert shape(found).count(kind) == plain_shape.count(kind), kind


@cache
def plain_shape() -> list[str]:
    return shape(report(Material(everywhere(lambda: "word"), picture.NOW, None)))


@given(st.data())
def test_whatever_files_say_it_holds_no_link_no_html_and_the_same_tables(st_data: Any) -> None:
    snapshot = everywhere(lambda: st_data.draw(WORDS) or "word")
    found = report(Material(snapshot, picture.NOW, None))
    assert links(found) == []
    assert pictures(found) == []
    assert html(found) == []
    kinds = shape(found)
    for kind in ("table_open", "tr_open", "td_open", "heading_open"):
        assert kinds.count(kind) == plain_shape().count(kind), kind
