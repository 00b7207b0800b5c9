"""Starting the app on a repository, and what is left in the terminal when it ends.

Importing the toolkit makes many objects that all stay, so the collector rests until the first
picture is painted; and the session reads what is quick before it, so that picture is useful.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ppgp_tui.session.engine.result import Result
    from ppgp_tui.ui.app import PpgpApp
    from ppgp_tui.ui.crew import Crew
    from ppgp_tui.ui.deeds import Deed


def run(
    root: Path,
    *,
    theme: str | None = None,
    ascii: bool | None = None,  # noqa: A002
    use_mouse: bool = True,
    crew: Crew | None = None,
) -> int:
    """Show the session at `root` until the person leaves; return the exit code.

    What is None is decided by the environment, then the user's settings, then the terminal.
    1 after a crash, 2 when the terminal or a setting does not allow it, 128 + N when signal N
    ended it.
    """
    from ppgp_tui.ui.terminal.ability import ability, refusal

    why = refusal(os.environ, sys.stdin.isatty(), sys.stdout.isatty())
    if why:
        return _said(why, 2)
    gc.disable()
    from ppgp_tui.session.places import config_folder, root_folder
    from ppgp_tui.session.settings import load_settings
    from ppgp_tui.session.store import LiveSession
    from ppgp_tui.ui.app import PAINT_S, PpgpApp
    from ppgp_tui.ui.attention import Notify
    from ppgp_tui.ui.settings_file import SettingsError

    config = config_folder()
    settings = load_settings(root, config / "config.toml")
    able = ability(os.environ, sys.stdout.encoding)
    if ascii is None and "PPGP_ASCII" not in os.environ:
        ascii = settings.ascii  # noqa: A001
    if ascii is not None:
        able = able._replace(ascii_signs=ascii)
    session = LiveSession(root)
    session.open()
    try:
        app = PpgpApp(
            session,
            theme=theme or settings.theme,
            ability=able,
            config=config,
            keys=_key_file(settings.keys),
            density=settings.density,
            paint_s=max(PAINT_S, 1 / settings.fps) if settings.fps else PAINT_S,
            on_first_paint=_collect_from_now_on,
            doer=lambda deed: _do(root, deed, crew),
            crew=crew,
            notify=Notify(
                settings.notify_bell,
                settings.notify_osc,
                settings.notify_command,
                int(settings.notify_gap_s * 1000),
            ),
        )
        return show(app, mouse=use_mouse and able.mouse, crashes=root_folder(root))
    except SettingsError as error:
        return _said(str(error), 2)
    finally:
        session.close()


def _do(root: Path, deed: Deed, crew: Crew | None) -> Result:
    """Do a person's deed; what does it is loaded with the first one."""
    from ppgp_tui.ui.doing import doer

    return doer(root, crew)(deed)


def _key_file(path: str | None) -> Path | None:
    """The file with a user's keys, where the settings name another than the usual one."""
    from ppgp_tui.ui.settings_file import SettingsError

    if path is not None and not Path(path).is_file():
        raise SettingsError(Path(path), None, "there is no such file; `ui.keys` names it")
    return None if path is None else Path(path)


def show(app: PpgpApp, *, mouse: bool, crashes: Path) -> int:
    """Run `app`; after a crash write the trace into the folder `crashes` and say so in one line."""
    from ppgp_tui.session.text import one_line

    app.run(mouse=mouse)
    for result in app.beside.finish() if app.beside else ():
        if not result.ok:
            _said(one_line(result.message), 1)
    if app.crash is not None:
        from ppgp_tui.ui.terminal.crash import crash_line, record

        return _said(crash_line(app.crash, record(app.crash, crashes)), 1)
    return app.return_code or 0


def _collect_from_now_on() -> None:
    """What was made so far stays for good; only what comes is ever looked at."""
    gc.freeze()
    gc.enable()


def _said(text: str, code: int) -> int:
    sys.stderr.write(f"ppgp-tui: {text}\n")
    return code
