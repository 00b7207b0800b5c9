"""What keys do to the agent under the cursor, and why they sometimes cannot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ppgp_tui.cli.crew import CREW
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.model import Agent, Control, Part
from ppgp_tui.ui.acts import confirming, deeds
from tests.ui import picture_agents
from tests.ui.desk import Person
from tests.ui.picture_agents import one
from tests.ui.stand_in import told

AGENTS = "6"


def person(*agents: Agent, width: int = 80, **control: Any) -> Person:
    """Somebody who looks at the first of these agents."""
    of = Person(width=width)
    of.seat.crew = CREW
    of.show(replace(picture_agents.crowd(*agents), control=Part(Control(12, **control))))
    return of.press(AGENTS).look()


def held(*sessions: str) -> dict[str, Any]:
    return {"hold_id": "hold_1", "held_since_ms": 1, "hold_who": sessions}


WORKS = one("working")
OURS = one("working", launched="claude-run-1")


def test_one_agent_is_held_and_let_go_on_as_the_screen_shows_it() -> None:
    assert person(WORKS).press("P").deeds == [deeds.Hold(12, WORKS.session)]
    alone = person(WORKS, **held(WORKS.session))
    assert "P let it go on" in alone.key_line
    assert alone.press("P").deeds == [deeds.Release(12, WORKS.session)]
    other = person(WORKS, **held("codex-1"))
    assert other.press("P").deeds == [deeds.Hold(12, WORKS.session)]


def test_an_order_that_changed_under_the_eyes_is_not_turned_round() -> None:
    of = person(WORKS)
    of.order(Control(13, **held(WORKS.session)))
    assert of.press("P").deeds == []
    assert "just changed" in of.toast


def test_while_all_are_held_one_is_not_let_go_alone() -> None:
    of = person(WORKS, **held("*")).press("P")
    assert of.deeds == []
    assert of.toast == "every agent is held, not this one alone"


def test_a_turn_is_asked_to_end() -> None:
    assert person(WORKS).press("S").deeds == [deeds.StopTurn(WORKS.session)]


def test_a_note_is_typed_and_goes_at_once() -> None:
    of = person(WORKS).press("m")
    assert of.sheet == "form"
    assert "next call, prompt or end of turn" in of.screen
    of.type("Use staging").press("enter")
    assert of.deeds == [deeds.Note(WORKS.session, "Use staging")]
    assert of.sheet == ""


def test_a_note_that_was_not_taken_is_there_again() -> None:
    of = person(WORKS).press("m").type("Use staging").press("enter")
    confirming.done(of.seat, of.deeds[0], Result("note", "disk", "no room"))
    assert "Use staging" in of.press("m").screen


def test_freezing_says_what_it_costs_and_rests_on_no() -> None:
    of = person(OURS).press("F")
    assert of.sheet == "confirm"
    for words in ("middle of a call", "may fail", "hold it instead", "F thaws it"):
        assert words in of.screen
    assert of.press("enter").deeds == []
    assert of.press("F", "y").deeds == [deeds.Freeze(OURS.session)]


def test_a_frozen_agent_is_thawed_without_a_question() -> None:
    of = person(OURS._replace(state="frozen", frozen_since_ms=1), width=120)
    assert "F thaw" in of.key_line
    assert of.press("F").deeds == [deeds.Thaw(OURS.session)]


def test_ending_an_agent_is_in_the_palette_and_confirmed() -> None:
    of = person(OURS).press(":").type("kill this").press("enter")
    assert "Process 4101" in of.screen
    assert of.press("y").deeds == [deeds.Kill(OURS.session)]


def test_its_window_is_gone_to_or_its_name_is_copied() -> None:
    of = person(WORKS).press("W")
    assert of.deeds == [deeds.OpenPane("%3", 4101)]
    refused = Result("pane", "refused", "no tmux here; %3 is copied", data={"copy": "%3"})
    confirming.done(of.seat, of.deeds[0], refused)
    assert (told(of.seat).copied, of.toast) == (["%3"], "no tmux here; %3 is copied")


@pytest.mark.parametrize(
    ("agent", "key", "why"),
    [
        (one("ended"), "P", "claude-ende is not there any more"),
        (one("gone"), "m", "claude-gone is not there any more"),
        (one("idle"), "S", "the turn of claude is over already"),
        (WORKS, "F", "start claude with ppgp-tui run to be able to freeze or end it here"),
        (one("working", pane=None), "W", "claude did not say in which pane it runs"),
        (
            one("working", launched="claude-work"), "P",
            "claude: none of its hooks was heard of yet",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_done_says_why(agent: Agent, key: str, why: str) -> None:
    of = person(agent).press(key)
    assert (of.deeds, of.toast) == ([], why)


def test_a_turn_is_asked_to_end_once() -> None:
    of = person(WORKS, stop=(WORKS.session,)).press("S")
    assert (of.deeds, of.toast) == ([], "claude was asked to end its turn already")


def test_two_of_a_kind_are_told_apart() -> None:
    first, second = WORKS, WORKS._replace(session="claude-other")
    assert "claude  other" in person(first, second).screen
    assert person(first, second).press("S").deeds == [deeds.StopTurn(first.session)]
    assert person(first, second).press("j", "S").deeds == [deeds.StopTurn(second.session)]


def test_the_keys_act_in_the_opened_card_and_in_the_first_view_too() -> None:
    opened = person(WORKS).press("enter").look()
    assert "What it can do" in opened.screen
    assert opened.press("S").deeds == [deeds.StopTurn(WORKS.session)]
    detail = person(WORKS, width=120).press("tab", "S")
    assert detail.deeds == [deeds.StopTurn(WORKS.session)]


def test_without_an_agent_under_the_cursor_the_keys_say_so() -> None:
    of = person(WORKS).press("1", "home")
    told = ": the view agents lists them"
    assert of.press("P").toast == f"no agent or loop is under the cursor{told}"
    assert of.press("S").toast == f"no agent is under the cursor{told}"
    assert of.deeds == []


def test_in_the_view_that_lists_agents_and_loops_nobody_is_sent_there() -> None:
    of = Person().show(replace(picture_agents.crowd(), agents=Part(()))).press(AGENTS).look()
    assert of.press("P").toast == "no agent or loop is under the cursor"
    assert of.press("S").toast == "no agent is under the cursor"
    assert of.deeds == []


def test_where_nobody_is_connected_enter_offers_to_connect() -> None:
    of = Person(width=80)
    of.show(replace(picture_agents.crowd(), agents=Part(()))).press(AGENTS).look()
    assert "Enter connect" in of.key_line
    assert of.press("enter").deeds == [deeds.Connect()]


def test_connecting_shows_the_change_and_writes_what_was_shown() -> None:
    of = person(WORKS).press(":").type("connect an").press("enter")
    assert of.deeds == [deeds.Connect()]
    data = {
        "files": [{"agent": "claude", "path": "a.json", "diff": ["--- a.json", '+  "hooks"']}],
        "about": ["Claude Code 2.1.197 at /bin/claude"], "refused": [],
        "still_to_do": ["trust the folder"], "shown": "sha256:d",
    }  # fmt: skip
    confirming.done(of.seat, deeds.Connect(), Result("connect", "unchanged", "", data=data))
    of.look()
    assert of.sheet == "confirm"
    for words in ("Connect claude?", "Claude Code 2.1.197", "trust the folder", '+  "hooks"'):
        assert words in of.screen
    assert of.press("y").deeds[-1] == deeds.Connect("sha256:d")
