"""`ppgp-tui --plain` as it is used: into a pipe, and in a terminal where a person types."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ppgp_tui.session.actions import plan
from ppgp_tui.session.engine.draft import Actor
from tests.cli.running import imported_by
from tests.e2e.acting import AGENT, OBJECTIVE, PROGRAM, Child, Place
from tests.e2e.terminal import Terminal
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.terminal
QUESTION = ("Publish it?", "--class", "C")
MOVES = re.compile(rb"\x1b|\r(?!\n)|\x08|\x07")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


class Listening:
    """What the program writes into a pipe, as it comes."""

    def __init__(self, child: Child) -> None:
        self._child = child
        self.heard = b""

    def until(self, words: str) -> str:
        """Listen until `words` were said; everything so far."""
        end = time.monotonic() + PATIENCE_S
        while words not in self.text:
            assert time.monotonic() < end, f"never heard {words!r} in\n{self.text}"
            self.listen(0.1)
        return self.text

    def listen(self, seconds: float) -> bytes:
        out = self._child.stdout
        assert out is not None
        if not select.select([out], [], [], seconds)[0]:
            return b""
        piece = os.read(out.fileno(), 65536)
        self.heard += piece
        return piece

    @property
    def text(self) -> str:
        return self.heard.decode()


@pytest.fixture
def listening(place: Place) -> Iterator[Listening]:
    with place.process(str(PROGRAM), "--plain", str(place.root)) as child:
        yield Listening(child)


def revise(place: Place, *keys: str) -> None:
    tasks = [{"key": key, "subject": f"Do {key}", "status": "pending"} for key in keys]
    assert plan.revise(place.engine(Actor("agent", AGENT)), {"tasks": tasks}).ok


def test_once_tells_everything_and_ends(place: Place) -> None:
    ran = subprocess.run(
        [PROGRAM, "--plain", "--once"], cwd=place.root, env=place.environ, capture_output=True,
        timeout=PATIENCE_S, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    lines = ran.stdout.decode().removeprefix("Reading the files.\n").splitlines()
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert lines[0] == "Nothing waits for you."
    assert f"Goal: {OBJECTIVE}" in lines
    assert all(lines)
    assert not MOVES.search(ran.stdout)


def test_into_a_pipe_the_whole_picture_comes_then_only_what_changes(
    place: Place, listening: Listening
) -> None:
    listening.until("is on branch")
    begun = len(listening.text)
    revise(place, "T1", "T2", "T3")
    listening.until("Task T3, ready: Do T3.")
    told = listening.text[begun:].splitlines()
    assert not any(line.startswith("Goal: ") for line in told)
    assert sum("revision 2" in line for line in told) == 1
    assert not MOVES.search(listening.heard)


def test_a_storm_is_told_at_most_once_a_second_and_ends_right(
    place: Place, listening: Listening
) -> None:
    listening.until("is on branch")
    begun = time.monotonic()
    for number in range(4, 33):
        revise(place, *(f"T{key}" for key in range(1, number)))
    blocks = 0
    end = time.monotonic() + PATIENCE_S
    while "revision 30" not in listening.text:
        assert time.monotonic() < end, listening.text
        blocks += bool(listening.listen(0.05))
    assert blocks <= time.monotonic() - begun + 2
    assert listening.text.count("The plan is at revision 30 by") == 1


def test_a_reader_that_goes_away_is_no_mistake(place: Place) -> None:
    with place.process(str(PROGRAM), "--plain", str(place.root)) as child:
        listening = Listening(child)
        listening.until("is on branch")
        assert child.stdout is not None
        child.stdout.close()
        revise(place, "T1", "T2", "T9")
        assert child.wait(timeout=PATIENCE_S) == 0
        assert child.stderr is not None
        assert child.stderr.read() == b""
        child.stdout = None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_with_its_own_code(place: Place, number: signal.Signals) -> None:
    with place.process(str(PROGRAM), "--plain", str(place.root)) as child:
        Listening(child).until("is on branch")
        child.send_signal(number)
        assert child.wait(timeout=PATIENCE_S) == 128 + number


def test_a_folder_that_is_not_there_is_said(place: Place) -> None:
    ran = subprocess.run(
        [PROGRAM, "--plain", "./gone"], cwd=place.root, env=place.environ, capture_output=True,
        timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert ran.returncode == 1
    assert b"gone" in ran.stderr


def at_terminal(place: Place, *words: str, **environ: str) -> Terminal:
    program = ["-c", "from ppgp_tui.cli.entry import main; main()", *words]
    return Terminal(
        ["-c", f"import os, sys; os.chdir({str(place.root)!r});"
               f" os.execv(sys.executable, [sys.executable, *{program!r}])"],
        columns=100, lines=60, env={**place.environ, "PYTHONPATH": str(Path.cwd()), **environ},
    )  # fmt: skip


def test_in_a_terminal_a_typed_line_answers_and_the_one_who_asked_goes_on(place: Place) -> None:
    with at_terminal(place, "--plain") as terminal:
        terminal.until("Type help")
        with place.asks(*QUESTION) as asker:
            terminal.until("equest 1: Publish it?")
            time.sleep(0.5)
            terminal.send("y\n")
            terminal.until("Request 1 is answered")
            assert asker.wait(timeout=PATIENCE_S) == 0
        (decided,) = place.events("decision.created")
        assert decided["payload"]["status"] == "Approved"
        terminal.send("quit\n")
        assert terminal.wait() == 0
        assert not MOVES.search(terminal.bytes)


def test_a_pause_is_asked_for_and_over(place: Place) -> None:
    with at_terminal(place, "--plain") as terminal:
        terminal.until("Type help")
        time.sleep(0.5)
        terminal.send("pause\n")
        terminal.until("A pause is asked for")
        assert place.control()["hold"] is not None
        time.sleep(0.5)
        terminal.send("resume\n")
        terminal.until("The pause is over")
        terminal.send(b"\x04")
        assert terminal.wait() == 0


def test_a_dumb_terminal_is_enough(place: Place) -> None:
    with at_terminal(place, "--plain", TERM="dumb") as terminal:
        terminal.until("Type help")
        terminal.send("plan\n")
        terminal.until("2 tasks")
        terminal.send("q\n")
        assert terminal.wait() == 0


def test_the_settings_of_a_person_who_listens_start_it(place: Place) -> None:
    config = Path(place.environ["XDG_CONFIG_HOME"]) / "ppgp-tui/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[ui]\nreader = true\n")
    with at_terminal(place) as terminal:
        terminal.until("Type help")
        terminal.send("quit\n")
        assert terminal.wait() == 0
        assert b"\x1b" not in terminal.bytes


def test_telling_needs_no_toolkit_for_screens(place: Place) -> None:
    assert "textual" not in imported_by("--plain", "--once", place.root)
