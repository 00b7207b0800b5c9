"""The app with a clock that a test puts forward: `python -m tests.e2e.late_clock ROOT FILE`.

FILE holds how many seconds the app's clock is ahead; it is read again with every look at the time.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from ppgp_tui.session.files.places import config_folder, root_folder
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.ui.app.app import PpgpApp
from ppgp_tui.ui.app.doing import doer
from ppgp_tui.ui.app.launch import show
from ppgp_tui.ui.terminal.ability import ability


def main(root: Path, ahead: Path) -> int:
    """Show the session at `root`."""

    def clock() -> int:
        return time.time_ns() // 1_000_000 + int(float(ahead.read_text()) * 1000)

    session = LiveSession(root, clock=clock)
    session.open()
    able = ability(os.environ, sys.stdout.encoding)
    try:
        app = PpgpApp(session, ability=able, config=config_folder(), clock=clock, doer=doer(root))
        return show(app, mouse=False, crashes=root_folder(root))
    finally:
        session.close()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
