"""What a hook puts in order beside its answer, where there is time: at a start or a stop."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from ppgp_tui.agents.hook import calls, fast
from ppgp_tui.agents.hook.place import Place
from ppgp_tui.session.files.places import data_folder

FILE: Final = "hook.py"


def at_start(place: Place) -> None:
    """Trim the calls, bring the installed copy up to date, and say which calls are recorded."""
    calls.trim(place)
    with place.unhurt("the installed hook was not brought up to date"):
        if os.path.lexists(data_folder() / FILE):
            install()
    with place.unhurt("hooks were not told which calls are recorded"):
        from ppgp_tui.agents.hook import control
        from ppgp_tui.session.actions import turns

        if place.settings.events_tools or control.stamp(place.run) is not None:
            turns.match_settings(place.engine)


def install() -> Path:
    """Put the hook's own file where agents call it, if it is another one; return its path.

    The path stays the same for ever, for agents ask for trust again when a command changes. Raises
    OSError.
    """
    from ppgp_tui.session.files.safe import Folder

    wanted = Path(fast.__file__).read_bytes()
    folder = data_folder()
    folder.mkdir(0o700, parents=True, exist_ok=True)
    path = folder / FILE
    if not path.is_file() or path.read_bytes() != wanted:
        with Folder.open(folder) as opened:
            opened.publish(FILE, wanted, mode=0o755)
    return path


def settle(place: Place) -> None:
    """A goal that this session claimed, and that was found complete, is settled with its run."""
    from ppgp_tui.session.actions.recorded import recorded
    from ppgp_tui.session.engine import goals

    ledger = recorded(place.engine).ledger
    goal = goals.state_of(ledger).goal
    if goal is None or goal.status != "complete" or not ledger.claims:
        return
    if ledger.claims[-1]["by"] == place.key:
        from ppgp_tui.session.actions import closing

        closing.settle(place.engine)


def consume_permissions(place: Place) -> None:
    """The turn ended, so the calls that were allowed or denied in it are over."""
    from ppgp_tui.agents.hook.observe import observe
    from ppgp_tui.session.engine import requests
    from ppgp_tui.session.engine.draft import Draft

    def act(draft: Draft) -> None:
        for request_id, entry in list(draft.ledger.requests.items()):
            used = entry["state"] == "delivered" and entry["request"]["kind"] == "permission"
            if used and entry["by"] == place.key:
                requests.consume(draft, request_id)

    observe(place, act)
