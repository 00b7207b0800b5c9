"""View 1: the session in one look."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ppgp_tui.ppgp.reading import NOTHING_LEFT, NextAction
from ppgp_tui.session.model import (
    Agent,
    Answer,
    Events,
    Origin,
    Part,
    Plan,
)
from ppgp_tui.session.picture.loop import Loop, LoopRunner
from ppgp_tui.session.picture.loops import Loops
from ppgp_tui.ui.views.inbox.requests import asker_words
from tests.ui import picture
from tests.ui.picture import NOW, ago
from tests.ui.views.drawn import frame
from tests.ui.views.session_lines import VIEW, ids, lines, section, with_goal


def test_sections_stand_in_the_order_in_which_a_person_needs_them() -> None:
    headings = [
        line.split("  ")[0].strip() for line in lines(picture.full()) if line[1:2].isupper()
    ]
    assert headings == ["For you", "Now", "Done when", "Blocked", "Plan", "Agents", "Events"]


def test_one_column_below_100_two_below_150_three_from_there() -> None:
    full = picture.full()
    assert ids(VIEW.layout(full, frame(99, 40))) == [["session.main"]]
    assert ids(VIEW.layout(full, frame(100, 40))) == [["session.main"], ["session.side"]]
    assert ids(VIEW.layout(full, frame(149, 40))) == [["session.main"], ["session.side"]]
    assert ids(VIEW.layout(full, frame(150, 40))) == [
        ["session.main"],
        ["session.side"],
        ["session.events.head", "session.events"],
    ]


def test_with_nothing_to_answer_one_soft_line_stands_in_the_same_place() -> None:
    calm = lines(replace(picture.full(), inbox=Part(()), agents=Part(())))
    assert calm[0] == " nothing waits for you"
    assert calm[2].startswith(" Now")


def test_an_agent_that_asks_in_its_own_window_only_is_said_to_wait_since_when() -> None:
    asks = lines(replace(picture.full(), inbox=Part(())))
    assert section(asks, "For you") == [" ? codex waits for you in its own window     2m"]
    both = section(lines(picture.full(), 80, 50), "For you")
    assert not any("own window" in line for line in both)


def test_who_asked_is_said_to_wait_since_when() -> None:
    waits = picture.requests()[0]._replace(
        asker="claude-5f1e", asker_state="waiting_for_you", asker_quiet_ms=ago(minutes=6)
    )
    shown = replace(picture.full(), inbox=Part((waits,)))
    assert any(line.endswith("claude waits 6m") for line in lines(shown, 80))
    assert any(line.endswith("claude waits") for line in lines(shown, 48))


def test_the_request_under_the_cursor_says_what_it_is_about() -> None:
    first, second = picture.requests()
    on_second = {"session.main": f"req:{second.id}"}
    assert section(lines(picture.full(), cursor=on_second), "For you") == [
        " ? Drop the old cursor column now?           6m",
        "▌? Run the soak script on the staging copy?  2m",
        "▌  C authority, T10, frees 2 tasks  codex waits",
        "▌  y yes  n no                   Enter reads it",
    ]
    assert section(lines(picture.full()), "For you")[1].startswith("   C authority, T8")
    assert first.id != second.id


def test_an_answer_that_was_given_frees_nothing_any_more() -> None:
    first, _ = picture.requests()
    over = first._replace(state="acted_on", frees=("T8",))
    snapshot = replace(picture.full(), inbox=Part((over,)))
    assert lines(snapshot, order=(over.id,))[0].rstrip() == " For you"
    assert (
        "answers free 1 task"
        in lines(replace(snapshot, inbox=Part((over._replace(state="waiting"),))))[0]
    )


@pytest.mark.parametrize(
    ("asker", "state", "said"),
    [
        ("claude-0f3a9c21", "waiting_for_you", "claude waits"),
        ("claude-0f3a9c21", "gone", "claude gone"),
        ("claude-0f3a9c21", "working", "claude working"),
        ("claude-0f3a9c21", None, "claude"),
        (None, None, ""),
    ],
)
def test_who_asked_is_said_to_wait_only_while_it_does(
    asker: str | None, state: Any, said: str
) -> None:
    request = picture.requests()[0]._replace(asker=asker, asker_state=state)
    assert asker_words(request) == said


def test_moving_over_the_requests_moves_nothing_below_them() -> None:
    def below(key: str) -> list[str]:
        return lines(picture.full(), cursor={"session.main": key})[5:]

    first, second = picture.requests()
    assert below(f"req:{first.id}") == below(f"req:{second.id}") == below("dod:99")


def test_a_request_from_the_document_shows_no_age_nobody_recorded() -> None:
    bare = picture.requests()[0]._replace(created_ms=None, frees=(), asker=None)
    shown = section(lines(replace(picture.full(), inbox=Part((bare,)))), "For you")
    assert shown[:2] == [" ? Drop the old cursor column now?", "   C authority, T8"]


def test_the_first_request_names_the_key_that_takes_what_is_advised() -> None:
    undone = picture.requests()[0]._replace(irreversible=False)
    for request, words in (
        (undone, "   y Drop it next release, advised                              Enter 3 options"),
        (
            undone._replace(irreversible=True),
            "   cannot be undone  Y Drop it next release, advised            Enter 3 options",
        ),
        (
            undone._replace(recommended=None),
            "                                                                Enter 3 options",
        ),
    ):
        shown = lines(replace(picture.full(), inbox=Part((request,))), 80)
        assert section(shown, "For you")[2] == words


@pytest.mark.parametrize(
    ("kind", "words"),
    [("goal_proposal", "proposed goal: Ship it"), ("goal_tweak", "proposed objective: Ship it")],
)
def test_a_proposal_says_that_it_is_one(kind: str, words: str) -> None:
    request = picture.requests()[1]._replace(kind=kind, question="Ship it")
    shown = lines(replace(picture.full(), inbox=Part((request,))), 80)
    assert section(shown, "For you")[0].startswith(f" ? {words}")


def test_keys_that_a_user_changed_are_named_as_they_are() -> None:
    keys = {"answer.yes": "F2", "answer.no": "F3", "row.open": "Space"}
    asked = picture.requests()[1]
    shown = lines(replace(picture.full(), inbox=Part((asked,))), 80, keys=keys)
    assert section(shown, "For you")[2].split() == ["F2", "yes", "F3", "no", "Space", "reads", "it"]


def test_a_request_that_was_answered_under_the_cursor_stays_with_its_state() -> None:
    first, second = picture.requests()
    said = Answer("dec_1", 1, "user:dev", option="a")
    over = first._replace(state="answered", answer=said, state_ms=picture.ago(seconds=3))
    shown = section(
        lines(
            replace(picture.full(), inbox=Part((second, over))),
            80,
            cursor={"session.main": f"req:{first.id}"},
            order=(first.id, second.id),
        ),
        "For you",
    )
    assert shown[0].startswith("▌✓ Drop the old cursor column now?")
    assert shown[0].endswith("a, answered   3s")
    assert shown[1].startswith(" ? Run the soak script")


def test_many_requests_leave_room_for_the_rest() -> None:
    many = tuple(picture.requests()[0]._replace(id=f"req_{at}") for at in range(20))
    snapshot = replace(picture.full(), inbox=Part(many), agents=Part(()))
    shown = section(lines(snapshot, height=24), "For you")
    assert len(shown) == 6
    assert shown[-1] == "   17 more in the inbox"


def test_now_names_the_working_agent_and_its_last_call() -> None:
    assert " Now  claude, Edit src/importer/batch.py" in lines(picture.full())


@pytest.mark.parametrize(
    ("agents", "words"),
    [
        ((), " Now  no agent connected"),
        ((Agent("pi-1", "pi", "idle", ago(minutes=31)),), " Now  pi, idle 31m"),
        ((Agent("pi-1", "pi", "ended", ago(minutes=31)),), " Now  no agent connected"),
        ((Agent("pi-1", "pi", "working", None),), " Now  pi"),
    ],
)
def test_now_says_only_what_heartbeats_say(agents: tuple[Agent, ...], words: str) -> None:
    assert words in lines(replace(picture.full(), agents=Part(agents)))


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"phase": "running"}, " Now  loop importer, run 4 of 20"),
        ({"phase": "paused"}, " Now  no agent connected"),
        ({"phase": "running", "runner": LoopRunner("not recorded")}, " Now  no agent connected"),
        ({"phase": "running", "here": False}, " Now  no agent connected"),
    ],
)
def test_now_names_the_loop_that_works_where_no_agent_is_connected(
    more: dict[str, Any], words: str
) -> None:
    loop = Loop(
        "5d0c5d0c5d0c", "ITERATING", open=True, prompt="/dev/importer/PROMPT.md", iteration=4,
        max_iterations=20, runner=LoopRunner("alive", 7),
    )._replace(**more)  # fmt: skip
    bare = replace(picture.full(), agents=Part(()), loops=Part(Loops((loop,))))
    assert words in lines(bare)


def test_a_short_screen_drops_what_comes_next_while_something_runs() -> None:
    assert len(section(lines(picture.full(), height=24), "Now")) == 1
    assert section(lines(picture.full(), height=40), "Now")[1] == (
        " ▹ T7 Make row writes idempotent     next    8m"
    )


def test_without_a_plan_the_next_action_of_the_document_is_shown() -> None:
    unplanned = replace(picture.full(), plan=Part(Plan()))
    assert section(lines(unplanned), "Now") == [" ▹ Finish T4, then wire the third writer.  next"]
    dated = picture.goal()._replace(
        next_action=NextAction("Ship it after the window", 105, False, "after the window"),
    )
    waiting = replace(unplanned, goal=Part(dated))
    assert section(lines(waiting), "Now") == [" ⋯ Ship it after the window               waits"]
    none = with_goal(next_action=NextAction("None. All done.", 9, False, NOTHING_LEFT))
    none = replace(none, agents=waiting.agents, plan=waiting.plan, control=waiting.control)
    assert section(lines(none), "Now") == [" . None. All done.                 nothing left"]
    silent = replace(unplanned, goal=Part(picture.goal()._replace(next_action=None)))
    assert section(lines(silent), "Now") == [" no next action is named"]


def test_the_few_events_at_the_end_leave_out_the_graph_changes_that_go_with_them() -> None:
    shown = section(lines(picture.full()), "Events")
    assert len(shown) == 12
    assert not any("graph:" in line for line in shown)


def test_without_blockers_there_is_no_such_section() -> None:
    assert not any(line.startswith(" Blocked") for line in lines(with_goal(blockers=())))


def test_the_plan_shows_what_needs_a_person_first_and_says_what_it_leaves_out() -> None:
    plan = picture.plan()
    many = plan._replace(tasks=tuple(plan.tasks[5]._replace(key=f"K{at}") for at in range(300)))
    shown = section(lines(replace(picture.full(), plan=Part(many)), height=99), "Plan")
    assert shown[-1] == f"   {300 - len(shown) + 1} more in the plan"
    assert section(lines(picture.full()), "Plan")[0].startswith(" ? T10")


def test_without_a_log_there_is_no_pulse_and_no_event() -> None:
    shown = lines(replace(picture.full(), events=Part(Events())))
    assert not any("events/h" in line for line in shown)
    assert not any(line.startswith(" Events") for line in shown)


def test_the_pulse_counts_in_good_english() -> None:
    for rate, said in ((0, "0 events/h"), (1, "1 event/h"), (84, "84 events/h")):
        events = replace(picture.full().events.value, per_hour=rate)
        assert any(
            f" {said} " in line for line in lines(replace(picture.full(), events=Part(events)))
        )


def test_every_row_that_can_be_opened_shows_something() -> None:
    full = picture.full()
    for width in (48, 120, 160):
        keys = [
            pane.rows[at].key
            for panes in VIEW.layout(full, frame(width, 40))
            for pane in panes
            for at in range(min(30, len(pane.rows)))
            if pane.rows[at].opens and not pane.rows[at].key.startswith("do:")  # goes elsewhere
        ]
        assert len(keys) > 15
        for key in keys:
            layout = VIEW.layout(full, frame(width, 40, opened=key))
            detail = layout[-1][-1]
            assert detail.id == "session.detail", key
            assert detail.about == key
            assert len(detail.rows) > 1


def test_what_is_opened_and_then_vanishes_gives_the_list_back() -> None:
    layout = VIEW.layout(picture.full(), frame(48, 24, opened="req:gone"))
    assert ids(layout) == [["session.main"]]


def test_every_row_of_the_document_knows_its_file_and_line() -> None:
    origins: dict[str, Origin | None] = {}
    for panes in VIEW.layout(picture.full(), frame(120, 60)):
        for pane in panes:
            for at in range(len(pane.rows)):
                row = pane.rows[at]
                if row.key:
                    origins[row.key] = row.origin
    assert all(origins.values()), [key for key, origin in origins.items() if origin is None]
    criterion = origins["dod:3"]
    assert criterion is not None
    assert (criterion.path, criterion.line) == (picture.GOAL_PATH, 29)
    blocker = origins["blocker:1"]
    assert blocker is not None
    assert blocker.line == 75


def test_ages_grow_with_the_clock_and_a_time_to_come_reads_zero() -> None:
    later = lines(picture.full(), now_ms=NOW + 60_000)
    assert later[1].rstrip().endswith("7m")
    earlier = lines(picture.full(), now_ms=ago(hours=9))
    assert earlier[1].rstrip().endswith("0s")


def test_compact_leaves_no_blank_line_and_roomy_parts_the_requests() -> None:
    normal = lines(picture.full(), 80)
    assert "" in normal
    compact = lines(picture.full(), 80, density="compact")
    assert compact == [line for line in normal if line]
    roomy = lines(picture.full(), 80, density="roomy")
    assert [bool(line) for line in roomy[:5]] == [True, True, True, True, False]
    assert roomy[:4] + roomy[5:] == normal
