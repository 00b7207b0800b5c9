"""Answering by key: yes, no, an option, own words; what cannot be undone; where the row stays."""

from __future__ import annotations

import pytest

from ppgp_tui.ui.acts import mouse
from ppgp_tui.ui.acts.deeds import TakeBack
from tests.ui.desk import (
    INBOX,
    PLAN,
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

# --- yes and no ---------------------------------------------------------------------------------


@pytest.mark.parametrize("view", [SESSION, INBOX])
@pytest.mark.parametrize("key", ["y", "n"])
@pytest.mark.parametrize("width", [80, 120])
def test_y_and_n_answer_the_focused_question_as_it_was_painted(
    view: str, key: str, width: int
) -> None:
    of = Person(question(), width=width, view=view).press(key)
    assert of.answers == [answer(question(), {"y": "yes", "n": "no"}[key])]
    assert of.toast == "sending"


def test_the_second_question_is_answered_when_the_cursor_is_on_it() -> None:
    of = Person(question(), other(), view=INBOX).press("j").look().press("n")
    assert of.answers == [answer(other(), "no")]


def test_where_no_request_is_y_and_n_say_so() -> None:
    of = Person(question(), view=PLAN).press("y")
    assert of.toast == "no request that waits is under the cursor: the inbox lists them"
    assert of.press("n").toast == "nothing is looked for: / finds"
    assert of.deeds == []


def test_y_means_yes_even_where_no_is_advised() -> None:
    of = Person(question(recommended="no")).press("y")
    assert of.answers == [answer(question(), "yes")]
    assert "no" in Person(question(recommended="no")).press("enter").screen


def test_a_permission_is_allowed_once_or_denied() -> None:
    request = question(kind="permission", tool="Bash", tool_input="rm -rf build")
    of = Person(request).press("enter").look()
    assert "rm -rf build" in of.screen
    assert of.press("y").answers == [answer(request, "allow_once")]
    denied = Person(request).press("enter").look().press("n")
    assert denied.answers == [answer(request, "deny")]


def test_a_permission_lasts_for_the_session_by_a_letter_of_its_opened_card() -> None:
    request = question(
        kind="permission", tool="Bash", tool_input="echo 1", for_session=("Bash(echo:*)",)
    )
    of = Person(request).press("a")
    assert of.deeds == []
    of.press("enter").look()
    assert "a  yes, and till its session ends" in of.screen
    assert "Bash(echo:*)" in of.screen
    assert of.press("a").answers == [answer(request, "allow_session")]


def test_where_its_agent_offers_nothing_for_the_session_no_letter_allows_it() -> None:
    request = question(kind="permission", tool="Bash", tool_input="echo 1")
    of = Person(request).press("enter").look().press("a")
    assert of.deeds == []
    assert of.toast == "there is no option a"
    assert "session ends" not in of.screen


def test_for_the_session_counts_only_when_every_rule_was_read() -> None:
    rules = tuple(f"Bash(tool-{number}:*)" for number in range(40))
    request = question(kind="permission", tool="Bash", tool_input="echo 1", for_session=rules)
    of = Person(request).press("enter").look().press("a")
    assert of.deeds == []
    assert of.toast == "read it to its end first"
    of.press(*["pagedown"] * 4).look().press("a")
    assert of.answers == [answer(request, "allow_session")]


def test_while_something_is_looked_for_n_goes_to_the_next_match_and_answers_nothing() -> None:
    of = Person(question(), other(), view=INBOX).press("/").type("e").press("enter").look()
    of.press("n")
    assert of.deeds == []
    assert of.cursor == f"req:{other().id}"


def test_typed_and_pasted_letters_answer_nothing() -> None:
    of = Person(question()).press("/").type("yYnabc")
    assert of.deeds == []


# --- options ------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", [SESSION, INBOX])
@pytest.mark.parametrize("letter", LETTERS)
def test_a_letter_chooses_nothing_outside_the_card(view: str, letter: str) -> None:
    of = Person(choice(9), width=120, view=view).press(letter)
    assert of.deeds == []
    if letter not in "cdefg":
        assert of.toast.startswith("options are chosen in the opened request: ")


@pytest.mark.parametrize("letter", LETTERS)
def test_in_the_card_each_letter_chooses_its_option(letter: str) -> None:
    of = Person(choice(9)).press("enter").look().press(letter)
    assert of.answers == [answer(choice(9), letter)]
    assert of.sheet == ""


@pytest.mark.parametrize("letter", LETTERS[3:])
def test_a_letter_that_is_not_offered_says_so_and_does_nothing_else(letter: str) -> None:
    of = Person(choice(3)).press("enter").look()
    top = of.seat.sheet.rows.top  # type: ignore[union-attr]
    of.press(letter)
    assert of.toast == f"there is no option {letter}"
    assert of.sheet == "card"
    assert of.seat.sheet.rows.top == top  # type: ignore[union-attr]
    assert of.deeds == []


def test_an_option_is_known_by_its_letter_and_not_by_its_place() -> None:
    swapped = choice(3, options=tuple(reversed(choice(3).options)))
    of = Person(swapped).press("enter").look().press("a")
    assert of.answers == [answer(swapped, "a")]


def test_y_takes_the_advised_option_which_is_named_beside_the_key() -> None:
    of = Person(choice(), width=120, view=INBOX)
    assert "y Take way b, advised" in of.key_line
    assert of.press("y").answers == [answer(choice(), "b")]


def test_without_advice_y_opens_the_card_and_answers_nothing_there() -> None:
    for advice in (None, "z"):
        of = Person(choice(recommended=advice), width=120, view=INBOX).press("y")
        assert of.sheet == "card"
        of.look().press("y")
        assert of.toast == "none of the options is advised: choose one by its letter"
        assert of.deeds == []


def test_n_answers_no_question_with_options() -> None:
    of = Person(choice()).press("enter").look().press("n")
    assert of.toast == "this asks for one of its options: Enter shows them"
    assert of.deeds == []


# --- what cannot be undone ----------------------------------------------------------------------


def final(width: int = 80, **changed: object) -> Person:
    of = Person(choice(irreversible=True, **changed), width=width).press("enter").look()
    assert "cannot be undone" in of.screen
    return of


def test_what_cannot_be_undone_needs_its_letter_and_then_a_capital_y() -> None:
    of = final().press("a")
    assert of.deeds == []
    assert of.toast == "cannot be undone: Y, or the same key again, does it"
    assert "Y a, for good" in of.key_line
    assert of.press("Y").answers == [answer(choice(), "a")]


def test_the_same_key_again_after_a_moment_confirms_too() -> None:
    of = final().press("a")
    of.now += 700
    assert of.press("a").answers == [answer(choice(), "a")]


def test_a_key_that_is_held_down_confirms_nothing() -> None:
    of = final()
    for _ in range(100):
        of.press("a")
        of.now += 30
    assert of.deeds == []


def test_another_letter_confirms_nothing_and_is_what_y_would_take() -> None:
    of = final().press("a")
    of.now += 700
    of.press("c")
    assert of.deeds == []
    assert of.press("Y").answers == [answer(choice(), "c")]


def test_a_choice_of_long_ago_is_not_confirmed_nor_replaced_by_the_advised_one() -> None:
    of = final().press("a")
    of.now += 11_000
    of.press("Y")
    assert of.toast == "that was chosen a while ago: choose again, then confirm it"
    assert of.deeds == []


def test_a_choice_in_other_words_is_not_confirmed() -> None:
    of = final().press("a")
    of.change(reworded(choice(irreversible=True))).look().press("Y")
    assert [one.option for one in of.answers] == ["b"]
    assert of.answers[0].digest == reworded(choice()).digest


def test_y_alone_arms_the_advised_option_and_y_again_does_it() -> None:
    of = final().press("y")
    assert of.deeds == []
    of.now += 500
    assert of.press("y").answers == [answer(choice(), "b")]


def test_a_capital_y_takes_the_advised_option_at_once_and_its_key_says_so() -> None:
    of = final(width=120)
    assert "Y Take way b, for good" in of.key_line
    assert of.press("Y").answers == [answer(choice(), "b")]


def test_without_advice_a_capital_y_needs_a_letter_first() -> None:
    of = final(recommended=None).press("Y")
    assert of.toast == "none of the options is advised: choose one by its letter first"
    assert of.deeds == []
    assert [one.option for one in of.press("c", "Y").answers] == ["c"]


def test_a_question_of_yes_or_no_needs_a_capital_y_for_yes_only() -> None:
    request = question(irreversible=True)
    of = Person(request).press("enter").look().press("y")
    assert of.deeds == []
    assert of.press("Y").answers == [answer(request, "yes")]
    of = Person(request).press("enter").look().press("n")
    assert of.answers == [answer(request, "no")]


def test_where_things_can_be_undone_a_capital_y_says_that_y_is_enough() -> None:
    of = Person(question()).press("Y")
    assert of.toast == "y is enough: this can be undone"
    assert of.deeds == []


# --- own words, note, later, back ---------------------------------------------------------------


def test_own_words_answer_from_the_card() -> None:
    of = Person(choice()).press("enter").look().press("r").type("only on Monday")
    assert "only on Monday_" in of.screen
    assert of.press("enter").answers == [answer(choice(), text="only on Monday")]
    assert of.sheet == ""


def test_a_note_goes_with_the_answer() -> None:
    of = Person(choice()).press("enter").look().press("m").type("not on Friday").press("enter")
    assert "not on Friday" in of.screen
    assert of.deeds == []
    assert of.look().press("b").answers == [answer(choice(), "b", note="not on Friday")]


def test_own_words_and_note_need_the_card() -> None:
    of = Person(question(), view=INBOX).press("r")
    assert of.toast == "Enter opens the request first"
    assert of.press("m").toast == "Enter opens the request first"
    assert of.seat.entry is None


@pytest.mark.parametrize("kind", ["goal_proposal", "goal_tweak", "permission"])
def test_where_words_are_no_answer_r_says_so(kind: str) -> None:
    of = Person(question(kind=kind)).press("enter").look().press("r")
    assert of.toast == "only its answers count here; m adds a note"
    assert of.seat.entry is None


def test_nothing_typed_is_no_answer() -> None:
    of = Person(choice()).press("enter").look().press("r", "space", "enter")
    assert of.toast == "an answer needs a word"
    assert of.deeds == []


def test_words_are_kept_when_they_are_left_or_cannot_be_sent() -> None:
    of = Person(choice()).press("enter").look().press("r").type("a long answer").press("esc")
    assert of.sheet == "card"
    of.press("r")
    assert "a long answer_" in of.screen
    of.change(reworded(choice())).press("enter")
    assert of.deeds == []
    assert "a long answer_" in of.screen
    of.press("esc", "esc", "enter").look().press("r", "enter")
    assert of.answers == [answer(reworded(choice()), text="a long answer")]


def test_words_typed_while_somebody_else_answers_are_not_sent() -> None:
    of = Person(choice()).press("enter").look().press("r").type("mine")
    of.change(answered(choice())).look().press("enter")
    assert of.deeds == []
    assert of.toast == "already answered by ann"


def test_a_note_for_one_request_never_goes_with_another() -> None:
    of = Person(question(), other(), view=INBOX)
    of.press("enter").look().press("m").type("for the first").press("enter", "esc", "j")
    of.look().press("y")
    assert of.answers == [answer(other(), "yes")]


def test_d_leaves_it_for_later_and_goes_on() -> None:
    of = Person(question(), other(), view=INBOX).press("d")
    assert of.cursor == f"req:{other().id}"
    assert of.toast == "left for later; it stays in the inbox"
    assert of.deeds == []


def test_u_takes_an_answer_back_until_it_is_delivered() -> None:
    given = answered(question())
    of = Person(question(), other(), view=INBOX).change(given, other()).look().press("u")
    assert of.deeds == [TakeBack(question().id)]
    of.change(answered(question(), "delivered"), other()).press("u")
    assert of.toast == "no answer that can still be taken back is under the cursor"
    assert len(of.deeds) == 1


def test_u_works_in_the_card_too() -> None:
    given = answered(question())
    of = Person(question()).press("enter").look().change(given).press("u")
    assert of.deeds == [TakeBack(question().id)]


# --- esc, focus, rows ---------------------------------------------------------------------------


def test_esc_never_answers() -> None:
    for keys in ((), ("enter",), ("enter", "r", "x"), ("enter", "m"), (":",), ("?",)):
        of = Person(question()).press(*keys).look().press("esc", "esc", "esc")
        assert of.deeds == []
        assert of.sheet == ""


@pytest.mark.parametrize("view", [SESSION, INBOX])
def test_after_an_answer_the_row_stays_and_its_state_word_walks(view: str) -> None:
    of = Person(question(), other(), view=view).press("y")
    at = of.line_with("Publish 0.2.0?")
    for state, word in (
        ("answered", "yes, answered"),
        ("delivered", "yes, delivered"),
        ("acted_on", "yes, acted on"),
    ):
        of.change(other(), answered(question(), state)).look()
        assert of.cursor == f"req:{question().id}"
        assert of.line_with("Publish 0.2.0?") == at
        assert word in of.screen
    of.press("j").look()
    if view == SESSION:
        assert "yes, acted on" not in of.screen
    else:
        assert of.line_with("Rename the command?") < of.line_with("Publish 0.2.0?")


@pytest.mark.parametrize("view", [SESSION, INBOX])
def test_a_newcomer_that_frees_more_does_not_move_what_has_the_focus(view: str) -> None:
    of = Person(question(), view=view)
    at = of.line_with("Publish 0.2.0?")
    of.change(other(), question()).look()
    assert of.cursor == f"req:{question().id}"
    assert of.line_with("Publish 0.2.0?") == at
    assert of.line_with("Rename the command?") > at
    assert "2 for you" in of.screen
    of.press("y")
    assert of.answers == [answer(question(), "yes")]


def test_without_the_focus_the_inbox_is_ordered_by_what_an_answer_frees() -> None:
    of = Person(question(), view=PLAN).change(other(), question()).press(INBOX).look()
    assert of.line_with("Rename the command?") < of.line_with("Publish 0.2.0?")


def test_a_click_opens_the_card_and_answers_nothing() -> None:
    of = Person(question(), view=INBOX)
    at = of.line_with("Publish 0.2.0?")
    mouse.click(of.seat, 5, at)
    of.paint()
    assert of.sheet == "card"
    mouse.click(of.seat, 5, at + 2)
    assert of.deeds == []


def test_from_the_palette_an_answer_opens_the_card_first() -> None:
    of = Person(question()).press(":").type("yes, or").press("enter")
    assert of.deeds == []
    assert of.look().press("y").answers == [answer(question(), "yes")]


def test_where_nobody_acts_the_keys_say_so() -> None:
    of = Person(question())
    of.seat.can_act = False
    assert of.press("y").toast.startswith("this screen only looks")
    assert of.press("p").toast.startswith("this screen only looks")
    assert of.deeds == []
