"""What an auditor quotes counts where it stands, and only as far as it can show anything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.audit.model import Answer, Opinion, Quote
from ppgp_tui.audit.quotes import is_claim, with_quotes_checked

DOCUMENT = "docs/ACTIVE_GOAL.md"
CODE = (
    "def keep(path, count):\n    path.write_text(str(count))\n\n\ndef kept(path):\n    return 1\n"
)


def checked(*quotes: Quote, text: str = CODE, claimed: str = "", criteria: int = 1) -> Answer:
    opinions = tuple(Opinion(f"dod:{n}", "pass", "seen", quotes) for n in range(criteria))
    return with_quotes_checked(Answer(True, opinions=opinions), {"a.py": text}.get, claimed)


def outcome(*quotes: Quote, **more: object) -> str:
    return checked(*quotes, **more).opinions[0].outcome  # type: ignore[arg-type]


def test_a_quote_gets_the_line_in_which_it_really_stands() -> None:
    (one,) = checked(Quote("a.py", "path.write_text(str(count))", 40)).opinions
    assert one.quotes == (Quote("a.py", "path.write_text(str(count))", 2),)


def test_of_several_places_it_is_the_one_nearest_to_the_line_said() -> None:
    text = "words here\n" * 9
    for line in (1, 4, 9):
        (one,) = checked(Quote("a.py", "words here", line), text=text).opinions
        assert one.quotes[0].line == line


def test_blanks_and_lines_do_not_count() -> None:
    assert (
        outcome(Quote("a.py", "def keep(path,\n  count):   path.write_text(str(count))")) == "pass"
    )


@pytest.mark.parametrize(
    ("quote", "claimed"),
    [
        (Quote("a.py", "def lost(path):"), ""),
        (Quote("b.py", "def kept(path):"), ""),
        (Quote("a.py", "def kept(path):"), "It has def  kept(path): as agreed"),
        (Quote("a.py", "def kept(path):\n    return 2"), ""),
    ],
)
def test_what_does_not_stand_there_or_repeats_the_claim_counts_for_nothing(
    quote: Quote, claimed: str
) -> None:
    (one,) = checked(quote, claimed=claimed).opinions
    assert (one.outcome, one.quotes, one.missing) == ("cannot_check", (), (quote,))


def test_one_quote_may_show_two_criteria_and_not_three() -> None:
    quote = Quote("a.py", "def kept(path):")
    assert outcome(quote, criteria=2) == "pass"
    assert outcome(quote, criteria=3) == "cannot_check"


def test_what_fails_needs_no_quote() -> None:
    answer = Answer(True, opinions=(Opinion("dod:1", "fail", "not there", (Quote("b", "x"),)),))
    assert with_quotes_checked(answer, {}.get).opinions[0].outcome == "fail"


@pytest.mark.parametrize(
    "path",
    [
        DOCUMENT, "docs/../docs/ACTIVE_GOAL.md", "./docs/active_goal.md", "state/events.jsonl",
        ".ppgp/todo.json", ".git/COMMIT_EDITMSG", ".git", "/etc/passwd", "../other", "a/../../b",
        "journal/x.md", "a\0b",
    ],
)  # fmt: skip
def test_claims_and_places_outside_are_no_evidence(path: str) -> None:
    assert is_claim(path, DOCUMENT)


@pytest.mark.parametrize("path", ["src/a.py", "docs/other.md", ".gitignore", "statement.md"])
def test_other_files_are(path: str) -> None:
    assert not is_claim(path, DOCUMENT)


@given(st.text(max_size=60), st.text(max_size=200))
def test_only_what_stands_there_ever_passes(quoted: str, text: str) -> None:
    stands = bool(quoted.split()) and " ".join(quoted.split()) in " ".join(text.split())
    if outcome(Quote("a.py", quoted), text=text) == "pass" and quoted.split():
        assert stands
