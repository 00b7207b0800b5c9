"""The plan in every shape a person can give it, at every usual width, as text beside this file."""

from __future__ import annotations

import pytest

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.keys.keymap import Keymap
from ppgp_tui.ui.keys.table import action_table
from ppgp_tui.ui.seat.plan_choice import FOLD, PlanLook, PlanStay
from ppgp_tui.ui.views import VIEWS
from ppgp_tui.ui.views.plan.plan import PlanView
from tests.ui import picture
from tests.ui.views import plans
from tests.ui.views.drawn import ASCII, PLAIN, frame, screen
from tests.ui.views.test_pictures import SIZES, looks_like

KEYS = Keymap(action_table([view.name for view in VIEWS])).first
LOOKS = {
    "cards": PlanStay(PlanLook("cards")),
    "keys": PlanStay(PlanLook("keys")),
    "dots": PlanStay(PlanLook("dots")),
    "tree": PlanStay(PlanLook(tree=True)),
    "family": PlanStay(family="T8"),
    "chain": PlanStay(chain=True),
    "stopped": PlanStay(states="stopped"),
}
PLANS = {
    "1-task": (plans.shown(*plans.one().tasks), "task:T1"),
    "61-tasks": (plans.layered(61), "task:K33"),
    "300-tasks": (plans.layered(300), "task:K153"),
    "2000-tasks": (plans.layered(2_000, 9), "task:K1003"),
    "2001-tasks": (plans.layered(2_001, 9), "task:K1003"),
    "circle": (plans.circle(), "task:T3"),
    "missing": (plans.missing(), "task:T2"),
}


def drawn(
    snapshot: SessionSnapshot, width: int, height: int, under: str, **given: object
) -> list[str]:
    room = frame(width, height, cursor={"plan.list": under}, keys=KEYS, **given)
    return screen(PlanView(), snapshot, room)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", LOOKS)
def test_each_look_at_each_size(name: str, width: int, height: int) -> None:
    under = "task:T6" if name == "chain" else "task:T8"
    lines = drawn(picture.full(), width, height, under, plan=LOOKS[name])
    looks_like(f"plan-{name}-{width}x{height}", lines)


@pytest.mark.parametrize("name", LOOKS)
def test_each_look_with_ascii_signs(name: str) -> None:
    lines = drawn(picture.full(), 80, 30, "task:T8", plan=LOOKS[name], look=ASCII)
    looks_like(f"plan-{name}-80x30-ascii", lines)
    assert all(line.replace("▌", " ").isascii() for line in lines)


@pytest.mark.parametrize(("width", "height"), SIZES[:3])
@pytest.mark.parametrize("name", PLANS)
def test_each_plan_at_each_size(name: str, width: int, height: int) -> None:
    snapshot, under = PLANS[name]
    looks_like(f"plan-{name}-{width}x{height}", drawn(snapshot, width, height, under))


def test_finished_parts_unfolded() -> None:
    turned = frozenset((FOLD,))
    lines = drawn(plans.layered(61), 80, 40, "task:K3", turned=turned, look=PLAIN)
    looks_like("plan-unfolded-80x40", lines)


@pytest.mark.parametrize(("width", "height"), SIZES[:2])
def test_the_row_of_finished_parts_under_the_cursor(width: int, height: int) -> None:
    lines = drawn(plans.layered(300), width, height, FOLD)
    looks_like(f"plan-fold-{width}x{height}", lines)
