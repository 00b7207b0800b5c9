"""JSON for a terminal or a program: the same value, nothing in it that a terminal obeys."""

from __future__ import annotations

import json
import re
from typing import Any

from ppgp_tui.session.text import safe

_NOT_PLAIN = re.compile(r"[^\n\x20-\x7e]+")


def json_text(value: Any, *, indent: int | None = None) -> str:
    """`value` as JSON with a newline; characters that do something to a terminal are escapes.

    Raises ValueError for a number that JSON has no word for.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return _NOT_PLAIN.sub(lambda found: "".join(map(_harmless, found[0])), text) + "\n"


def _harmless(character: str) -> str:
    return character if safe(character) == character else json.dumps(character)[1:-1]
