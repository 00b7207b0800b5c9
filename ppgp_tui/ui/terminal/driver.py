"""Textual's driver for Linux and macOS, made to survive what terminals do to programs.

It leaves the terminal clean when a signal ends the process, when the terminal goes away, and when
undecodable bytes come in; and it draws on standard output, so errors can be redirected.
"""

from __future__ import annotations

import asyncio
import os
import selectors
import signal
import sys
from codecs import getincrementaldecoder
from contextlib import suppress
from socket import socketpair
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO

from textual import constants
from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from ppgp_tui.ui.terminal.ability import Ability
from ppgp_tui.ui.terminal.probe import PATIENCE_S, QUESTION, WidthProbe
from ppgp_tui.ui.terminal.signals import KEEP_TITLE, TITLE_BACK, window_title
from ppgp_tui.ui.terminal.stray import StrayReports

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.message import Message

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT)
"""Signals that end the app by the front door; the exit code is 128 and the signal's number."""
_NO_PROBE = WidthProbe(asked_at=-PATIENCE_S)
"""Nothing was asked, so no answer is expected."""
_LOOK_S = 0.1
"""How often the parser is asked after some input whether it has waited long enough for more."""
_STILL_S = 1.0 + constants.ESCAPE_DELAY
"""So long after the last input it has for sure: the next one is waited for without a limit."""
_MORE_S = 0.01
"""How long the rest of a key may take that came in pieces."""


class TerminalDriver(LinuxDriver):
    """The terminal as the app sees it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._output = _Lasting(sys.__stdout__ or sys.stdout)
        self._file = self._output  # type: ignore[assignment]
        self._title = ""
        self._is_named = False
        self._probe: WidthProbe | None = None
        self._ending = self.exit_event = _Ending()

    def start_application_mode(self) -> None:
        """Take the terminal over; from here on ending signals give it back first."""
        loop = asyncio.get_running_loop()
        for ending in ENDING:
            loop.add_signal_handler(ending, self._leave, 128 + ending)
        asks = self._probe is None and bool(getattr(self._app, "ability", Ability()).probe)
        self._probe = WidthProbe() if asks else self._probe
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if asks:
            self.write(QUESTION)
        if self._title:
            self.set_title(self._title)

    def stop_application_mode(self) -> None:
        """Give the terminal back, also the title of its window."""
        if self._is_named:
            self.write(TITLE_BACK)
            self._is_named = False
        super().stop_application_mode()

    def set_title(self, text: str) -> None:
        """Name the window until the terminal is given back; `text` is clean and on one line."""
        self.write(("" if self._is_named else KEEP_TITLE) + window_title(text))
        self._title, self._is_named = text, True

    def _get_terminal_size(self) -> tuple[int, int]:
        """Ask the terminal itself: an exported `COLUMNS` would hold against every resize."""
        try:
            columns, lines = os.get_terminal_size(self._output.fileno())
        except (OSError, ValueError):
            columns, lines = 0, 0
        return (columns, lines) if columns and lines else super()._get_terminal_size()

    def _leave(self, code: int) -> None:
        self._app.exit(return_code=code)

    def run_input_thread(self) -> None:
        """Turn bytes into messages until told to end."""
        reports = StrayReports()
        decode = getincrementaldecoder("utf-8")("replace").decode
        parser = XTermParser(self._debug)
        still_at = 0.0
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            selector.register(self._ending, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                probe = self._probe or _NO_PROBE
                held = reports.holding or probe.holding
                wait = _MORE_S if held else _LOOK_S if monotonic() < still_at else None
                ready = selector.select(wait)
                if any(key.fd == self.fileno for key, _ in ready):
                    still_at = monotonic() + _STILL_S
                    data = self._read()
                    if not data:
                        self._terminal_gone()
                        return
                    seen, asked = reports.seen, probe.is_wide is None
                    text = decode(probe.clean(reports.clean(data)))
                    if asked and probe.is_wide:
                        self._drawn_wide()
                    if reports.seen > seen:
                        self._enable_mouse_support()
                else:
                    text = decode(probe.clean(reports.rest()) + probe.rest())
                if text:
                    self._dispatch(parser.feed(text))
                self._dispatch(parser.tick())
        with suppress(EOFError, ParseError):
            self._dispatch(parser.feed(""))

    def _read(self) -> bytes:
        try:
            return os.read(self.fileno, 4096)
        except OSError:
            return b""

    def _dispatch(self, messages: Iterable[Message]) -> None:
        for message in messages:
            self.process_message(message)

    def _drawn_wide(self) -> None:
        """The terminal draws two cells where one is counted."""
        loop, manners = self._app._loop, getattr(self._app, "manners", None)
        if loop is not None and manners is not None:
            loop.call_soon_threadsafe(manners.wide)

    def _terminal_gone(self) -> None:
        """Standard input ended: nobody will ever press a key again."""
        loop = self._app._loop
        if loop is not None:
            loop.call_soon_threadsafe(self._leave, 128 + signal.SIGHUP)


class _Ending(Event):
    """The end of the input thread, which can be waited for together with the next key."""

    def __init__(self) -> None:
        super().__init__()
        self._here, self._there = socketpair()

    def fileno(self) -> int:
        """What can be read from once it is set."""
        return self._here.fileno()

    def set(self) -> None:
        """Have the thread end."""
        if not self.is_set():
            super().set()
            self._there.send(b".")

    def clear(self) -> None:
        """It has ended; another one may begin."""
        if self.is_set():
            self._here.recv(1)
        super().clear()


class _Lasting:
    """A terminal that may go away: writing to it then does nothing instead of failing.

    Textual writes from a thread of its own; an error there would leave the app waiting for ever.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file
        with suppress(AttributeError, ValueError):
            file.reconfigure(errors="replace")  # type: ignore[attr-defined]

    def write(self, text: str) -> None:
        """Write, if anybody is there."""
        with suppress(OSError, ValueError):
            self._file.write(text)

    def flush(self) -> None:
        """Flush, if anybody is there."""
        with suppress(OSError, ValueError):
            self._file.flush()

    def fileno(self) -> int:
        """The descriptor of the terminal."""
        return self._file.fileno()

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self._file.isatty()
