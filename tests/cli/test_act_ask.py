"""Asking and waiting: the answer on the first line, and every other end said for what it is."""

from __future__ import annotations

import json
import signal

import pytest

from tests.cli.acting import AGENT, Place
from tests.cli.legal import faults


def request_of(place: Place) -> str:
    """The newest question."""
    return str(place.events("authority.requested")[-1]["payload"]["id"])


def kinds_after_asking(place: Place) -> list[str]:
    found = [event["kind"] for event in place.events() if event["kind"] != "state.ops_applied"]
    return found[found.index("authority.requested") + 1 :]


# Asking ------------------------------------------------------------------------------------------


def test_asking_returns_at_once_with_the_id_and_how_to_hear(place: Place) -> None:
    said = place.agent("ask", "Publish?")
    request = request_of(place)
    assert said.code == 0
    assert said.out == (
        f"asked {request}\nwait for the answer with: ppgp-tui ask --resume {request}\n"
    )


def test_everything_a_person_needs_to_decide_is_in_the_question(place: Place) -> None:
    place.plan("impl", "publish")
    request = place.ask(
        "Which?", "--option", "now", "--option", "after review", "--recommend", 2, "--class", "d",
        "--scope", "release", "--why", "the date is fixed", "--evidence", "tests pass",
        "--frees", "publish", "--frees", "todo:impl", "--irreversible", "--expires", "2h",
    )  # fmt: skip
    asked = place.json("requests", request)["data"]["request"]
    assert asked["options"] == [
        {"key": "a", "label": "now", "detail": None},
        {"key": "b", "label": "after review", "detail": None},
    ]
    for name, value in {
        "question": "Which?", "recommended": "b", "class": "D", "scope": "release",
        "why": "the date is fixed", "evidence": "tests pass", "irreversible": True,
        "frees": ["publish", "impl"], "state": "waiting", "kind": "question",
    }.items():  # fmt: skip
        assert asked[name] == value, name
    assert asked["expires_ms"] - asked["created_ms"] == pytest.approx(7_200_000, abs=5_000)
    assert asked["asker"] == "claude-0f3a9c21"


