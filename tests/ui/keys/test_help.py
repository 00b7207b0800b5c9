"""Help shows what works in the place it is opened in: no key of it is dead, none is left out."""

from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.keys.action import Action
from ppgp_tui.ui.screen.sheets import help_rows
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture, picture_agents, picture_history
from tests.ui.picture_story import Teller
from tests.ui.pressing import press, type_in, whole
from tests.ui.stand_in import seat, text, told

PLACES = (
    "1", "1 j", "2", "2 t j", "2 j space", "2 / x enter", "3", "3 enter", "4", "4 v j", "4 enter",
    "5", "5 tab", "5 enter", "6", "6 enter", "o", "?", ": p", ", t", ", q", "2 [", "2 [ [", "2 B",
)  # fmt: skip
"""Keys that lead to a place."""
WIDE_AND_NARROW = [(way, (48, 120)[number % 2]) for number, way in enumerate(PLACES)]


@cache
def story() -> SessionSnapshot:
    """The picture with a log that tells one."""
    with TemporaryDirectory() as folder:
        return Teller(Path(folder)).snapshot()


def at(way: str, width: int) -> Seat:
    """A seat in the place where the keys of `way` lead, after it was looked at for a while."""
    now = [picture.NOW]
    shown = picture_history.with_history()
    if way.startswith("4"):
        shown = story()
    if way.startswith("6"):
        shown = picture_agents.crowd(picture_agents.claude())
    of = seat(shown, width, 40, VIEWS, clock=lambda: now[0])
    for key in way.split():
        press(of, key)
        of.toast = ""
    look_at(of)
    now[0] += 600
    of.arrange()
    return of


def look_at(of: Seat) -> None:
    from ppgp_tui.ui.seat.asking import note_painted

    text(of)
    note_painted(of)


def acting(of: Seat) -> list[Action]:
    """The actions with keys that act where the seat is; characters are text while one types."""
    place, keymap = of.place(), of.keymap
    named = [action for action in keymap.actions if keymap.keys(action)]
    return [
        action
        for action in named
        if not action.refuses(place)
        and any(keymap.action(key, place) is action for key in keymap.keys(action))
    ]


@cache
def common() -> frozenset[str]:
    """Actions that act in nearly every place; of those each place is asked for a third."""
    places = [{action.id for action in acting(at(*place))} for place in WIDE_AND_NARROW]
    return frozenset(
        one for one in set().union(*places) if sum(one in place for place in places) >= 18
    )


def has_turn(action: Action, way: str) -> bool:
    """Whether this place is asked for that action."""
    turn = (sum(action.id.encode()) + PLACES.index(way)) % 3 == 0
    return turn or action.id not in common() or action.id.startswith("move.")


def noticed(of: Seat) -> tuple[object, ...]:
    """All that a person, or the program around the seat, could notice."""
    outside = told(of)
    lists = tuple((name, rows.cursor, rows.top) for name, rows in of.stay.lists.items())
    sheet = None if of.sheet is None else (of.sheet.kind, of.sheet.rows.cursor, of.sheet.rows.top)
    asked = (
        outside.left, outside.suspended, outside.reread_count, len(outside.copied),
        len(outside.edited), len(outside.deeds), len(outside.sessions), len(outside.travels.wanted),
        outside.travels.played, outside.theme,
    )  # fmt: skip
    return tuple(text(of)), lists, sheet, asked, of.stay.focus, of.toast, of.density, of.journey


@pytest.mark.parametrize(("way", "width"), WIDE_AND_NARROW)
def test_every_key_that_acts_in_a_place_changes_or_says_something(way: str, width: int) -> None:
    make = partial(at, way, width)
    first = make()
    dead = [
        (action.id, key)
        for action in acting(first)
        if has_turn(action, way)
        for key in first.keymap.keys(action)[:1]
        if is_pressed_as(action, key, first) and is_dead(make(), key)
    ]
    moves = [action for action in acting(first) if action.id.startswith("move.")]
    assert not [one for one in dead if not one[0].startswith("move.")], way
    # At one end of a list some of the moving keys find nothing more; never do all of them.
    assert not moves or len({one for one, _ in dead}) < len(moves), way


def is_pressed_as(action: Action, key: str, of: Seat) -> bool:
    """Whether the key means that action here: characters are text while a line is typed."""
    typed = of.entry is not None and len(key.partition(" ")[0]) == 1
    return not typed and of.keymap.action(key, of.place()) is action


def is_dead(of: Seat, key: str) -> bool:
    """Whether nobody would notice that the key was pressed."""
    before = noticed(of)
    press(of, *key.split(" "))
    return noticed(of) == before


@pytest.mark.parametrize("width", [48, 120])
@pytest.mark.parametrize("way", PLACES)
def test_help_names_every_action_that_acts_in_a_place_and_no_other(way: str, width: int) -> None:
    of = at(way, width)
    place, keymap = of.place(), of.keymap
    rows = help_rows(keymap, place, width)
    lines = [line for row in rows for line in (row.lines[0].left, row.lines[0].columns) if line]
    said = " ".join(spans[0].text for spans in lines)
    for action in acting(of):
        shown = keymap.first[action.id]
        ranges = {"1-6": "123456", "a-c": "abc"}
        spelled = said + "".join(
            f" {' '.join(keys)} " for name, keys in ranges.items() if name in said
        )
        short = shown.rpartition("+")[2]  # as in `Ctrl+D U`
        assert f" {shown} " in f" {spelled} " or f" {short} " in f" {spelled} ", action.id


def test_help_can_be_searched_by_word_and_by_key() -> None:
    of = type_in(press(at("1", 120), "?", "/"), "theme")
    assert ",t" in whole(of)
    assert "pause" not in "\n".join(text(of)[4:-1])
    of = type_in(press(at("1", 120), "?", "/"), "ctrl+p")
    assert "every action" in whole(of)
    assert "no key of that name" in whole(type_in(press(at("1", 120), "?", "/"), "zzz"))


def test_what_cannot_act_here_is_not_in_help() -> None:
    assert "options" not in whole(press(at("2", 120), "?"))
    assert "story" not in whole(press(at("1", 120), "?"))


def test_the_sequences_stand_under_the_name_of_their_prefix() -> None:
    shown = whole(press(at("2", 120), "?"))
    assert "' go to" in shown
    assert "'r" in shown
    assert ", this screen" in shown


@pytest.mark.parametrize("width", [48, 72, 80])
def test_what_a_key_does_stands_in_one_column_however_long_its_keys_are(width: int) -> None:
    of = at("2 t", width)
    rows = help_rows(of.keymap, of.place(), width)
    begins = {
        len(keys.text)
        for row in rows
        for spans in (row.lines[0].left, row.lines[0].columns)
        if len(spans) == 2
        for keys, _ in (spans,)
    }
    assert begins == {11}
