"""A prefix waits for the key after it, and says what may come."""

import pytest

from ppgp_tui.ui.acts import acts
from ppgp_tui.ui.keys import prefix
from ppgp_tui.ui.keys.action import Action, Topic
from ppgp_tui.ui.keys.keymap import Keymap
from ppgp_tui.ui.seat.place import Place
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.pressing import press, type_in, whole
from tests.ui.stand_in import look, seat, text


def test_after_a_prefix_the_keys_that_may_follow_stand_above_the_key_line() -> None:
    of = press(seat(width=48), ",")
    lines = text(of)
    at = next(at for at, line in enumerate(lines) if ", this screen" in line)
    assert "Esc" in lines[at]
    assert any("d  compact, normal or roomy" in line for line in lines[at:-1])
    assert ", and a key" in lines[-1]
    assert lines[:3] == text(seat(width=48))[:3]


def test_the_key_after_a_prefix_does_what_the_two_mean() -> None:
    of = press(seat(), ",", "d")
    assert of.density == "roomy"
    assert of.toast == "density roomy"
    assert of.prefix == ""


def test_it_waits_without_a_limit_while_newer_pictures_come() -> None:
    now = [picture.NOW]
    of = press(seat(clock=lambda: now[0]), ",")
    now[0] += 3_600_000
    of.take(picture.full())
    assert of.prefix == ","
    assert press(of, "d").density == "roomy"


def test_esc_ends_it_and_does_nothing_else() -> None:
    of = press(seat(views=VIEWS), "2", ",", "esc")
    assert of.current == 1
    assert of.toast == ", this screen: nothing was done"
    assert of.prefix == ""


@pytest.mark.parametrize("key", ["q", ",", "enter", "3", "ctrl+c"])
def test_a_key_that_means_nothing_after_it_ends_it_and_says_so(key: str) -> None:
    of = seat()
    of.keymap = Keymap((Topic("t", "Look", (action(", d"),)),))
    press(of, ",", key)
    assert "means nothing after , this screen" in of.toast
    assert of.prefix == ""
    assert of.current == 0


def test_pasting_ends_it() -> None:
    of = press(seat(), ",")
    acts.paste(of, "d")
    assert (of.prefix, of.density) == ("", "normal")


def test_while_a_line_is_typed_a_prefix_is_text() -> None:
    of = type_in(press(seat(), "/"), "a,d")
    assert of.stay.filter == "a,d"
    assert of.prefix == ""


def test_what_cannot_act_is_named_last_with_the_reason() -> None:
    of = press(seat(), "?", ",")
    assert any(
        "compact, normal or roomy" in line and line.rstrip().endswith("Esc closes this first")
        for line in text(of)
    )
    press(of, "d")
    assert of.toast == "Esc closes this first"
    assert of.density == "normal"


def test_a_reason_never_cuts_the_words_before_it() -> None:
    lines = prefix.hints(
        keymap_of(4, "no task is in progress just now"), "'", Place(), 40, 8, look()
    )
    for line in lines[1:]:
        assert "go to task" in "".join(span.text for span in line.left)


def test_where_lines_are_short_of_there_are_two_columns() -> None:
    lines = prefix.hints(keymap_of(8), "'", Place(), 48, 5, look())
    assert len(lines) == 5
    assert all(line.columns for line in lines[1:])


def test_on_a_screen_too_small_a_prefix_waits_for_nothing() -> None:
    assert press(seat(width=30, height=8), ",").prefix == ""


def test_help_names_sequences_by_their_prefix() -> None:
    shown = whole(press(seat(height=50), "?"))
    assert ", this screen" in shown
    assert ",d " in shown


def test_the_palette_names_the_sequence_of_an_action() -> None:
    assert ",d" in whole(type_in(press(seat(), ":"), "roomy"))


def action(key: str, why: str = "") -> Action:
    return Action(f"a{key}", (key,), "go to task", lambda _: why)


def keymap_of(count: int, why: str = "") -> Keymap:
    actions = tuple(action(f"' {letter}", why) for letter in "abcdefghi"[:count])
    return Keymap((Topic("t", "Look", actions),))
