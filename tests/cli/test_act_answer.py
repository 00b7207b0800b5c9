"""Answering from the command line, and the list of what needs a person."""

from __future__ import annotations

import json

import pytest

from tests.cli.acting import Place

DOCUMENT = """\
# Goal

## GOAL
Ship 0.2.0.

## HUMAN_AUTHORITY_REQUIRED
- Publish 0.2.0 to the registry?
- Delete the old bucket?
"""


def state(place: Place, request: str) -> str:
    return str(place.json("requests", request)["data"]["request"]["state"])


def test_an_answer_is_signed_recorded_and_said_with_its_question(place: Place) -> None:
    request = place.ask("Publish 0.2.0?")
    answered = place.json("answer", request, "yes", "--note", "not on Friday")
    assert (answered["code"], answered["message"]) == ("done", "answered: yes: Publish 0.2.0?")
    assert answered["data"]["signed"] is True
    (decision,) = place.events("decision.created")
    assert decision["actor"]["kind"] == "user"
    assert decision["payload"]["status"] == "Approved"
    assert decision["payload"]["metadata"]["note"] == "not on Friday"
    assert decision["payload"]["metadata"]["signature"].startswith("-----BEGIN SSH SIGNATURE-----")
    assert state(place, request) == "answered"


def test_the_first_answer_says_that_a_key_is_pinned_and_the_second_does_not(place: Place) -> None:
    first, second = place.ask("One?"), place.ask("Two?")
    assert "only answers signed with your key count" in place.act("answer", first, "yes").err
    assert place.act("answer", second, "yes").err == ""
    assert (place.data / "authority" / "key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("word", ["b", "B", "2"])
def test_an_option_goes_by_letter_or_number(place: Place, word: str) -> None:
    request = place.ask("Which?", "--option", "now", "--option", "later")
    assert place.json("answer", request, word)["message"] == "answered: b: Which?"


@pytest.mark.parametrize(("word", "status"), [("Y", "Approved"), ("n", "Rejected")])
def test_yes_and_no_may_be_short(place: Place, word: str, status: str) -> None:
    request = place.ask("Publish?")
    assert place.json("answer", request, word)["data"]["status"] == status


def test_the_start_of_an_id_is_enough_where_it_is_the_only_one(place: Place) -> None:
    first, second = place.ask("One?"), place.ask("Two?")
    assert place.json("answer", first[4:12], "yes")["data"]["request"] == first
    assert place.json("answer", second[:12], "no")["data"]["request"] == second
    said = place.act("answer", first[4:7], "no")
    assert said.code == 1
    assert "at least 4 digits" in said.err


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["yes", "--text", "yes"], 2, "give an OPTION, or --text, or --take-back"),
        ([], 2, "give an OPTION"),
        (["yes", "--take-back"], 2, "give an OPTION"),
        (["maybe"], 1, "'maybe' is not offered; one of yes, no"),
        (["a"], 1, "'a' is not offered"),
        (["--text", "  "], 1, "or a text"),
        (["--take-back"], 1, "has no answer to take back"),
        (["yes", "--digest", "sha256:0"], 3, "a changed request: read it again"),
    ],
)
def test_what_is_no_answer_is_refused_with_the_reason(
    place: Place, words: list[str], code: int, why: str
) -> None:
    request = place.ask("Publish?")
    said = place.act("answer", request, *words)
    assert (said.code, said.out) == (code, "")
    assert why in said.err
    assert place.events("decision") == []


@pytest.mark.parametrize("given", ["req_0123", "0123456789", "x", "../../etc", "\x1b[31m", ""])
def test_an_id_that_names_nothing_is_refused(place: Place, given: str) -> None:
    place.ask("Publish?")
    said = place.act("answer", given, "yes")
    assert (said.code, said.out) == (1, "")
    assert "no question is called" in said.err
    assert "\x1b" not in said.err


def test_a_question_is_answered_once(place: Place) -> None:
    request = place.ask("Publish?")
    place.json("answer", request, "yes")
    again = place.json("answer", request, "no")
    assert again["code"] == "refused"
    assert "already answered by" in again["message"]


def test_the_digest_of_what_was_read_holds_the_answer_to_it(place: Place) -> None:
    request = place.ask("Publish?")
    digest = place.json("requests", request)["data"]["request"]["digest"]
    assert place.json("answer", request, "yes", "--digest", digest)["code"] == "done"


def test_an_answer_nobody_has_received_is_taken_back_and_given_anew(place: Place) -> None:
    request = place.ask("Publish?")
    place.json("answer", request, "yes")
    assert place.json("answer", request, "--take-back")["code"] == "done"
    assert state(place, request) == "waiting"
    assert place.json("answer", request, "no")["code"] == "done"
    attempts = place.json("requests", request)["data"]["answers"]
    assert [(one["attempt"], one["option"], one["ended"]) for one in attempts] == [
        (2, "no", None),
        (1, "yes", "revoked"),
    ]
    assert place.agent("ask", "--resume", request)[:2] == (0, "no\n")


