"""What a start does not load: only the first view is shown, and nobody has acted yet."""

import subprocess
import sys

LATER = (
    "msgspec", "ppgp_tui.gasp.tracing.log_index", "ppgp_tui.gasp.folding.ops", "ppgp_tui.ppgp.goal",
    "ppgp_tui.session.engine.engine", "ppgp_tui.ui.acts.acts", "ppgp_tui.ui.acts.deeds",
    "ppgp_tui.ui.views.log.events", "ppgp_tui.ui.views.goal.goal", "ppgp_tui.ui.views.inbox.inbox",
)  # fmt: skip


def test_the_app_starts_without_what_only_other_views_and_deeds_need() -> None:
    script = "import ppgp_tui.ui.app.app, ppgp_tui.session.live.store, sys; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not set(LATER) & set(ran.stdout.split())
