"""The whole of one request, as its card and the detail beside a list say it."""

from __future__ import annotations

import pytest

from ppgp_tui.session.model import Answer, Option, RefusedAnswer, Request
from ppgp_tui.ui.rows.row import Row
from ppgp_tui.ui.screen.sheets import clock_time
from ppgp_tui.ui.views.inbox.request_card import card_body, request_detail
from ppgp_tui.ui.views.inbox.requests import why_closed
from tests.ui import picture
from tests.ui.desk import choice, question
from tests.ui.hostile import HOSTILE, is_harmless
from tests.ui.views.drawn import text_of

NOW = picture.NOW


def said(rows: list[Row], width: int = 80) -> list[str]:
    return [text_of(line, width) for row in rows for line in row.lines]


def card(request: Request, width: int = 80, **more: object) -> list[str]:
    return said(card_body(request, width, NOW, {}, **more), width)  # type: ignore[arg-type]


def fact(request: Request, label: str, width: int = 80) -> str:
    """The value of one of the facts below."""
    start = f" {label.ljust(9)}"
    found = next(line for line in card(request, width) if line.startswith(start))
    return found.removeprefix(start)


def test_a_card_shows_question_class_scope_asker_state_and_age() -> None:
    first, second, *_ = card(question())
    assert first.startswith(" Publish 0.2.0?")
    assert first.endswith("6m")
    assert second.startswith(" C authority, scope release, asked by claude-0f3a")
    assert second.endswith("waits")


def test_nothing_of_a_long_request_is_cut_at_any_width() -> None:
    words = [f"word{number}" for number in range(300)]
    long = choice(
        question=" ".join(words[:60]),
        why=" ".join(words[60:160]),
        evidence="\n".join(words[160:240]),
        scope=" ".join(words[240:260]),
        options=(Option("a", " ".join(words[260:290]), " ".join(words[290:])),),
    )
    for width in (48, 72, 80, 120):
        shown = " ".join(card(long, width)).replace(",", " ").replace(":", " ").split()
        assert set(words) <= set(shown), width


def test_every_option_stands_with_its_letter_and_the_advised_one_is_marked() -> None:
    shown = card(choice())
    assert "   a  Take way a" in shown
    assert any(line.startswith("   b  Take way b") and line.endswith("advised") for line in shown)
    assert "   r  your own words" in shown


def test_what_cannot_be_undone_says_which_keys_do_it() -> None:
    shown = card(choice(irreversible=True))
    first = next(line for line in shown if line.startswith("   a  Take way a"))
    assert first.endswith("cannot be undone: a, then Y")
    assert any(line.endswith("advised, cannot be undone: b, then Y") for line in shown)
    narrow = card(choice(irreversible=True), 48)
    assert any(line.endswith("advised, final, then Y") for line in narrow)
    yes = next(line for line in card(question(irreversible=True)) if line.startswith("   y"))
    assert yes.endswith("then Y")


def test_a_question_of_yes_or_no_shows_both_keys_and_what_is_advised() -> None:
    shown = card(question(recommended="no"))
    assert "   y  yes" in shown
    assert any(line.startswith("   n  no") and line.endswith("advised") for line in shown)


def test_beside_a_list_no_keys_are_offered() -> None:
    for request in (choice(irreversible=True), question()):
        shown = "\n".join(said(request_detail(request, 80, NOW)))
        for words in ("then Y", "own words", "y  yes"):
            assert words not in shown


def test_a_card_that_cannot_be_answered_any_more_offers_no_keys() -> None:
    for over in (
        choice()._replace(state="answered"),
        choice(expires_ms=NOW - 1),
        choice(damage="its digest is not that of its text"),
    ):
        assert "   r  your own words" not in card(over)
        assert why_closed(over, NOW)


def test_what_a_tool_would_be_called_with_is_shown_to_the_last_character() -> None:
    text = '{"command": "rm -rf  build;  ' + "x" * 40_000 + 'END"}'
    shown = card(question(kind="permission", tool="Bash", tool_input=text), 72)
    joined = "".join(line.strip() for line in shown)
    assert "would call  Bash" in joined
    assert joined.count("x") >= 40_000
    assert 'END"}' in joined
    assert "rm -rf  build;  " in joined


def test_what_an_answer_frees_and_then_what() -> None:
    assert fact(question(frees=("T8",), frees_then=("T11", "T12")), "frees") == "T8, then T11, T12"


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("waiting_for_you", "claude-0f3a, waits 6m"),
        ("idle", "claude-0f3a, idle 6m"),
        ("working", "claude-0f3a, working 6m"),
        ("gone", "claude-0f3a, gone 6m"),
        (None, "claude-0f3a, not connected"),
    ],
)
def test_who_asks_and_whether_they_wait(state: str | None, words: str) -> None:
    quiet = picture.ago(minutes=6)
    assert fact(question(asker_state=state, asker_quiet_ms=quiet), "asker") == words


def test_when_it_expires_is_said_as_time_left_and_as_time_of_day() -> None:
    at = NOW + 4 * 60_000
    assert fact(question(expires_ms=at), "expires") == f"4m, {clock_time(at)}"


def test_what_an_answer_is_bound_to() -> None:
    assert fact(question(), "bound to") == "request 11111111, digest aaaaaa"


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        ("verified", "signed by you, and the signature is right"),
        ("unsigned", "unsigned"),
        ("unchecked", "signed; the signature was not checked here"),
    ],
)
def test_an_answer_says_what_by_whom_when_and_how_it_is_signed(signature: str, words: str) -> None:
    answer = Answer("dec_1", 1, "user:dev", picture.ago(minutes=3), "yes", note="not on Friday")
    over = question()._replace(state="answered", answer=answer._replace(signature=signature))
    assert fact(over, "answer") == f"yes, by dev, 3m ago, {words}"
    assert fact(over, "note") == "not on Friday"


def test_an_answer_that_was_taken_back_or_that_nobody_recorded_says_so() -> None:
    answer = Answer("dec_1", 1, "user:dev", None, text="only Monday", signature="verified")
    back = question()._replace(state="taken_back", answer=answer)
    assert fact(back, "answer", 120).startswith("only Monday, by dev, ")
    assert fact(back, "answer", 120).endswith("taken back")
    beside = question()._replace(state="answered", answer=answer._replace(recorded=False))
    assert "nobody recorded it" in " ".join(card(beside))


def test_answers_that_do_not_count_are_shown_with_the_reason() -> None:
    refused = RefusedAnswer(2, "forged or damaged", "the signature is not yours")
    shown = " ".join(" ".join(card(question(refused=(refused,)))).split())
    assert "forged or damaged, does not count (attempt 2): the signature is not yours" in shown


def test_why_it_was_withdrawn_is_said_in_plain_words() -> None:
    gone = question()._replace(state="withdrawn", reason="asker_gone")
    assert fact(gone, "because") == "the one who asked is gone"


def test_a_request_that_no_answer_can_count_for_says_why() -> None:
    shown = " ".join(" ".join(card(question(damage="its digest is not that of its text"))).split())
    assert "no answer to it can count: its digest is not that of its text" in shown


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_are_shown_as_words(words: str) -> None:
    request = choice(
        question=words, why=words, evidence=words, scope=words, asker=words, cwd=words,
        tool=words, tool_input=words, reason=words, damage=words,
        options=(Option("a", words, words),),
        answer=Answer("dec_1", 1, words, NOW, None, words, words),
        refused=(RefusedAnswer(1, words, words),),
    )  # fmt: skip
    for line in (*card(request), *said(request_detail(request, 80, NOW))):
        assert is_harmless(line)
