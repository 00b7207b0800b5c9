"""The screen of a repository in which nothing has begun."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppgp_tui.ppgp.vocabulary import CANONICAL
from ppgp_tui.session.model import Part, Plan, Repo, SessionSnapshot, SourceState
from ppgp_tui.session.picture.conformance import Conformance, Finding
from ppgp_tui.ui.views.session.session import SessionView, is_empty
from tests.ui import picture, picture_loops
from tests.ui.picture import ago
from tests.ui.views.drawn import frame, screen


def lines(snapshot: SessionSnapshot, width: int = 48, height: int = 24) -> list[str]:
    return screen(SessionView(), snapshot, frame(width, height, document=b""))


def test_it_says_what_was_looked_for_and_what_can_be_done_now() -> None:
    shown = lines(picture.empty())
    assert shown[0] == " No goal here yet"
    assert shown[6:11] == [
        " Looked for                         in importer",
        " - docs/ACTIVE_GOAL.md                   absent",
        " - state/events.jsonl                    absent",
        " - .ppgp/todo.json                       absent",
        " ✓ git, main, clean                       found",
    ]
    assert shown[12:16] == [
        " Next",
        "   begin a session, also : begin  ppgp-tui init",
        "   write a goal             docs/ACTIVE_GOAL.md",
        "   watch a made-up session        ppgp-tui demo",
    ]


def test_everything_fits_on_the_smallest_usual_screen() -> None:
    assert len(lines(picture.empty())) <= 20
    assert lines(picture.empty(), 80)[-1].endswith("view 5 names the other twelve.")


def test_where_there_is_room_every_heading_of_a_goal_document_is_named() -> None:
    shown = " ".join(" ".join(lines(picture.empty(), 80, 40)).split())
    assert all(name in shown for name in CANONICAL)


@pytest.mark.parametrize(
    ("repo", "words"),
    [
        (Repo(), " - git                         not a repository"),
        (Repo(git=True, branch="main", dirty=0), " ✓ git, main, no commit yet, clean        found"),
        (
            Repo(git=True, branch="main", head="4e1f09c0", dirty=3),
            " ✓ git, main, 3 changed paths             found",
        ),
        (
            Repo(git=True, detached=True, head="4e1f09c0"),
            " ✓ git, detached at 4e1f09c               found",
        ),
    ],
)
def test_git_is_described_as_it_is(repo: Repo, words: str) -> None:
    assert words in lines(replace(picture.empty(), repo=Part(repo)))


def test_a_file_that_cannot_be_read_is_not_called_absent() -> None:
    sources = (SourceState("goal", "docs/ACTIVE_GOAL.md", "unread", why="a directory"),)
    shown = lines(replace(picture.empty(), sources=sources), 80)
    assert any(
        line.startswith(" ! docs/ACTIVE_GOAL.md, a directory") and line.endswith("cannot be read")
        for line in shown
    )


@pytest.mark.parametrize(
    ("state", "words"),
    [("reading", "reading"), ("unread", "cannot be read"), ("absent", "not a repository")],
)
def test_of_git_nothing_is_said_before_it_was_looked_at(state: str, words: str) -> None:
    sources = (SourceState("git", ".git", state),)  # type: ignore[arg-type]
    shown = lines(replace(picture.empty(), repo=Part(Repo()), sources=sources))
    assert f" - git{words:>41}" in shown


def test_restart_loops_are_listed_without_a_goal() -> None:
    shown = lines(replace(picture.empty(), loops=picture_loops.with_loops().loops))
    assert " Loops" in [line[:6] for line in shown]
    assert any("running" in line for line in shown)
    assert " Loops" not in [line[:6] for line in lines(picture.empty())]


def test_goals_on_other_refs_are_listed_and_not_switched_to() -> None:
    repo = Repo(
        git=True, branch="main", head="4e1f09c0", dirty=0, other_goals=("feat/x:docs/A.md",)
    )
    shown = lines(replace(picture.empty(), repo=Part(repo)))
    start = shown.index(" Goals on other refs  not switched to")
    assert shown[start + 1] == " ↳ feat/x:docs/A.md"


def test_a_committed_log_that_is_gone_is_to_be_brought_back() -> None:
    log = "state/events.jsonl"
    gone = Finding(4, f"{log}: committed file missing from working tree", log)
    for found, is_said in ((gone, True), (gone._replace(path="JOURNAL.md"), False)):
        known = Part(Conformance("failed", findings=1, first=(found,)))
        shown = " ".join(lines(replace(picture.empty(), conformance=known), 80))
        assert (f"git restore {log}" in shown) is is_said


def test_a_plan_a_log_or_a_document_is_enough_to_be_a_session() -> None:
    assert is_empty(picture.empty())
    full, empty = picture.full(), picture.empty()
    assert not is_empty(replace(empty, goal=full.goal))
    assert not is_empty(replace(empty, events=full.events))
    assert not is_empty(replace(empty, plan=Part(Plan(source="todo.json"))))
    assert not is_empty(replace(empty, agents=full.agents))
    assert ago(seconds=0) == picture.NOW