def test_a_question_may_come_on_standard_input(place: Place) -> None:
    place.json("ask", "-", stdin="Publish?\nAll of it.", agent=True)
    assert place.json("requests")["data"]["requests"][0]["question"] == "Publish?\nAll of it."


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        ([], 2, "give a QUESTION, or --resume ID, or --withdraw ID"),
        (["x", "--resume", "req_0123"], 2, "give a QUESTION"),
        (["x", "--class", "E"], 2, "--class"),
        (["x", "--expires", "soon"], 2, "'soon' is no time"),
        (["x", "--expires", "2020-01-01"], 1, "cannot expire before it is asked"),
        (["x", "--wait=soon"], 2, "neither seconds nor a duration"),
        (["x", "--class", "A"], 1, "class A blocker is technical and reversible: solve it"),
        (["x", "--recommend", "b"], 1, "'b' is not offered"),
        (["x", "--option", "one", "--recommend", "2"], 1, "'b' is not offered"),
        (["x", "--frees", "nothing"], 1, "todo:nothing is no task"),
        (["  "], 1, "the question is empty"),
        (["x" * 4001], 1, "longer than 4000"),
        (["x", *["--option", "y"] * 10], 1, "at most 9 options"),
        (["--resume", "req_0123"], 1, "no question is called"),
        (["--withdraw", "0123"], 1, "no question is called"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_the_reason(
    place: Place, words: list[str], code: int, why: str
) -> None:
    said = place.agent("ask", *words)
    assert (said.code, said.out) == (code, "")
    assert why in said.err
    assert place.events("authority") == []


# Waiting -----------------------------------------------------------------------------------------


def test_one_process_waits_and_a_person_at_a_terminal_answers(place: Place) -> None:
    place.config.unlink()
    waiting = place.start("ask", "Publish 0.2.0?", "--wait", environ=AGENT)
    assert "ask --resume req_" in waiting.until_said("waiting")
    assert place.at_terminal("answer", request_of(place)[4:12], "yes").code == 0
    said = waiting.end()
    assert (said.code, said.out) == (0, "yes\n")
    assert kinds_after_asking(place) == ["decision.created", "authority.delivered"]
    delivered = place.events("authority.delivered")[0]
    assert delivered["actor"] == {"kind": "agent", "id": "claude-0f3a9c21"}
    assert faults((place.root / "state" / "events.jsonl").read_bytes()) == []


def test_an_option_its_label_and_a_note_stand_each_on_their_line(place: Place) -> None:
    waiting = place.start("ask", "--wait", "Which?", "--option", "now", "--option", "later")
    waiting.until_said("waiting")
    place.json("answer", request_of(place), "2", "--note", "not on Friday\x1b[31m")
    said = waiting.end()
    assert said.out.splitlines()[:2] == ["b", "label: later"]
    assert said.out.splitlines()[2].startswith("note: not on Friday")
    assert "\x1b" not in said.out


def test_free_words_are_one_line_and_whole_in_the_json(place: Place) -> None:
    waiting = place.start("ask", "Which name?", "--wait", "--json")
    waiting.until_said("waiting")
    place.json("answer", request_of(place), "--text", "two\nlines")
    said = waiting.end()
    result = json.loads(said.out)
    assert (said.code, result["action"], result["message"]) == (0, "ask", "two lines")
    assert result["data"]["text"] == "two\nlines"
    assert result["data"]["signed"] is True
    assert result["events"][-1] == place.events("authority.delivered")[0]["id"]


def test_an_answer_is_on_record_as_delivered_before_it_is_told(place: Place) -> None:
    """Whoever reads the first line may act on it at once: nothing can be taken back any more."""
    waiting = place.start("ask", "Publish?", "--wait")
    waiting.until_said("waiting")
    place.json("answer", request_of(place), "yes")
    assert waiting.process.stdout is not None
    assert waiting.process.stdout.readline() == b"yes\n"
    assert len(place.events("authority.delivered")) == 1
    refused = place.json("answer", request_of(place), "--take-back")
    assert "delivered already" in refused["message"]
    assert waiting.end().code == 0


def test_time_runs_out_and_the_question_stays_open(place: Place) -> None:
    said = place.agent("ask", "Publish?", "--wait", "0.2")
    request = request_of(place)
    assert (said.code, said.out) == (4, "")
    assert f"the question stays open; wait again with: ppgp-tui ask --resume {request}" in said.err
    assert place.json("requests")["data"]["requests"][0]["state"] == "waiting"
    result = json.loads(place.agent("ask", "--resume", request, "--wait", "0", "--json").out)
    assert (result["ok"], result["code"]) == (False, "timeout")
    assert result["data"]["request"] == request


def test_a_wait_without_a_number_does_not_eat_the_question(place: Place) -> None:
    waiting = place.start("ask", "--wait", "Publish?", "--expires", "1h")
    waiting.until_said("waiting")
    assert place.events("authority.requested")[0]["payload"]["request"]["question"] == "Publish?"
    place.json("answer", request_of(place), "no")
    assert waiting.end().out == "no\n"


def test_an_expired_question_is_not_a_no(place: Place) -> None:
    said = place.agent("ask", "Publish?", "--expires", "0.1s", "--wait")
    assert (said.code, said.out) == (3, "")
    assert "neither a yes nor a no" in said.err
    request = request_of(place)
    late = place.json("answer", request, "yes")
    assert late["code"] == "expired"
    assert place.act("answer", request, "yes").code == 3
    again = place.agent("ask", "--resume", request)
    assert (again.code, again.out) == (3, "")
    assert place.json("requests", request)["data"]["request"]["state"] == "expired"


def test_an_interrupted_wait_leaves_the_question_open_and_is_resumed(place: Place) -> None:
    waiting = place.start("ask", "Publish?", "--wait")
    waiting.until_said("waiting")
    request = request_of(place)
    waiting.process.send_signal(signal.SIGINT)
    said = waiting.end()
    assert (said.code, said.out) == (130, "")
    assert f"ask --resume {request}" in said.err
    assert place.events("authority.withdrawn") == []
    resumed = place.start("ask", "--resume", request[4:14])
    resumed.until_said("waiting for the answer")
    place.json("answer", request, "yes")
    assert resumed.end()[:2] == (0, "yes\n")


def test_a_killed_wait_loses_no_answer(place: Place) -> None:
    waiting = place.start("ask", "Publish?", "--wait")
    waiting.until_said("waiting")
    waiting.process.kill()
    waiting.end()
    request = request_of(place)
    place.json("answer", request, "yes")
    assert place.agent("ask", "--resume", request)[:2] == (0, "yes\n")
    again = place.json("ask", "--resume", request, agent=True)
    assert (again["message"], again["data"]["delivered_before"]) == ("yes", True)
    assert len(place.events("authority.delivered")) == 1


def test_a_withdrawn_question_ends_the_wait_and_is_no_answer(place: Place) -> None:
    waiting = place.start("ask", "Publish?", "--wait")
    waiting.until_said("waiting")
    request = request_of(place)
    assert place.json("ask", "--withdraw", request, agent=True)["code"] == "done"
    said = waiting.end()
    assert (said.code, said.out) == (1, "")
    assert "was withdrawn (asker)" in said.err
    refused = place.json("answer", request, "yes")
    assert "withdrawn" in refused["message"]
    assert place.agent("ask", "--resume", request).code == 1
    assert place.json("requests")["data"]["requests"] == []


def test_a_planted_answer_is_reported_and_the_wait_goes_on(place: Place) -> None:
    waiting = place.start("ask", "Publish?", "--wait")
    waiting.until_said("waiting")
    request = request_of(place)
    answers = place.root / ".ppgp" / "run" / "answers"
    answers.mkdir(exist_ok=True)
    planted = {"schema": 1, "request": request, "attempt": 1, "by": "user:dev", "option": "yes"}
    (answers / f"{request}.1.json").write_text(json.dumps(planted))
    assert "does not count, forged or damaged" in waiting.until_said("does not count")
    whole = place.act("requests", request).out
    assert "Answer 1 does not count, forged or damaged" in whole
    assert place.json("requests", request)["data"]["answers"][0]["counts"] is False
    place.json("answer", request, "no")
    assert waiting.end()[:2] == (0, "no\n")


def test_two_wait_for_one_answer_and_both_hear_it(place: Place) -> None:
    request = place.ask("Publish?")
    waiting = [place.start("ask", "--resume", request) for _ in range(2)]
    for one in waiting:
        one.until_said("waiting for the answer")
    place.json("answer", request, "yes")
    assert [one.end()[:2] for one in waiting] == [(0, "yes\n")] * 2
    assert len(place.events("authority.delivered")) == 1


def test_run_files_that_were_deleted_lose_no_question(place: Place) -> None:
    import shutil

    waiting = place.start("ask", "Publish?", "--wait")
    waiting.until_said("waiting")
    shutil.rmtree(place.root / ".ppgp" / "run")
    assert place.json("answer", request_of(place), "yes")["code"] == "done"
    assert waiting.end()[:2] == (0, "yes\n")


def test_a_proposal_is_waited_for_like_a_question(place: Place) -> None:
    request = place.json("goal", "propose", "Retry survives", agent=True)["data"]["request"]
    waiting = place.start("ask", "--resume", request, environ=AGENT)
    waiting.until_said("waiting for the answer")
    assert place.json("goal", "confirm")["code"] == "done"
    assert waiting.end()[:2] == (0, "yes\n")
