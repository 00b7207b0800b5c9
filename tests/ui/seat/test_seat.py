"""What keys do: pressed as Textual reports them, seen as the lines that would be painted."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.session.model import Part
from ppgp_tui.ui.acts import acts, mouse
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.screen.sheets import help_rows
from ppgp_tui.ui.seat.place import Place
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.seat.where import in_the_view
from ppgp_tui.ui.views import VIEWS
from ppgp_tui.ui.views.prose import wrapped
from tests.ui import picture
from tests.ui.hostile import HOSTILE, is_harmless
from tests.ui.pressing import cursor, press, type_in, whole
from tests.ui.stand_in import LogView, TaskView, TextView, look, seat, text, told

# --- moving about -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("", "T1"),
        ("j", "T2"),
        ("down", "T2"),
        ("j j k", "T2"),
        ("j j up", "T2"),
        ("G", "T12"),
        ("G g", "T1"),
        ("end", "T12"),
        ("end home", "T1"),
        ("ctrl+d", "T5"),
        ("ctrl+d ctrl+u", "T1"),
        ("pagedown", "T9"),
        ("pagedown pageup", "T1"),
        ("k", "T1"),
        ("G j", "T12"),
    ],
)
def test_moving_keys_move_the_cursor(keys: str, expected: str) -> None:
    assert cursor(press(seat(height=13), *keys.split())) == expected


def test_every_view_keeps_its_own_cursor_and_scroll() -> None:
    of = press(seat(), "j", "j", "2", "j", "1")
    assert cursor(of) == "T3"
    press(of, "2")
    assert of.stay.focus == "log.list"
    assert of.stay.lists["log.list"].newer == 0


def test_esc_goes_back_to_the_view_before_and_says_when_there_is_none() -> None:
    of = press(seat(), "2", "3", "esc")
    assert of.current == 1
    assert press(of, "esc").current == 0
    assert "nothing to go back from" in whole(press(of, "esc"))


def test_tab_moves_between_panes_where_there_are_two() -> None:
    of = press(seat(width=120), "tab")
    assert of.stay.focus == "tasks.detail"
    assert press(of, "shift+tab").stay.focus == "tasks.list"
    assert press(of, "tab", "esc").stay.focus == "tasks.list"
    assert "there is one pane here" in whole(press(seat(width=80), "tab"))


def test_enter_opens_a_row_in_place_and_esc_closes_it() -> None:
    of = press(seat(), "j", "enter")
    assert "About T2" in whole(of)
    assert "Esc close" in text(of)[-1]
    of = press(of, "esc")
    assert cursor(of) == "T2"
    assert "About T2" not in whole(of)


def test_where_details_stand_beside_the_list_enter_goes_to_them() -> None:
    assert press(seat(width=120), "enter").stay.focus == "tasks.detail"


def test_enter_says_when_there_is_no_more_to_see() -> None:
    assert "there is no more to it" in whole(press(seat(views=[LogView()]), "enter"))


def test_the_cursor_survives_a_resize() -> None:
    of = press(seat(height=40), "G")
    for size in ((48, 14), (30, 5), (160, 50), (80, 24)):
        of.resize(*size)
    assert cursor(of) == "T12"
    assert any(line.startswith("   T12") or " T12 " in line for line in text(of))


# --- newer pictures ---------------------------------------------------------------------------


def with_tasks(of: Seat, *keys: str) -> None:
    """A newer picture whose plan has exactly these tasks."""
    plan = picture.plan()
    known = {task.key: task for task in plan.tasks}
    base = plan.tasks[0]
    tasks = tuple(known.get(key, base._replace(key=key, subject=f"New {key}")) for key in keys)
    of.take(replace(of.snapshot, plan=Part(plan._replace(tasks=tasks), 15)))


def line_with(of: Seat, words: str) -> int:
    return next(at for at, line in enumerate(text(of)) if words in line)


def test_tasks_that_arrive_above_do_not_move_the_focused_one() -> None:
    of = press(seat(), "j", "j")
    before = line_with(of, "T3 Add checkpoint")
    with_tasks(of, "N1", "N2", "T1", "T2", "T3", "T4")
    assert line_with(of, "T3 Add checkpoint") == before
    assert cursor(of) == "T3"


def test_a_task_that_vanishes_under_the_cursor_stays_struck_until_it_is_left() -> None:
    of = press(seat(), "j")
    with_tasks(of, "T1", "T3")
    strip = screen_lines(of)[line_with(of, "T2 Choose")]
    assert any(segment.style and segment.style.strike for segment in strip)
    press(of, "j")
    assert cursor(of) == "T3"
    assert "T2 Choose" not in whole(of)


def test_the_log_says_how_much_is_newer_and_the_key_goes_there() -> None:
    of = press(seat(), "2")
    assert "follows the newest" in text(of)[3]
    press(of, "j")
    of.take(picture.grown(of.snapshot, 12))
    assert "12 newer, G" in text(of)[3]
    press(of, "G")
    assert "follows the newest" in text(of)[3]
    assert cursor(press(of, "g")) == picture.log().event(0).id


def test_a_picture_with_nothing_in_it_is_drawn_too() -> None:
    of = seat(picture.empty(), views=VIEWS)
    for number in range(1, 7):
        press(of, str(number))
        assert len(text(of)) == 24


# --- finding ----------------------------------------------------------------------------------


def test_slash_filters_while_typing_and_the_bar_says_so_until_esc() -> None:
    of = type_in(press(seat(), "/"), "checkp")
    assert [line for line in text(of) if "▹ " in line] == [
        line for line in text(of) if "heckpoint" in line
    ]
    assert "/ checkp_" in whole(of)
    assert "4 rows" in whole(of)
    press(of, "enter")
    assert "/ checkp " in whole(of)
    assert "Esc show all" in text(of)[-1]
    press(of, "esc")
    assert "T1 Map" in whole(of)


def test_while_typing_letters_are_text_and_quit_nobody() -> None:
    of = type_in(press(seat(), "/"), "q?:j1")
    assert of.stay.filter == "q?:j1"
    assert told(of).left == 0


def test_the_typed_line_can_be_edited() -> None:
    of = type_in(press(seat(), "/"), "abc def")
    press(of, "ctrl+w", "left", "left", "x", "backspace", "home", "delete", "end", "Z")
    assert of.stay.filter == "bc Z"
    press(of, "ctrl+u")
    assert of.stay.filter == ""


def test_n_goes_round_the_matches() -> None:
    of = press(type_in(press(seat(), "/"), "checkpoint"), "enter")
    seen = []
    for _ in range(5):
        seen.append(cursor(of))
        press(of, "n")
    assert seen[:4] == ["T2", "T3", "T5", "T6"]
    assert seen[4] == "T2"
    press(of, "N")
    assert cursor(of) == "T2"


def test_the_log_is_filtered_by_its_view_and_n_steps_through_what_is_left() -> None:
    of = type_in(press(seat(views=VIEWS), "4", "/"), "cursor")
    assert "1 of 1,204" in whole(of)
    press(of, "backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
    type_in(of, "soak")
    assert cursor(of) == "event:1201"
    press(of, "esc")
    press(type_in(press(of, "/"), "pytest"), "enter", "n")
    assert cursor(of) != "event:1202"


def test_without_anything_to_find_n_says_so() -> None:
    assert "nothing is looked for" in whole(press(seat(), "n"))


def test_pasted_text_is_words_and_presses_no_keys() -> None:
    of = seat()
    acts.paste(of, "q\x1b]0;OWNED\x07\nq")
    assert told(of).left == 0
    press(of, "/")
    acts.paste(of, "check\x1b[31m\npoint\t!")
    assert of.stay.filter == "check␛[31m point !"
    assert is_harmless("".join(text(of)))


# --- small screens ----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(39, 24), (80, 11), (20, 5), (5, 2), (1, 1)])
def test_below_the_least_size_there_is_one_line_and_only_help_and_quit_act(
    size: tuple[int, int],
) -> None:
    of = seat(width=size[0], height=size[1])
    press(of, "j", "2", "/", "o", "c", "G")
    assert of.current == 0
    assert told(of).copied == []
    assert "Where this comes from" not in whole(of)
    assert len(text(of)) == size[1]
    one = text(of)
    assert text(press(of, "?")) != one or size == (1, 1)
    assert text(press(of, "?")) == one
    press(of, "q")
    assert told(of).left == 1


def test_the_one_line_says_the_most_urgent_first() -> None:
    assert text(seat(width=39, height=11))[0].strip().startswith("? 2 for you")


# --- the mouse --------------------------------------------------------------------------------


def test_a_click_moves_the_cursor_and_a_second_one_opens() -> None:
    of = seat()
    at = line_with(of, "T4 Golden")
    mouse.click(of, 10, at)
    assert cursor(of) == "T4"
    mouse.click(of, 10, at)
    assert "About T4" in whole(of)


def test_a_click_on_a_tab_changes_the_view_at_every_width() -> None:
    for width in (48, 80, 160):
        of = seat(width=width, views=VIEWS)
        for index, view in enumerate(VIEWS):
            mouse.click(of, text(of)[2].index(view.name) + 1, 2)
            assert of.current == index
        before = of.current
        mouse.click(of, width - 1, 2)
        assert of.current == before


def test_the_wheel_scrolls_and_leaves_the_cursor() -> None:
    of = seat(height=13)
    mouse.wheel(of, 5, 6, 1)
    assert of.stay.lists["tasks.list"].top == 3
    assert cursor(of) == "T1"


# --- always -----------------------------------------------------------------------------------

KEYS = ["j", "k", "g", "G", "enter", "escape", "tab", "/", "n", "N", "o", "c", ":", "?", "1", "2",
        "3", "4", "5", "6", "ctrl+d", "ctrl+u", "pagedown", "pageup", "home", "end", "x", "space",
        "backspace", "up", "down", "ctrl+z", "ctrl+r", "ctrl+c"]  # fmt: skip


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(KEYS), max_size=15),
    st.integers(1, 170),
    st.integers(1, 60),
    st.sampled_from(["full", "empty", "grown"]),
    st.booleans(),
)
def test_every_screen_is_exactly_as_large_as_the_terminal_and_harmless(
    keys: list[str], width: int, height: int, which: str, ascii_signs: bool
) -> None:
    snapshot = picture.empty() if which == "empty" else picture.full()
    drawn_with = look("ansi16" if ascii_signs else "harbor", ascii=ascii_signs)
    of = seat(snapshot, width, height, VIEWS, drawn_with)
    for at, key in enumerate(keys):
        press(of, key)
        if which == "grown" and at % 3 == 0:
            of.take(picture.grown(of.snapshot, 2))
        lines = screen_lines(of)
        assert len(lines) == height
        assert {line.cell_length for line in lines} == {width}
        assert all(sum(part.cell_length for part in line) == width for line in lines)
        assert all(is_harmless(line.text) for line in lines)


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_in_a_task_change_nothing_but_words(words: str) -> None:
    task = picture.plan().tasks[0]._replace(subject=words)
    plan = Part(picture.plan()._replace(tasks=(task,)), 15)
    for views in ([TaskView(), TextView()], VIEWS):
        of = seat(replace(picture.full(), plan=plan), views=views)
        for key in ("2", "1", "c", "o", "escape"):
            press(of, key)
            assert all(is_harmless(line.text) for line in screen_lines(of))
        assert all(is_harmless(copied.replace("\n", " ")) for copied in told(of).copied)


def test_the_key_line_names_three_to_eight_keys_that_act_and_always_help() -> None:
    for width in (48, 60, 80, 120, 160):
        of = seat(width=width, views=VIEWS)
        for number in range(1, 7):
            press(of, str(number))
            line = text(of)[-1]
            assert "? help" in line
            place = of.place()
            named = [topic for topic in of.keymap.table if topic.hint_in(place)]
            on_line = [topic for topic in named if topic.hint_in(place) in line]
            assert 2 <= len(on_line) <= 8, line
            for topic in on_line:
                assert all(not action.refuses(place) for action in topic.actions)


@pytest.mark.parametrize("width", [48, 80, 120])
def test_no_key_in_help_is_dead_and_none_that_acts_is_missing_from_it(width: int) -> None:
    for views in (VIEWS, [TaskView(), LogView(), TextView()]):
        for keys in ("1 j", "2", "3", "3 j", "2 / x enter", "?", "1 o"):
            of = press(seat(width=width, height=50, views=views), *keys.split())
            assert_help_is_true(of, in_the_view(of), width)


@pytest.mark.parametrize("width", [48, 80, 120])
def test_help_over_a_card_names_the_keys_of_the_card_and_comes_back_to_it(width: int) -> None:
    for request in ("", "j"):
        of = press(seat(width=width, height=50, views=VIEWS), "3", *request, "enter")
        assert of.sheet is not None
        assert_help_is_true(of, of.place(), of.sheet_width)
        of = press(of, "?")
        assert "Keys that work here" in whole(of)
        assert press(of, "esc").sheet.kind == "card"  # type: ignore[union-attr]


def assert_help_is_true(of: Seat, place: Place, width: int) -> None:
    """Help names the keys of every topic that acts in `place`, and no others."""
    rows = help_rows(of.keymap, place, width)
    lines = [row.lines[0] for row in rows]
    spans = [spans[0] for line in lines for spans in (line.left, line.columns) if spans]
    said = {span.text.strip() for span in spans}
    able = [
        topic
        for topic in of.keymap.table
        if any(not action.refuses(place) for action in topic.actions)
    ]
    for topic in of.keymap.table:
        acting = [action for action in topic.actions if not action.refuses(place)]
        named = topic.named(place) or topic.actions
        if any(" " in key for action in named for key in action.keys[:1]):
            for action in topic.actions:  # sequences stand under their prefix, one by one
                assert (of.keymap.first[action.id] in said) == (action in acting), action.id
            continue
        for shown in filter(None, (of.keymap.shown(named), of.keymap.others(named))):
            shared = any(of.keymap.shown(one.named(place)) == shown for one in able)
            parts = {*wrapped(shown, 10)}
            assert (parts <= said) == (bool(acting) or shared), (topic.label, shown)


@pytest.mark.parametrize("width", [80, 120])
def test_every_action_that_says_it_can_act_does_something(width: int) -> None:
    table = seat(width=width, views=VIEWS).keymap.actions
    for action in table:
        of = press(seat(width=width, height=20, views=VIEWS), "2", "j", "j")
        why = action.refuses(of.place())
        before = state_of(of)
        acts.run(of, action.id)
        assert state_of(of) != before, action.id
        assert of.toast == why if why else True


def state_of(of: Seat) -> tuple[object, ...]:
    outside = told(of)
    return (
        tuple(text(of)), cursor(of), of.stay.focus, outside.left, outside.suspended,
        outside.reread_count, outside.checked_log, tuple(outside.copied), of.toast,
        tuple(outside.edited), tuple(outside.sessions), len(outside.deeds),
        tuple(rows.top for rows in of.stay.lists.values()),
    )  # fmt: skip
