"""Calling a person who looks elsewhere: for what is new, not too often, only as they allow."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from ppgp_tui.session.model import Loops, Part, Request, SessionSnapshot, SourceState
from ppgp_tui.session.picture.glance import glance
from ppgp_tui.session.picture.loop import LoopPause
from ppgp_tui.session.sessions.row import AllSessions, SessionRow
from ppgp_tui.ui.app.attention import Call, Caller, Notify, call_text, run_command, title
from ppgp_tui.ui.terminal.signals import notification
from tests.ui import picture, picture_loops
from tests.ui.desk import answered, other, question
from tests.ui.hostile import HOSTILE, is_harmless
from tests.waiting import PATIENCE_S

GAP = 10_000


@dataclass
class Window:
    """A terminal that remembers what it was sent."""

    codes: list[str] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)

    def send(self, codes: str) -> None:
        self.codes.append(codes)

    def set_title(self, text: str) -> None:
        self.titles.append(text)


class Scene:
    """A caller before pictures, with a clock that the test moves."""

    def __init__(self, notify: Notify | None = None, **environ: str) -> None:
        self.now = picture.NOW
        self.window = Window()
        self.failures: list[str] = []
        self.failed = Event()
        self.caller = Caller(
            notify or Notify(),
            self.window,
            {"TERM": "xterm-256color", **environ},
            ascii_only=False,
            clock=lambda: self.now,
            failed=self._fail,
        )

    def _fail(self, why: str) -> None:
        self.failures.append(why)
        self.failed.set()

    def show(
        self, *requests: Request, after_s: float = 0, quiet: bool = False, **parts: object
    ) -> list[str]:
        """A picture with these requests, so much later; return what it made the caller send."""
        self.now += int(after_s * 1000)
        before = len(self.window.codes)
        shown: SessionSnapshot = replace(picture.full(), inbox=Part(requests), **parts)  # type: ignore[arg-type]
        self.caller.attend(shown, quiet=quiet)
        return self.window.codes[before:]


def test_what_waits_at_the_start_is_not_new() -> None:
    scene = Scene()
    assert scene.show(question()) == []
    assert scene.show(question(), after_s=60) == []


def test_in_quiet_hours_nobody_is_called_and_afterwards_for_what_still_waits() -> None:
    scene = Scene()
    scene.show()
    assert scene.show(question(), other(), quiet=True) == []
    assert scene.show(question(), other(), after_s=1_800, quiet=True) == []
    (codes,) = scene.show(question(), after_s=1)
    assert "Publish 0.2.0?" in codes
    assert "more question" not in codes
    assert scene.window.titles


def test_a_new_request_rings_and_shows_its_question() -> None:
    scene = Scene()
    scene.show()
    (codes,) = scene.show(question())
    assert codes.endswith("\a")
    assert "\x1b]9;? Publish 0.2.0?\x07" in codes
    goal = "Make the importer resumable"
    assert f"\x1b]777;notify;? 1 for you, {goal};? Publish 0.2.0?\x07" in codes
    assert scene.show(question(), after_s=60) == []


def test_while_the_app_has_the_focus_nobody_is_called_then_or_later() -> None:
    scene = Scene()
    scene.show()
    scene.caller.in_focus = True
    assert scene.show(question()) == []
    scene.caller.in_focus = False
    assert scene.show(question(), after_s=60) == []
    assert len(scene.show(question(), other(), after_s=60)) == 1


def test_calls_keep_their_distance_and_what_waits_is_called_after_it() -> None:
    scene = Scene()
    scene.show()
    assert len(scene.show(question())) == 1
    third = question(id="req_" + "3" * 32, question="And this?")
    assert scene.show(question(), other(), after_s=1) == []
    assert scene.show(question(), other(), third, after_s=8) == []
    (codes,) = scene.show(question(), other(), third, after_s=1)
    assert "Rename the command?, and 1 more question" in codes
    assert scene.show(question(), other(), third, after_s=60) == []


def test_what_was_answered_meanwhile_is_not_called() -> None:
    scene = Scene()
    scene.show()
    scene.show(question())
    assert scene.show(question(), other(), after_s=1) == []
    assert scene.show(question(), answered(other()), after_s=60) == []


def test_a_request_that_waits_again_is_not_new() -> None:
    scene = Scene()
    scene.show(question())
    scene.show(answered(question()))
    assert scene.show(question(state="taken_back"), after_s=60) == []


def test_what_only_the_rest_of_the_log_tells_of_is_not_new() -> None:
    scene = Scene()
    reading = (SourceState("events", "state/events.jsonl", "reading", 0.5),)
    scene.show(sources=reading)
    assert scene.show(question(), sources=reading) == []
    assert scene.show(question(), after_s=60) == []
    later = other(created_ms=scene.now + 1)
    assert len(scene.show(question(), later, sources=reading)) == 1


@pytest.mark.parametrize(
    ("notify", "bell", "osc"),
    [
        (Notify(bell=False), False, True),
        (Notify(osc=False), True, False),
        (Notify(bell=False, osc=False), False, False),
    ],
)
def test_every_channel_can_be_switched_off(notify: Notify, bell: bool, osc: bool) -> None:
    scene = Scene(notify)
    scene.show()
    codes = "".join(scene.show(question()))
    assert codes.count("\a") - codes.count("\x1b]") == bell
    assert ("\x1b]9;" in codes) == osc
    assert bool(scene.window.titles) == osc


# --- a restart loop that needs a person ---------------------------------------------------------


def rests(scene: Scene, need: str = "eval_1", **said: Any) -> Part[Loops]:
    """Loops one of which rests since now for what only a person can decide."""
    pause = LoopPause("loop", scene.now, "the audit could not decide: Survives kill -9", need)
    asking = picture_loops.asking()._replace(pause=pause, **said)
    return Part(Loops((asking,)))


def test_a_loop_that_begins_to_need_a_person_calls_once_as_a_request_does() -> None:
    scene = Scene()
    scene.show()
    (codes,) = scene.show(loops=rests(scene))
    assert codes.endswith("\a")
    needs = "Restart loop kill-points needs you: the audit could not decide: Survives kill -9"
    assert f"\x1b]9;? {needs}\x07" in codes
    assert scene.window.titles[-1] == "? 1 for you, Make the importer resumable"
    assert scene.show(loops=rests(scene), after_s=60) == []
    assert scene.show(question(), loops=rests(scene), after_s=60) != []
    assert scene.window.titles[-1] == "? 2 for you, Make the importer resumable"


def test_who_decides_one_thing_after_the_other_for_a_loop_is_called_for_the_first_alone() -> None:
    scene = Scene()
    scene.show()
    assert scene.show(loops=rests(scene, "eval_1")) != []
    assert scene.show(after_s=30) == []
    assert scene.show(loops=rests(scene, "eval_2"), after_s=60) == []
    assert scene.show(loops=rests(scene, "eval_3", iteration=6), after_s=60) != []


def test_a_loop_that_rested_before_the_start_calls_nobody_however_late_it_is_read() -> None:
    scene = Scene()
    scene.show()
    scene.now += 1_000
    assert scene.show(loops=Part(Loops((picture_loops.asking(),)))) == []
    assert scene.window.titles[-1] == "? 1 for you, Make the importer resumable"


def test_a_loop_and_a_question_at_once_are_two_things() -> None:
    scene = Scene()
    scene.show()
    (codes,) = scene.show(question(), loops=rests(scene))
    assert "Publish 0.2.0?, and 1 more thing" in codes


def test_a_loop_of_another_session_calls_from_the_list_of_all() -> None:
    scene = Scene()
    scene.show(sessions=AllSessions())
    seen = glance(replace(picture.empty(), loops=rests(scene)))
    seen = seen._replace(loop_since_ms=scene.now)
    rows = (SessionRow("0" * 16, "/src/importer", "here", glance=seen),)
    (codes,) = scene.show(sessions=AllSessions(rows))
    assert "? importer: a restart loop needs you" in codes
    assert scene.show(sessions=AllSessions(rows), after_s=60) == []


# --- the title ----------------------------------------------------------------------------------


def test_the_title_says_how_many_wait_and_for_which_goal_and_is_sent_when_it_differs() -> None:
    scene = Scene()
    scene.show()
    scene.show(question())
    scene.show(question())
    scene.show(question(), other())
    goal = "Make the importer resumable"
    assert scene.window.titles == [goal, f"? 1 for you, {goal}", f"? 2 for you, {goal}"]


def test_without_a_goal_the_title_names_the_repository() -> None:
    assert title(picture.empty()) == picture.ROOT.name


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_reach_the_terminal_as_words_only(words: str) -> None:
    goal = picture.goal()._replace(goal=words)
    shown = replace(picture.full(), goal=Part(goal), inbox=Part((question(question=words),)))
    for text in (title(shown), call_text([Call(words)])):
        assert is_harmless(text)
        assert "\n" not in text
        assert "\x07" not in text


# --- which terminal knows what ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "nine", "seven"),
    [
        ({"TERM": "xterm-256color"}, True, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, True, False),
        ({"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}, True, False),
        ({"TERM": "foot"}, False, True),
        ({"TERM": "rxvt-unicode"}, False, True),
        ({"TERM": "linux"}, False, False),
    ],
)
def test_no_terminal_is_sent_what_it_shows_twice_or_prints(
    environ: dict[str, str], nine: bool, seven: bool
) -> None:
    codes = notification("title; more", "text; more", environ)
    assert ("\x1b]9;text; more\x07" in codes) == nine
    assert ("\x1b]777;notify;title, more;text, more\x07" in codes) == seven


def test_tmux_is_asked_to_hand_it_on() -> None:
    codes = notification("title", "text", {"TERM": "tmux-256color", "TMUX": "/tmp/x,1,0"})
    assert codes.startswith("\x1bPtmux;\x1b\x1b]9;text\x07")
    assert codes.endswith("\x1b\\")


# --- the user's own command ---------------------------------------------------------------------


def script(folder: Path, body: str) -> Path:
    path = folder / "program"
    path.write_text(f"#!{sys.executable}\nimport sys\n{body}\n")
    path.chmod(0o755)
    return path


def test_the_command_gets_the_question_as_one_argument_and_no_shell(tmp_path: Path) -> None:
    out = tmp_path / "out"
    program = script(tmp_path, f"open({str(out)!r}, 'w').write('|'.join(sys.argv[1:]))")
    text = call_text([Call("-rf $(touch x); id & done?")])
    assert run_command((str(program), "--urgent"), text) == ""
    assert out.read_text() == "--urgent|? -rf $(touch x); id & done?"


@pytest.mark.parametrize(
    ("body", "why"), [("sys.exit(3)", "ended with 3"), ("sys.exit(0)", "")], ids=["fails", "works"]
)
def test_how_the_command_ended_is_known(tmp_path: Path, body: str, why: str) -> None:
    assert run_command((str(script(tmp_path, body)),), "text").endswith(why)


def test_a_command_that_takes_too_long_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppgp_tui.ui.app.attention.COMMAND_S", 0.3)
    program = script(tmp_path, "import time; time.sleep(60)")
    assert "did not end within 0.3 s" in run_command((str(program),), "text")


def test_a_command_that_is_not_there_is_said_once(tmp_path: Path) -> None:
    scene = Scene(Notify(command=(str(tmp_path / "nothing"),), gap_ms=0))
    scene.show()
    scene.show(question())
    assert scene.failed.wait(PATIENCE_S)
    scene.failed.clear()
    scene.show(question(), other(), after_s=1)
    assert not scene.failed.wait(0.3)
    assert scene.failures == [f"notify.command: {tmp_path / 'nothing'}: no such file or directory"]
