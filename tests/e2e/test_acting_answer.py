"""Keys that answer, in a real terminal: whoever waits goes on, and nobody answers by mistake."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.acting import AGENT, PROGRAM, Place, Server, Window, first_line
from tests.waiting import until

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
QUESTION = "Publish version 0.2.0?"
READ_S = 0.6
"""Longer than a request must have been on the screen before a key answers it."""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def server(place: Place) -> Iterator[Server]:
    made = Server(place.root, place.environ, "answer")
    try:
        yield made
    finally:
        made.end()


def goes_to(app: Window, question: str) -> None:
    """Put the cursor on a question that waits in the inbox, and read it."""
    text = app.sees(question)
    if text.count(question) < 2:
        app.key("j")  # the cursor stays where it was, on the answered one above
    app.until(lambda text: text.count(question) == 2 and "Enter answer" in text)
    time.sleep(READ_S)


def test_an_agent_that_waits_for_an_answer_goes_on_with_the_key(
    place: Place, server: Server
) -> None:
    app = server.app()
    app.key("3")
    for at in range(3):
        with place.asks(f"{QUESTION} Part {at}") as child:
            goes_to(app, f"{QUESTION} Part {at}")
            app.key("y")
            assert (first_line(child), child.wait()) == ("yes", 0)


def test_the_letter_of_an_option_counts_in_the_opened_card_and_nowhere_else(
    place: Place, server: Server
) -> None:
    app = server.app()
    app.key("3")
    with place.asks(QUESTION, "--option", "now", "--option", "after review") as child:
        goes_to(app, QUESTION)
        app.key("b")
        app.sees("options are chosen in the opened request")
        app.key("Enter")
        app.sees("your own words", "a b choose")
        time.sleep(READ_S)
        app.key("b")
        assert first_line(child) == "b"
        app.sees("b, delivered")
    assert [event["payload"]["reason"] for event in place.events("decision.created")] == ["b"]


def test_the_persons_own_words_reach_the_asker(place: Place, server: Server) -> None:
    app = server.app()
    app.key("3")
    with place.asks(QUESTION) as child:
        goes_to(app, QUESTION)
        app.key("Enter")
        app.sees("your own words")
        time.sleep(READ_S)
        app.key("r")
        app.types("only after the review")
        assert first_line(child) == "only after the review"


def test_two_apps_that_answer_at_once_give_one_answer(place: Place, server: Server) -> None:
    apps = [server.app(), server.app()]
    with place.asks(QUESTION) as child:
        for app in apps:
            app.key("3")
        for app in apps:
            goes_to(app, QUESTION)
        server.run("send-keys", "-t", apps[0].name, "y", ";", "send-keys", "-t", apps[1].name, "n")
        said = first_line(child)
        (decision,) = place.events("decision.created")
        assert said == decision["payload"]["reason"]
        first, second = apps if said == "yes" else apps[::-1]
        first.sees(f"{said}, delivered", f"answered: {said}")
        second.sees("already answered by", f"{said}, delivered")
    answers = sorted(path.name for path in (place.root / ".ppgp/run/answers").iterdir())
    assert [name.partition(".")[2] for name in answers] == ["1.end.json", "1.json"]


def test_an_agents_shell_answers_nothing(place: Place, server: Server) -> None:
    with place.asks(QUESTION):
        (asked,) = until(lambda: place.events("authority.requested"))
        request = asked["payload"]["id"]
        shell = server.window(PPGP_AGENT=AGENT)
        shell.types(f"{PROGRAM} answer {request} yes; echo ended $?")
        shell.sees("PPGP_AGENT is set, so this shell belongs to an agent", "ended 1")
        assert place.events("decision.created") == []


def test_a_shell_below_a_connected_agent_answers_nothing_by_command_or_by_key(
    place: Place, server: Server
) -> None:
    shell = server.window()
    heartbeat = place.root / f".ppgp/run/agents/{AGENT}.json"
    heartbeat.parent.mkdir(parents=True, exist_ok=True)
    said = {"schema": 1, "agent": "claude", "session": AGENT, "state": "working",
            "pid": shell.shell_pid()}  # fmt: skip
    heartbeat.write_text(json.dumps(said))
    with place.asks(QUESTION):
        (asked,) = until(lambda: place.events("authority.requested"))
        request = asked["payload"]["id"]
        shell.types(f"{PROGRAM} answer {request} yes; echo ended $?")
        shell.sees(f"this runs below the agent {AGENT}", "ended 1")
        shell.types("clear")
        shell.start_app()
        shell.key("3")
        goes_to(shell, QUESTION)
        shell.key("y")
        shell.sees(f"this runs below the agent {AGENT}")
        assert place.events("decision.created") == []


def test_a_person_at_a_terminal_answers_by_command_too(place: Place, server: Server) -> None:
    shell = server.window()
    with place.asks(QUESTION) as child:
        (asked,) = until(lambda: place.events("authority.requested"))
        shell.types(f"{PROGRAM} answer {asked['payload']['id']} yes; echo ended $?")
        shell.sees("answered: yes", "ended 0")
        assert first_line(child) == "yes"
