"""An audit that stands still at one moment: `python -m tests.e2e.audit.halting ROOT MOMENT`.

It says `here` when it has got there, and waits to be killed. What it makes is a real audit.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from ppgp_tui.audit import recording, whole
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.picture.audit_state import Running


def main(root: Path, moment: str) -> None:
    """Go to that moment."""
    engine = Engine(root, Actor("user", "dev"))
    if moment == "planning":
        stop()
    plan = whole.planned_for(engine)
    if moment == "the report is kept":
        keep = recording._keep

        def kept(*words: Any) -> None:
            keep(*words)
            stop()

        recording._keep = kept
    if moment == "the log is written":
        write = os.write

        def written(descriptor: int, data: bytes) -> int:
            if b'"eval.finished"' in data:
                write(descriptor, data[: len(data) // 2])
                stop()
            return write(descriptor, data)

        os.write = written

    def tell(progress: Running) -> None:
        if moment == progress.stage and not progress.command:
            stop()
        if moment in (progress.check, progress.stage) and progress.output:
            stop()

    whole.make(engine, plan, tell=tell)


def stop() -> None:
    """Be killed here."""
    sys.stdout.write("here\n")
    sys.stdout.flush()
    while True:
        time.sleep(60)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
