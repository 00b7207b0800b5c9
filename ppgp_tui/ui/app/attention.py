"""Calling a person who looks elsewhere: bell, notification, window title, a command of theirs.

Only for a request that is new or a restart loop that began to need one, only while the app is not
known to be in focus, and not too often.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence
from threading import Thread
from typing import Protocol

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks.words import count, plain
from ppgp_tui.ui.rows.cells import ascii_words, shorten, steady
from ppgp_tui.ui.terminal.signals import BELL, notification

COMMAND_S = 5.0
"""How long the command of `notify.command` may take."""
_TEXT, _GOAL = 160, 60
"""Cells of a notification and of the goal in the title."""


class Notify(NamedTuple):
    """What the user allows (`notify.*` of their own settings)."""

    bell: bool = True
    osc: bool = True
    """Notification and window title by escape codes."""
    command: tuple[str, ...] = ()
    """Program and its arguments; the question is added as the last one."""
    gap_ms: int = 10_000
    """The shortest time between two calls."""


class Window(Protocol):
    """The terminal, as far as calling needs it."""

    def send(self, codes: str) -> None:
        """Send escape codes, apart from what is drawn."""
        ...

    def set_title(self, text: str) -> None:
        """Name the window until the app ends."""
        ...


class Call(NamedTuple):
    """One thing that a person can be called for."""

    text: str
    """The question, or which loop needs them and for what."""
    at_ms: int | None = None
    """Since when it waits."""
    noun: str = "question"
    """What more of its kind are called."""


class News:
    """What is new to somebody who looks elsewhere."""

    def __init__(self, now_ms: int) -> None:
        self._began_ms = now_ms
        self._known: set[str] | None = None
        self._due: list[str] = []
        self._called_ms: int | None = None

    def take(
        self,
        snapshot: SessionSnapshot,
        *,
        in_focus: bool,
        gap_ms: int,
        now_ms: int,
        quiet: bool = False,
    ) -> list[Call]:
        """What to call the person for now.

        What is there at the start is not new, nor what only the rest of the log tells of. Who
        looks at the screen sees the others; who was called just now is called again later, and so
        is who is to be left alone (`quiet`).
        """
        waits = calls(snapshot)
        reading = any(
            source.name == "events" and source.state == "reading" for source in snapshot.sources
        )
        if self._known is not None:
            unknown = [(key, one) for key, one in waits.items() if key not in self._known]
            # Loops are read beside the log of the session, so the first ones may come any time.
            early = [one.noun == "loop" or reading for _, one in unknown]
            self._due += [
                key
                for (key, one), is_early in zip(unknown, early, strict=True)
                if not is_early or self._is_later(one)
            ]
        self._known = (self._known or set()) | waits.keys()
        self._due = [] if in_focus else [one for one in self._due if one in waits]
        called = self._called_ms
        if quiet or not self._due or (called is not None and 0 <= now_ms - called < gap_ms):
            return []
        due, self._due, self._called_ms = self._due, [], now_ms
        return [waits[one] for one in due]

    def _is_later(self, one: Call) -> bool:
        return one.at_ms is not None and one.at_ms >= self._began_ms


class Caller:
    """Calls on the channels that the user allows."""

    def __init__(
        self,
        notify: Notify,
        window: Window,
        environ: Mapping[str, str],
        *,
        ascii_only: bool,
        clock: Callable[[], int],
        failed: Callable[[str], None],
    ) -> None:
        """`failed` is told once, from a thread, that the command does not work."""
        self.in_focus = False
        """The terminal said that it has the focus; until it says so, it has not."""
        self._notify = notify
        self._window = window
        self._environ = environ
        self._ascii_only = ascii_only
        self._clock = clock
        self._failed = failed
        self._has_failed = False
        self._title = ""
        self._news = News(clock())

    def attend(self, snapshot: SessionSnapshot, *, quiet: bool = False) -> None:
        """Look at a picture: the title says what it says, and news are called out.

        While the person is to be left alone (`quiet`) they wait.
        """
        notify = self._notify
        if notify.osc:
            self._name(self._plain(title(snapshot)))
        new = self._news.take(
            snapshot,
            in_focus=self.in_focus,
            gap_ms=notify.gap_ms,
            now_ms=self._clock(),
            quiet=quiet,
        )
        if new:
            self._call(snapshot, new)

    def _name(self, text: str) -> None:
        if text != self._title:
            self._title = text
            self._window.set_title(text)

    def _call(self, snapshot: SessionSnapshot, new: Sequence[Call]) -> None:
        text, codes = self._plain(call_text(new)), ""
        if self._notify.osc:
            codes = notification(self._plain(title(snapshot)), text, self._environ)
        if self._notify.bell:
            codes += BELL
        if codes:
            self._window.send(codes)
        if self._notify.command:
            Thread(target=self._run, args=(text,), name="notify", daemon=True).start()

    def _plain(self, text: str) -> str:
        return ascii_words(text) if self._ascii_only else text

    def _run(self, text: str) -> None:
        why = run_command(self._notify.command, text)
        if why and not self._has_failed:
            self._has_failed = True
            self._failed(f"notify.command: {why}")


def calls(snapshot: SessionSnapshot) -> dict[str, Call]:
    """All that waits for the person, by what makes it the same: a loop's rest after one run is one.

    Of other sessions' loops no more is known than how many ask there and since when.
    """
    found = {
        one.id: Call(one.question, one.created_ms) for one in snapshot.inbox.value if one.is_open
    }
    for loop in snapshot.loops.value.here:
        if loop.needs_you and loop.pause is not None:
            text = f"Restart loop {loop.name} needs you: {loop.pause.reason}"
            found[f"{loop.id} {loop.iteration}"] = Call(text, loop.pause.at_ms, "loop")
    for row in snapshot.sessions.rows if snapshot.sessions is not None else ():
        if row.glance is not None and row.glance.loop == "asks":
            since = row.glance.loop_since_ms
            found[f"{row.key} {since}"] = Call(
                f"{row.name}: a restart loop needs you", since, "loop"
            )
    return found


def title(snapshot: SessionSnapshot) -> str:
    """`? 2 for you, GOAL`; only the goal while nothing waits."""
    waits = len(calls(snapshot))
    name = snapshot.root.name if snapshot.sessions is None else "all sessions"
    goal = steady(one_line(snapshot.goal.value.goal or name))
    goal = shorten(goal, _GOAL, "end")
    return f"? {waits} for you, {goal}" if waits else goal


def call_text(new: Sequence[Call]) -> str:
    """What is asked, in one line that begins with a sign, so that no program takes it for more."""
    first = steady(one_line(plain(new[0].text)))
    nouns = {one.noun for one in new[1:]}
    noun = "question" if nouns == {"question"} else "thing"
    more = f", and {count(len(new) - 1, f'more {noun}')}" if nouns else ""
    return f"? {shorten(first, _TEXT, 'end')}{more}"


def run_command(command: Sequence[str], text: str) -> str:
    """Run the user's command with `text` as its last argument, without a shell; say what failed."""
    nowhere = subprocess.DEVNULL
    try:
        ended = subprocess.run(
            [*command, text],
            stdin=nowhere, stdout=nowhere, stderr=nowhere,
            timeout=COMMAND_S, start_new_session=True, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"{command[0]} did not end within {COMMAND_S:g} s"
    except (OSError, ValueError) as error:
        return f"{command[0]}: {(getattr(error, 'strerror', None) or str(error)).lower()}"
    return f"{command[0]} ended with {ended.returncode}" if ended.returncode else ""
