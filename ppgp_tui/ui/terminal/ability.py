"""What the terminal can do, as far as its environment tells."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from typing import Literal

from ppgp_tui.named_tuple import NamedTuple

Program = Literal["tmux", "screen", "linux", "windows", "other"]
"""What stands next to us: a multiplexer, the Linux console, Windows Terminal, or another."""


class Ability(NamedTuple):
    """What can be sent to the terminal."""

    ascii_signs: bool = False
    """Signs must be ASCII: no UTF-8 locale, a Linux console, or asked for."""
    ascii_words: bool = False
    """Nothing but ASCII can be encoded at all."""
    colour: bool = True
    """False under `NO_COLOR`."""
    mouse: bool = True
    """False where it is not wanted, and in GNU screen: with it Esc arrives with the next key."""
    links: bool = False
    """It is known to make links of OSC 8, or to pass them on."""
    probe: bool = False
    """It may be asked how wide its characters are."""
    far: bool = False
    """It is reached over a network, where every repaint costs."""


def ability(environ: Mapping[str, str], encoding: str | None) -> Ability:
    """Return what `environ` and the output's `encoding` allow."""
    can_encode = _is_utf8(encoding)
    asked = environ.get("PPGP_ASCII", "") not in ("", "0")
    around = program(environ)
    signs = asked or around == "linux" or not can_encode or not _utf8_locale(environ)
    return Ability(
        ascii_signs=signs,
        ascii_words=not can_encode,
        colour=not environ.get("NO_COLOR"),
        mouse=around != "screen" and environ.get("PPGP_NO_MOUSE", "") in ("", "0"),
        links=makes_links(environ),
        probe=not signs and environ.get("PPGP_ASCII", "") == "",
        far=bool(environ.get("SSH_CONNECTION") or environ.get("SSH_TTY")),
    )


def program(environ: Mapping[str, str]) -> Program:
    """What shows what we write, nearest first: inside tmux it is tmux, wherever that runs."""
    term = environ.get("TERM", "")
    if environ.get("TMUX"):
        return "tmux"
    if environ.get("STY") or term == "screen" or term.startswith("screen."):
        return "screen"
    if term == "linux":
        return "linux"
    return "windows" if environ.get("WT_SESSION") else "other"


_LINKING = ("vscode", "iTerm.app", "WezTerm", "ghostty", "Hyper", "Tabby", "rio", "WarpTerminal")
"""Terminals that make links of OSC 8, by `TERM_PROGRAM`."""
_LINKING_TERMS = ("xterm-kitty", "xterm-ghostty", "foot", "alacritty", "contour", "wezterm")
"""The same, by the beginning of `TERM`."""
_TMUX_LINKS = (3, 4)
"""The first tmux that passes links on; older ones swallow them."""
_VTE_LINKS = 5000
"""The first VTE (GNOME Terminal and its kin) with links, as `VTE_VERSION` says it."""


def makes_links(environ: Mapping[str, str]) -> bool:
    """Whether links are safe to send: where nobody knows they are left out.

    GNU screen is left alone: what it does not understand and finds too long it prints.
    """
    around = program(environ)
    if around == "tmux":
        said = re.match(r"(\d+)\.(\d+)", environ.get("TERM_PROGRAM_VERSION", ""))
        known = environ.get("TERM_PROGRAM") == "tmux" and said is not None
        return known and said is not None and (int(said[1]), int(said[2])) >= _TMUX_LINKS
    if around in ("screen", "linux"):
        return False
    vte = environ.get("VTE_VERSION", "")
    return (
        around == "windows"
        or environ.get("TERM_PROGRAM") in _LINKING
        or environ.get("TERM", "").startswith(_LINKING_TERMS)
        or bool(environ.get("KITTY_WINDOW_ID") or environ.get("KONSOLE_VERSION"))
        or (vte.isdecimal() and int(vte) >= _VTE_LINKS)
    )


def refusal(environ: Mapping[str, str], input_is_terminal: bool, output_is_terminal: bool) -> str:
    """Why the app cannot be shown here; empty when it can."""
    if not output_is_terminal:
        return "standard output is not a terminal: use `ppgp-tui --plain`, `show` or `status`"
    if not input_is_terminal:
        return "standard input is not a terminal, so no key could be pressed"
    term = environ.get("TERM", "")
    if term in ("", "dumb", "unknown"):
        said = f"TERM={term}" if term else "TERM is not set, so the terminal"
        return f"{said} cannot show a full screen: use `ppgp-tui --plain`, `show` or `status`"
    return ""


def _utf8_locale(environ: Mapping[str, str]) -> bool:
    """Whether the first of the locale variables that is set names UTF-8.

    Python itself sets `LC_CTYPE=C.UTF-8` where the locale is `C`; that says nothing about the
    terminal, so it does not count.
    """
    coerced = environ.get("LC_CTYPE") == "C.UTF-8" and environ.get("LANG", "") in ("", "C", "POSIX")
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        value = environ.get(name)
        if value and not (name == "LC_CTYPE" and coerced):
            return "utf-8" in value.lower() or "utf8" in value.lower()
    return False


def _is_utf8(encoding: str | None) -> bool:
    try:
        return codecs.lookup(encoding or "ascii").name == "utf-8"
    except LookupError:
        return False
