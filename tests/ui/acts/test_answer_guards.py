"""What keeps a key from answering: not read whole, just painted, changed, or over."""

from __future__ import annotations

import pytest

from ppgp_tui.session.model import Request
from ppgp_tui.ui.acts import mouse
from tests.ui.desk import (
    INBOX,
    SESSION,
    Person,
    answer,
    answered,
    choice,
    other,
    question,
    reworded,
)

LETTERS = "abcdefghi"
WHY = "\n".join(f"Reason number {number} in some words." for number in range(40))

# --- read whole ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "request_",
    [
        question(question="A question that is longer than any row " * 4),
        question(why="There is a reason."),
        question(evidence="README.md:4"),
        question(tool="Bash", tool_input="true"),
        choice(),
    ],
    ids=["long question", "why", "evidence", "tool", "options"],
)
def test_y_opens_the_card_where_the_row_does_not_say_all(request_: Request) -> None:
    of = Person(request_, view=SESSION).press("y")
    assert of.deeds == []
    assert of.sheet == "card"
    assert of.toast == "read it whole, then press again"
    assert len(of.look().press("y").answers) == 1


def test_a_request_that_was_read_in_its_card_is_answered_from_its_row() -> None:
    of = Person(choice()).press("enter").look().press("esc").look().press("y")
    assert of.answers == [answer(choice(), "b")]


def test_the_detail_beside_the_list_counts_as_read_when_all_of_it_was_shown() -> None:
    request = question(why=WHY)
    of = Person(request, width=120, height=30, view=INBOX).press("y")
    assert (of.sheet, of.deeds) == ("card", [])
    of.press("esc", "tab", "pagedown", "pagedown", "pagedown", "shift+tab").look().press("y")
    assert of.answers == [answer(request, "yes")]


def test_a_long_card_must_be_read_to_its_end() -> None:
    request = question(why=WHY)
    of = Person(request).press("enter").look().press("y")
    assert of.toast == "read it to its end first"
    for _ in range(4):
        of.press("pagedown")
    assert of.look().press("y").answers == [answer(request, "yes")]


def test_jumping_to_the_end_of_a_long_card_is_not_reading_it() -> None:
    of = Person(question(why=WHY)).press("enter", "end").look().press("y")
    assert of.toast == "read it to its end first"
    assert of.deeds == []


def test_what_was_read_in_other_words_is_not_read() -> None:
    of = Person(question(why=WHY)).press("enter", *["pagedown"] * 4).look()
    longer = reworded(question(why=WHY), why=WHY + "\nAnd one more.")
    of.change(longer).press("home").look().press("y")
    assert of.toast == "read it to its end first"
    assert of.deeds == []


def test_a_row_that_is_scrolled_out_of_sight_is_not_answered() -> None:
    requests = [question(id=f"req_{at:032d}", digest=f"sha256:{at:064d}") for at in range(30)]
    of = Person(*requests, height=14, view=INBOX)
    for _ in range(20):
        mouse.wheel(of.seat, 5, 6, 1)
    of.look().press("y")
    assert of.deeds == []
    assert of.sheet == "card"


def test_in_a_terminal_that_is_too_small_nothing_is_answered() -> None:
    of = Person(question())
    of.seat.resize(39, 24)
    of.look().press("y", "n", "Y")
    assert of.deeds == []


# --- 400 milliseconds ---------------------------------------------------------------------------


@pytest.mark.parametrize(("waited", "answers"), [(0, 0), (399, 0), (400, 1), (5_000, 1)])
def test_a_request_must_stand_painted_for_400_ms(waited: int, answers: int) -> None:
    of = Person(view=INBOX).change(question())
    of.press("g")
    of.now += waited
    assert len(of.press("y").answers) == answers
    if not answers:
        assert of.toast == "just painted or changed: look, then press again"


def test_the_moment_counts_when_the_key_was_pressed_and_not_when_it_was_looked_at() -> None:
    of = Person(view=INBOX).change(question()).press("g")
    of.now += 600
    assert of.press("y", late_ms=550).deeds == []
    assert len(of.press("y", late_ms=100).answers) == 1


def test_a_card_is_not_answered_by_the_key_after_enter() -> None:
    of = Person(choice(), view=SESSION).press("enter", "a")
    assert of.deeds == []
    assert len(of.look().press("a").answers) == 1


# --- a request that changes ---------------------------------------------------------------------


