"""What `C` takes along."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.ui.acts import acts
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.sharing.blocks import block
from ppgp_tui.ui.sharing.pictures import seat_before
from ppgp_tui.ui.views import VIEWS
from tests.cli.telling import OPENED_MS, tell
from tests.ui import picture
from tests.ui.stand_in import look, seat, told


def at(view: str, *keys: str, width: int = 120) -> Seat:
    of = seat(width=width, height=40, views=VIEWS)
    for key in (view, *keys):
        acts.press(of, {"enter": "enter"}.get(key, key), key if len(key) == 1 else None)
    return of


def copied(of: Seat) -> str:
    acts.press(of, "C", "C")
    return told(of).copied[-1]


def test_a_request_with_its_options_and_what_it_is_bound_to() -> None:
    assert copied(at("3")).splitlines() == [
        "Drop the old cursor column now?",
        "C authority, scope T8, asked by claude, waits",
        "",
        "Nothing reads import_cursor.pos since T3. Dropping it frees the lock on big tables. A "
        "dropped column cannot come back.",
        "",
        "a  Drop it in this release",
        "b  Drop it next release (advised)",
        "c  Keep it",
        "",
        "cannot be undone",
        "frees T8, T11, T12",
        "evidence src/importer/cursor.py:41, docs/ACTIVE_GOAL.md:88",
        "asked in docs/ACTIVE_GOAL.md:85",
        "req_" + "17" * 16 + ", digest sha256:9c41e0" + "5a" * 29,
    ]


def test_the_same_from_its_opened_card() -> None:
    of = at("3", "enter")
    assert of.sheet is not None
    assert copied(of).startswith("Drop the old cursor column now?\nC authority")


def test_a_task_with_what_it_needs_and_unlocks() -> None:
    of = at("2")
    of.stay.lists["plan.list"].go_to("task:T8")
    of.stay.focus = "plan.list"
    assert copied(of).splitlines() == [
        "T8 Drop old cursor column",
        "state blocked, C you",
        "needs T3 (done), T4 (done)",
        "unlocks T11, then T12",
        "",
        "Nothing reads import_cursor.pos since T3.",
    ]


def test_an_event_is_its_line_of_the_log() -> None:
    of = at("4", "v")
    value = json.loads(copied(of))
    log = picture.full().events.value.log
    assert log is not None
    assert value["id"] == log.event(len(log) - 1).id


def test_how_a_request_came_about_as_a_tree_and_its_line(tmp_path: Path) -> None:
    root = tell(tmp_path / "importer", tmp_path / "state", until=22).root
    now = OPENED_MS + 22_000
    session = LiveSession(root, clock=lambda: now)
    session.read_all()
    session.read_graph()
    of = seat_before(session, look(), lambda: now, None)
    of.resize(80, 40)
    for key in ("4", "j", "j", "l"):
        acts.press(of, key, key)
    tree, _, line = block(of).partition("\n\n")
    assert tree.splitlines()[0] == "How it came about"
    assert "    ↳ request  What to do with a torn checkpoint?" in tree
    value = json.loads(line)
    assert value["payload"]["request"]["question"] == "What to do with a torn checkpoint?"


def test_a_field_of_the_goal_document_as_it_is_written() -> None:
    text = copied(at("5"))
    assert len(text.splitlines()) > 2
    assert text.splitlines()[2] in picture.document().decode()


def test_an_agent_with_all_that_is_known_of_it() -> None:
    text = copied(at("6"))
    assert "claude" in text
    assert "opus" in text


@pytest.mark.parametrize("view", ["1", "2", "3", "4", "5", "6"])
def test_in_every_view_there_is_something_to_take(view: str) -> None:
    of = at(view)
    assert block(of).strip() or of.row is None


def test_where_nothing_is_it_says_so() -> None:
    of = seat(picture.empty(), 80, 24, VIEWS)
    acts.press(of, "2", "2")
    acts.press(of, "C", "C")
    assert told(of).copied == []
    assert of.toast
