"""A key that cannot act says why: in every view, for every action of the table."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from ppgp_tui.ui.acts import acts
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.all_sessions import list_seat
from tests.ui.pressing import press
from tests.ui.stand_in import seat

VAGUE = re.compile(r"(not possible|cannot|unavailable|invalid|error|no|nothing)( here| now)*$")
PLACES = ["full", "empty", "small", "list", "card", "help", "palette", "origin"]


def seats(place: str) -> Iterator[Seat]:
    """Seats of that kind, one for each view."""
    if place == "list":
        yield list_seat()
        yield press(list_seat(), "tab")
        return
    for at in range(len(VIEWS)):
        of = seat(
            picture.empty() if place == "empty" else picture.full(),
            *((30, 8) if place == "small" else (80, 30)),
            views=VIEWS,
        )
        of.show_view(at)
        of.arrange()
        opening = {"help": "?", "palette": ":", "origin": "o", "card": "enter"}.get(place)
        yield press(of, opening) if opening else of


def refusals(place: str) -> Iterator[tuple[str, str]]:
    """Every action that cannot act in a place of that kind, and what it says."""
    for of in seats(place):
        here = of.place()
        for action in of.keymap.actions:
            if why := action.refuses(here):
                yield action.id, why


@pytest.mark.parametrize("place", PLACES)
def test_every_reason_is_one_plain_sentence_of_some_words(place: str) -> None:
    for action, why in refusals(place):
        assert why == why.strip(), action
        assert "\n" not in why, action
        assert len(why) <= 78, (action, why)
        assert not why.endswith((".", "!", "?")), (action, why)
        assert len(re.findall(r"\w+", why)) >= 3, (action, why)
        assert not VAGUE.match(why), (action, why)


@pytest.mark.parametrize("place", PLACES)
def test_an_action_that_cannot_act_says_exactly_its_reason_and_does_nothing_else(
    place: str,
) -> None:
    for of in seats(place):
        here = of.place()
        for action in of.keymap.actions:
            why = action.refuses(here)
            if why:
                acts.run(of, action.id)
                assert of.toast == why, action.id
                assert of.place() == here, action.id


@pytest.mark.parametrize("place", ["full", "empty", "list"])
def test_every_key_that_cannot_act_is_answered(place: str) -> None:
    """None is silent: it acts, waits for a second key, or says why it does not."""
    for of in seats(place):
        for action in of.keymap.actions:
            for key in of.keymap.keys(action):
                if " " in key or len(key) > 1:
                    continue
                meant = of.keymap.action(key, of.place())
                assert meant is not None
                if why := meant.refuses(of.place()):
                    press(of, key)
                    assert of.toast == why, (key, meant.id)