@pytest.mark.parametrize("key", ["y", "n", "Y"])
@pytest.mark.parametrize("view", [SESSION, INBOX])
def test_a_request_that_changes_under_the_key_is_not_answered(key: str, view: str) -> None:
    request = question(irreversible=key == "Y")
    of = Person(request, width=120, view=view)
    if key == "Y":
        of.press("enter").look().press("esc").look()
    of.change(reworded(request)).press(key)
    assert of.deeds == []
    of.look().press(key)
    assert all(one.digest == reworded(request).digest for one in of.answers)


def test_a_changed_request_says_so_where_its_age_was_and_its_keys_are_grey_for_a_moment() -> None:
    for view in (SESSION, INBOX):
        of = Person(question(), view=view)
        assert keys_are_grey(of) == set()
        of.change(reworded(question()))
        assert "changed, read it again" in of.screen
        assert keys_are_grey(of) == {"y", "n"}
        of.look()
        assert keys_are_grey(of) == set()
        assert "changed, read it again" in of.screen


def keys_are_grey(of: Person) -> set[str]:
    from ppgp_tui.ui.screen.screen import screen_lines

    soft = of.seat.look.style("soft", on="panel")
    line = list(screen_lines(of.seat)[-1])
    return {part.text for part in line if part.text in ("y", "n") and part.style == soft}


def test_a_change_is_said_until_the_cursor_leaves() -> None:
    of = Person(question(), other(), view=INBOX)
    of.change(reworded(question()), other()).look()
    of.press("j").look().press("k").look()
    assert "changed, read it again" not in of.screen


def test_in_the_card_a_changed_request_says_so_and_its_letters_do_nothing() -> None:
    of = Person(choice()).press("enter").look()
    of.change(reworded(choice()))
    assert "changed, read it again" in of.screen
    assert "Publish 1.0.0 to everybody?" in of.screen
    of.press(*LETTERS, "y", "Y")
    assert of.deeds == []
    assert of.look().press("a").answers == [answer(reworded(choice()), "a")]


def test_a_request_that_vanishes_leaves_its_row_struck_and_cannot_be_answered() -> None:
    for view in (SESSION, INBOX):
        of = Person(question(), other(), view=view).change(other()).look()
        assert of.cursor == f"req:{question().id}"
        under = next(line for line in of.screen.splitlines() if question().question in line)
        assert under.rstrip().endswith("gone")
        keys = of.screen.splitlines()[-1]
        assert "y yes" not in keys
        assert "Enter" not in keys
        assert of.press("y").toast == "this request is no longer there"
        of.press("n", "enter")
        assert of.deeds == []


def test_a_card_whose_request_vanishes_says_so_and_its_keys_do_nothing() -> None:
    of = Person(choice(), other()).press("enter").look().change(other()).look()
    assert "this request is no longer there" in of.screen
    of.press("y", "Y", "n", *LETTERS, "r", "m")
    assert of.deeds == []
    assert of.seat.entry is None
    assert of.press("esc").sheet == ""


# --- a request that is over ---------------------------------------------------------------------


OVER = [
    (answered(choice()), "already answered"),
    (choice()._replace(state="withdrawn", reason="asker_gone"), "the one who asked is gone"),
    (choice()._replace(state="expired"), "it expired, nobody answered"),
    (choice()._replace(damage="its digest is not that of its text"), "no answer to it can count"),
]


@pytest.mark.parametrize(("over", "why"), OVER, ids=["answered", "withdrawn", "expired", "damaged"])
def test_a_card_whose_request_is_over_says_why_and_its_keys_do_nothing(
    over: Request, why: str
) -> None:
    of = Person(choice()).press("enter").look().change(over).look()
    assert why in of.screen.lower()
    of.press("y", "Y", "n", *LETTERS, "r", "m", "enter")
    assert of.deeds == []
    assert why in of.press("a").toast


@pytest.mark.parametrize(("over", "why"), OVER, ids=["answered", "withdrawn", "expired", "damaged"])
def test_on_its_row_a_request_that_is_over_says_why(over: Request, why: str) -> None:
    of = Person(over, other(), view=INBOX)
    while of.cursor != f"req:{over.id}":
        of.press("j")
    assert why in of.look().press("y").toast
    assert of.deeds == []


def test_a_request_expires_by_the_clock_even_where_no_newer_picture_has_come() -> None:
    request = question(expires_ms=Person().now + 60_000)
    of = Person(request, view=INBOX)
    of.now += 60_000
    assert of.press("y").toast == "it expired, nobody answered"
    assert of.deeds == []


def test_the_one_who_answered_is_named() -> None:
    of = Person(OVER[0][0], view=INBOX)
    while not of.cursor.startswith("req:"):
        of.press("j")
    assert of.look().press("y").toast == "already answered by ann"
