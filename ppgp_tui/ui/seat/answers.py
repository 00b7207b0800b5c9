"""Which answer a yes, a no or an option's letter stands for."""

from __future__ import annotations

from typing import Literal

from ppgp_tui.session.model import Request

_PERMISSION = {"yes": "allow_once", "no": "deny"}


def advised(request: Request) -> str | None:
    """The letter of the option that is advised; None where none of those offered is."""
    offered = (option.key for option in request.options)
    return next((key for key in offered if key == request.recommended), None)


def word(request: Request, said: Literal["yes", "no"]) -> str:
    """A yes or a no as this kind of request has them."""
    return _PERMISSION[said] if request.kind == "permission" else said


def takes_words(request: Request) -> bool:
    """Whether one's own words are an answer to it."""
    return request.kind in ("question", "document", "gate")
