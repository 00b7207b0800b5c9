"""Answering: to exactly what was read, once, in time; taken back until somebody received it."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ppgp_tui.session.actions import answering, asking, plan, start
from ppgp_tui.session.actions.answering import Said
from ppgp_tui.session.actions.asking import Question
from ppgp_tui.session.authority.keys import SigningKey
from ppgp_tui.session.authority.pins import Pins
from ppgp_tui.session.authority.waiter import Delivered, DeliveredBefore, Waiter
from ppgp_tui.session.engine.result import Result
from tests.session.engine.desk import CLAUDE
from tests.session.engine.repository import (
    LOG,
    RUN,
    Repository,
    good,
    refused,
    task,
)
from tests.session.engine.rules import broken


def ask(here: Repository, text: str = "Publish 0.2.0?", **about: object) -> str:
    return good(asking.ask(here.engine(CLAUDE), Question(text, **about))).data["request"]


def answer(here: Repository, request: str, said: Said | None = None, **more: object) -> Result:
    return answering.answer(here.engine(), request, said or Said("yes"), key=here.key, **more)


def answer_file(here: Repository, request: str, attempt: int = 1) -> Path:
    return here.root / RUN / "answers" / f"{request}.{attempt}.json"


def request_of(here: Repository, request: str) -> dict:
    return here.json(RUN / "requests" / f"{request}.json")


# Once, to what was read, in time -----------------------------------------------------------------


def test_an_answer_is_a_decision_of_the_person_and_a_file_for_the_waiter(here: Repository) -> None:
    asked = ask(here)
    result = good(answer(here, asked, Said("no", note="not before Friday")))
    assert result.message == "answered: no, unsigned"
    assert result.created == (f".ppgp/run/answers/{asked}.1.json",)
    event = here.newest("decision.created")
    assert event["actor"] == {"kind": "user", "id": "dev"}
    assert event["causation_id"] == here.newest("authority.requested")["id"]
    payload = event["payload"]
    assert (payload["status"], payload["reason"]) == ("Rejected", "no")
    assert payload["decided_by"] == {"kind": "user", "id": "dev"}
    metadata = payload["metadata"]
    assert {name: metadata[name] for name in ("type", "request", "attempt", "option", "note")} == {
        "type": "answer",
        "request": asked,
        "attempt": 1,
        "option": "no",
        "note": "not before Friday",
    }
    file = here.json(answer_file(here, asked).relative_to(here.root))
    assert file["signed"] == metadata["signed"]
    assert file["decision"] == payload["id"]
    assert here.request_state(asked) == "answered"


def test_a_second_person_is_told_who_answered(here: Repository) -> None:
    asked = ask(here)
    good(answer(here, asked))
    assert refused(answer(here, asked, Said("no"))) == "already answered by dev"


def test_of_many_who_answer_at_once_one_has_answered(here: Repository) -> None:
    asked = ask(here)
    words = ["yes", "no"] * 4
    with ThreadPoolExecutor(8) as people:
        results = list(people.map(lambda word: answer(here, asked, Said(word)), words))
    (first,) = [result for result in results if result.ok]
    others = {result.message for result in results if not result.ok}
    assert others == {"already answered by dev"}
    assert here.kinds().count("decision.created") == 1
    assert here.newest("decision.created")["payload"]["id"] == first.data["decision"]
    files = list((here.root / RUN / "answers").iterdir())
    assert files == [answer_file(here, asked)]


def test_an_answer_counts_only_for_the_text_that_was_painted(here: Repository) -> None:
    asked = ask(here)
    painted = here.newest("authority.requested")["payload"]["digest"]
    assert refused(answer(here, asked, seen_digest="sha256:" + "0" * 64), "stale") == (
        "a changed request: read it again"
    )
    assert here.kinds().count("decision.created") == 0
    good(answer(here, asked, seen_digest=painted))


def test_a_request_swapped_in_its_file_is_answered_as_it_was_asked(here: Repository) -> None:
    asked = ask(here, "Delete the old backups?")
    real = request_of(here, asked)
    file = here.root / RUN / "requests" / f"{asked}.json"
    file.write_bytes(file.read_bytes().replace(b"Delete the old backups?", b"Fix the typo?"))
    good(answer(here, asked))
    assert request_of(here, asked) == real


def test_after_its_expiry_a_request_is_expired_and_that_is_no_no(here: Repository) -> None:
    asked = ask(here, expires_ms=here.now_ms + 5000)
    here.now_ms += 60_000
    said = refused(answer(here, asked), "expired")
    assert said == "the request expired before this answer; nobody answered it"
    assert answer(here, asked).exit_code == 3
    assert "decision.created" not in here.kinds()
    assert not answer_file(here, asked).exists()


def test_a_request_that_expires_while_the_key_asks_for_a_passphrase_is_not_answered(
    here: Repository,
) -> None:
    asked = ask(here, expires_ms=here.now_ms + 20_000)

    class Slow(SigningKey):
        def sign(self, text: bytes) -> str | None:
            here.now_ms += 60_000
            return super().sign(text)

    slow = Slow(here.pins)
    refused(answering.answer(here.engine(), asked, Said("yes"), key=slow), "expired")
    assert not answer_file(here, asked).exists()


def test_what_was_withdrawn_while_the_person_was_signing_is_not_answered(here: Repository) -> None:
    asked = ask(here)

    class Slow(SigningKey):
        def sign(self, text: bytes) -> str | None:
            good(asking.withdraw(here.engine(CLAUDE), asked))
            return super().sign(text)

    said = refused(answering.answer(here.engine(), asked, Said("yes"), key=Slow(here.pins)))
    assert said == "the request was withdrawn: asker"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (Said("a"), "'a' is not offered; one of yes, no"),
        (Said(""), "'' is not offered; one of yes, no"),
        (Said(), "an answer is one of yes, no, or a text"),
        (Said(text="  "), "an answer is one of yes, no, or a text"),
        (Said("yes", text="and more"), "an answer is an option or a text; a note may go with it"),
        (Said(text="x" * 4001), "this is no answer"),
        (Said("yes", note="x" * 4001), "this is no answer"),
        (Said("yes", note="\ud800"), "this is no answer"),
    ],
    ids=["other", "empty", "nothing", "blank", "both", "long", "long note", "surrogate"],
)
def test_what_is_no_answer_is_refused_and_not_recorded(
    here: Repository, said: Said, text: str
) -> None:
    asked = ask(here)
    before = here.read(LOG)
    assert text in refused(answer(here, asked, said))
    assert here.read(LOG) == before


def test_options_are_answered_by_their_letter_or_in_own_words(here: Repository) -> None:
    asked = ask(here, options=("now", "later"), recommended="a")
    assert "one of a, b" in refused(answer(here, asked, Said("yes")))
    good(answer(here, asked, Said("b")))
    assert here.newest("decision.created")["payload"]["metadata"]["option"] == "b"
    asked = ask(here, options=("now", "later"))
    good(answer(here, asked, Said(text="on Friday")))
    assert here.newest("decision.created")["payload"]["reason"] == "on Friday"


@pytest.mark.parametrize("request_id", ["req_" + "0" * 32, "../../x", "", "req_x\n"])
def test_an_unknown_request_is_not_answered(here: Repository, request_id: str) -> None:
    assert "waits here; `requests` lists them" in refused(answer(here, request_id))


def test_an_agent_answers_nothing_and_takes_nothing_back(here: Repository) -> None:
    asked = ask(here)
    engine = here.engine(CLAUDE)
    said = refused(answering.answer(engine, asked, Said("yes"), key=here.key))
    assert said == "only a person may do this, not agent:claude-1"
    good(answer(here, asked))
    assert "only a person" in refused(answering.take_back(engine, asked))


# Planted files -----------------------------------------------------------------------------------


def test_a_planted_request_is_asked_by_nobody_and_answered_by_nobody(here: Repository) -> None:
    asked = ask(here)
    planted = "req_" + "a" * 32
    data = (here.root / RUN / "requests" / f"{asked}.json").read_bytes()
    here.write(RUN / "requests" / f"{planted}.json", data.replace(asked.encode(), planted.encode()))
    assert "waits here" in refused(answer(here, planted))


def test_garbage_under_the_next_attempt_is_passed_by(here: Repository) -> None:
    asked = ask(here)
    here.write(RUN / "answers" / f"{asked}.1.json", b'{"schema":1,"option":"yes"}')
    here.write(RUN / "answers" / f"{asked}.2.end.json", b"{}")
    good(answer(here, asked))
    assert answer_file(here, asked, 3).exists()
    assert here.newest("decision.created")["payload"]["metadata"]["attempt"] == 3


def test_an_answer_that_other_hands_changed_is_set_right(here: Repository) -> None:
    asked = ask(here)
    good(answer(here, asked, Said("no")))
    right = answer_file(here, asked).read_bytes()
    answer_file(here, asked).write_bytes(right.replace(b'"no"', b'"yes"'))
    good(start.rebuild(here.engine()))
    assert answer_file(here, asked).read_bytes() == right


def test_a_full_folder_of_planted_answers_is_refused_with_what_to_do(here: Repository) -> None:
    asked = ask(here)
    folder = here.root / RUN / "answers"
    folder.mkdir(mode=0o700)
    for attempt in range(1, 10_000):
        (folder / f"{asked}.{attempt}.json").touch()
    assert "no attempt is free; clear .ppgp/run/answers" in refused(answer(here, asked))


# Taken back --------------------------------------------------------------------------------------


def test_an_answer_taken_back_waits_again_and_the_next_one_is_another_attempt(
    here: Repository,
) -> None:
    asked = ask(here)
    good(answer(here, asked))
    result = good(answering.take_back(here.engine(), asked))
    assert result.data["attempt"] == 1
    event = here.newest("decision.status_changed")
    assert event["payload"] == {
        "decision_id": here.newest("decision.created")["payload"]["id"],
        "status": "Superseded",
        "reason": "taken back",
    }
    assert event["causation_id"] == here.newest("decision.created")["id"]
    assert here.request_state(asked) == "waiting"
    end = here.json(RUN / "answers" / f"{asked}.1.end.json")
    assert (end["outcome"], end["by"]) == ("revoked", "user:dev")
    good(answer(here, asked, Said("no")))
    assert here.newest("decision.created")["payload"]["metadata"]["attempt"] == 2
    assert broken(here.events()) == []


def test_the_next_attempt_is_found_in_the_log_when_the_files_are_gone(here: Repository) -> None:
    asked = ask(here)
    good(answer(here, asked))
    good(answering.take_back(here.engine(), asked))
    shutil.rmtree(here.root / RUN)
    good(answer(here, asked, Said("no")))
    assert answer_file(here, asked, 2).exists()


def test_what_was_delivered_is_not_taken_back_even_if_nobody_recorded_it(here: Repository) -> None:
    asked = ask(here)
    good(answer(here, asked))
    waiter = Waiter(
        here.root, request_of(here, asked), here.pins, "agent:claude-1", print, here.clock
    )
    assert isinstance(waiter.look(), Delivered)
    said = refused(answering.take_back(here.engine(), asked))
    assert said == "the answer was delivered already; it cannot be taken back"
    assert here.request_state(asked) == "answered"


def test_only_an_answer_can_be_taken_back(here: Repository) -> None:
    asked = ask(here)
    assert "has no answer to take back" in refused(answering.take_back(here.engine(), asked))
    assert "has no answer" in refused(answering.take_back(here.engine(), "req_" + "0" * 32))


def test_a_taking_back_that_could_not_be_recorded_is_repeated(
    here: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ask(here)
    good(answer(here, asked))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ppgp_tui.session.journal.log.Log.append", full)
    refused(answering.take_back(here.engine(), asked), "disk")
    monkeypatch.undo()
    good(answering.take_back(here.engine(), asked))
    assert here.request_state(asked) == "waiting"


# Signed ------------------------------------------------------------------------------------------


@pytest.fixture
def signing(here: Repository) -> tuple[SigningKey, Pins]:
    if shutil.which("ssh-keygen") is None:
        pytest.skip("ssh-keygen is not installed")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("SSH_")}
    pins = Pins(here.folder / "data", here.root, environ)
    return SigningKey(pins), pins


def test_a_signed_answer_is_accepted_by_the_waiter_and_comes_back_from_the_log_so(
    here: Repository, signing: tuple[SigningKey, Pins]
) -> None:
    key, pins = signing
    asked = ask(here)
    request = request_of(here, asked)
    result = good(answering.answer(here.engine(), asked, Said("yes"), key=key))
    assert (result.message, result.data["signed"]) == ("answered: yes", True)
    shutil.rmtree(here.root / RUN)
    good(start.rebuild(here.engine()))
    heard: list[str] = []
    waiter = Waiter(here.root, request, pins, "agent:claude-1", heard.append, here.clock)
    found = waiter.look()
    assert isinstance(found, Delivered)
    assert found.signed
    assert heard == []
    assert isinstance(waiter.look(), DeliveredBefore)


def test_a_decision_forged_in_the_log_releases_nobody(
    here: Repository, signing: tuple[SigningKey, Pins]
) -> None:
    key, pins = signing
    other = ask(here, "Fix the typo?")
    good(answering.answer(here.engine(), other, Said("yes"), key=key))
    asked = ask(here, "Delete the backups?")
    forged = here.newest("decision.created")
    line = here.read(LOG).splitlines()[here.kinds().index("decision.created")]
    line = line.replace(forged["id"].encode(), b"event_" + b"f" * 32)
    here.write(LOG, here.read(LOG) + line.replace(other.encode(), asked.encode()) + b"\n")
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    heard: list[str] = []
    waiter = Waiter(
        here.root, request_of(here, asked), pins, "agent:claude-1", heard.append, here.clock
    )
    assert waiter.look() is None
    assert len(heard) == 1
    assert "does not count" in heard[0]


def test_a_key_that_cannot_sign_refuses_the_answer_before_anything_is_recorded(
    here: Repository, signing: tuple[SigningKey, Pins]
) -> None:
    key, pins = signing
    asked = ask(here)
    good(answering.answer(here.engine(), asked, Said("yes"), key=key))
    asked = ask(here)
    (pins.folder / "key").chmod(0o644)
    said = refused(answering.answer(here.engine(), asked, Said("yes"), key=key))
    assert "can be read by others" in said
    assert here.request_state(asked) == "waiting"
