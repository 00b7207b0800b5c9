"""Noticing that files changed, without watching more than the folders concerned.

An event of the operating system only says *look now*: what changed is found by comparing stamps of
the files concerned, and the same look runs every few seconds anyway. So a lost event costs seconds,
never the truth, and where events do not work at all the looks alone do.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.session.files.mounts import deaf_mount
from ppgp_tui.session.files.reading import Stamp, is_folder, is_link, stamp
from ppgp_tui.session.model import Watching

VERIFY_S: Final = 2.0
"""How often everything is looked at although no event came."""

BUSY_S: Final = 5.0
"""How long after a change the pace is quick."""

_RACY_NS = 100_000_000
_COARSE_RACY_NS = 2_000_000_000
_ENTRIES = 500
_RETRY_S = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)


class Pace(NamedTuple):
    """How often the event queue is looked into, and how long to wait for an event, in ms.

    A change is seen after one to two steps. A file made in a folder that is itself so new that
    nobody watches it yet is seen when the waiting ends.
    """

    step: int
    wait: int


QUICK: Final = Pace(5, 100)
CALM: Final = Pace(40, int(VERIFY_S * 1000))

Folders = tuple[tuple[Path, int], ...]
"""Folders with their inodes: a folder that was made anew is another one."""

EventStream = Callable[[Folders, Pace, threading.Event], Iterator[set[str]]]
"""Gives the paths that changed, and an empty set whenever the waiting ended."""


class Concern(NamedTuple):
    """The files of one source, and the folders of which every entry counts."""

    files: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()


class EndedError(Exception):
    """The events stopped coming although nobody asked them to."""


class Watcher:
    """One thread that calls `changed` with the names of the sources to read again."""

    def __init__(
        self,
        root: Path,
        concerns: Callable[[], Mapping[str, Concern]],
        changed: Callable[[frozenset[str]], None],
        report: Callable[[Watching], None],
        clock: Callable[[], int],
        *,
        poll_s: Callable[[], float] = lambda: 1.0,
        events: EventStream | None = None,
    ) -> None:
        """`report` gets the state of the watching whenever it changes."""
        self._root = root
        self._concerns = concerns
        self._changed = changed
        self._report_to = report
        self._clock = clock
        self._poll_s = poll_s
        self._events = events or watch_folders
        self._stop = threading.Event()
        self._stamps: dict[str, tuple[Stamp | None, ...]] = {}
        self._racy: frozenset[str] = frozenset()
        self._busy_until = 0.0
        self._said = Watching()
        self._restarts = 0
        self._why = ""
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Begin; the first look reports every source as changed."""
        self._thread.start()

    def stop(self) -> None:
        """End soon; `join` waits for it."""
        self._stop.set()

    def join(self, timeout: float) -> None:
        """Wait until the thread has ended."""
        if self._thread.is_alive():
            self._thread.join(timeout)

    # The thread

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                kind = deaf_mount(self._root)
                if kind is not None:
                    self._why = f"{kind} does not tell of changes made elsewhere"
                    self._poll(None)
                else:
                    self._follow()
            except Exception as error:  # whatever it is, the picture must stay live
                if time.monotonic() - began > _RETRY_S[-1]:
                    failures = 0
                wait = _RETRY_S[min(failures, len(_RETRY_S) - 1)]
                failures += 1
                self._restarts += 1
                self._why = f"events stopped: {error}"
                self._poll(wait)

    def _follow(self) -> None:
        """Follow events until folders or pace call for another set of watches."""
        folders = _folders(self._concerns())
        pace = self._pace()
        self._look()
        self._report("live")
        for paths in self._events(folders, pace, self._stop):
            concerns = self._look(paths)
            self._report("live")
            if _folders(concerns) != folders:
                self._busy_until = time.monotonic() + BUSY_S
                return
            if self._pace() != pace:
                return
        if not self._stop.is_set():
            raise EndedError("the stream of events ended")

    def _poll(self, duration: float | None) -> None:
        """Look at the files themselves, for `duration` seconds or until told to stop."""
        end = None if duration is None else time.monotonic() + duration
        while not self._stop.is_set() and (end is None or time.monotonic() < end):
            try:
                self._look()
            except Exception as error:  # the next look may work
                self._why = f"looking failed: {error}"
            self._report("poll")
            self._stop.wait(self._poll_s())

    def _pace(self) -> Pace:
        return QUICK if time.monotonic() < self._busy_until else CALM

    def _report(self, mode: str) -> None:
        gone = not is_folder(self._root)
        since = (self._said.since_ms or self._clock()) if gone else None
        now = Watching(
            mode="stale" if gone else "poll" if mode == "poll" else "live",
            poll_s=self._poll_s() if mode == "poll" else None,
            since_ms=since,
            why=f"{self._root} is gone" if gone else self._why,
            restarts=self._restarts,
        )
        if now != self._said:
            self._said = now
            self._report_to(now)

    # Looking

    def _look(self, paths: Collection[str] = ()) -> Mapping[str, Concern]:
        """Compare stamps, and report sources that differ, were named, or were too fresh before.

        Returns what was looked at.

        A file written twice within one tick of the file system's clock keeps its stamp. So a file
        that was just written when it was looked at is looked at once more.
        """
        concerns = self._concerns()
        now = {name: stamps(concern) for name, concern in concerns.items()}
        named = {name for name, concern in concerns.items() if _names(concern, paths)}
        differ = {name for name, found in now.items() if self._stamps.get(name) != found}
        changed = frozenset(named | differ | (self._racy & now.keys()))
        moment = time.time_ns()
        fresh = (name for name, found in now.items() if any(_racy(one, moment) for one in found))
        self._racy = frozenset(fresh) & (named | differ)
        if self._stamps and (named or differ):
            self._busy_until = time.monotonic() + BUSY_S
        self._stamps = now
        if changed:
            self._changed(changed)
        return concerns


