"""Answering with the key the user chose, for everybody who answers."""

from __future__ import annotations

import os
from dataclasses import replace

from ppgp_tui.session.actions import answering
from ppgp_tui.session.actions.answering import Said
from ppgp_tui.session.authority.keys import SigningKey
from ppgp_tui.session.authority.pins import Pins, UnusablePinsError
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.files.places import data_folder


def signing_key(engine: Engine, key: str | None = None) -> SigningKey:
    """The key that signs answers here: `key`, or what the settings say."""
    settings = engine.settings
    pins = Pins(data_folder(), engine.root, os.environ)
    return SigningKey(pins, key=key or settings.authority_key, askpass=settings.authority_askpass)


def answered(
    engine: Engine, request_id: str, said: Said, *, seen_digest: str | None = None
) -> Result:
    """Record a person's signed answer; the result says when a key was made for it."""
    key = signing_key(engine)
    before = _pinned(key.pins)
    result = answering.answer(engine, request_id, said, key=key, seen_digest=seen_digest)
    notes = []
    if not before and _pinned(key.pins):
        told = "`ppgp-tui authority key show` tells which"
        notes.append(f"from now on only answers signed with your key count; {told}")
    if result.ok and result.data.get("signed") is False:
        notes.append("unsigned: ssh-keygen is not installed and no key is pinned")
    return replace(result, warnings=(*result.warnings, *notes))


def _pinned(pins: Pins) -> bool:
    try:
        return pins.pinned() is not None
    except UnusablePinsError:
        return True
