"""What a start does not load: only the first view is shown, and nobody has acted yet."""

import os
import subprocess
import sys
from pathlib import Path

from tests.bench import repositories

LATER = (
    "msgspec", "git", "watchfiles", "click", "shlex",
    "ppgp_tui.gasp.checks.report", "ppgp_tui.gasp.folding.ops", "ppgp_tui.gasp.telling.eventful",
    "ppgp_tui.gasp.tracing.log_index", "ppgp_tui.ppgp.goal",
    "ppgp_tui.session.engine.engine", "ppgp_tui.session.files.mounts",
    "ppgp_tui.session.live.following", "ppgp_tui.session.live.watch",
    "ppgp_tui.session.picture.loop", "ppgp_tui.session.picture.moment",
    "ppgp_tui.session.sessions.row", "ppgp_tui.session.sources.calls",
    "ppgp_tui.session.sources.repo",
    "ppgp_tui.ui.acts.acts", "ppgp_tui.ui.acts.deeds", "ppgp_tui.ui.acts.origin",
    "ppgp_tui.ui.app.live", "ppgp_tui.ui.app.messages", "ppgp_tui.ui.app.readings",
    "ppgp_tui.ui.keys.prefix", "ppgp_tui.ui.screen.ribbon", "ppgp_tui.ui.screen.sheet_rows",
    "ppgp_tui.ui.screen.sheets", "ppgp_tui.ui.seat.entry", "ppgp_tui.ui.seat.outside",
    "ppgp_tui.ui.seat.sessions", "ppgp_tui.ui.views.goal.fields", "ppgp_tui.ui.views.goal.goal",
    "ppgp_tui.ui.views.inbox.inbox", "ppgp_tui.ui.views.inbox.request_card",
    "ppgp_tui.ui.views.log.event_detail", "ppgp_tui.ui.views.log.events",
    "ppgp_tui.ui.views.past", "ppgp_tui.ui.views.plan.detail", "ppgp_tui.ui.views.plan.stop",
    "ppgp_tui.ui.views.prose", "ppgp_tui.ui.views.session.empty",
    "ppgp_tui.ui.views.session.opened", "ppgp_tui.ui.views.session.ribbon",
)  # fmt: skip

START = """
import sys
import typing
from pathlib import Path

from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.ui.app.app import PpgpApp
from ppgp_tui.ui.terminal.ability import Ability

session = LiveSession(Path(sys.argv[1]))
session.open()
loaded = []
app = PpgpApp(session, ability=Ability(), on_first_paint=lambda: loaded.extend(sys.modules))
app.run(headless=True, size=(120, 40), auto_pilot=lambda pilot: pilot.exit(0))
slow = [name for name in loaded if hasattr(sys.modules[name], "NamedTuple")
        and sys.modules[name].NamedTuple is typing.NamedTuple]
print(*loaded)
print(*(name for name in slow if name.startswith("ppgp_tui.")))
"""


def test_the_first_picture_needs_nothing_of_other_views_and_deeds(tmp_path: Path) -> None:
    root = repositories.typical(tmp_path / "importer")
    environ = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    command = [sys.executable, "-c", START, str(root)]
    for _ in range(2):  # the first start still reads the goal document, which the second remembers
        ran = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    loaded, slow = map(str.split, ran.stdout.splitlines())
    assert "ppgp_tui.ui.views.session.session" in loaded
    assert not set(LATER) & set(loaded)
    assert slow == ["ppgp_tui.session.sources.document"]  # for it is generic
