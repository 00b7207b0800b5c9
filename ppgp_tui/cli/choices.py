"""Options of a question as people name them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ppgp_tui.session.engine.requests import OPTION_KEYS

if TYPE_CHECKING:
    from ppgp_tui.session.model import Request

_OF_PERMISSIONS = {"y": "allow_once", "yes": "allow_once", "n": "deny", "no": "deny"}


def choices_of(request: Request) -> Sequence[str]:
    """The words that answer a question."""
    if request.kind == "permission":
        return ("allow_once", *(("allow_session",) if request.for_session else ()), "deny")
    return [option.key for option in request.options] or ("yes", "no")


def choice(said: str, kind: str = "question") -> str:
    """The option word for what was typed: `2` and `B` are `b`, `y` is `yes`, `n` is `no`.

    `kind` is that of the request: yes to a permission allows the one call. Whether the question
    offers it, the engine says.
    """
    word = said.strip().lower()
    if kind == "permission":
        return _OF_PERMISSIONS.get(word, word)
    if word.isascii() and word.isdigit() and 1 <= int(word) <= len(OPTION_KEYS):
        return OPTION_KEYS[int(word) - 1]
    return {"y": "yes", "n": "no"}.get(word, word)
