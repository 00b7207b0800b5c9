"""Escape codes that reach a person who looks elsewhere. Texts must be clean and on one line."""

from __future__ import annotations

from collections.abc import Mapping

from ppgp_tui.ui.terminal.ability import program

BELL = "\a"
KEEP_TITLE, TITLE_BACK = "\x1b[22;0t", "\x1b[23;0t"
"""Keep the window's title on the terminal's own stack, and take it back from there."""

_PIECE = 240
"""Characters that every GNU screen takes at once; it keeps 256 of them in old ones."""
_NINE = ("iTerm.app", "WezTerm", "ghostty")
"""Terminals, by `TERM_PROGRAM`, that would show a notification twice if they got both codes."""
_SEVEN = ("foot", "rxvt")
"""Terminals, by the beginning of `TERM`, that know only the other one."""


def window_title(text: str) -> str:
    """Name the window and its icon (OSC 0)."""
    return f"\x1b]0;{text}\x07"


def notification(title: str, text: str, environ: Mapping[str, str]) -> str:
    """Show a notification: OSC 9, OSC 777, or both where nobody knows which one is understood.

    Empty where the terminal would print it.
    """
    term = environ.get("TERM", "")
    if term == "linux":
        return ""
    nine = f"\x1b]9;{text}\x07"
    seven = f"\x1b]777;notify;{title.replace(';', ',')};{text.replace(';', ',')}\x07"
    if environ.get("TERM_PROGRAM") in _NINE or "KITTY_WINDOW_ID" in environ:
        codes = nine
    else:
        codes = seven if term.startswith(_SEVEN) else nine + seven
    return handed_on(codes, environ)


def handed_on(codes: str, environ: Mapping[str, str]) -> str:
    """`codes` so that they reach the terminal around tmux (`allow-passthrough on`) or GNU screen.

    Screen takes a string of codes in pieces; of one that is too long it prints the rest.
    """
    match program(environ):
        case "tmux":
            doubled = codes.replace("\x1b", "\x1b\x1b")
            return f"\x1bPtmux;{doubled}\x1b\\"
        case "screen":
            pieces = (codes[at : at + _PIECE] for at in range(0, len(codes), _PIECE))
            return "".join(f"\x1bP{piece}\x1b\\" for piece in pieces)
    return codes
