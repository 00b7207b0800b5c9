"""Sheets over a view, and leaving."""

from dataclasses import replace

import pytest

from ppgp_tui.session.model import Part, Problem
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.pressing import cursor, press, type_in, whole
from tests.ui.stand_in import seat, text, told

# --- sheets -----------------------------------------------------------------------------------


def test_help_says_what_the_short_words_of_stopped_tasks_mean() -> None:
    shown = " ".join(whole(press(seat(height=50), "?")).split())
    assert "What stops a task" in shown
    assert "C you your answer" in shown
    assert "What stops a task" not in whole(press(seat(height=50, views=VIEWS), "3", "enter", "?"))


def test_help_names_the_keys_that_work_here_and_esc_closes_it() -> None:
    of = press(seat(), "?")
    assert "Keys that work here" in whole(of)
    assert "j k" in whole(of)
    assert "Tab" not in whole(of)
    assert "Keys that work here" not in whole(press(of, "esc"))
    assert "Tab" in whole(press(seat(width=120), "?"))
    assert "Keys that work here" not in whole(press(seat(), "f1", "f1"))


def test_help_can_be_searched() -> None:
    of = type_in(press(seat(), "?", "/"), "quit")
    assert "/ quit_" in whole(of)
    assert "half a page" not in whole(of)
    assert "Ctrl+C" in whole(of)


def test_a_sheet_covers_the_body_only_and_takes_the_colours_of_the_rest() -> None:
    of = seat(width=120, height=32)
    before = text(of)
    press(of, "?")
    after = text(of)
    assert after[:4] == before[:4]
    styles = {
        segment.style.color.name
        for segment in list(screen_lines(of)[5])[:1]
        if segment.style and segment.style.color
    }
    assert styles <= {of.look.colours["soft"], of.look.colours["text"]}
    assert after[5].index("Keys") > 20 if "Keys" in after[5] else True


@pytest.mark.parametrize("width", [48, 80])
def test_no_single_line_of_the_view_is_left_below_a_sheet_as_if_it_were_its_last(
    width: int,
) -> None:
    left = set()
    for height in range(20, 60):
        of = press(seat(views=VIEWS, width=width, height=height), "3", "enter")
        left.add(lines_below_the_sheet(of))
    assert min(left - {0}) > 2


def lines_below_the_sheet(of: Seat) -> int:
    """Lines between the sheet, which has its own ground, and the key line."""
    grounds = [
        segment.style.bgcolor.name if segment.style and segment.style.bgcolor else ""
        for segment in (next(iter(strip)) for strip in screen_lines(of)[:-1])
    ]
    field = of.look.colours["field"]
    return grounds[::-1].index(field)


def test_keys_that_make_no_sense_under_a_sheet_say_so() -> None:
    of = press(seat(), "?", "2")
    assert of.current == 0
    assert of.toast == "Esc closes this first"


def test_the_origin_of_a_row_is_file_line_place_and_age() -> None:
    shown = whole(press(seat(), "o"))
    for words in (".ppgp/todo.json", "line  7", "byte  140", "12s ago, "):
        assert words in shown


def test_a_row_that_came_from_no_file_says_so() -> None:
    sound = replace(picture.full(), goal=Part(picture.goal()._replace(reasons=())))
    assert "nothing here was read from a file" in whole(press(seat(sound), "j", "o"))


@pytest.mark.parametrize("width", [48, 80, 120])
def test_the_origin_sheet_tells_in_full_what_was_cut_elsewhere(width: int) -> None:
    why = "state/events.jsonl is gone; 400 lines of it had been read"
    log = "state/events.jsonl"
    problem = Problem("log-gone", log, None, why, f"git checkout -- {log}")
    shown = whole(press(seat(replace(picture.full(), problems=(problem,)), width, 40), "o"))
    assert f"{why}; git checkout -- {log}" in " ".join(shown.split())


def test_the_origin_sheet_leads_to_every_finding_that_the_key_line_counts() -> None:
    findings = picture.goal().reasons
    assert f"{len(findings)} findings" in whole(seat())
    for keys in (["o"], ["j", "o"]):
        shown = " ".join(whole(press(seat(height=60), *keys)).split())
        assert all(finding.text in shown for finding in findings)


