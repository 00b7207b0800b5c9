"""The app's manners in real terminals: the editor, how wide signs are, links, the ribbon."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.acting import OBJECTIVE, PROGRAM, Place, Server
from tests.e2e.terminal import Terminal
from tests.waiting import PATIENCE_S

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
FIRST = "Make the importer resumable"
LINK = re.compile(rb"\x1b\]8;id=[^;]*;([^\x1b\x07]+)\x1b\\")
ASKED = "\x1b[6n"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def server(place: Place) -> Iterator[Server]:
    of = Server(place.root, place.environ, "manners")
    yield of
    of.end()


def program(scene: str = "full", **env: str) -> Terminal:
    return Terminal(["-m", "tests.e2e.program", scene, "/dev/null/nowhere"], env=env)


def answered(terminal: Terminal, column: int) -> None:
    """The terminal is asked where its cursor stands, and says so."""
    terminal.until_sent(ASKED)
    terminal.send(f"\x1b[1;{column}R")


# --- how wide signs are -----------------------------------------------------------------------


def test_a_terminal_that_draws_two_cells_gets_ascii_signs() -> None:
    with program() as terminal:
        answered(terminal, 7)
        terminal.until("> T5 Write checkpoint")
        terminal.until_gone("▸")


def test_a_terminal_that_draws_one_cell_keeps_its_signs() -> None:
    with program() as terminal:
        answered(terminal, 4)
        terminal.until("▸ T5 Write checkpoint")
        terminal.settle()
        assert "▸" in terminal.text()


def test_one_that_does_not_answer_is_not_waited_for() -> None:
    with program() as terminal:
        terminal.until(FIRST)
        terminal.send("2")
        terminal.until("Plan r14")
        terminal.until("▸")


def test_keys_pressed_around_the_answer_are_keys() -> None:
    with program() as terminal:
        terminal.until_sent(ASKED)
        terminal.until(FIRST)
        terminal.send("2\x1b[1;7R")
        terminal.until("> T5")
        terminal.until("Plan r14")


def test_who_chose_the_signs_is_not_asked() -> None:
    for choice in ("0", "1"):
        with program(PPGP_ASCII=choice) as terminal:
            terminal.until(FIRST)
            terminal.settle()
            assert ASKED.encode() not in terminal.bytes


def test_tmux_answers_that_signs_are_one_cell_wide(server: Server) -> None:
    window = server.app()
    time.sleep(0.5)
    text = window.text()
    assert "▹" in text
    assert text.splitlines()[0].startswith(" EXECUTE")


def test_while_nothing_happens_nothing_is_written() -> None:
    with program() as terminal:
        terminal.until(FIRST)
        terminal.until_silent(4.0)


# --- links ------------------------------------------------------------------------------------


def test_files_are_links_where_the_terminal_makes_links() -> None:
    with program(TERM_PROGRAM="vscode") as terminal:
        terminal.until(FIRST)
        terminal.settle()
        terminal.send("o")
        terminal.until("Where this comes from")
        terminal.until_sent("/home/dev/importer/docs/ACTIVE_GOAL.md\x1b\\")
        found = LINK.findall(terminal.bytes)
        assert all(re.fullmatch(rb"(?:file|https)://[A-Za-z0-9._~/%-]*", one) for one in found)


def test_elsewhere_there_are_none() -> None:
    with program() as terminal:
        terminal.until(FIRST)
        terminal.settle()
        terminal.send("o")
        terminal.until("Where this comes from")
        terminal.settle()
        assert b"\x1b]8;" not in terminal.bytes


def test_hostile_names_do_not_get_out_of_a_link() -> None:
    with program("hostile", TERM_PROGRAM="vscode") as terminal:
        terminal.until("[/]")
        for keys in ("2", "jjj", "3", "jjj", "4", "jj", "\r", "\x1b", "5", "jjj", "6", "o"):
            terminal.send(keys)
            terminal.settle()
        assert "OWNED" not in terminal.screen.title
        for one in LINK.findall(terminal.bytes):
            assert re.fullmatch(rb"(?:file|https)://[A-Za-z0-9._~/%-]*", one)


# --- the editor -------------------------------------------------------------------------------

EDITOR = """#!/bin/sh
printf '%s\\n' "$@" > "$HOME/words"
stty -a > "$HOME/settings"
printf 'editing %s\\n' "$2"
head -n 1 > /dev/null
sed -i 's/Start the importer again/Start it from the last batch/' "$2"
"""


def write_editor(place: Place, name: str, text: str = EDITOR) -> str:
    folder = Path(place.environ["HOME"]) / "bin"
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def test_the_editor_gets_the_terminal_and_gives_it_back(place: Place, server: Server) -> None:
    window = server.app(EDITOR=write_editor(place, "vi"))
    window.key("5")
    window.until(lambda text: "Next executable action" in text)
    window.key("j", "e")
    window.until(lambda text: "editing" in text)
    home = Path(place.environ["HOME"])
    line, path = (home / "words").read_text().splitlines()
    assert path == str(place.root / "docs/ACTIVE_GOAL.md")
    assert re.fullmatch(r"\+[1-9]\d*", line)
    assert " icanon " in (home / "settings").read_text()
    window.key("Enter")
    text = window.until(lambda text: "back from ACTIVE_GOAL.md" in text)
    assert text.splitlines()[0].startswith(" EXECUTE")
    assert "Start it from the last batch" in (place.root / "docs/ACTIVE_GOAL.md").read_text()
    window.key("1")
    window.until(lambda text: "Done when" in text and text.rstrip().endswith("live"))
    window.key("q")
    window.until(lambda text: "ended 0" in text)


def test_an_editor_with_its_own_window_leaves_the_screen_alone(
    place: Place, server: Server
) -> None:
    code = write_editor(place, "code", '#!/bin/sh\nprintf "%s\\n" "$@" > "$HOME/words"\n')
    window = server.app(EDITOR=f"{code} --wait")
    window.key("5", "j", "e")
    window.until(lambda text: "is opened in code" in text)
    words = Path(place.environ["HOME"]) / "words"
    end = time.monotonic() + PATIENCE_S
    while not words.exists() or not words.read_text():
        assert time.monotonic() < end
        time.sleep(0.05)
    flag, at = words.read_text().splitlines()
    assert flag == "-g"
    assert re.fullmatch(re.escape(str(place.root / "docs/ACTIVE_GOAL.md")) + r":[1-9]\d*", at)


def test_without_an_editor_it_says_so(server: Server) -> None:
    window = server.app()
    window.key("5", "j", "e")
    window.until(lambda text: "no editor is set: export EDITOR=vi" in text)


def test_a_document_outside_is_shown_whole_and_asked_about(place: Place, server: Server) -> None:
    elsewhere = Path(place.environ["HOME"]) / "elsewhere.md"
    document = place.root / "docs/ACTIVE_GOAL.md"
    elsewhere.write_bytes(document.read_bytes())
    window = server.app(EDITOR=write_editor(place, "vi"))
    document.unlink()
    document.symlink_to(elsewhere)
    window.key("5", "j", "e")
    text = window.until(lambda text: "Open a file elsewhere" in text)
    assert "not in the repository" in text
    assert not (Path(place.environ["HOME"]) / "words").exists()
    window.key("n")
    window.until(lambda text: "Open a file elsewhere" not in text)
    assert not (Path(place.environ["HOME"]) / "words").exists()


# --- the ribbon -------------------------------------------------------------------------------


def test_a_narrow_pane_shows_the_ribbon_and_answers_in_it(place: Place, server: Server) -> None:
    window = server.window(24, 30)
    window.types(f"{PROGRAM} --ribbon; echo ended $?")
    window.until(lambda text: "? help" in text and text.rstrip().endswith("live"))
    with place.asks("Publish it?", "--class", "C") as asker:
        window.until(lambda text: "1 for you" in text and "Publish it?" in text)
        window.key("g")
        time.sleep(0.6)
        window.key("Enter")
        window.until(lambda text: "bound" in text or "asked by" in text)
        time.sleep(0.6)
        window.key("G")
        time.sleep(0.6)
        window.key("y")
        assert asker.wait(timeout=PATIENCE_S) == 0
    window.key("q")
    window.until(lambda text: "ended 0" in text)


def test_the_setting_of_a_person_draws_it_too(place: Place, server: Server) -> None:
    config = Path(place.environ["XDG_CONFIG_HOME"]) / "ppgp-tui/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[ui]\nribbon = true\n")
    window = server.window(24, 30)
    window.types(f"{PROGRAM}; echo ended $?")
    text = window.until(lambda text: "? help" in text)
    assert "Done when" in text
    assert OBJECTIVE.split()[0] in text


# --- GNU screen -------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("screen") is None, reason="GNU screen is not installed")
def test_in_screen_esc_comes_at_once_and_the_editor_goes_and_comes(
    place: Place, server: Server
) -> None:
    sockets = Path(place.environ["HOME"]) / "sockets"
    sockets.mkdir(mode=0o700)
    window = server.window(SCREENDIR=str(sockets), EDITOR=write_editor(place, "vi"))
    window.types("unset TMUX TMUX_PANE TERM_PROGRAM; screen -U -c /dev/null bash --norc; echo over")
    window.until(lambda text: text.strip().endswith(("#", "$")) or "[Press Space" in text)
    window.key("Enter")
    window.start_app()
    window.key("5", "j", "o")
    window.until(lambda text: "Where this comes from" in text)
    window.key("Escape")
    window.until(lambda text: "Where this comes from" not in text)
    window.key("e")
    window.until(lambda text: "editing" in text)
    window.key("Enter")
    text = window.until(lambda text: "back from ACTIVE_GOAL.md" in text)
    assert text.splitlines()[0].startswith(" EXECUTE")
    assert "editing" not in text
    window.key("q")
    window.until(lambda text: "ended 0" in text)
    window.types("exit")
    window.until(lambda text: "over" in text)
