"""Every key of the table is pressed in the running app, in a place where it acts, and acts.

`CASES` is the register: an action with a key and without a case makes a test fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from ppgp_tui.session.model import Part, SessionSnapshot
from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.app.app import PpgpApp
from ppgp_tui.ui.looks import ages
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.seat.stay import OpenSheet
from ppgp_tui.ui.terminal.ability import Ability
from tests.ui import picture, picture_agents, picture_audit, picture_history, picture_loops
from tests.ui.desk import answered, choice, question
from tests.ui.picture_story import Teller
from tests.ui.stand_in import FakeSession, Told, text

NAMES = {
    "/": "slash", ":": "colon", "?": "question_mark", "[": "left_square_bracket",
    "]": "right_square_bracket", "=": "equals_sign", "<": "less_than_sign",
    ">": "greater_than_sign", ".": "full_stop", ",": "comma", "'": "apostrophe",
    "+": "plus", "-": "minus",
}  # fmt: skip
OPTIONS = "abcdefghi"


@dataclass
class Desk:
    """A person before the running app, around which a stand-in remembers what was asked."""

    seat: Seat
    told: Told
    before: tuple[object, ...] = ()
    cursor_before: str = ""
    top_before: int = 0
    deeds: list[deeds.Deed] = field(default_factory=list)

    @property
    def rows(self) -> Any:
        assert self.seat.rows is not None
        return self.seat.rows

    @property
    def sheet(self) -> str:
        return self.seat.sheet.kind if self.seat.sheet is not None else ""

    @property
    def view(self) -> str:
        return self.seat.views[self.seat.current].name

    @property
    def moved(self) -> bool:
        """The cursor stands elsewhere, or other lines are in view."""
        return (self.rows.cursor, self.rows.top) != (self.cursor_before, self.top_before)

    def remember(self) -> None:
        rows = self.seat.rows
        self.before = state_of(self.seat)
        self.cursor_before, self.top_before = (rows.cursor, rows.top) if rows else ("", 0)


def state_of(seat: Seat) -> tuple[object, ...]:
    """All that a person could notice."""
    lists = seat.stay.lists
    places = tuple((name, rows.cursor, rows.top) for name, rows in lists.items())
    return tuple(text(seat)), places, seat.stay.focus, seat.current, seat.sheet is None


class Case(NamedTuple):
    """Where a key acts, and how one sees that it did."""

    way: str = ""
    """Keys that lead there, blanks between them."""
    did: Callable[[Desk], bool] = lambda desk: state_of(desk.seat) != desk.before
    shown: Callable[[], SessionSnapshot] = picture.full
    size: tuple[int, int] = (80, 24)
    given: Callable[[Seat], None] = lambda _: None
    """What was read beside the screen by then: first of all, or once `A` was pressed."""


def over_plan(seat: Seat) -> None:
    seat.audits = picture_audit.looked_at()
    seat.sheet = OpenSheet("audit")


def asked(*requests: Any) -> Callable[[], SessionSnapshot]:
    return lambda: replace(picture.full(), inbox=Part(requests))


def answer(option: str) -> Callable[[Desk], bool]:
    return lambda desk: [getattr(deed, "option", None) for deed in desk.told.deeds] == [option]


def does(kind: type) -> Callable[[Desk], bool]:
    return lambda desk: [type(deed) for deed in desk.told.deeds] == [kind]


def agent() -> SessionSnapshot:
    return picture_agents.crowd(picture_agents.claude()._replace(launched=True))


def loop() -> SessionSnapshot:
    return picture_loops.with_loops(picture_loops.running())


def revised() -> SessionSnapshot:
    return picture_history.with_history()


def told_as_a_story() -> SessionSnapshot:
    with TemporaryDirectory() as folder:
        return Teller(Path(folder)).snapshot()


YES_OR_NO = asked(question())
MOVED = Case("2", lambda desk: desk.moved)
LONG = Case("5 tab ctrl+d ctrl+d", lambda desk: desk.moved, size=(120, 16))
TRAVELLED = Case("4", lambda desk: bool(desk.told.travels.wanted))

CASES: dict[str, Case] = {
    "answer.yes": Case("3", answer("yes"), YES_OR_NO),
    "answer.no": Case("3", answer("no"), YES_OR_NO),
    "answer.final": Case("3", answer("yes"), asked(question(irreversible=True))),
    **{f"answer.{letter}": Case("3 enter", answer(letter), asked(choice(9))) for letter in OPTIONS},
    "answer.words": Case("3 enter", lambda desk: desk.seat.entry is not None, YES_OR_NO),
    "answer.note": Case("3 enter", lambda desk: desk.seat.entry is not None, YES_OR_NO),
    "answer.later": Case("3", shown=asked(question(), choice(3, id="req_" + "2" * 32))),
    "answer.back": Case("3", does(deeds.TakeBack), asked(answered(question()))),
    "agents.pause": Case("1", lambda desk: len(desk.told.deeds) == 1),
    "audit": Case("1", lambda desk: desk.view == "audit"),
    "audit.cancel": Case("1", lambda desk: desk.sheet == "confirm", picture_audit.running),
    "audit.take": Case(
        "A j j j j j j",
        lambda desk: desk.sheet == "form",
        picture_audit.undecided,
        given=lambda seat: seat.audits.reports.update(picture_audit.reports("inconclusive")),
    ),
    "audit.send_back": Case(
        "A",
        lambda desk: desk.seat.toast.startswith("the objections go to"),
        lambda: replace(picture_audit.rejected(), agents=agent().agents),
        given=lambda seat: seat.audits.reports.update(picture_audit.reports()),
    ),
    "audit.leave_out": Case("j j j j j j j", lambda desk: desk.sheet == "form", given=over_plan),
    "audit.add": Case("", lambda desk: desk.sheet == "form", given=over_plan),
    "goal.close": Case("1", does(deeds.Close)),
    "agent.hold": Case("6", lambda desk: len(desk.told.deeds) == 1, agent),
    "agent.stop": Case("6", lambda desk: len(desk.told.deeds) == 1, agent),
    "agent.note": Case("6", lambda desk: desk.sheet == "form", agent),
    "agent.freeze": Case("6", lambda desk: desk.sheet == "confirm", agent),
    "agent.pane": Case("6", lambda desk: bool(desk.told.deeds or desk.told.copied), agent),
    "loop.pause": Case("6 j", does(deeds.PauseLoop), loop),
    "loop.abandon": Case("6 j", lambda desk: desk.sheet == "form", loop),
    "loop.new": Case("6", lambda desk: desk.sheet == "form", loop),
    "back": Case("o", lambda desk: desk.sheet == ""),
    "row.open": Case("6", lambda desk: desk.seat.stay.opened is not None),
    "copy": Case("2", lambda desk: len(desk.told.copied) == 1),
    "copy.block": Case("2", lambda desk: len(desk.told.copied) == 1),
    "editor": Case("5", lambda desk: len(desk.told.edited) == 1),
    "family": Case("4 home", lambda desk: bool(desk.seat.stay.turned), told_as_a_story),
    "find": Case("2", lambda desk: desk.seat.entry is not None),
    "find.next": Case("1 / c enter", lambda desk: desk.moved),
    "find.previous": Case("1 / c enter", lambda desk: desk.moved),
    "help": Case("1", lambda desk: desk.sheet == "help"),
    "lineage": Case("2 j", lambda desk: desk.view == "events" and bool(desk.seat.stay.opened)),
    "move.down": MOVED,
    "move.up": Case("2 j j", lambda desk: desk.moved),
    "move.first": Case("2 j j j", lambda desk: desk.moved),
    "move.last": MOVED,
    "move.half_down": LONG,
    "move.half_up": LONG,
    "move.page_down": LONG,
    "move.page_up": LONG,
    "move.top": LONG,
    "move.bottom": LONG,
    "origin": Case("2", lambda desk: desk.sheet == "origin"),
    "palette": Case("1", lambda desk: desk.sheet == "palette"),
    "pane.next": Case("5", lambda desk: desk.seat.stay.focus == "goal.text", size=(120, 24)),
    "pane.previous": Case("5", lambda desk: desk.seat.stay.focus == "goal.text", size=(120, 24)),
    "quit": Case("1", lambda desk: desk.told.left == 1),
    "quit.twice": Case("1", lambda desk: "again to quit" in desk.seat.toast),
    "reread": Case("1", lambda desk: desk.told.reread_count == 1),
    "suspend": Case("1", lambda desk: desk.told.suspended == 1),
    "story": Case("4", lambda desk: desk.seat.stay.raw is not None),
    "screen.theme": Case("1", lambda desk: desk.sheet == "themes"),
    "screen.density": Case("1", lambda desk: desk.seat.density == "roomy"),
    "screen.clock": Case("1", lambda desk: desk.seat.manner.clock == "times"),
    "screen.motion": Case("1", lambda desk: desk.seat.manner.motion == "reduced"),
    "screen.quiet": Case("1", lambda desk: desk.sheet == "quiet"),
    "view.session": Case("2", lambda desk: desk.view == "session"),
    **{
        f"view.{name}": Case("1", lambda desk, name=name: desk.view == name)  # type: ignore[misc]
        for name in ("plan", "inbox", "events", "goal", "agents")
    },
    "plan.zoom": Case("2"),
    "plan.tree": Case("2"),
    "plan.family": Case("2 j", lambda desk: bool(desk.seat.stay.plan.family)),
    "plan.states": Case("2", lambda desk: desk.seat.stay.plan.states != "all"),
    "plan.left": Case("2 j j j", lambda desk: desk.moved),
    "plan.right": MOVED,
    "plan.pan_left": Case("2 z L", size=(60, 24)),
    "plan.pan_right": Case("2 z", size=(60, 24)),
    **{
        f"go.{name}": Case("1", lambda desk: desk.view == "plan")
        for name in ("ready", "blocked", "running", "unblocks", "critical", "yours")
    },
    "sessions": Case("1", lambda desk: desk.told.sessions == ["all"]),
    "share.screen": Case("1", lambda desk: desk.told.deeds == [deeds.Share("screen")]),
    "share.report": Case("1", lambda desk: desk.told.deeds == [deeds.Share("report")]),
    "share.bug": Case("1", lambda desk: desk.sheet == "confirm"),
    "travel.back": TRAVELLED,
    "travel.there": TRAVELLED,
    "travel.on": Case("4 < <", lambda desk: len(desk.told.travels.wanted) == 3),
    "travel.first": Case("4 <", lambda desk: len(desk.told.travels.wanted) == 2),
    "travel.play": Case("4 <", lambda desk: desk.seat.journey is not None),
    "travel.now": Case("4 <", lambda desk: desk.seat.journey is None),
    "revision.older": Case("2", lambda desk: desk.seat.walk.mode == "step", revised),
    "revision.newer": Case("2 [", lambda desk: desk.seat.walk.mode == "", revised),
    "revision.compare": Case("2", lambda desk: desk.seat.walk.mode == "pair", revised),
    "blame": Case("2", lambda desk: desk.sheet == "blame", revised),
}


@pytest.fixture(autouse=True)
def ages_afterwards() -> Iterator[None]:
    yield
    ages.show_as("ages")


def pressed(key: str) -> list[str]:
    """What Pilot calls a key of the table: a sequence is two of them."""
    return [NAMES.get(one, one) for one in key.split(" ")]


def table() -> list[tuple[str, str]]:
    made = made_app(picture.full())
    return [(action.id, key) for action in made.seat.keymap.actions for key in action.keys]


def made_app(shown: SessionSnapshot) -> PpgpApp:
    session = FakeSession(shown, picture.document())
    return PpgpApp(session, clock=Skipping(), ability=Ability())


class Skipping:
    """A clock on which every key was looked at for a while."""

    def __init__(self) -> None:
        self.now = picture.NOW

    def __call__(self) -> int:
        return self.now


@pytest.mark.parametrize(("action_id", "key"), table())
async def test_the_key_does_what_its_action_says(action_id: str, key: str) -> None:
    case = CASES[action_id]
    made = made_app(case.shown())
    clock = made.seat.clock
    assert isinstance(clock, Skipping)
    desk = Desk(made.seat, Told())
    made.seat.outside, made.seat.can_act, made.seat.others = desk.told, True, True
    given = False
    async with made.run_test(size=case.size) as pilot:
        for one in ["", *case.way.split(), ""]:
            clock.now += 600
            made.seat.arrange()
            made.painter.paint()
            if one:
                await pilot.press(*pressed(one))
            if one == ("A" if "A" in case.way else "") and not given:
                case.given(made.seat)
                given = True
        desk.remember()
        action = next(one for one in made.seat.keymap.actions if one.id == action_id)
        assert not action.refuses(made.seat.place()), action.refuses(made.seat.place())
        await pilot.press(*pressed(key))
        made.seat.arrange()
        assert case.did(desk), f"{made.seat.toast}\n" + "\n".join(text(made.seat))


def test_no_key_of_the_table_is_without_a_case() -> None:
    assert {action_id for action_id, _ in table()} == set(CASES)
