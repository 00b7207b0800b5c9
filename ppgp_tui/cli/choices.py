"""Options of a question as people name them."""

from __future__ import annotations

from ppgp_tui.session.engine.requests import OPTION_KEYS


def choice(said: str) -> str:
    """The option word for what was typed: `2` and `B` are `b`, `y` is `yes`, `n` is `no`.

    Whether the question offers it, the engine says.
    """
    word = said.strip().lower()
    if word.isascii() and word.isdigit() and 1 <= int(word) <= len(OPTION_KEYS):
        return OPTION_KEYS[int(word) - 1]
    return {"y": "yes", "n": "no"}.get(word, word)
