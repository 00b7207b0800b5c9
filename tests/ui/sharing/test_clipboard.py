"""What a copy does where, and that only what is known is said."""

from __future__ import annotations

import base64
import os
import re
import stat
import time
from pathlib import Path
from queue import SimpleQueue

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.ui.sharing import clipboard
from tests.ui.hostile import HOSTILE
from tests.waiting import PATIENCE_S


class Desk:
    """A machine with a PATH of its own, and what became of a copy on it."""

    def __init__(self, place: Path, **environ: str) -> None:
        self.bin, self.state, self.place = place / "bin", place / "state", place
        self.bin.mkdir()
        self.environ = {"PATH": str(self.bin), "TERM": "xterm-256color", "HOME": str(place)}
        self.environ |= environ
        self.sent: list[str] = []
        self._better: SimpleQueue[tuple[str, str]] = SimpleQueue()

    def has(self, name: str, script: str = 'cat > "$0.took"; echo "$@" > "$0.words"') -> None:
        """A program that keeps what it is given."""
        path = self.bin / name
        path.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n")
        path.chmod(0o755)

    def took(self, name: str) -> bytes:
        return (self.bin / f"{name}.took").read_bytes()

    def copy(self, text: str) -> str:
        def better(instead_of: str, said: str) -> None:
            self._better.put((instead_of, said))

        return clipboard.copy(text, self.environ, self.sent.append, self.state, better)

    def later(self) -> tuple[str, str]:
        return self._better.get(timeout=PATIENCE_S)

    @property
    def says_more(self) -> bool:
        time.sleep(0.05)
        return not self._better.empty()


def decoded(codes: str) -> str:
    return base64.b64decode(codes.partition(";c;")[2].partition("\x07")[0]).decode()


def test_where_only_the_terminal_can_have_it_it_is_sent_and_not_called_copied(
    tmp_path: Path,
) -> None:
    desk = Desk(tmp_path)
    assert desk.copy("Drop it, käse") == "sent to the terminal's clipboard, 13 characters"
    (codes,) = desk.sent
    assert codes.startswith("\x1b]52;c;")
    assert decoded(codes) == "Drop it, käse"
    assert not desk.says_more


@pytest.mark.parametrize(
    ("program", "variable"),
    [("wl-copy", "WAYLAND_DISPLAY"), ("xclip", "DISPLAY"), ("xsel", "DISPLAY"), ("pbcopy", "")],
)
def test_a_program_of_the_desktop_that_took_it_is_named(
    tmp_path: Path, program: str, variable: str
) -> None:
    desk = Desk(tmp_path, **({variable: ":0"} if variable else {}))
    desk.has(program)
    first = desk.copy("two\nlines")
    assert first == "sent to the terminal's clipboard, 9 characters"
    assert desk.later() == (first, f"copied with {program}, 9 characters")
    assert desk.took(program) == b"two\nlines"
    assert decoded(desk.sent[0]) == "two\nlines"


def test_without_the_display_of_the_desktop_its_programs_are_not_asked(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.has("wl-copy")
    desk.has("xclip")
    assert desk.copy("x") == "sent to the terminal's clipboard, 1 character"
    assert not desk.says_more


def test_over_ssh_the_clipboard_of_the_other_machine_is_left_alone(tmp_path: Path) -> None:
    desk = Desk(tmp_path, DISPLAY=":10", SSH_CONNECTION="1.2.3.4 5 6.7.8.9 22")
    desk.has("xclip")
    desk.has("pbcopy")
    assert desk.copy("x").startswith("sent to the terminal")
    assert not desk.says_more


def test_one_that_fails_gives_way_to_the_next(tmp_path: Path) -> None:
    desk = Desk(tmp_path, DISPLAY=":0", WAYLAND_DISPLAY="wayland-0")
    desk.has("wl-copy", "exit 1")
    desk.has("xclip")
    desk.copy("x")
    assert desk.later()[1] == "copied with xclip, 1 character"


def test_one_that_hangs_is_waited_for_two_seconds_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clipboard, "LIMIT_S", 1.0)
    desk = Desk(tmp_path, DISPLAY=":0")
    desk.has("xclip", "exec sleep 600")
    said = desk.copy("x")
    assert desk._better.empty()
    assert desk.later() == (said, said)


def test_one_that_stays_to_offer_the_text_is_not_waited_for(tmp_path: Path) -> None:
    desk = Desk(tmp_path, WAYLAND_DISPLAY="wayland-0")
    desk.has("wl-copy", 'cat > "$0.took"; (sleep 600) & exit 0')
    desk.copy("x")
    assert desk.later()[1] == "copied with wl-copy, 1 character"


def test_the_text_is_given_on_standard_input_and_never_as_a_word(tmp_path: Path) -> None:
    desk = Desk(tmp_path, DISPLAY=":0")
    desk.has("xclip")
    text = "--help; rm -rf /; $(reboot) `id`\n-selection"
    desk.copy(text)
    desk.later()
    assert desk.took("xclip").decode() == text
    assert (desk.bin / "xclip.words").read_text() == "-selection clipboard -in\n"


