"""What our runner leaves beside the log about one loop: its last word, and a person's orders.

Small JSON files below `loops/ID`, exchanged whole: who reads meets the old or the new value.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from ppgp_tui.persist import live as living
from ppgp_tui.persist import orders
from ppgp_tui.persist.disk.home import Home, private
from ppgp_tui.persist.live import Live
from ppgp_tui.persist.orders import Pause

PROMPT_COPY: Final = "prompt"
"""What the present run's agent reads, where a file is handed over."""

_LARGEST: Final = 64 * 1024
_LIVE: Final = "live.json"
_PAUSE: Final = "pause.json"


def read_live(home: Home, loop_id: str) -> Live | None:
    """The runner's last word; None where there is none that can be read."""
    return living.read_live(_read(home.loop(loop_id) / _LIVE))


def write_live(home: Home, loop_id: str, live: Live) -> None:
    """Say what the runner does now. Raises OSError."""
    _write(home, loop_id, _LIVE, living.live_json(live))


def read_pause(home: Home, loop_id: str) -> Pause | None:
    """The pause that a person has ordered and not taken back, or None."""
    return orders.read_pause(_read(home.loop(loop_id) / _PAUSE))


def write_pause(home: Home, loop_id: str, pause: Pause) -> None:
    """Order a pause: the runner obeys between two runs. Raises OSError."""
    _write(home, loop_id, _PAUSE, orders.pause_json(pause))


def clear_pause(home: Home, loop_id: str) -> bool:
    """Take the pause back; whether there was one. Raises OSError."""
    return _remove(home, loop_id, _PAUSE)


def tidy(home: Home, loop_id: str) -> None:
    """Take away what counts only while somebody runs the loop. Raises OSError."""
    _remove(home, loop_id, PROMPT_COPY)
    clear_pause(home, loop_id)


def _remove(home: Home, loop_id: str, name: str) -> bool:
    """Remove a file from the loop's own folder; whether there was one. Raises OSError."""
    folder = home.loop(loop_id)
    if not folder.is_dir():
        return False
    try:
        (private_folder(home, loop_id) / name).unlink()
    except FileNotFoundError:
        return False
    return True


def private_folder(home: Home, loop_id: str) -> Path:
    """The loop's own folder, made where it is missing, for its user alone. Raises OSError."""
    folder = home.loop(loop_id)
    home.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    private(folder.parent)
    return private(folder)


def write_private(folder: Path, name: str, data: bytes) -> Path:
    """Exchange `folder/name` for a file with `data` that only its user may read. Raises OSError."""
    path, fresh = folder / name, folder / f".{name}.{os.getpid()}"
    try:
        # Made anew each time: what a crash left behind may have other permissions.
        fresh.unlink(missing_ok=True)
        with open(fresh, "xb", opener=_private) as file:
            file.write(data)
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
    return path


def _write(home: Home, loop_id: str, name: str, value: Mapping[str, Any]) -> None:
    write_private(private_folder(home, loop_id), name, json.dumps(value).encode() + b"\n")


def _read(path: Path) -> object:
    try:
        with open(path, "rb", opener=_not_waiting) as file:
            data = file.read(_LARGEST + 1)
        return json.loads(data) if len(data) <= _LARGEST else None
    except (OSError, ValueError, RecursionError):
        return None


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _not_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW)