def _folders(concerns: Mapping[str, Concern]) -> Folders:
    """The folders to watch: those concerned, or the nearest ones above that exist."""
    wanted = {
        folder
        for concern in concerns.values()
        for folder in (*concern.folders, *(_home(file) for file in concern.files))
    }
    found = {_existing(folder) for folder in wanted}
    return tuple(sorted((folder, known.inode) for folder in found if (known := stamp(folder))))


def watch_folders(folders: Folders, pace: Pace, stop: threading.Event) -> Iterator[set[str]]:
    """Events of the operating system for exactly these folders."""
    from watchfiles import watch

    for changes in watch(
        *(folder for folder, _ in folders),
        watch_filter=None,
        debounce=100,
        step=pace.step,
        stop_event=stop,
        rust_timeout=pace.wait,
        yield_on_timeout=True,
        raise_interrupt=False,
        force_polling=False,
        recursive=False,
    ):
        yield {path for _, path in changes}


def stamps(concern: Concern) -> tuple[Stamp | None, ...]:
    """The stamps of all files of a source: they differ when one of them changed."""
    found = [stamp(file) for file in concern.files]
    for folder in concern.folders:
        found.append(stamp(folder))
        found.extend(stamp(entry) for entry in _entries(folder))
    return tuple(found)


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())[:_ENTRIES]
    except OSError:
        return []


def _names(concern: Concern, paths: Iterable[str]) -> bool:
    """Whether any of the changed paths is a file of this source."""
    if not paths:
        return False
    wanted = {str(file) for file in concern.files}
    inside = tuple(f"{folder}/" for folder in concern.folders)
    return any(path in wanted or (inside and path.startswith(inside)) for path in paths)


def _racy(found: Stamp | None, now_ns: int) -> bool:
    if found is None:
        return False
    coarse = found.mtime_ns % 1_000_000_000 == 0
    return now_ns - found.mtime_ns < (_COARSE_RACY_NS if coarse else _RACY_NS)


def _home(file: Path) -> Path:
    """The folder in which changes of `file` happen: for a link that of what it leads to."""
    return Path(os.path.realpath(file)).parent if is_link(file) else file.parent


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    for candidate in (folder, *folder.parents):
        if is_folder(candidate):
            return candidate
    return Path("/")
