"""Which answer a yes, a no or an option's letter stands for."""

from __future__ import annotations

from typing import Literal

from ppgp_tui.session.model import Request

FOR_SESSION = "a"
"""The letter that allows a call and what its agent offers to allow with it for its session."""
_PERMISSION = {"yes": "allow_once", "no": "deny"}


def advised(request: Request) -> str | None:
    """The letter of the option that is advised; None where none of those offered is."""
    offered = (option.key for option in request.options)
    return next((key for key in offered if key == request.recommended), None)


def word(request: Request, said: Literal["yes", "no"]) -> str:
    """A yes or a no as this kind of request has them."""
    return _PERMISSION[said] if request.kind == "permission" else said


def letters(request: Request) -> str:
    """The letters that answer it in its opened card."""
    if request.kind == "permission":
        return FOR_SESSION if request.for_session else ""
    return "".join(option.key for option in request.options if len(option.key) == 1)


def by_letter(request: Request, letter: str) -> str:
    """The answer that a letter of the opened card stands for."""
    return "allow_session" if request.kind == "permission" else letter


def takes_words(request: Request) -> bool:
    """Whether one's own words are an answer to it."""
    return request.kind in ("question", "document", "gate")