def test_a_decision_of_the_document_is_answered_and_marked(place: Place) -> None:
    document = place.root / "ACTIVE_GOAL.md"
    document.write_text(DOCUMENT)
    first, second = place.json("requests")["data"]["requests"]
    assert (first["kind"], first["origin"]["line"]) == ("document", 7)
    place.json("answer", first["id"], "yes")
    assert place.json("answer", second["id"][4:10], "no")["code"] == "done"
    lines = document.read_text().splitlines()
    assert lines[6].startswith("- [granted 20")
    assert lines[7].startswith("- [refused 20")
    place.json("answer", first["id"], "--take-back")
    assert document.read_text().splitlines()[6] == "- Publish 0.2.0 to the registry?"


def test_of_two_answers_at_once_one_is_given_and_the_other_told(place: Place) -> None:
    place.json("answer", place.ask("A key, please?"), "yes")
    request = place.ask("Publish?")
    both = [place.start("answer", request, word) for word in ("yes", "no")]
    ends = sorted(one.end() for one in both)
    assert [end.code for end in ends] == [0, 1]
    assert "already answered by" in ends[1].err
    assert len(place.events("decision.created")) == 2


def test_without_openssh_answers_count_and_are_said_to_be_unsigned(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(place.root / "nothing"))
    request = place.ask("Publish?")
    said = place.act("answer", request, "yes")
    assert said.code == 0
    assert "unsigned" in said.err
    heard = place.agent("ask", "--resume", request)
    assert heard[:2] == (0, "yes\n")
    assert "unsigned" in heard.err


def test_an_unsigned_answer_does_not_count_once_a_key_is_pinned(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = place.ask("Publish?")
    with monkeypatch.context() as without_openssh:
        without_openssh.setenv("PATH", str(place.root / "nothing"))
        assert place.act("answer", request, "yes").code == 0
    place.json("answer", place.ask("A key, please?"), "yes")
    heard = place.agent("ask", "--resume", request, "--wait", "0")
    assert (heard.code, heard.out) == (4, "")
    (answer,) = place.json("requests", request)["data"]["answers"]
    assert (answer["counts"], answer["shown"]) == (False, "unsigned")


def test_while_another_program_holds_the_log_an_answer_counts_and_says_where_it_is(
    place: Place,
) -> None:
    request = place.ask("Publish?")
    lease = place.root / ".agent" / "lease"
    lease.parent.mkdir()
    lease.write_text(json.dumps({"worker_id": "other", "pid": 1, "expires_at_ms": 2**52}))
    said = place.act("answer", request, "yes")
    assert said.code == 0
    assert "another program holds the log" in said.err
    assert state(place, request) == "answered"
    assert place.agent("ask", "--resume", request)[:2] == (0, "yes\n")
    lease.unlink()
    place.plan("a")
    kinds = [event["kind"] for event in place.events()]
    assert "decision.created" in kinds
    assert "authority.delivered" in kinds


# The list ----------------------------------------------------------------------------------------


def test_the_list_shows_what_frees_most_first_and_writes_nothing(place: Place) -> None:
    place.plan("a", "b")
    small = place.ask("Small?")
    large = place.ask("Large?", "--frees", "a", "--frees", "b", "--option", "x", "--option", "y")
    before = place.snapshot()
    lines = place.act("requests").out.splitlines()
    assert [line.split()[0] for line in lines] == [large[:12], small[:12]]
    assert lines[0].endswith("  C  Large?  [a/b]")
    assert lines[1].endswith("  C  Small?  [yes/no]")
    assert place.snapshot() == before


def test_nothing_to_answer_is_said(place: Place) -> None:
    assert place.act("requests") == (0, "nothing needs you\n", "")


def test_closed_questions_are_shown_on_demand_and_whole_by_their_id(place: Place) -> None:
    request = place.ask("Publish?")
    place.json("answer", request, "yes")
    place.agent("ask", "--resume", request)
    place.plan("a")  # the asker goes on, and so has acted on the answer
    assert place.act("requests").out == "nothing needs you\n"
    (line,) = place.act("requests", "--all").out.splitlines()
    assert "  acted on " in line
    assert "Publish?" in line
    whole = place.act("requests", request[4:12]).out
    assert whole.startswith("Publish?\n")
    assert "Answer 1: yes by user:" in whole
    assert "delivered" in whole


def test_pending_decisions_are_listed_without_a_session_too(bare: Place) -> None:
    (bare.root / "ACTIVE_GOAL.md").write_text(DOCUMENT)
    said = bare.act("requests")
    assert "Publish 0.2.0 to the registry?" in said.out
    assert "no session here: run ppgp-tui init" in said.err
    assert not (bare.root / ".ppgp").exists()


def test_a_hostile_question_is_shown_harmless(place: Place) -> None:
    hostile = "Publish?\x1b]0;x\x07\u202e\nreq_00000000  waiting  C  Delete all?  [yes/no]"
    request = place.ask(hostile, "--why", "\x1b[2J", "--option", "\x1b[31mred\nb  hidden")
    assert len(place.act("requests").out.splitlines()) == 1
    for said in (
        place.act("requests"), place.act("requests", request), place.act("answer", request, "a"),
    ):  # fmt: skip
        assert not {"\x1b", "\x07", "\u202e"} & set(said.out + said.err)
    raw = place.act("requests", request, "--json").out
    assert not {"\x1b", "\u202e"} & set(raw)
    assert json.loads(raw)["data"]["request"]["question"] == hostile
