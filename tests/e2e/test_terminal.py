"""The app in a real terminal: what it sends, how it ends, and how it leaves the terminal."""

import base64
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.terminal import REPOSITORY, Terminal
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.terminal
FIRST = "Make the importer resumable"


def program(scene: str, crashes: Path | str = "/dev/null/nowhere", **options: object) -> Terminal:
    return Terminal(["-m", "tests.e2e.program", scene, str(crashes)], **options)  # type: ignore[arg-type]


def assert_left_clean(terminal: Terminal) -> None:
    assert terminal.modes_left_on() == set()
    assert b"\x1b[?1049l" in terminal.bytes
    assert terminal.attributes_now() == terminal.attributes


def test_it_starts_useful_answers_keys_and_leaves_everything_as_it_was() -> None:
    with program("full") as terminal:
        terminal.until(FIRST)
        terminal.until("2 for you")
        terminal.send("2")
        terminal.until("Plan r14")
        terminal.send("?")
        terminal.until("Keys that work here")
        terminal.send("q")
        assert terminal.wait() == 0
        assert_left_clean(terminal)


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGTERM, 143),
        (signal.SIGHUP, 129),
        (signal.SIGQUIT, 131),
        (signal.SIGINT, 130),
    ],
)
def test_a_signal_ends_it_by_the_front_door(number: signal.Signals, code: int) -> None:
    with program("full") as terminal:
        terminal.until(FIRST)
        terminal.signal(number)
        assert terminal.wait() == code
        assert_left_clean(terminal)


def test_when_the_terminal_goes_away_it_ends() -> None:
    with program("moving") as terminal:
        terminal.until(FIRST)
        terminal.hang_up()
        assert terminal.wait() == 129


def test_a_crash_gives_the_terminal_back_one_clean_line_and_a_log(tmp_path: Path) -> None:
    with program("crash", tmp_path / "state") as terminal:
        terminal.until(FIRST)
        terminal.send("5")
        assert terminal.wait() == 1
        assert_left_clean(terminal)
        after = terminal.bytes.rpartition(b"\x1b[?1049l")[2]
        said = re.sub(rb"\x1b\[[?<0-9;]*[a-z]", b"", after).decode().strip()
    (log,) = (tmp_path / "state").glob("crash-*.log")
    assert said == (
        "ppgp-tui: stopped by a mistake of its own: ValueError: a mistake with ␛]2;OWNED␇ in its "
        f"words; the trace is in {log}"
    )
    trace = log.read_text("utf-8")
    assert "Traceback" in trace
    assert "program.py" in trace
    assert "\x1b" not in trace
    assert "the value of a variable" not in trace.replace('secret = "the value of a variable"', "")


ALLOWED = re.compile(
    rb"\x1b\[[0-9;]*[mHABCDJKn]"  # colours, cursor, and where it stands
    rb"|\x1b\[\?[0-9;]+[hl]|\x1b\[\?[0-9]+\$p|\x1b\[[<>][0-9;]*u"  # modes of the toolkit
    rb"|\x1b\]22;[a-z]+\x07"  # its pointer shape
)


def test_hostile_text_reaches_the_terminal_as_text_only() -> None:
    with program("hostile", columns=100, lines=40) as terminal:
        terminal.until("[/]")
        for keys in ("2", "jjj", "3", "jjj", "4", "jjjj", "5", "jjj", "\r", "\x1b", "6", "j", "o"):
            terminal.send(keys)
            terminal.settle()
        terminal.send("\x1b")
        terminal.settle()
        terminal.send("q")
        assert terminal.wait() == 0
        assert_left_clean(terminal)
        assert "OWNED" not in terminal.screen.title
    rest = ALLOWED.sub(b"", terminal.bytes).decode("utf-8")
    stray = {character for character in rest if not character.isprintable()} - {"\r", "\n"}
    assert stray == set()
    assert "[@click=app.quit]x[/]" in rest
    assert "␛]2;OWNED" in rest
    assert not re.search("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufe0f]", rest)


def test_old_mouse_reports_and_undecodable_bytes_are_survived() -> None:
    with program("full") as terminal:
        terminal.until(FIRST)
        before = terminal.bytes.count(b"\x1b[?1006h")
        for stray in (b"\x1b[M\x20\xff\xfe", b"\xff\xfe\x80", b"\x1b[M\x23\xc3\xa9", b"\x1b[M"):
            terminal.send(stray)
            terminal.settle()
        again = b"\x1b[?1006h"
        terminal.until_so(lambda: terminal.bytes.count(again) > before, "the mouse again")
        terminal.send("2")
        terminal.until("Plan r14")
        terminal.send("q")
        assert terminal.wait() == 0


def test_a_storm_of_resizes_ends_with_the_right_picture() -> None:
    with program("moving") as terminal:
        terminal.until(FIRST)
        for step in range(60):
            terminal.resize(20 + (step * 37) % 150, 5 + (step * 13) % 50)
            terminal.read(0.01)
        terminal.resize(80, 24)
        screen = terminal.screen
        terminal.until_so(lambda: FIRST in screen.display[0], FIRST)
        terminal.until_so(lambda: screen.display[-1].rstrip().endswith("live"), "live")
        terminal.send("q")
        assert terminal.wait() == 0
        assert_left_clean(terminal)


def test_copying_asks_the_terminal_for_its_clipboard() -> None:
    with program("full") as terminal:
        terminal.until(FIRST)
        terminal.send("c")
        terminal.until("clipboard, 31 characters")
    found = re.search(rb"\x1b\]52;c;([A-Za-z0-9+/=]+)\x07", terminal.bytes)
    assert found is not None
    assert base64.b64decode(found[1]) == b"Drop the old cursor column now?"


def test_without_colour_only_attributes_are_sent() -> None:
    with program("full", env={"NO_COLOR": "1"}) as terminal:
        terminal.until(FIRST)
        terminal.until("? help")  # which is in the last line
        terminal.settle()
    styles = {
        part
        for style in re.findall(rb"\x1b\[([0-9;]*)m", terminal.bytes)
        for part in style.split(b";")
    }
    assert styles <= {b"", b"0", b"1", b"4", b"7", b"9"}
    assert b"7" in styles


@pytest.mark.parametrize("env", [{"PPGP_ASCII": "1"}, {"LANG": "C"}, {"TERM": "linux"}])
def test_where_signs_are_not_to_be_had_ascii_stands_in(env: dict[str, str]) -> None:
    with program("full", env=env) as terminal:
        terminal.until(" > T5 Write checkpoint")
        terminal.until("? help")  # which is in the last line
        assert terminal.bytes.isascii()


def test_the_mouse_is_left_alone_when_it_is_told_so() -> None:
    with program("full", env={"PPGP_NO_MOUSE": "1"}) as terminal:
        terminal.until(FIRST)
        assert b"\x1b[?1000h" not in terminal.bytes


RUN = """
import sys
from pathlib import Path
from ppgp_tui.ui.app.launch import run
sys.exit(run(Path()))
"""


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_cannot_show_it_is_refused(term: str) -> None:
    with Terminal(["-c", RUN], env={"TERM": term}) as terminal:
        assert terminal.wait() == 2
        assert b"cannot show a full screen" in terminal.bytes
        assert b"\x1b" not in terminal.bytes


def test_a_pipe_is_refused_with_what_to_use_instead() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", RUN],
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        env={**os.environ, "TERM": "xterm"},
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=PATIENCE_S,
    )
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr == (
        "ppgp-tui: standard output is not a terminal: use `ppgp-tui --plain`, `show` or `status`\n"
    )
