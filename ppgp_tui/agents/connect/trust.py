"""Whether Codex runs our hooks: it asks its user first, and says nothing where it does not.

Asked of `codex app-server`, which lists the hooks of a folder with the trust each has.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from ppgp_tui.agents.connect.detect import end_group, little
from ppgp_tui.agents.connect.merge import is_ours
from ppgp_tui.version import __version__

LIMIT_S: Final = 15.0
_MOST: Final = 8 * 1024 * 1024
_QUIET: Final = ("-c", "features.plugins=false", "-c", "check_for_update_on_startup=false")
"""A question, not a session: nothing is to be looked up anywhere."""

Json = dict[str, Any]


class UnknownTrustError(Exception):
    """Codex did not tell; the message says why."""


class Trust(NamedTuple):
    """Our hooks as Codex sees them in one folder."""

    trusted: int
    waiting: int
    """Nobody has trusted them, or they changed since."""
    disabled: int

    @property
    def seen(self) -> int:
        """How many it knows of; none where the project itself is not trusted."""
        return self.trusted + self.waiting + self.disabled


def codex_trust(
    program: Path, root: Path, environ: Mapping[str, str], limit_s: float = LIMIT_S
) -> Trust:
    """Ask Codex about our hooks in `root`. Raises `UnknownTrustError`."""
    until = time.monotonic() + limit_s
    kept = {"CODEX_HOME": environ["CODEX_HOME"]} if environ.get("CODEX_HOME") else {}
    try:
        process = subprocess.Popen(
            [program, *_QUIET, "app-server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
            env={**little(environ), **kept},
            start_new_session=True,
        )
    except OSError as error:
        raise UnknownTrustError(f"{program} could not be run: {error.strerror}") from None
    try:
        return _trust(_ask(process, root, until))
    except OSError:
        raise UnknownTrustError("it ended before it answered") from None
    finally:
        end_group(process)


def _ask(process: subprocess.Popen[bytes], root: Path, until: float) -> Json:
    about = {"name": "ppgp-tui", "title": "ppgp-tui", "version": __version__}
    _send(process, {"id": 1, "method": "initialize", "params": {"clientInfo": about}})
    lines = _Lines(process, until)
    lines.answer(1)
    _send(process, {"method": "initialized"})
    _send(process, {"id": 2, "method": "hooks/list", "params": {"cwds": [str(root)]}})
    return lines.answer(2)


def _trust(answer: Json) -> Trust:
    counts = {"trusted": 0, "waiting": 0, "disabled": 0}
    for place in _objects(answer.get("data")):
        for hook in _objects(place.get("hooks")):
            if not is_ours({"command": hook.get("command")}):
                continue
            if hook.get("enabled") is False:
                counts["disabled"] += 1
            elif hook.get("isManaged") is True or hook.get("trustStatus") in ("trusted", "managed"):
                counts["trusted"] += 1
            else:
                counts["waiting"] += 1
    return Trust(**counts)


def _objects(value: Any) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _send(process: subprocess.Popen[bytes], message: Json) -> None:
    if process.stdin is not None:
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()


class _Lines:
    """What the server says, a JSON object a line."""

    def __init__(self, process: subprocess.Popen[bytes], until: float) -> None:
        self._out = process.stdout.fileno() if process.stdout is not None else -1
        self._until = until
        self._data = b""
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ)

    def answer(self, number: int) -> Json:
        """The result of that request; everything else it says meanwhile is passed over."""
        while True:
            said = self._next()
            if said.get("id") != number:
                continue
            result = said.get("result")
            if not isinstance(result, dict):
                raise UnknownTrustError("it does not know the question; perhaps it is too old")
            return result

    def _next(self) -> Json:
        while b"\n" not in self._data:
            left = self._until - time.monotonic()
            if left <= 0 or not self._selector.select(left):
                raise UnknownTrustError("it did not answer in time")
            piece = os.read(self._out, 1 << 16)
            if not piece or len(self._data) > _MOST:
                raise UnknownTrustError("it ended before it answered")
            self._data += piece
        line, _, self._data = self._data.partition(b"\n")
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            return {}
        return said if isinstance(said, dict) else {}
