"""What is wrong with the picture, and how it is kept live."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppgp_tui.session.model import (
    Part,
    Problem,
    Rewritten,
    SessionSnapshot,
    SourceState,
    TornTail,
    Watching,
)
from ppgp_tui.ui.screen.lamps import notice_line, source_spans
from tests.ui import picture
from tests.ui.lamps import notice, unread, working
from tests.ui.picture import NOW, ago
from tests.ui.views.drawn import PLAIN


def test_while_all_is_well_there_is_no_notice() -> None:
    assert notice_line(working(), 80, PLAIN, NOW) is None


def test_an_unread_file_says_which_why_and_how_old_the_picture_is() -> None:
    assert notice(unread(working()), 48) == " ! events.jsonl unread, picture 41s old   o why"
    assert notice(unread(working()), 120) == (
        " ! events.jsonl cannot be read: permission denied. Picture is 41s old"
        "                                             o why"
    )


def test_a_rewritten_log_is_named_with_the_line_that_differs() -> None:
    events = replace(working().events.value, rewritten=Rewritten(812, NOW, 3))
    broken = replace(working(), events=Part(events))
    assert notice(broken, 80).startswith(
        " ! events.jsonl line 812 differs from what was read before, 3 lines gone"
    )
    assert notice(broken, 48).startswith(" ! events.jsonl:812 rewritten ")


def test_a_cut_off_last_line_is_a_notice_only_when_it_stays_so() -> None:
    def torn(since_ms: int) -> SessionSnapshot:
        events = replace(working().events.value, torn=TornTail(9, 120, since_ms))
        return replace(working(), events=Part(events))

    assert notice(torn(ago(seconds=3)), 80) == ""
    assert notice(torn(ago(seconds=41)), 80).startswith(
        " ! events.jsonl: last line cut off for 41s. Waiting for the rest"
    )


def test_a_picture_that_is_no_longer_live_says_since_when() -> None:
    stale = replace(working(), watching=Watching("stale", since_ms=ago(seconds=41), why="gone"))
    assert notice(stale, 80).startswith(" ! picture is 41s old, changes are not seen: gone")


def test_several_problems_are_counted_and_the_worst_comes_first() -> None:
    events = replace(working().events.value, rewritten=Rewritten(812, NOW, 0))
    both = unread(replace(working(), events=Part(events)))
    assert "events.jsonl cannot be read" in notice(both, 120)
    assert "1 of 2  o why" in notice(both, 120)
    assert "1/2  o why" in notice(both, 48)


def test_a_problem_that_two_sources_report_is_said_once() -> None:
    twice = replace(
        unread(working()),
        problems=(Problem("unread", "state/events.jsonl", None, "permission denied"),),
    )
    assert "1 of" not in notice(twice, 120)


def test_what_leaves_the_picture_true_does_not_take_the_tabs() -> None:
    edited = replace(
        working(), problems=(Problem("hand-edit", ".ppgp/todo.json", None, "edited by hand"),)
    )
    assert notice(edited, 80) == ""
    assert source_words(edited, 80) == "3 findings  live"


def source_words(snapshot: SessionSnapshot, width: int) -> str:
    return "".join(span.text for span in source_spans(snapshot, width, NOW))


def sound(snapshot: SessionSnapshot) -> SessionSnapshot:
    return replace(snapshot, goal=Part(picture.goal()._replace(reasons=())))


@pytest.mark.parametrize(
    ("watching", "words"),
    [
        (Watching("live"), "live"),
        (Watching("poll", poll_s=1.0), "poll 1s"),
        (Watching("poll", poll_s=2.5), "poll 2.5s"),
        (Watching("stale", since_ms=ago(seconds=41)), "STALE 41s"),
        (Watching("starting"), "starting"),
    ],
)
def test_the_key_line_says_how_the_picture_is_kept_live(watching: Watching, words: str) -> None:
    shown = replace(sound(working()), watching=watching)
    assert source_words(shown, 80) == f"files ok  {words}"
    assert source_words(shown, 48) == words


def test_the_key_line_says_the_worst_about_the_files() -> None:
    reading = SourceState("events", "state/events.jsonl", "reading", progress=0.4)
    assert source_words(working(), 80) == "2 findings  live"
    assert source_words(replace(working(), sources=(reading,)), 80) == "reading 40 %  live"
    assert source_words(unread(working()), 80) == "1 file unread  live"
    assert source_words(unread(working()), 48) == "1 unread  live"
