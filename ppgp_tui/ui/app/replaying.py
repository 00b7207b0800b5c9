"""Starting the app on a recording: a past session on the same screens, played or by hand."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ppgp_tui.session.live.store import now_ms
from ppgp_tui.session.travel.destination import Destination
from ppgp_tui.session.travel.recording import Recording
from ppgp_tui.session.travel.traveller import Traveller, log_of
from ppgp_tui.ui.acts.travelling import LOST
from ppgp_tui.ui.app.app import PpgpApp
from ppgp_tui.ui.seat.journey import Journey
from ppgp_tui.ui.seat.seat import Seat


def begin(seat: Seat, wanted: Destination, speed: float) -> None:
    """Show the moment `wanted` of a recording, and play on from it unless `speed` is 0.

    That of a long log comes when it is read (`travelling.begin`).
    """
    seat.journey = journey = Journey(recorded=True, speed=speed or 1.0, starts=bool(speed))
    if log_of(seat.live)[0] is None:
        journey.pending = wanted
        return
    guide = Traveller(lambda: seat.live, lambda _: None)
    made = guide.moment(wanted)
    if made is None:
        seat.say(LOST)
        made = guide.moment(Destination(at=0))
    if made is not None and made.moment is not None:
        seat.snapshot, journey.target = made, made.moment.at
        journey.unasked = True


def replay(
    root: Path,
    path: str,
    document: str | None = None,
    *,
    speed: float,
    at: Destination,
    theme: str | None,
    ascii_only: bool,
    use_mouse: bool,
) -> int:
    """Show the log at `path` below `root` until the person leaves; return the exit code.

    `document` is where the goal document of that time may lie in Git; None: nowhere.
    1 after a crash, and where there is no log to play; 2 when the terminal or a setting does not
    allow it.
    """
    from ppgp_tui.session.files.places import config_folder, root_folder
    from ppgp_tui.session.settings.settings import load_settings
    from ppgp_tui.ui.app.launch import show
    from ppgp_tui.ui.looks.settings_file import SettingsError
    from ppgp_tui.ui.terminal.ability import ability, refusal

    why = refusal(os.environ, sys.stdin.isatty(), sys.stdout.isatty())
    if why:
        return _said(why, 2)
    session = Recording(root, path, now_ms, document)
    shown = session.open()
    if not shown.events.value.count:
        why = next((source.why for source in shown.sources if source.why), "")
        return _said(why or f"there is no event in {root / path}", 1)
    config = config_folder()
    settings = load_settings(root, config / "config.toml")
    able = ability(os.environ, sys.stdout.encoding)
    if ascii_only:
        able = able._replace(ascii_signs=True)
    try:
        app = PpgpApp(
            session,
            theme=theme or settings.theme,
            ability=able,
            config=config,
            density=settings.density,
        )
        begin(app.seat, at, speed)
        return show(app, mouse=use_mouse and able.mouse, crashes=root_folder(root))
    except SettingsError as error:
        return _said(str(error), 2)
    finally:
        session.close()


def _said(text: str, code: int) -> int:
    from ppgp_tui.session.text import one_line

    sys.stderr.write(f"ppgp-tui: {one_line(text)}\n")
    return code
