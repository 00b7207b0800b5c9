"""A person types lines: what is said, what is done, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.model import Control, Loops, Part, Request, SessionSnapshot
from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.plain.talk import ARMED_MS, HEARD_MS, Reply, Talk
from tests.ui import picture, picture_loops
from tests.ui.desk import answer, answered, choice, other, question, reworded


class Listener:
    """A person who hears every picture whole and types a line now and then."""

    def __init__(self, *requests: Request) -> None:
        self.now = picture.NOW
        self.shown = replace(picture.full(), inbox=Part(requests))
        self.talk = Talk()
        for request in requests:
            self.talk.number(request.id)
        self.hear_all()
        self.wait()

    def hear_all(self) -> None:
        self.talk.told(self.shown, self.now)

    def wait(self, ms: int = HEARD_MS) -> None:
        self.now += ms

    def show(self, snapshot: SessionSnapshot) -> None:
        self.shown = snapshot

    def change(self, *requests: Request) -> None:
        self.show(replace(self.shown, inbox=Part(requests)))

    def type(self, line: str) -> Reply:
        return self.talk.hear(line, self.shown, self.now)


def test_y_and_n_answer_the_only_request() -> None:
    assert Listener(question()).type("y").deed == answer(question(), "yes")
    assert Listener(question()).type("n").deed == answer(question(), "no")


def test_a_permission_is_allowed_once_or_denied() -> None:
    asked = question(kind="permission")
    assert Listener(asked).type("y").deed == answer(asked, "allow_once")
    assert Listener(asked).type("n").deed == answer(asked, "deny")


def test_y_takes_what_is_advised_and_a_letter_its_option() -> None:
    assert Listener(choice()).type("y").deed == answer(choice(), "b")
    assert Listener(choice()).type("c").deed == answer(choice(), "c")


def test_without_advice_the_letters_are_named() -> None:
    reply = Listener(choice(recommended=None)).type("y")
    assert reply == Reply(("None of the options is advised: type a, b, c.",))


def test_what_a_request_does_not_offer_is_no_answer() -> None:
    assert Listener(choice()).type("d").lines == ("There is no option d: type a, b, c.",)
    assert Listener(choice()).type("n").lines == ("This asks for one of its options: a, b, c.",)
    assert Listener(question()).type("a").deed is None


def test_where_several_wait_a_bare_y_answers_none_of_them() -> None:
    person = Listener(question(), other())
    assert person.type("y") == Reply(("Which one? 1, 2 wait: open one, or add its number.",))
    assert person.type("y 2").deed == answer(other(), "yes")
    assert person.type("open 1").lines[0].startswith("Request 1: Publish 0.2.0?")
    person.wait()
    assert person.type("n").deed == answer(question(), "no")


def test_a_request_keeps_its_number_when_others_come_and_go() -> None:
    person = Listener(question(), other())
    person.change(other())
    person.wait()
    assert person.type("y 2").deed == answer(other(), "yes")
    assert person.type("y 1").lines == ("There is no request 1.",)


def test_what_cannot_be_undone_is_asked_for_twice() -> None:
    final = choice(irreversible=True)
    person = Listener(final)
    said = person.type("a")
    assert said.deed is None
    assert said.lines == ("Take way a. This cannot be undone: type Y to do it.",)
    assert person.type("Y").deed == answer(final, "a")
    assert person.type("Y").lines == ("Choose first, then type Y.",)


def test_no_to_what_cannot_be_undone_needs_no_second_word() -> None:
    final = question(irreversible=True)
    assert Listener(final).type("n").deed == answer(final, "no")


def test_a_second_word_comes_too_late_after_a_while() -> None:
    person = Listener(question(irreversible=True))
    person.type("y")
    person.wait(ARMED_MS + 1)
    assert person.type("Y").deed is None


def test_a_choice_does_not_outlive_a_change_of_the_request() -> None:
    final = question(irreversible=True)
    person = Listener(final)
    person.type("y")
    person.change(reworded(final))
    person.hear_all()
    person.wait()
    assert person.type("Y").lines == ("Choose first, then type Y.",)


def test_a_capital_y_is_no_shortcut_where_a_small_one_does() -> None:
    assert Listener(question()).type("Y").lines == ("y is enough: this can be undone.",)


def test_a_changed_request_is_told_before_it_can_be_answered() -> None:
    person = Listener(question())
    person.change(reworded(question()))
    said = person.type("y")
    assert said.deed is None
    assert said.lines[0] == "It changed. Listen, then answer."
    assert "Publish 1.0.0 to everybody?" in said.lines[1]
    assert person.type("y").lines == ("That was just told: listen, then type it again.",)
    person.wait()
    assert person.type("y").deed == answer(reworded(question()), "yes")


def test_what_was_typed_before_it_was_told_answers_nothing() -> None:
    person = Listener()
    person.change(question())
    person.hear_all()
    assert person.type("y").lines == ("That was just told: listen, then type it again.",)


def test_one_that_nobody_told_yet_is_told_first() -> None:
    person = Listener()
    person.change(question())
    said = person.type("y")
    assert said.deed is None
    assert said.lines[0] == "This was not told yet. Listen, then answer."


def test_own_words_are_an_answer_where_they_count() -> None:
    person = Listener(question())
    assert person.type("say not before Monday").deed == answer(question(), text="not before Monday")
    assert person.type("say").deed is None
    assert Listener(question(kind="permission")).type("say maybe").deed is None


def test_an_answer_can_be_taken_back() -> None:
    person = Listener(answered(question()))
    assert person.type("u").deed == deeds.TakeBack(question().id)
    assert Listener(question()).type("u").lines == ("Nothing can be taken back.",)


def test_an_answered_request_takes_no_second_answer() -> None:
    said = Listener(answered(question())).type("y 1")
    assert said == Reply(("Request 1: already answered by ann.",))


def test_pause_and_resume_turn_the_order_that_was_told() -> None:
    person = Listener()
    generation = person.shown.control.value.generation
    assert person.type("pause").deed == deeds.Hold(generation)
    assert person.type("resume").lines == ("No pause stands.",)
    person.show(replace(person.shown, control=Part(Control(8, "hold_1", person.now))))
    assert person.type("p").lines == (
        "The order to the agents just changed: listen, then type again.",
    )
    person.hear_all()
    person.wait()
    assert person.type("p").deed == deeds.Release(8)


def test_parts_of_the_picture_are_told_again_when_asked_for() -> None:
    person = Listener(question())
    assert person.type("plan").lines[0].startswith("Plan revision 14")
    assert person.type("goal").lines[0] == "Goal: Make the importer resumable"
    assert person.type("requests").lines[0] == "1 request for you, oldest 6 minutes."
    assert len(person.type("all").lines) > 20


def test_help_names_every_word_and_a_strange_word_names_help() -> None:
    help_ = " ".join(Listener().type("help").lines)
    for word in ("y:", "n:", "a to i", "Y:", "say", "u:", "open", "pause", "resume", "quit",
                 "requests", "plan", "goal", "agents", "events", "files", "all"):  # fmt: skip
        assert word in help_
    assert Listener().type("jump").lines == ("jump is no word here; help tells those there are.",)


def test_quit_leaves_and_an_empty_line_does_nothing() -> None:
    assert Listener().type("quit").leaves
    assert Listener().type("  ") == Reply()


def test_leaving_while_agents_are_held_says_once_that_they_stay_held() -> None:
    person = Listener()
    person.show(replace(person.shown, control=Part(Control(8, "hold_1", person.now))))
    first = person.type("quit")
    assert not first.leaves
    assert first.lines == ("Agents stay held: quit again leaves, resume lets them go on.",)
    assert person.type("quit").leaves


@pytest.mark.parametrize("line", ["open", "open 7", "open x", "y 999999999999", "y ²", "u 3"])
def test_a_number_that_means_nothing_is_refused(line: str) -> None:
    said = Listener().type(line)
    assert said.deed is None
    assert said.lines


@given(st.text())
def test_no_line_does_anything_by_accident(line: str) -> None:
    person = Listener(question(), choice(id="req_" + "3" * 32, irreversible=True))
    said = person.type(line)
    if said.deed is not None:
        assert line.split()[0] in ("y", "n", "p", "pause", "say")
    assert all("\n" not in one and "\x1b" not in one for one in said.lines)


def test_an_answer_where_only_a_restart_loop_waits_says_so() -> None:
    listener = Listener()
    assert listener.type("y").lines == ("Nothing waits for you.",)
    listener.show(replace(listener.shown, loops=Part(Loops((picture_loops.asking(),)))))
    only = "No request waits for you, only a restart loop: kill-points."
    assert listener.type("y").lines == (only,)
