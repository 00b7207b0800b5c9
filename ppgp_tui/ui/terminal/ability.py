"""What the terminal can do, as far as its environment tells."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from typing import NamedTuple


class Ability(NamedTuple):
    """What can be sent to the terminal."""

    ascii_signs: bool = False
    """Signs must be ASCII: no UTF-8 locale, a Linux console, or asked for."""
    ascii_words: bool = False
    """Nothing but ASCII can be encoded at all."""
    colour: bool = True
    """False under `NO_COLOR`."""
    mouse: bool = True


def ability(environ: Mapping[str, str], encoding: str | None) -> Ability:
    """Return what `environ` and the output's `encoding` allow."""
    can_encode = _is_utf8(encoding)
    asked = environ.get("PPGP_ASCII", "") not in ("", "0")
    console = environ.get("TERM", "") == "linux"
    return Ability(
        ascii_signs=asked or console or not can_encode or not _utf8_locale(environ),
        ascii_words=not can_encode,
        colour=not environ.get("NO_COLOR"),
        mouse=environ.get("PPGP_NO_MOUSE", "") in ("", "0"),
    )


def refusal(environ: Mapping[str, str], input_is_terminal: bool, output_is_terminal: bool) -> str:
    """Why the app cannot be shown here; empty when it can."""
    if not output_is_terminal:
        return "standard output is not a terminal: use `ppgp-tui show` or `ppgp-tui status`"
    if not input_is_terminal:
        return "standard input is not a terminal, so no key could be pressed"
    term = environ.get("TERM", "")
    if term in ("", "dumb", "unknown"):
        said = f"TERM={term}" if term else "TERM is not set, so the terminal"
        return f"{said} cannot show a full screen: use `ppgp-tui show` or `ppgp-tui status`"
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
