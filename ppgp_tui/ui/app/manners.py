"""How the app gets on with its terminal: links, the width of characters, and the editor.

Nothing here is done before the first picture is painted.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ppgp_tui.ui.app.app import PpgpApp
    from ppgp_tui.ui.terminal.editor import Editor
    from ppgp_tui.ui.terminal.links import Links


class Manners:
    """What is known of the terminal by now."""

    def __init__(self, app: PpgpApp) -> None:
        self._app = app
        self._links: Links | None = None

    def begin(self) -> None:
        """Find out what takes a while, for the seat that is sat in now."""
        seat = self._app.seat
        if self._app.ability.links and seat.look.links is None and seat.snapshot.sessions is None:
            from ppgp_tui.ui.app.linking import find_links

            find_links(seat.snapshot.root, self._found)

    def fit(self) -> None:
        """The look or the seat is another one: draw with the links that fit."""
        if self._links is not None:
            from ppgp_tui.ui.rows.linked import fit

            fit(self._app.seat, self._links)

    def wide(self) -> None:
        """The terminal draws two cells where one is counted: draw with ASCII signs."""
        app = self._app
        if not app.ability.ascii_signs:
            app.draw_in_ascii()
            self.fit()

    def _found(self, links: Links) -> None:
        """From a thread; the app may just have ended."""

        def show() -> None:
            self._links = links
            self.fit()
            self._app.doors.look_again()

        with suppress(RuntimeError):
            self._app.call_from_thread(show)

    # --- the editor -------------------------------------------------------------------------------

    def edit(self, path: str, line: int) -> None:
        """Open the file at `path`, which is relative to the root, at `line`; 0 is no line.

        One that lies elsewhere is shown whole and asked about first.
        """
        from ppgp_tui.ui.acts.editing import ask_first, outside

        seat = self._app.seat
        file = Path(os.path.normpath(seat.snapshot.root / path))
        if outside(seat.snapshot.root, file):
            ask_first(seat, file, line)
        else:
            self.open(file, line)

    def open(self, file: Path, line: int) -> None:
        """Open `file` in the person's editor, or say why that cannot be."""
        from ppgp_tui.ui.terminal.editor import editor

        seat = self._app.seat
        if not file.is_file():
            seat.say(f"{file.name} is not there")
            return
        found = editor(os.environ, file, line or None)
        if isinstance(found, str):
            seat.say(found)
        elif found.in_terminal:
            self._in_terminal(found, file)
        else:
            self._beside(found, file)

    def _in_terminal(self, found: Editor, file: Path) -> None:
        """Give the terminal to the editor, and take it back whatever becomes of that."""
        import subprocess

        from textual.app import SuspendNotSupported

        app, said = self._app, ""
        try:
            with app.suspend():
                root = app.seat.snapshot.root
                code = subprocess.run(found.words, check=False, cwd=root).returncode
                said = f"{found.name} ended with {code}" if code else ""
        except SuspendNotSupported:
            said = f"{found.name} needs a terminal of its own, and here is none"
        except OSError as error:
            said = f"{found.name} cannot be started: {error.strerror}"
        app.canvas.refresh()
        app.seat.say(said or f"back from {file.name}")

    def _beside(self, found: Editor, file: Path) -> None:
        """Start an editor with a window of its own."""
        import subprocess
        from threading import Thread

        app = self._app

        def run() -> None:
            none = subprocess.DEVNULL
            try:
                ended = subprocess.run(
                    found.words, stdin=none, stdout=none, stderr=none, check=False,
                    cwd=app.seat.snapshot.root, start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                app.say(f"{found.name} cannot be started: {error.strerror}")
                return
            if ended.returncode:
                app.say(f"{found.name} ended with {ended.returncode}")

        Thread(target=run, name="editor", daemon=True).start()
        app.seat.say(f"{file.name} is opened in {found.name}")
