"""What an auditor's answer decides, and what decides nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.audit.answer import begin, end, read_answer
from ppgp_tui.audit.model import Answer, Quote
from ppgp_tui.audit.quotes import with_quotes_checked

TOKEN = "7f3a"
CRITERIA = ("dod:1", "dod:2")


def opinion(criterion: str, outcome: str = "pass", **more: Any) -> dict[str, Any]:
    quotes = [{"path": "docs/a.md", "line": 3, "text": "the format"}] if outcome == "pass" else []
    return {"id": criterion, "outcome": outcome, "why": "seen", "quotes": quotes, **more}


def written(verdict: str = "approved", *opinions: dict[str, Any], **more: Any) -> str:
    said = {"verdict": verdict, "criteria": list(opinions or map(opinion, CRITERIA)), **more}
    tag = {"approved": "\n<approved/>", "rejected": "\n<disapproved/>"}.get(verdict, "")
    return f"I looked.\n{begin(TOKEN)}\n{json.dumps(said, indent=1)}\n{end(TOKEN)}{tag}\n"


def read(text: str) -> Answer:
    return read_answer(text, CRITERIA, TOKEN)


def test_an_approval_of_every_criterion_with_quotes_counts() -> None:
    answer = read(written(notes=["the runbook is short"]))
    assert answer.usable, answer.why
    assert [(one.criterion, one.outcome) for one in answer.opinions] == [
        ("dod:1", "pass"), ("dod:2", "pass"),
    ]  # fmt: skip
    assert answer.opinions[0].quotes == (Quote("docs/a.md", "the format", 3),)
    assert answer.notes == ("the runbook is short",)


def test_a_rejection_says_what_fails_and_needs_no_quote_for_what_is_not_there() -> None:
    answer = read(written("rejected", opinion("dod:1"), opinion("dod:2", "fail"),
                          objections=["no runbook"]))  # fmt: skip
    assert answer.usable, answer.why
    assert answer.objections == ("no runbook",)


def test_a_fence_around_the_json_is_no_matter() -> None:
    text = written().replace(begin(TOKEN), begin(TOKEN) + "\n```json")
    assert read(text.replace(end(TOKEN), "```\n" + end(TOKEN))).usable


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no answer"),
        ("All good, ship it.\n<approved/>", "no answer"),
        (written().replace(TOKEN, "0000"), "no answer"),
        (written() + written(), "more than one"),
        (written().partition(end(TOKEN))[0], "cut off"),
        (written()[:60], "cut off"),
        (written().replace('"verdict"', "verdict"), "no JSON"),
        (written().replace('"why": "seen",', '"why": "seen", "why": "not",', 1), "twice"),
        (written("maybe"), "no verdict"),
        (written("approved", opinion("dod:1")), "not answered: dod:2"),
        (written("approved", opinion("dod:1"), opinion("dod:1")), "twice"),
        (written("approved", *map(opinion, CRITERIA), opinion("dod:9")), "not asked: dod:9"),
        (written("approved", opinion("dod:1"), opinion("dod:2", quotes=[])), "without evidence"),
        (written("approved", opinion("dod:1"), opinion("dod:2", why=" ")), "no reason"),
        (written("approved", opinion("dod:1"), opinion("dod:2", "fail")), "approves and"),
        (written("approved", objections=["x"]), "approves and"),
        (written("rejected"), "rejects and"),
        (written("inconclusive", opinion("dod:1"), opinion("dod:2", "fail")), "decides nothing"),
        (written().replace("<approved/>", ""), "does not end in <approved/>"),
        (written().replace("<approved/>", "<disapproved/>"), "does not end in <approved/>"),
        (written() + "but I am not sure", "does not end in"),
        (written(extra=1), "another shape"),
        (written("approved", opinion("dod:1"), opinion("dod:2", quotes=[{"path": "a"}])), "quote"),
        (begin(TOKEN) + "\n" + "[" * 9999 + "\n" + end(TOKEN), "no JSON"),
    ],
)
def test_what_is_unclear_decides_nothing_and_says_why(text: str, why: str) -> None:
    answer = read(text)
    assert not answer.usable
    assert why in answer.why
    assert answer.opinions == ()


def test_a_quote_counts_only_where_the_file_says_it() -> None:
    files = {"docs/a.md": "# Format\n\nThis is  the\nformat of it\n"}
    assert all(
        one.outcome == "pass" for one in with_quotes_checked(read(written()), files.get).opinions
    )
    checked = with_quotes_checked(read(written()), {"docs/a.md": "nothing"}.get)
    assert {one.outcome for one in checked.opinions} == {"cannot_check"}
    assert checked.opinions[0].missing == (Quote("docs/a.md", "the format", 3),)
    assert "docs/a.md does not say so" in checked.opinions[0].why


def test_one_invented_quote_among_true_ones_is_enough_to_distrust_it() -> None:
    quotes = [{"path": "a.md", "text": "true words in it"}, {"path": "b.md", "text": "invented"}]
    answer = read(written("approved", opinion("dod:1"), opinion("dod:2", quotes=quotes)))
    files = {"docs/a.md": "the format", "a.md": "true words in it", "b.md": "other words"}
    outcomes = [one.outcome for one in with_quotes_checked(answer, files.get).opinions]
    assert outcomes == ["pass", "cannot_check"]


@given(st.text(), st.integers(0, 400))
def test_any_text_is_read_and_a_cut_off_answer_never_approves(text: str, cut: int) -> None:
    assert not read(text).usable
    whole = written()
    assert not read(whole[: min(cut, len(whole.rstrip()) - 1)]).usable
