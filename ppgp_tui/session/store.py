"""The live session: reads the sources, watches them, and hands out one picture after the other.

The watcher says what to read again; documents, log and Git each have a thread, so that a slow one
holds up nobody; and the publisher calls back, at most twenty times a second. No exception of any of
them ends the session: it becomes a problem in the picture.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ppgp_tui.session.composition import Known, compose
from ppgp_tui.session.log.tail import LogRead, LogTail
from ppgp_tui.session.model import Problem, SessionSnapshot
from ppgp_tui.session.places import config_folder
from ppgp_tui.session.settings import REPOSITORY_FILE, Settings, load_settings
from ppgp_tui.session.sources.agents import AGENTS, HELD, AgentsSource
from ppgp_tui.session.sources.control import CONTROL_FILE, parse_control
from ppgp_tui.session.sources.document import Document
from ppgp_tui.session.sources.goal import CANDIDATES, GoalSource
from ppgp_tui.session.sources.repo import RepoSource, git_files
from ppgp_tui.session.sources.todo import TodoFile, parse_todo
from ppgp_tui.session.watch import VERIFY_S, Concern, Watcher
from ppgp_tui.session.worker import Worker

PUBLISH_S = 0.05
"""The shortest time between two pictures."""

_DOCUMENTS = frozenset({"settings", "goal", "plan", "control", "agents"})
_GIT_GAP_S, _GIT_MOST_S = 1.0, 600.0
_GIT_CALM_S = 10.0
_GIT_SHARE = 200
"""Git may use one part in this many of the time when nothing tells of a change."""


def now_ms() -> int:
    """The time in Unix milliseconds."""
    return time.time_ns() // 1_000_000


class LiveSession:
    """One root, read and followed. Safe to use from any thread."""

    def __init__(self, root: Path, *, clock: Callable[[], int] = now_ms) -> None:
        self._root = root
        self._clock = clock
        self._user_file = config_folder() / "config.toml"
        self._reading = threading.Lock()
        self._logging = threading.Lock()
        self._asking = threading.Lock()
        self._writing = threading.Lock()
        self._due: set[str] = set(_DOCUMENTS)
        self._log_due = True
        settings = Settings()
        self._goal = GoalSource(root, clock)
        self._todo = self._todo_at(settings.todo)
        self._control = Document(root, CONTROL_FILE, clock, parse_control)
        self._agents = AgentsSource(root, clock)
        self._repo = RepoSource(root, clock)
        self._tail = LogTail(root, settings.log, clock)
        self._tail_path = settings.log
        self._known = Known(
            settings, self._goal.nothing(settings), self._todo.now, self._control.now
        )
        self._snapshot = compose(root, self._known, None, clock())
        self._news = threading.Event()
        self._workers: tuple[Worker, ...] = ()
        self._watcher: Watcher | None = None
        self._closed = threading.Event()
        self._on_change: Callable[[SessionSnapshot], None] = lambda _: None

    @property
    def snapshot(self) -> SessionSnapshot:
        """The newest picture."""
        return self._snapshot

    def document(self) -> bytes:
        """The goal document's bytes as last read; empty when there is none."""
        return self._known.goal.look.data

    def open(self) -> SessionSnapshot:
        """Read what takes little time: documents, plan, orders, agents, the end of the log."""
        with self._reading:
            self._read_documents(set(_DOCUMENTS), briefly=True)
        with self._logging:
            self._use_log_path()
            self._put(log=self._tail.glimpse())
        return self._snapshot

    def read_all(self) -> SessionSnapshot:
        """Read everything, the whole log and Git included; returns when it is done."""
        with self._reading:
            self._read_documents(set(_DOCUMENTS))
        with self._logging:
            self._use_log_path()
            self._put(log=self._tail.look())
        with self._asking:
            self._ask_git()
        return self._snapshot

    def follow(self, on_change: Callable[[SessionSnapshot], None]) -> None:
        """Start the threads; `on_change` is called from one of them with each newer picture."""
        self._on_change = on_change
        self._documents = Worker("documents", self._work_documents, self._failed)
        self._log = Worker("log", self._work_log, self._failed)
        self._git = Worker("git", self._work_git, self._failed)
        self._workers = (self._documents, self._log, self._git)
        self._watcher = Watcher(
            self._root,
            self._concerns,
            self._changed,
            lambda watching: self._put(watching=watching),
            self._clock,
            poll_s=lambda: self._known.settings.poll_s,
        )
        publisher = threading.Thread(target=self._publish, name="publish", daemon=True)
        publisher.start()
        for worker in self._workers:
            worker.start()
        self._watcher.start()

    def close(self) -> None:
        """End all threads; waits for them a moment at most."""
        self._closed.set()
        self._news.set()
        if self._watcher is not None:
            self._watcher.stop()
        for worker in self._workers:
            worker.stop()
        for worker in self._workers:
            worker.join(0.5)
        if self._watcher is not None:
            self._watcher.join(0.5)

    # Noticing

    def _concerns(self) -> Mapping[str, Concern]:
        """Which files belong to which source, with the settings of now."""
        root, settings = self._root, self._known.settings
        return {
            "settings": Concern((root / REPOSITORY_FILE, self._user_file)),
            "goal": Concern(tuple(root / path for path in self._goal.watched(settings))),
            "plan": Concern((root / settings.todo,)),
            "control": Concern((root / CONTROL_FILE,)),
            "agents": Concern((), (root / AGENTS, root / HELD)),
            "log": Concern((root / settings.log,)),
            "git": Concern(git_files(root)),
        }

    def _changed(self, names: frozenset[str]) -> None:
        documents = names & _DOCUMENTS
        if documents:
            with self._writing:
                self._due |= documents
            self._documents.wake()
        if "log" in names or "settings" in names:
            self._log_due = True
            self._log.wake()
        self._git.wake()

    # Working

    def _work_documents(self) -> float:
        with self._writing:
            due, self._due = self._due, set()
        with self._reading:
            if self._root.is_dir():
                self._read_documents(due)
            else:
                self._put()
        self._healed("documents")
        return VERIFY_S if self._settled() else 0.1

    def _work_log(self) -> float | None:
        due, self._log_due = self._log_due, False
        with self._logging:
            if not self._root.is_dir():
                return None
            moved = self._use_log_path()
            if due or moved or not self._tail.prove():
                read = self._tail.look(lambda part: self._put(log=part), self._log.stopping)
                self._put(log=read)
        self._healed("log")
        if not self._known.log.settled:
            self._log_due = True
            return 0.1
        return VERIFY_S if self._tail.proving else None

    def _work_git(self) -> float:
        began = time.monotonic()
        with self._asking:
            if self._root.is_dir():
                self._ask_git()
        self._healed("git")
        took = time.monotonic() - began
        self._closed.wait(min(_GIT_MOST_S, max(_GIT_GAP_S, 20 * took)))
        return min(_GIT_MOST_S, max(_GIT_CALM_S, _GIT_SHARE * took))

    def _read_documents(self, due: set[str], *, briefly: bool = False) -> None:
        known = self._known
        settings = known.settings
        if "settings" in due:
            settings = load_settings(self._root, self._user_file)
            if settings != known.settings:
                due |= _DOCUMENTS
        if settings.todo != self._todo.now.path:
            self._todo = self._todo_at(settings.todo)
        goal, todo, control, agents = known.goal, known.todo, known.control, known.agents
        if "goal" in due or not goal.look.settled:
            goal = self._goal.look(settings, briefly=briefly)
        if "plan" in due or not todo.settled:
            todo = self._todo.look()
        if "control" in due or not control.settled:
            control = self._control.look()
        if "agents" in due or not agents.settled:
            agents = self._agents.look()
        self._put(settings=settings, goal=goal, todo=todo, control=control, agents=agents)

    def _settled(self) -> bool:
        known = self._known
        looks = (known.goal.look, known.todo, known.control, known.agents)
        return all(look.settled for look in looks)

    def _ask_git(self) -> None:
        path = self._known.goal.look.path
        self._put(repo=self._repo.look(path, CANDIDATES["ACTIVE_GOAL"]))

    def _use_log_path(self) -> bool:
        """Follow another log when the settings name one; whether that is so."""
        path = self._known.settings.log
        if path == self._tail_path:
            return False
        self._tail = LogTail(self._root, path, self._clock)
        self._tail_path = path
        self._put(log=LogRead())
        return True

    def _todo_at(self, path: str) -> Document[TodoFile | None]:
        return Document(self._root, path, self._clock, lambda data: parse_todo(data, path))

    def _failed(self, name: str, error: Exception) -> None:
        text = f"reading {name} failed: {type(error).__name__}: {error}"
        mend = "it is tried again every few seconds; the last good picture stays"
        others = [problem for problem in self._known.broken if problem.path != name]
        self._put(broken=(*others, Problem("reader-failed", name, None, text, mend)))

    def _healed(self, name: str) -> None:
        left = tuple(problem for problem in self._known.broken if problem.path != name)
        if left != self._known.broken:
            self._put(broken=left)

    # Publishing

    def _put(self, **parts: Any) -> None:
        """Take in what sources found, and make the next picture of it if anything differs."""
        with self._writing:
            self._known = replace(self._known, **parts)
            made = compose(self._root, self._known, self._snapshot, self._clock())
            if made is self._snapshot:
                return
            self._snapshot = made
        self._news.set()

    def _publish(self) -> None:
        while True:
            self._news.wait()
            if self._closed.is_set():
                return
            self._news.clear()
            try:
                self._on_change(self._snapshot)
            except Exception as error:  # a listener's fault must not end the pictures
                self._failed("listener", error)
            self._closed.wait(PUBLISH_S)
