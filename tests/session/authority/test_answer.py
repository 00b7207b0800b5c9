"""The text that is signed and the file that carries it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.authority.answer import (
    TEXT_MOST,
    Answer,
    parse,
    repo_signed_for,
    signed_text,
    signed_text_of,
    write,
)
from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.canonical import UnserialisableError
from tests.session.authority.conftest import HOSTILE, REPO

ID = "req_" + "a" * 32
DIGEST = "sha256:" + "b" * 64


def an_answer(**changed):
    about = {
        "request": ID,
        "digest": DIGEST,
        "attempt": 1,
        "answered_ms": 1000,
        "option": "yes",
    } | {name: changed.pop(name) for name in list(changed) if name in ("option", "text", "note")}
    signed = signed_text(repo=REPO, **about)
    more = {"decision": "dec_" + "c" * 32, "by": "user:dev", "signed": signed, "signature": "SIG"}
    return Answer(**about | more | changed)


def test_the_signed_text_is_canonical_json_without_what_was_not_said():
    said = signed_text(
        repo="r", request=ID, digest=DIGEST, attempt=2, answered_ms=5, option="a", note="é\n"
    )
    assert said == (
        f'{{"answered_ms":5,"attempt":2,"digest":"{DIGEST}","note":"é\\n","option":"a",'
        f'"repo":"r","request":"{ID}","v":1}}'
    )


def test_an_answer_file_is_canonical_json_and_a_newline():
    data = write(an_answer())
    assert json.loads(data) == {
        "schema": 1,
        "request": ID,
        "digest": DIGEST,
        "attempt": 1,
        "decision": "dec_" + "c" * 32,
        "by": "user:dev",
        "option": "yes",
        "answered_ms": 1000,
        "signed": signed_text_of(an_answer(), REPO),
        "signature": "SIG",
    }
    assert data.endswith(b'"}\n')
    assert b'": ' not in data


TEXTS = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


@given(option=st.none() | st.sampled_from(["yes", "i"]), text=TEXTS, note=TEXTS)
def test_every_answer_reads_back_as_it_was_written(option, text, note):
    answer = an_answer(option=option, text=text, note=note)
    assert parse(write(answer)) == answer
    assert repo_signed_for(answer.signed) == REPO


def test_the_longest_text_and_note_fit():
    longest = "\0" * TEXT_MOST
    answer = an_answer(text=longest, note=longest)
    assert parse(write(answer)) == answer


def test_text_that_is_none_cannot_be_signed():
    with pytest.raises(UnserialisableError):
        signed_text(repo=REPO, request=ID, digest=DIGEST, attempt=1, answered_ms=0, text="\ud800")


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_bytes_are_no_answer(data: bytes):
    with pytest.raises(DamagedError):
        parse(data)


@pytest.mark.parametrize(
    "changed",
    [
        {"attempt": True},
        {"attempt": 1.0},
        {"attempt": 0},
        {"attempt": 10_000},
        {"answered_ms": -1},
        {"answered_ms": 2**53},
        {"option": 1},
        {"text": "a" * (TEXT_MOST + 1)},
        {"signed": None},
        {"by": ""},
        {"schema": 1.0},
        {"more": 1},
    ],
    ids=str,
)
def test_a_member_of_another_kind_damages_the_answer(changed):
    said = json.loads(write(an_answer())) | changed
    with pytest.raises(DamagedError):
        parse(json.dumps(said).encode())


@pytest.mark.parametrize("member", ["schema", "request", "attempt", "signed", "answered_ms"])
def test_a_missing_member_damages_the_answer(member: str):
    said = json.loads(write(an_answer()))
    del said[member]
    with pytest.raises(DamagedError):
        parse(json.dumps(said).encode())


@given(st.binary(max_size=300))
def test_any_bytes_are_an_answer_or_damaged(data: bytes):
    try:
        parse(data)
    except DamagedError:
        return
    raise AssertionError("random bytes were an answer")
