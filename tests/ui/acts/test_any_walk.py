"""Whatever is pressed, clicked, pasted or arrives, in any order: the screen stays whole."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.acts import acts, mouse
from ppgp_tui.ui.keys.keymap import key_name
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.seat.asking import note_painted
from ppgp_tui.ui.seat.place import Place
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture, picture_agents, picture_history
from tests.ui.hostile import HOSTILE, is_harmless
from tests.ui.keys.test_every_key import NAMES
from tests.ui.stand_in import look, seat, told
from tests.ui.views import plans

PICTURES = (
    picture.full(),
    picture.empty(),
    picture_history.with_history(),
    picture_agents.crowd(picture_agents.claude()._replace(launched="claude")),
    plans.layered(61),
    plans.layered(300),
    plans.circle(),
    plans.missing(),
)
KEYS = (
    *"ynYabcdefghiklmoprtuvwzABCGHLNPSTW123456[]=<>.,':/?_ ",
    *("escape", "enter", "tab", "shift+tab", "backspace", "home", "end", "pageup", "pagedown"),
    *("left", "right", "ctrl+d", "ctrl+u", "ctrl+r", "ctrl+c", "ctrl+z", "f12"),
)
SIZES = ((80, 24), (48, 24), (120, 40), (160, 50), (40, 12), (39, 12), (20, 30), (3, 2), (1, 1))

steps = st.one_of(
    st.tuples(st.just("press"), st.sampled_from(KEYS)),
    st.tuples(st.just("press"), st.sampled_from(KEYS)),
    st.tuples(st.just("click"), st.tuples(st.integers(0, 160), st.integers(0, 50))),
    st.tuples(st.just("wheel"), st.tuples(st.integers(0, 160), st.integers(0, 50))),
    st.tuples(st.just("paste"), st.sampled_from(HOSTILE)),
    st.tuples(st.just("resize"), st.sampled_from(SIZES)),
    st.tuples(st.just("take"), st.sampled_from(range(len(PICTURES)))),
    st.tuples(st.just("wait"), st.sampled_from([10, 500, 4_000])),
    st.tuples(st.just("draw"), st.tuples(st.sampled_from(["harbor", "paper"]), st.booleans())),
)


def whole(of: Seat) -> list[str]:
    """The screen; exactly as large as the terminal, and nothing in it that acts on one."""
    lines = screen_lines(of)
    assert len(lines) == of.height
    for line in lines:
        assert line.cell_length == of.width
        assert is_harmless(line.text)
    note_painted(of)
    return [f"{line.text}{[str(segment.style) for segment in line]}" for line in lines]


@settings(max_examples=25)
@given(st.sampled_from(range(len(PICTURES))), st.booleans(), st.lists(steps, max_size=40))
def test_the_screen_stays_whole_and_no_key_is_dead(
    first: int, ribbon: bool, walk: list[tuple[str, object]]
) -> None:
    now = [picture.NOW]
    of = seat(PICTURES[first], 80, 24, VIEWS, look(), lambda: now[0])
    of.ribbon = ribbon
    for what, given_ in walk:
        match what, given_:
            case "press", str(key):
                _press(of, key)
            case "click", (int(x), int(y)):
                mouse.click(of, x, y)
            case "wheel", (int(x), int(y)):
                mouse.wheel(of, x, y, 1 if x % 2 else -1)
            case "paste", str(words):
                acts.paste(of, words)
            case "resize", (int(width), int(height)):
                of.resize(width, height)
            case "take", int(at):
                _take(of, PICTURES[at])
            case "wait", int(ms):
                now[0] += ms
                of.forget_toast()
            case "draw", (str(theme), bool(in_ascii)):
                of.look = look(theme, ascii=in_ascii)
                of.arrange()
        whole(of)


def _press(of: Seat, key: str) -> None:
    """Press `key`; what acts in this place is seen to act, or says why it does not."""
    of.toast = ""
    before, asked, place = whole(of), repr(told(of)), of.place()
    name, character = NAMES.get(key, "space" if key == " " else key), key if len(key) == 1 else None
    typed = of.entry is not None or bool(of.prefix)
    action = None if typed else of.keymap.action(key_name(name, character), place)
    acts.press(of, name, character)
    if of.behind:
        of.arrange()
    if action is not None and not action.id.startswith("move.") and _is_seen(place):
        assert (whole(of), repr(told(of))) != (before, asked), action.id


def _take(of: Seat, newer: SessionSnapshot) -> None:
    """Show a newer picture; the cursor stays on what it stood on, unless it follows the newest."""
    before, rows = _focused(of), of.rows
    following = rows is not None and rows.newest_first and rows.newer is None
    of.take(newer)
    after = _focused(of)
    if not following and not of.small and before[:3] == after[:3] and before[3]:
        assert after[3] == before[3]


def _focused(of: Seat) -> tuple[str, str, str, str]:
    """View, pane, what it is about, and the key under the cursor."""
    stay = of.stay
    about = next((place.pane.about for place in stay.placed if place.pane.id == stay.focus), "")
    rows = stay.lists.get(stay.focus)
    return of.view.name, stay.focus, about, rows.cursor if rows is not None else ""


def _is_seen(place: Place) -> bool:
    """Whether there is room to say anything."""
    return not place.small
