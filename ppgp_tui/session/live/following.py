"""The threads of a live session: the watcher says what to read again, workers read it.

Small files, goal document, log, answers, journal and Git each have a worker; the publisher hands
out pictures, at most twenty times a second. No exception of any of them ends the session: it
becomes a problem in the picture.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from ppgp_tui.session.files.reading import is_folder
from ppgp_tui.session.live.composition import TORN_MS
from ppgp_tui.session.live.readers import DOCUMENTS, Readers
from ppgp_tui.session.live.watch import VERIFY_S, Concern, Watcher
from ppgp_tui.session.live.worker import Worker
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.around_log import conformance_files
from ppgp_tui.session.picture.audit_state import PLACE as AUDIT
from ppgp_tui.session.picture.beside import OWN_FILES as JOURNAL_FILES
from ppgp_tui.session.picture.beside import PENDING_FILE
from ppgp_tui.session.picture.on_disk import ANSWERS, REQUESTS
from ppgp_tui.session.settings.settings import REPOSITORY_FILE
from ppgp_tui.session.sources.agents import AGENTS, HELD
from ppgp_tui.session.sources.control import CONTROL_FILE, PAUSE_FILE
from ppgp_tui.session.sources.notes import NOTES
from ppgp_tui.session.sources.repo import git_files

PUBLISH_S: Final = 0.05
"""The shortest time between two pictures."""

UNSETTLED_S: Final = 0.1
"""When to look again at what a writer may be about to finish."""

GIT_GAP_S, GIT_CALM_S, GIT_MOST_S = 1.0, 10.0, 600.0
"""Between two questions to Git: at least, when nothing tells of a change, and at most."""

CHECK_GAP_S: Final = 0.1
"""Between two looks at what is new in the log to check, at least."""

PI_GAP_S: Final = 0.1
"""Between two looks at a Pi session, at least."""

AUDIT_GAP_S: Final = 0.1
"""Between two looks at the audit under way, at least."""

LOOPS_GAP_S: Final = 0.5
"""Between two looks at the loops, at least: an agent may print without end."""

JOURNAL_GAP_S: Final = 0.3
"""Between two questions to the journal, at least."""

_GIT_SHARE = 200
"""Git may use one part in this many of the time when nothing tells of a change."""


class Following:
    """All threads of one session, from start to stop."""

    def __init__(self, readers: Readers, on_change: Callable[[SessionSnapshot], None]) -> None:
        self._readers = readers
        self._on_change = on_change
        self._closed = threading.Event()
        self._due_lock = threading.Lock()
        self._due = set(DOCUMENTS)
        self._log_due = True
        self._documents = Worker("documents", self._work_documents, readers.failed)
        self._goal = Worker("goal", self._work_goal, readers.failed)
        self._log = Worker("log", self._work_log, readers.failed)
        self._conformance = Worker("conformance", self._work_conformance, readers.failed)
        self._history = Worker("history", self._work_history, readers.failed)
        self._graph = Worker("graph", self._work_graph, readers.failed)
        self._git = Worker("git", self._work_git, readers.failed)
        self._answers = Worker("answers", self._work_answers, readers.failed)
        self._journal = Worker("journal", self._work_journal, readers.failed)
        self._pi = Worker("pi", self._work_pi, readers.failed)
        self._audit = Worker("audit", self._work_audit, readers.failed)
        self._loops = Worker("loops", self._work_loops, readers.failed)
        self._workers = (
            self._documents, self._goal, self._log, self._answers, self._journal, self._git,
            self._conformance, self._history, self._graph, self._pi, self._audit,
            self._loops,
        )  # fmt: skip
        self._publisher = threading.Thread(target=self._publish, name="publish", daemon=True)
        self._watcher = Watcher(
            readers.root,
            self._concerns,
            self._changed,
            lambda watching: readers.put(watching=watching),
            readers.clock,
            poll_s=lambda: readers.known.settings.poll_s,
        )

    def start(self) -> None:
        """Begin; everything is read again once."""
        self._publisher.start()
        for worker in self._workers:
            worker.start()
        self._watcher.start()

    def stop(self) -> None:
        """End all threads; waits for them a moment at most."""
        self._closed.set()
        self._readers.news.set()
        threads = (self._watcher, *self._workers)
        for thread in threads:
            thread.stop()
        for thread in threads:
            thread.join(0.5)

    def want_graph(self) -> None:
        """Have the graph folded now and kept up."""
        self._graph.wake()

    def check_log(self) -> None:
        """Check the log now, however long it is."""
        self._conformance.wake()
        self._history.wake()

    def _concerns(self) -> Mapping[str, Concern]:
        """Which files belong to which source, with the settings of now."""
        root, settings = self._readers.root, self._readers.known.settings
        goals = self._readers.goal.watched(settings)
        return {
            "settings": Concern((root / REPOSITORY_FILE, self._readers.user_file)),
            "goal": Concern(tuple(root / path for path in goals)),
            "plan": Concern((root / settings.todo,)),
            "control": Concern((root / CONTROL_FILE, *self._own_files(PAUSE_FILE))),
            "agents": Concern((), (root / AGENTS, root / HELD, root / NOTES)),
            "log": Concern((root / settings.log,)),
            "answers": Concern((), (root / REQUESTS, root / ANSWERS)),
            "journal": Concern((root / PENDING_FILE, *self._own_files(*JOURNAL_FILES))),
            "pi": Concern((), self._pi_folders()),
            "audit": Concern((), (root / AUDIT,)),
            "loops": self._readers.loop_files(),
            "conformance": conformance_files(root),
            "git": Concern(git_files(root)),
        }

    def _own_files(self, *names: str) -> tuple[Path, ...]:
        """Files in the user's folder of this root; where it is missing, nothing is watched."""
        folder = self._readers.state
        return tuple(folder / name for name in names) if is_folder(folder) else ()

    def _pi_folders(self) -> tuple[Path, ...]:
        folder = self._readers.pi_folder
        return (folder,) if is_folder(folder) else ()

    def _changed(self, names: frozenset[str]) -> None:
        if names & DOCUMENTS:
            with self._due_lock:
                self._due |= names & DOCUMENTS
            self._documents.wake()
        if "goal" in names:
            self._goal.wake()
        if "log" in names:
            self._log_due = True
            self._log.wake()
        if "conformance" in names:
            self._conformance.wake()
        if names & {"conformance", "git"}:
            self._history.wake()
        if "answers" in names:
            self._answers.wake()
        if names & {"log", "journal", "git"}:
            self._journal.wake()
        if "pi" in names:
            self._pi.wake()
        if "audit" in names:
            self._audit.wake()
        if "loops" in names:
            self._loops.wake()
        if names != {"loops"}:  # what an agent prints is nothing that Git knows
            self._git.wake()

    def _work_documents(self) -> float:
        """Read what is due; every few seconds states that depend on the time are seen to."""
        with self._due_lock:
            due, self._due = frozenset(self._due), set()
        if self._readers.has_root:
            self._readers.read_documents(due)
        else:
            self._readers.put()
        self._readers.healed("documents")
        if "settings" in due:
            self._goal.wake()
            self._log_due = True
            self._log.wake()
        return VERIFY_S if self._readers.settled else UNSETTLED_S

    def _work_goal(self) -> float | None:
        if self._readers.has_root:
            self._readers.read_goal()
        self._readers.healed("goal")
        return None if self._readers.known.goal.look.settled else UNSETTLED_S

    def _work_log(self) -> float | None:
        due, self._log_due = self._log_due, False
        if not self._readers.has_root:
            return None
        if due or not self._readers.prove_log():
            self._readers.read_log(self._log.stopping)
            self._answers.wake()
            self._conformance.wake()
            self._history.wake()
            self._graph.wake()
        self._readers.healed("log")
        if not self._readers.known.log.settled:
            self._log_due = True
            return UNSETTLED_S
        return VERIFY_S if self._readers.proving else None

    def _work_conformance(self) -> float | None:
        """Check what is new; an unfinished line comes to count by the passing of time alone."""
        if self._readers.has_root:
            self._readers.read_conformance(self._conformance.stopping)
        self._readers.healed("conformance")
        self._closed.wait(CHECK_GAP_S)
        torn = self._readers.known.log.torn
        if torn is None:
            return None
        left_ms = torn.since_ms + TORN_MS - self._readers.clock()
        return left_ms / 1000 + CHECK_GAP_S if left_ms > 0 else None

    def _work_history(self) -> None:
        began = time.monotonic()
        if self._readers.has_root:
            self._readers.read_history()
        self._readers.healed("history")
        took = time.monotonic() - began
        self._closed.wait(min(GIT_MOST_S, max(GIT_GAP_S, 20 * took)))

    def _work_graph(self) -> None:
        self._readers.read_graph(self._graph.stopping)
        self._readers.healed("graph")

    def _work_pi(self) -> None:
        if self._readers.has_root:
            self._readers.read_pi()
        self._readers.healed("pi")
        self._closed.wait(PI_GAP_S)

    def _work_audit(self) -> float | None:
        """While one is under way it is looked at again: no file tells of its death."""
        if self._readers.has_root:
            self._readers.read_audit()
        self._readers.healed("audit")
        self._closed.wait(AUDIT_GAP_S)
        return VERIFY_S if self._readers.known.audit.running is not None else None

    def _work_loops(self) -> float | None:
        """While one is open it is looked at again: no file tells of a runner's death."""
        self._readers.read_loops()
        self._readers.healed("loops")
        self._closed.wait(LOOPS_GAP_S)
        seen = self._readers.known.loops.loops.seen
        some = any(one.open and (one.here or one.runner.state != "not recorded") for one in seen)
        return VERIFY_S if some else None

    def _work_git(self) -> float:
        began = time.monotonic()
        if self._readers.has_root:
            self._readers.ask_git()
        self._readers.healed("git")
        took = time.monotonic() - began
        self._closed.wait(min(GIT_MOST_S, max(GIT_GAP_S, 20 * took)))
        return min(GIT_MOST_S, max(GIT_CALM_S, _GIT_SHARE * took))

    def _work_answers(self) -> float | None:
        """Judge what is new; a process that asks may end without a file telling of it."""
        if self._readers.has_root:
            self._readers.read_answers()
        self._readers.healed("answers")
        known = self._readers.known
        recorded = {request.id for request in known.says.requests}
        return VERIFY_S if known.answers.requests.keys() - recorded else None

    def _work_journal(self) -> float | None:
        began = time.monotonic()
        if self._readers.has_root:
            self._readers.read_journal()
        self._readers.healed("journal")
        took = time.monotonic() - began
        self._closed.wait(min(GIT_MOST_S, max(JOURNAL_GAP_S, 20 * took)))
        return VERIFY_S if self._readers.known.journal.pending_ms else None

    def _publish(self) -> None:
        while True:
            self._readers.news.wait()
            if self._closed.is_set():
                return
            self._readers.news.clear()
            try:
                self._on_change(self._readers.snapshot)
            except Exception as error:  # a listener's fault must not end the pictures
                self._readers.failed("listener", error)
            self._closed.wait(PUBLISH_S)
