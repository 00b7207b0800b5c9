"""`ppgp-tui show`: the whole snapshot, as sentences or as JSON."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppgp_tui.cli.aim import Aim
from ppgp_tui.cli.out import write
from ppgp_tui.session.files.root import must_list

if TYPE_CHECKING:
    from ppgp_tui.session.model import SessionSnapshot

_NOT_LOOKED_AT = ("plan", "control", "agents", "events", "repo", "loops", "audit")
"""What a goal document that is read by itself says nothing about."""


def show(aim: Aim, *, as_json: bool) -> int:
    """Read everything once, print it, and return the exit code: 1 when it could not be read.

    Raises:
        RootError: The root may not be looked into.
    """
    snapshot, alone = _read(aim)
    if as_json:
        write(_json(snapshot, alone))
    else:
        from ppgp_tui.ui.plain.picture import about_document, sentences

        lines = about_document(snapshot) if alone else sentences(snapshot)
        write("".join(f"{line}\n" for line in lines))
    unread = snapshot.sources[0].state == "unread"
    return 1 if alone and unread else 0


def _read(aim: Aim) -> tuple[SessionSnapshot, bool]:
    """The snapshot, and whether it is of one goal document only."""
    from ppgp_tui.session.live.store import LiveSession, now_ms

    must_list(str(aim.root))
    session = LiveSession(aim.root)
    try:
        goal = session.open().goal.value.path
        # Unlike Path.resolve, realpath takes a link that leads in a circle for what it is.
        own = Path(os.path.realpath(aim.root / goal))
        if aim.document is None or aim.document == own:
            return session.read_all(), False
    finally:
        session.close()
    from ppgp_tui.session.live.alone import document_alone

    return document_alone(aim.document, aim.root, now_ms), True


def _json(snapshot: SessionSnapshot, alone: bool) -> str:
    from ppgp_tui.cli.json_text import json_text
    from ppgp_tui.session.picture.json_view import snapshot_json

    value = snapshot_json(snapshot)
    if alone:
        value |= dict.fromkeys(_NOT_LOOKED_AT)
    try:
        return json_text(value, indent=2)
    except ValueError:
        return json_text(_finite(value), indent=2)


def _finite(value: Any) -> Any:
    """`value` with the numbers that JSON has no word for as null (a log may hold 1e999)."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(member) for key, member in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value
