"""Starting the app on a repository, and what is left in the terminal when it ends.

Importing the toolkit makes many objects that all stay, so the collector rests until the first
picture is painted; and the session reads what is quick before it, so that picture is useful.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ppgp_tui.session.engine.result import Result
    from ppgp_tui.session.settings.settings import Settings
    from ppgp_tui.ui.acts.deeds import Deed, Doer
    from ppgp_tui.ui.app.app import PpgpApp
    from ppgp_tui.ui.app.crew import Crew
    from ppgp_tui.ui.seat.sessions import ClosableSource, Others

_GIVES_WAY_S: Final = 0.001
"""So soon a thread that reads a long log lets a key be answered; Python's own 5 ms are met by one
key many times."""


def run(
    root: Path,
    settings: Settings | None = None,
    *,
    theme: str | None = None,
    ascii: bool | None = None,  # noqa: A002
    use_mouse: bool = True,
    ribbon: bool = False,
    crew: Crew | None = None,
    paths: Sequence[str] | None = None,
) -> int:
    """Show the session at `root` until the person leaves; return the exit code.

    With `paths` all sessions are listed: those at the paths, or around `root` where there is none.

    What is None is decided by the environment, then the `settings`, then the terminal. `ribbon`
    draws one where the screen is narrow.
    1 after a crash, 2 when the terminal or a setting does not allow it, 128 + N when signal N
    ended it.
    """
    from ppgp_tui.ui.terminal.ability import ability, refusal

    why = refusal(os.environ, sys.stdin.isatty(), sys.stdout.isatty())
    if why:
        return _said(why, 2)
    gc.disable()
    from ppgp_tui.session.files.places import config_folder, root_folder
    from ppgp_tui.session.settings.settings import load_settings
    from ppgp_tui.ui.app.app import PpgpApp
    from ppgp_tui.ui.app.attention import Notify
    from ppgp_tui.ui.looks.settings_file import SettingsError
    from ppgp_tui.ui.seat.memory import Memory

    config = config_folder()
    settings = settings or load_settings(root, config / "config.toml")
    able = ability(os.environ, sys.stdout.encoding)
    if ascii is None and "PPGP_ASCII" not in os.environ:
        ascii = settings.ascii  # noqa: A001
    if ascii is not None:
        able = able._replace(ascii_signs=ascii, probe=False)
    if settings.links is not None:
        able = able._replace(links=settings.links)

    def others() -> Others:
        return _others(root, settings, crew, paths)

    session, doer = _before(root, crew, others if paths is not None else None)
    memory = Memory(root_folder(root), root) if paths is None else None
    try:
        app = PpgpApp(
            session,
            theme=theme or (memory and memory.usable_theme(config)) or settings.theme,
            ability=able,
            config=config,
            keys=_key_file(settings.keys),
            density=settings.density,
            motion=settings.motion,
            memory=memory,
            paint_s=paint_every_s(settings.fps, far=able.far),
            on_first_paint=lambda: _first_painted(root if paths is None else None),
            doer=doer,
            others=others,
            crew=crew,
            notify=Notify(
                settings.notify_bell,
                settings.notify_osc,
                settings.notify_command,
                int(settings.notify_gap_s * 1000),
            ),
        )
        app.seat.ribbon = ribbon
        return show(app, mouse=use_mouse and able.mouse, crashes=root_folder(root))
    except SettingsError as error:
        return _said(str(error), 2)
    finally:
        session.close()


def _before(
    root: Path, crew: Crew | None, others: Callable[[], Others] | None
) -> tuple[ClosableSource, Doer]:
    """What the app sits before at first, and who does its deeds: one session, or all of them."""
    if others is None:
        from ppgp_tui.session.live.store import LiveSession

        session = LiveSession(root)
        session.open()
        return session, lambda deed: _do(root, deed, crew)
    from ppgp_tui.session.live.store import now_ms
    from ppgp_tui.ui.seat.sessions import AllSource

    every = others()
    source = AllSource(every.lookout(), now_ms)
    return source, lambda deed: source.do(deed, every.doer)


def _others(
    root: Path, settings: Settings, crew: Crew | None, paths: Sequence[str] | None
) -> Others:
    """How the sessions around `root`, or at the `paths`, are found, opened and acted in."""
    from ppgp_tui.session.files.places import root_folder, state_folder
    from ppgp_tui.session.live.store import LiveSession, now_ms
    from ppgp_tui.session.sessions import finding, known
    from ppgp_tui.session.sessions.lookout import Lookout
    from ppgp_tui.ui.seat.sessions import Others

    def named() -> tuple[finding.Found, ...]:
        if paths is None:
            return (finding.Found(str(root), "here"),)
        return finding.named_places(paths, os.getcwd(), os.environ)  # noqa: PTH109

    def lookout() -> Lookout:
        seeks = finding.seeks(named, settings.sessions_paths, state_folder())
        return Lookout(seeks, os.environ, now_ms, with_requests=True)

    def opened(other: Path) -> LiveSession:
        session = LiveSession(other)
        session.open()
        known.note_opened(other, root_folder(other))
        return session

    return Others(lookout, opened, lambda other: lambda deed: _do(other, deed, crew))


def _do(root: Path, deed: Deed, crew: Crew | None) -> Result:
    """Do a person's deed; what does it is loaded with the first one."""
    from ppgp_tui.ui.app.doing import doer

    return doer(root, crew)(deed)


def paint_every_s(fps: int | None, *, far: bool) -> float:
    """How often a changing picture is painted at most: less over a network, if nobody says more."""
    from ppgp_tui.ui.app.painter import FAR_PAINT_S, PAINT_S

    if fps:
        return max(PAINT_S, 1 / fps)
    return FAR_PAINT_S if far else PAINT_S


def _key_file(path: str | None) -> Path | None:
    """The file with a user's keys, where the settings name another than the usual one."""
    from ppgp_tui.ui.looks.settings_file import SettingsError

    if path is not None and not Path(path).is_file():
        raise SettingsError(Path(path), None, "there is no such file; `ui.keys` names it")
    return None if path is None else Path(path)


def show(app: PpgpApp, *, mouse: bool, crashes: Path) -> int:
    """Run `app`; after a crash write the trace into the folder `crashes` and say so in one line."""
    from ppgp_tui.session.text import one_line

    app.run(mouse=mouse)
    undone = app.beside.finish() if app.beside else []
    undone += app.doors.long.finish() if app.doors.long else []
    for result in [*undone, *(app.sessions.finish() if app.sessions else ())]:
        if not result.ok:
            _said(one_line(result.message), 1)
    if app.memory is not None:
        app.memory.finish()
    if app.crash is not None:
        from ppgp_tui.ui.terminal.crash import crash_line, record

        return _said(crash_line(app.crash, record(app.crash, crashes)), 1)
    return app.return_code or 0


def _first_painted(root: Path | None) -> None:
    """What was made so far stays for good; only what comes is ever looked at.

    The session at `root` was opened: it belongs to the list of all from now on.
    """
    gc.freeze()
    gc.enable()
    sys.setswitchinterval(_GIVES_WAY_S)
    if root is not None:
        from ppgp_tui.session.files.places import root_folder
        from ppgp_tui.session.sessions.known import note_opened

        note_opened(root, root_folder(root))


def _said(text: str, code: int) -> int:
    sys.stderr.write(f"ppgp-tui: {text}\n")
    return code