def test_copy_takes_the_words_and_says_how_many_characters() -> None:
    of = press(seat(), "c")
    assert told(of).copied == ["T1 Map the import pipeline"]
    assert "sent to the terminal's clipboard, 26 characters" in whole(of)


def test_the_palette_finds_actions_and_does_them() -> None:
    of = type_in(press(seat(), ":"), "view log")
    assert "1 of " in whole(of)
    press(of, "enter")
    assert of.current == 1
    assert of.sheet is None


def test_the_palette_changes_the_theme() -> None:
    of = press(type_in(press(seat(), "ctrl+p"), "paper"), "enter")
    assert told(of).theme == "paper"


def test_the_palette_says_why_an_action_cannot_act() -> None:
    of = type_in(press(seat(), ":"), "next pane")
    assert "there is one pane here" in whole(of)
    press(of, "enter")
    assert of.toast == "there is one pane here: j and k move in it"


def test_moving_in_the_palette_leaves_the_view_alone() -> None:
    of = press(seat(), ":", "down", "down", "esc")
    assert cursor(of) == "T1"


# --- leaving ----------------------------------------------------------------------------------


def test_q_and_ctrl_q_leave_and_ctrl_c_does_when_pressed_twice() -> None:
    assert told(press(seat(), "q")).left == 1
    assert told(press(seat(), "ctrl+q")).left == 1
    assert told(press(seat(), "?", "q")).left == 1
    now = [picture.NOW]
    of = seat(clock=lambda: now[0])
    press(of, "ctrl+c")
    assert told(of).left == 0
    assert "press Ctrl+C again to quit" in whole(of)
    now[0] += 900
    assert told(press(of, "ctrl+c")).left == 1


def test_two_ctrl_c_a_minute_apart_do_not_leave() -> None:
    now = [picture.NOW]
    of = press(seat(clock=lambda: now[0]), "ctrl+c")
    now[0] += 60_000
    assert told(press(of, "ctrl+c")).left == 0


def test_suspend_and_reading_again_are_asked_of_the_program() -> None:
    of = press(seat(), "ctrl+z", "ctrl+r", "f5")
    assert (told(of).suspended, told(of).reread_count) == (1, 2)


def test_a_toast_goes_after_three_seconds_and_the_next_act() -> None:
    now = [picture.NOW]
    of = press(seat(clock=lambda: now[0]), "c")
    assert not of.forget_toast()
    now[0] += 3_000
    assert of.forget_toast()
    assert "copied" not in whole(press(press(of, "c"), "j"))


def test_a_toast_never_covers_a_request() -> None:
    of = seat(height=12, views=VIEWS)
    for _ in range(20):
        of.say("word of it")
        lines = text(of)
        assert "word of it" in lines[-1] or "word of it" in lines[-2]
        assert cursor(of)
        assert any(cursor_line(of) == at for at in range(len(lines)))
        press(of, "j")


def test_a_long_toast_is_said_whole_where_there_is_room() -> None:
    words = "the order changed meanwhile (generation 13, you saw 12); nothing was changed"
    of = seat(width=48, height=24, views=VIEWS)
    of.say(words)
    assert words in " ".join(" ".join(text(of)[-4:-1]).split())
    assert "? help" in text(of)[-1]


@pytest.mark.parametrize("height", [12, 16, 24, 50])
def test_over_a_card_a_toast_is_seen_however_full_the_screen_is(height: int) -> None:
    of = press(seat(width=48, height=height, views=VIEWS), "enter")
    before = text(of)
    of.say("read it to its end first")
    assert text(of)[-2].strip() == "read it to its end first"
    assert text(of)[:-2] == before[:-2]


def cursor_line(of: Seat) -> int:
    """The screen line that starts with the focus bar."""
    lines = screen_lines(of)
    bars = [at for at, line in enumerate(lines) if next(iter(line)).style.reverse]  # type: ignore[union-attr]
    return bars[0]
