"""`/` looks for words in every pane; they are counted, and `n` `N` go from place to place."""

import pytest

from ppgp_tui.ui.rows.row_search import matches
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui.pressing import cursor, press, type_in, whole
from tests.ui.stand_in import seat, text


def looking(*keys: str, words: str, width: int = 80, height: int = 40) -> Seat:
    """`words` are looked for in the place where `keys` lead."""
    of = press(seat(views=VIEWS, width=width, height=height), *keys)
    return press(type_in(press(of, "/"), words), "enter")


def bar(of: Seat) -> str:
    """The line that says what is looked for and how often it is there."""
    return text(of)[-2]


def marked(of: Seat) -> list[str]:
    """What is underlined in the body."""
    lines = screen_lines(of)[3:-2]
    return [part.text for line in lines for part in line if part.style and part.style.underline]


@pytest.mark.parametrize("view", ["1", "3", "5", "6"])
def test_a_list_keeps_the_rows_that_say_the_words_and_counts_them(view: str) -> None:
    of = looking(view, words="c")
    rows = of.rows
    assert rows is not None
    assert f"1 of {rows.selectable_count()}" in bar(of)
    press(of, "n")
    assert f"2 of {rows.selectable_count()}" in bar(of) or rows.selectable_count() == 1
    press(of, "N")
    assert f"1 of {rows.selectable_count()}" in bar(of)


def test_a_word_at_the_right_edge_is_gone_to_as_well() -> None:
    of = looking("6", words="waiting for you")
    assert cursor(of).startswith("agent:")
    press(of, "n")
    assert "no other match" in of.toast or cursor(of).startswith("agent:")


def test_the_plan_says_how_many_of_its_tasks_are_left() -> None:
    assert "4 of 12" in whole(looking("2", words="checkpoint", width=120))


def test_in_the_text_of_the_goal_places_are_counted_and_gone_to() -> None:
    of = looking("5", "tab", words="checkpoint", width=120)
    assert of.stay.focus == "goal.text"
    rows = of.rows
    assert rows is not None
    places = matches(rows, "checkpoint")
    assert len(places) > 2
    assert f"1 of {len(places)}" in bar(of)
    press(of, "n")
    assert f"2 of {len(places)}" in bar(of)
    assert rows.index == places[1]
    press(of, "N", "N")
    assert f"{len(places)} of {len(places)}" in bar(of)


def test_a_request_beside_its_list_is_searched_alone_and_its_words_are_marked() -> None:
    of = press(seat(views=VIEWS, width=120, height=14), "3", "tab")
    assert of.stay.focus == "inbox.detail"
    listed = of.stay.lists["inbox.list"].selectable_count()
    press(type_in(press(of, "/"), "cursor"), "enter")
    assert of.stay.lists["inbox.list"].selectable_count() == listed
    assert set(marked(of)) >= {"cursor"}
    places = matches(of.stay.lists["inbox.detail"], "cursor")
    assert f"1 of {len(places)}" in bar(of)
    press(of, "n")
    assert f"2 of {len(places)}" in bar(of)
    press(of, "esc")
    assert marked(of) == ["inbox"] or "cursor" not in marked(of)
    assert of.stay.focus == "inbox.detail"


def test_a_place_the_cursor_cannot_stand_on_is_brought_into_view() -> None:
    of = press(seat(views=VIEWS, width=120, height=14), "3", "tab")
    press(type_in(press(of, "/"), "digest"), "enter")
    assert any("digest" in line for line in text(of)[3:-2])


def test_words_that_are_nowhere_say_so() -> None:
    of = press(seat(views=VIEWS, width=120, height=14), "3", "tab")
    of = press(type_in(press(of, "/"), "zebra"), "enter", "n")
    assert "0 places" in bar(of)
    assert of.toast == "no match of zebra"


def test_no_lines_are_counted_of_what_stands_beside_the_list_or_was_opened_from_it() -> None:
    beside = press(looking("3", words="column", width=120), "tab")
    opened = press(looking("4", words="T8", width=48), "enter")
    assert bar(beside).split() == ["/", "column", "in", "the", "list"]
    assert bar(opened).split() == ["/", "T8", "in", "the", "list"]


def test_leaving_what_was_opened_ends_the_search_within_it() -> None:
    of = press(seat(views=VIEWS, width=48, height=24), "6", "enter")
    assert of.stay.opened
    press(type_in(press(of, "/"), "claude"), "enter")
    assert of.stay.found_in == "agents.card"
    press(of, "esc", "esc")
    assert (of.stay.opened, of.stay.filter, of.stay.found_in) == (None, "", "")
