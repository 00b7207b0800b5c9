"""An agent that does nothing but tick: `python ticking.py FOLDER`.

Ticks go to `ticks`, lines typed to `typed`, its environment's PPGP_AGENT to `named`. Ctrl+C is
written to `interrupts`; `exit N` typed ends it with N, `stubborn` makes it ignore TERM. A child
ticks beside it, into `child`.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

FOLDER = Path(sys.argv[1])


def main() -> None:
    (FOLDER / "named").write_text(os.environ.get("PPGP_AGENT", ""))
    if os.fork() == 0:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _tick("child", os.getppid())
    signal.signal(signal.SIGINT, _interrupted)
    threading.Thread(target=_tick, args=("ticks", None), daemon=True).start()
    _say("ready")
    for line in _lines():
        with (FOLDER / "typed").open("a") as file:
            file.write(line)
        words = line.split()
        if words[:1] == ["exit"]:
            os._exit(int(words[1]))
        if words == ["stubborn"]:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            _say("stubborn now")


def _lines() -> Iterator[str]:
    """What is typed; for ever nothing more where the terminal is somebody else's."""
    try:
        yield from sys.stdin
    except OSError:
        signal.pause()


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def _tick(name: str, parent: int | None) -> None:
    with (FOLDER / name).open("a") as file:
        while parent in (None, os.getppid()):
            file.write(".")
            file.flush()
            time.sleep(0.02)
    os._exit(0)


def _interrupted(_: int, __: FrameType | None) -> None:
    with (FOLDER / "interrupts").open("a") as file:
        file.write("x")


main()
