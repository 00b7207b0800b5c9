"""Which answers count: each way of forging one, and the reason a person is told."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from ppgp_tui.session.authority.answer import write
from ppgp_tui.session.authority.keys import SigningKey
from ppgp_tui.session.authority.pins import Checked, Pins
from ppgp_tui.session.authority.verdict import Accepted, Rejected, judge
from ppgp_tui.session.canonical import canonical, digest
from tests.session.authority.conftest import HERE, HOSTILE, T0, Person, a_request


def never_asked(text: bytes, signature: str | None) -> Checked:
    raise AssertionError("the signature was looked at before everything else was right")


def reason(verdict: Accepted | Rejected) -> str:
    assert isinstance(verdict, Rejected), verdict
    assert verdict.why
    return verdict.reason


def resigned(answer, person: Person, signed: str):
    """The answer with another signed text, properly signed by the person."""
    return replace(answer, signed=signed, signature=person.key.sign(signed.encode()))


def test_the_persons_answer_counts(person: Person, pins: Pins):
    request = a_request()
    answer = person.answer(request, note="after the tests")
    assert judge(request, 1, write(answer), pins.check) == Accepted(answer, signed=True)


def test_free_text_counts_as_an_answer(person: Person, pins: Pins):
    request = a_request()
    answer = person.answer(request, option=None, text="only to the test index")
    assert judge(request, 1, write(answer), pins.check) == Accepted(answer, signed=True)


def test_no_answer_at_all_is_none(person: Person):
    request = a_request()
    data = write(person.answer(request, option=None))
    assert reason(judge(request, 1, data, never_asked)) == "damaged"


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_bytes_are_damaged(data: bytes):
    verdict = judge(a_request(), 1, data, never_asked)
    assert reason(verdict) == "damaged"
    assert verdict.shown == "forged or damaged"


def test_an_unsigned_answer_does_not_count_where_a_key_is_pinned(person: Person, pins: Pins):
    request = a_request()
    answer = replace(person.answer(request), signature=None)
    assert reason(judge(request, 1, write(answer), pins.check)) == "unsigned"


def test_an_unsigned_answer_counts_as_unsigned_where_nothing_can_be_signed(without_openssh):
    request = a_request()
    answer = Person(SigningKey(without_openssh)).answer(request)
    assert answer.signature is None
    verdict = judge(request, 1, write(answer), without_openssh.check)
    assert verdict == Accepted(answer, signed=False)


def test_an_answer_signed_by_another_key_is_forged(person: Person, pins: Pins, tmp_path):
    request = a_request()
    person.answer(request)
    stranger = Person(SigningKey(Pins(tmp_path / "theirs", pins.root, HERE)))
    verdict = judge(request, 1, write(stranger.answer(request)), pins.check)
    assert reason(verdict) == "forged"
    assert verdict.shown == "forged or damaged"


def test_a_signature_moved_from_a_no_to_a_yes_is_forged(person: Person, pins: Pins):
    request = a_request()
    refusal, planted = person.answer(request, "no"), person.answer(request, "yes")
    planted = replace(planted, signature=refusal.signature)
    assert reason(judge(request, 1, write(planted), pins.check)) == "forged"


@pytest.mark.parametrize(
    "changed",
    [
        {"option": "yes"},
        {"option": None, "text": "yes"},
        {"text": "and more"},
        {"note": "go on"},
        {"answered_ms": T0 + 2},
    ],
    ids=str,
)
def test_outer_members_that_differ_from_the_signed_text_are_altered(person, changed):
    request = a_request()
    altered = replace(person.answer(request, "no"), **changed)
    assert reason(judge(request, 1, write(altered), never_asked)) == "altered"


def test_an_answer_to_another_request_is_not_one_to_this(person: Person):
    asked, other = a_request(), a_request(question="Delete the bucket?")
    data = write(person.answer(asked))
    assert reason(judge(other, 1, data, never_asked)) == "other_request"


def test_an_answer_relabelled_for_another_request_is_altered(person: Person):
    asked, other = a_request(), a_request(question="Delete the bucket?")
    moved = replace(person.answer(asked), request=other["id"], digest=digest(other))
    assert reason(judge(other, 1, write(moved), never_asked)) == "altered"


def test_an_answer_to_another_text_of_the_same_request_does_not_count(person: Person):
    asked = a_request()
    swapped = asked | {"question": "Delete the bucket?"}
    data = write(person.answer(asked))
    assert reason(judge(swapped, 1, data, never_asked)) == "other_request"


def test_an_answer_from_another_repository_does_not_count(person: Person):
    request = a_request()
    data = write(person.answer(request, repo="f" * 32))
    assert reason(judge(request, 1, data, never_asked)) == "other_repository"


def test_an_answer_under_the_name_of_another_attempt_does_not_count(person: Person):
    request = a_request()
    data = write(person.answer(request, attempt=1))
    assert reason(judge(request, 2, data, never_asked)) == "other_attempt"
    relabelled = replace(person.answer(request, attempt=1), attempt=2)
    assert reason(judge(request, 2, write(relabelled), never_asked)) == "altered"


def test_an_answer_after_the_request_expired_does_not_count(person: Person, pins: Pins):
    request = a_request(expires_ms=T0 + 5000)
    person.now_ms = T0 + 5000
    assert isinstance(judge(request, 1, write(person.answer(request)), pins.check), Accepted)
    person.now_ms = T0 + 5001
    assert reason(judge(request, 1, write(person.answer(request)), never_asked)) == "expired"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda said: json.dumps(said),
        lambda said: canonical(said).decode() + "\n",
        lambda said: json.dumps(said, separators=(",", ":"))[::-1],
        lambda said: canonical(said).decode()[:-1] + ',"v":1}',
        lambda said: canonical(said | {"v": 2}).decode(),
        lambda said: canonical(said | {"v": True}).decode(),
        lambda said: canonical(said | {"more": "x"}).decode(),
        lambda said: canonical(said | {"note": None}).decode(),
        lambda said: json.dumps(said | {"attempt": 1.0}, sort_keys=True, separators=(",", ":")),
        lambda _: "[" * 100_000,
        lambda _: "",
        lambda _: "\0",
    ],
)
def test_a_signed_text_that_is_not_canonical_does_not_count_even_well_signed(person, spoil):
    request = a_request()
    answer = person.answer(request)
    answer = resigned(answer, person, spoil(json.loads(answer.signed)))
    assert reason(judge(request, 1, write(answer), never_asked)) in ("altered", "damaged")


def test_an_option_that_was_not_offered_does_not_count(person: Person):
    request = a_request(options=["now", "later"])
    for option in ("yes", "c", "allow_once"):
        data = write(person.answer(request, option))
        assert reason(judge(request, 1, data, never_asked)) == "damaged"


def test_a_permission_takes_its_own_words_and_no_text(person: Person, pins: Pins):
    about: dict[str, Any] = {"kind": "permission", "tool": {"name": "Bash", "input": {}}}
    request = a_request(**about)
    good = write(person.answer(request, "allow_once"))
    assert isinstance(judge(request, 1, good, pins.check), Accepted)
    for said in ({"option": "yes"}, {"option": None, "text": "allow_once"}):
        data = write(person.answer(request, **said))
        assert reason(judge(request, 1, data, never_asked)) == "damaged"


def test_who_answered_is_not_signed_and_decides_nothing(person: Person, pins: Pins):
    request = a_request()
    renamed = replace(person.answer(request), by="user:somebody")
    assert isinstance(judge(request, 1, write(renamed), pins.check), Accepted)


def test_a_signature_that_cannot_be_checked_is_no_forgery_and_no_grant(person: Person):
    request = a_request()
    data = write(person.answer(request))
    verdict = judge(request, 1, data, lambda *_: Checked("unverifiable", "too slow"))
    assert verdict == Rejected("unverifiable", "too slow")