def test_more_than_a_terminal_takes_is_not_sent_at_all(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.copy("x" * clipboard.LARGEST)
    assert len(desk.sent) == 1
    said = desk.copy("ä" * clipboard.LARGEST)
    assert len(desk.sent) == 1
    assert said == "over 74 kB: 74,000 characters written to ~/state/copied.txt"
    assert (desk.state / "copied.txt").read_text("utf-8") == "ä" * clipboard.LARGEST
    assert stat.S_IMODE((desk.state / "copied.txt").stat().st_mode) == 0o600


def test_a_program_takes_what_is_too_long_for_the_terminal(tmp_path: Path) -> None:
    desk = Desk(tmp_path, DISPLAY=":0")
    desk.has("xclip")
    text = "x" * 200_000
    assert desk.copy(text) == "copying 200,000 characters"
    assert desk.later()[1] == "copied with xclip, 200,000 characters"
    assert desk.took("xclip").decode() == text


@pytest.mark.parametrize("term", ["linux", "dumb", ""])
def test_a_terminal_without_a_clipboard_gets_no_codes_and_a_file_has_it(
    tmp_path: Path, term: str
) -> None:
    desk = Desk(tmp_path, TERM=term)
    assert desk.copy("x") == "no clipboard here: 1 character written to ~/state/copied.txt"
    assert desk.sent == []
    assert desk.copy("yz") == "no clipboard here: 2 characters written to ~/state/copied.txt"
    assert (desk.state / "copied.txt").read_text() == "yz"


def test_a_link_at_the_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    desk = Desk(tmp_path, TERM="linux")
    desk.state.mkdir()
    (tmp_path / "mine").write_text("mine")
    (desk.state / "copied.txt").symlink_to(tmp_path / "mine")
    desk.copy("x")
    assert (tmp_path / "mine").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_where_not_even_a_file_can_be_written_that_is_said(tmp_path: Path) -> None:
    desk = Desk(tmp_path, TERM="linux")
    desk.state.mkdir(mode=0o500)
    assert desk.copy("x").startswith("not copied: no clipboard here, and ")


def test_inside_tmux_it_is_asked_for_twice_and_tmux_keeps_it(tmp_path: Path) -> None:
    desk = Desk(tmp_path, TMUX="/tmp/tmux,1,0", SSH_CONNECTION="1 2 3 4", TERM="screen-256color")
    desk.has("tmux")
    said = desk.copy("x")
    plain, _, wrapped = desk.sent[0].partition("\x1bPtmux;")
    assert decoded(plain) == "x"
    assert wrapped.endswith("\x1b\\")
    assert wrapped.removesuffix("\x1b\\").replace("\x1b\x1b", "\x1b") == plain
    assert desk.later() == (said, "in tmux's buffer, 1 character")
    assert desk.took("tmux") == b"x"


def handed_on_by_screen(codes: str) -> str:
    """What GNU screen passes to the terminal around it."""
    return "".join(re.findall("\x1bP(.*?)\x1b\\\\", codes))


@pytest.mark.parametrize("size", [1, 100, 5_000, clipboard.LARGEST])
def test_gnu_screen_hands_it_on_in_pieces_and_has_nothing_to_print(size: int) -> None:
    codes = clipboard.osc52("x" * size, {"TERM": "screen", "STY": "1.x"})
    assert decoded(handed_on_by_screen(codes)) == "x" * size
    assert re.sub("\x1bP.{1,240}?\x1b\\\\", "", codes) == ""


def test_over_ssh_screen_and_tmux_have_the_same_name_so_short_ones_are_for_both() -> None:
    far = {"TERM": "screen", "SSH_CONNECTION": "1 2 3 4"}
    short, long = clipboard.osc52("x", far), clipboard.osc52("x" * 500, far)
    assert decoded(short.partition("\x1bP")[0]) == decoded(handed_on_by_screen(short)) == "x"
    assert long.startswith("\x1bP")
    assert decoded(handed_on_by_screen(long)) == "x" * 500


@pytest.mark.parametrize(
    "environ",
    [
        {"TERM": "xterm-256color", "TERM_PROGRAM": "vscode"},
        {"TERM": "xterm-256color", "WT_SESSION": "x"},
        {"TERM": "xterm-256color", "SSH_CONNECTION": "1 2 3 4"},
        {"TERM": "tmux-256color", "SSH_CONNECTION": "1 2 3 4"},
    ],
)
def test_elsewhere_the_terminal_is_asked_once_and_plainly(environ: dict[str, str]) -> None:
    assert clipboard.osc52("x", environ) == "\x1b]52;c;eA==\x07"


@given(st.one_of(st.text(), st.sampled_from(HOSTILE)))
def test_nothing_that_is_copied_commands_a_terminal(text: str) -> None:
    kept = clipboard.clean(text)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", kept)
    codes = clipboard.osc52(kept, {"TERM": "xterm"})
    if len(kept.encode()) <= clipboard.LARGEST:
        assert decoded(codes) == kept
        assert codes.count("\x1b") == codes.count("\x07") == 1
