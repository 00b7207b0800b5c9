"""Card, form and confirmation as whole screens, as text beside this file.

A deliberate change is written with `PPGP_GOLDEN=write`, as in `test_pictures`.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppgp_tui.session.model import Lifecycle, Part
from tests.ui import picture
from tests.ui.desk import PLAN, Person, answered
from tests.ui.stand_in import text
from tests.ui.views.test_pictures import looks_like

SIZES = [(48, 24), (80, 24), (120, 40)]


def screen(of: Person) -> list[str]:
    return [line.rstrip() for line in text(of.seat)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_card(width: int, height: int) -> None:
    of = Person(*picture.requests(), width=width, height=height).press("enter").look()
    looks_like(f"card-{width}x{height}", screen(of))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_card_with_own_words_under_way(width: int, height: int) -> None:
    of = Person(*picture.requests(), width=width, height=height).press("enter").look()
    of.press("r").type("In two steps: first stop writing it, then drop it in the release after")
    looks_like(f"card-words-{width}x{height}", screen(of))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_card_whose_request_was_answered_meanwhile(width: int, height: int) -> None:
    first, second = picture.requests()
    of = Person(first, second, width=width, height=height).press("enter").look()
    of.change(second, answered(first, option="c")).look()
    looks_like(f"card-answered-{width}x{height}", screen(of))


def with_goal(width: int, height: int) -> Person:
    of = Person(*picture.requests(), width=width, height=height, view=PLAN)
    goal = Lifecycle("goal_1", "active", 1, 4, "Make the importer resumable")
    return of.show(replace(of.seat.snapshot, lifecycle=Part(goal))).look()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_form_and_its_confirmation(width: int, height: int) -> None:
    of = with_goal(width, height).press(":").type("block the").press("enter")
    of.type("The staging copy is gone").press("enter").type("ssh says no such host")
    looks_like(f"form-{width}x{height}", screen(of))
    of.press("enter").type("No other copy is known").press("enter")
    of.type("A new staging copy").press("enter")
    looks_like(f"confirm-{width}x{height}", screen(of))


def test_the_sheets_with_ascii_signs() -> None:
    from tests.ui.stand_in import look

    of = Person(*picture.requests(), width=48, height=24)
    of.seat.look = look(ascii=True)
    of.press("enter").look()
    lines = screen(of)
    looks_like("card-48x24-ascii", lines)
    assert all(line.isascii() for line in lines)
