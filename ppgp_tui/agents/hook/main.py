"""The whole hook program: one event in, one answer out, and nothing that goes wrong stops an agent.

Begun by `fast` for everything that is more than an ordinary call. Every agent takes a hook that
fails for a yes; so where the hook was installed as strict, failing is answered with a refusal.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from ppgp_tui.agents.adapters import adapter
from ppgp_tui.agents.adapters.shape import GO_ON, Adapter, Answer, Moment
from ppgp_tui.agents.hook.fast import Surprise, root_of, scan
from ppgp_tui.agents.hook.place import Place, open_folder
from ppgp_tui.agents.hook.signals import OutOfTimeError, limited

STRICT: Final = "--strict"
BLIND: Final = "ppgp-tui could not look at the pause"


def main(words: list[str]) -> None:
    """Answer the event on stdin. Never returns."""
    strict = STRICT in words
    data = b""
    try:
        data = sys.stdin.buffer.read()
        answer = respond(words[0] if words else "", data, strict=strict)
    except OutOfTimeError:
        answer = _failed(strict, data, "it took too long")
    except Exception as error:
        answer = _failed(strict, data, type(error).__name__)
    with suppress(OSError, ValueError):
        sys.stdout.write(answer.stdout)
        sys.stdout.flush()
        sys.stderr.write(answer.stderr)
        sys.stderr.flush()
    os._exit(answer.code)


def respond(agent: str, data: bytes, *, strict: bool = False) -> Answer:
    """The answer to one event; empty for an agent, an event or a folder that is none of ours."""
    known = adapter(agent)
    if known is None:
        return GO_ON
    payload = _payload(data)
    cwd = payload.get("cwd") if payload is not None else None
    root = root_of(agent, os.fsencode(cwd) if isinstance(cwd, str) and cwd else None)
    if root is None:
        return GO_ON
    if payload is None:
        return _failed(strict, data, "the event is no JSON object")
    moment = known.moment(payload)
    if moment is None or moment.kind == "other":
        return GO_ON
    with limited(_limit_s(known, moment)):
        return _answer(Place(Path(os.fsdecode(root)), known, moment, None, strict))


def _answer(place: Place) -> Answer:
    from ppgp_tui.agents.hook.events import HANDLERS

    place.run = open_folder(place.root)
    return HANDLERS[place.moment.kind](place)


def _payload(data: bytes) -> dict[str, Any] | None:
    """The event; of one that Python cannot decode, what tells whose call it is.

    A model may write arguments that are nested too deep, or a number too long: no way past a pause.
    """
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        try:
            found = scan(data)
        except (Surprise, IndexError):
            return None
        return {
            name.decode("ascii"): text.decode("utf-8", "replace") for name, text in found.items()
        }
    return value if isinstance(value, dict) else None


def _limit_s(known: Adapter, moment: Moment) -> float:
    """Our own time for this event; 0 where the event's own wait has a limit."""
    entry = known.hook(moment.event)
    if entry is None:
        return 45.0
    return 0.0 if moment.kind in ("before_tool", "before_model", "permission") else entry.limit_s


def _failed(strict: bool, data: bytes, why: str) -> Answer:
    """Refuse a call, where that is wanted; to refuse the end of a turn would begin another one."""
    if strict and b'"PreToolUse"' in data:
        return Answer(stderr=f"{BLIND}: {why}\n", code=2)
    return GO_ON
