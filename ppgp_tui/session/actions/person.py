"""Some acts are a person's alone, whoever asks for them."""

from __future__ import annotations

from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.journal import RefusalError


def persons_only(engine: Engine) -> None:
    """Refuse the act of anybody else. Raises `RefusalError`."""
    if engine.actor.kind != "user":
        raise RefusalError("refused", f"only a person may do this, not {engine.actor}")
