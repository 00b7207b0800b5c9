"""Keys pressed at a seat, and what it shows then."""

from ppgp_tui.ui.acts import acts
from ppgp_tui.ui.seat.seat import Seat
from tests.ui.stand_in import text

NAMES = {"?": "question_mark", "/": "slash", ":": "colon", "esc": "escape"}


def press(of: Seat, *keys: str) -> Seat:
    """Press keys: characters as they are, other keys by name."""
    for key in keys:
        name = NAMES.get(key, key)
        acts.press(of, name, " " if key == "space" else key if len(key) == 1 else None)
        if of.behind:
            of.arrange()
    return of


def type_in(of: Seat, words: str) -> Seat:
    return press(of, *("space" if letter == " " else letter for letter in words))


def cursor(of: Seat) -> str:
    row = of.row
    return row.key if row is not None else ""


def whole(of: Seat) -> str:
    return "\n".join(text(of))
