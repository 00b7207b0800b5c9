"""All sources of one root, and the picture of what they know.

Each group of sources has a lock of its own, so that a slow one holds up nobody; the picture is made
under a short one. Every method may be called from any thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppgp_tui.ppgp.roles import CANDIDATES
from ppgp_tui.session.files.places import config_folder, root_folder
from ppgp_tui.session.files.reading import is_folder
from ppgp_tui.session.live.composition import Known, compose
from ppgp_tui.session.log.tail import LogRead, LogTail
from ppgp_tui.session.model import Problem
from ppgp_tui.session.picture.pause import may_be_lost, pause_of
from ppgp_tui.session.settings.settings import Settings, load_settings
from ppgp_tui.session.sources.agents import AgentsSource
from ppgp_tui.session.sources.control import CONTROL_FILE, PAUSE_FILE, parse_control, parse_pause
from ppgp_tui.session.sources.document import Document
from ppgp_tui.session.sources.goal import GoalSource
from ppgp_tui.session.sources.todo import TodoFile, parse_todo

if TYPE_CHECKING:
    from ppgp_tui.session.live.watch import Concern
    from ppgp_tui.session.log.graph import LogGraph
    from ppgp_tui.session.sources.answers import AnswersSource
    from ppgp_tui.session.sources.conformance import ConformanceSource
    from ppgp_tui.session.sources.history import HistorySource
    from ppgp_tui.session.sources.journal import JournalSource
    from ppgp_tui.session.sources.loops import LoopsSource
    from ppgp_tui.session.sources.pi_session import PiSource
    from ppgp_tui.session.sources.plan_commits import PlanCommits
    from ppgp_tui.session.sources.repo import RepoSource

DOCUMENTS = frozenset({"settings", "plan", "control", "agents"})
"""The sources that are small files read whole. (A goal document may be long.)"""


class Readers:
    """The sources, what they know (`known`) and the newest picture (`snapshot`)."""

    def __init__(self, root: Path, clock: Callable[[], int]) -> None:
        self.root = root
        self.clock = clock
        self.user_file = config_folder() / "config.toml"
        self.state = root_folder(root)
        """The root's own folder among the user's files."""
        self.news = threading.Event()
        """Set whenever there is a newer picture."""
        self._documents_lock = threading.Lock()
        self._goal_lock = threading.Lock()
        self._log_lock = threading.Lock()
        self._git_lock = threading.Lock()
        self._answers_lock = threading.Lock()
        self._journal_lock = threading.Lock()
        self._conformance_lock = threading.Lock()
        self._history_lock = threading.Lock()
        self._graph_lock = threading.Lock()
        self._pi_lock = threading.Lock()
        self._audit_lock = threading.Lock()
        self._loops_lock = threading.Lock()
        self._picture_lock = threading.Lock()
        settings = Settings()
        self.goal = GoalSource(root, clock)
        self.todo = self._todo_at(settings.todo)
        self._control = Document(root, CONTROL_FILE, clock, parse_control)
        self._pause = Document(self.state, PAUSE_FILE, clock, parse_pause)
        self._agents = AgentsSource(root, clock)
        self._repo: RepoSource | None = None
        self._answers: AnswersSource | None = None
        self._journal: JournalSource | None = None
        self._conformance: ConformanceSource | None = None
        self._history: HistorySource | None = None
        self._pi: PiSource | None = None
        self._commits: PlanCommits | None = None
        self._loops: LoopsSource | None = None
        self.check_asked = False
        """Whether somebody asked for the log to be checked although it is long."""
        self._graph: LogGraph | None = None
        self.graph_wanted = False
        """Whether somebody asked for the log's graph."""
        self._tail = LogTail(root, settings.log, clock)
        self.known = Known(settings, self.goal.nothing(settings), self.todo.now, self._control.now)
        self.snapshot = compose(root, self.known, None, clock())

    @property
    def has_root(self) -> bool:
        """Whether the root is there; while it is not, every source keeps its last good picture."""
        return is_folder(self.root)

    @property
    def settled(self) -> bool:
        """False while a small file may be about to be finished by its writer."""
        known = self.known
        looks = (known.todo, known.control, known.pause, known.agents)
        if may_be_lost(known.control, known.pause, known.says, self.clock()):
            return False
        return all(look.settled for look in looks)

    @property
    def proving(self) -> bool:
        """Whether older lines of the log are still to be looked at again."""
        return self._tail.proving

    def read_goal(self, *, briefly: bool = False) -> None:
        """Read the goal document; `briefly` leaves a long one for later."""
        with self._goal_lock:
            self.put(goal=self.goal.look(self.known.settings, briefly=briefly))

    def read_documents(self, due: frozenset[str] = DOCUMENTS) -> None:
        """Read those of the small files that are `due` or were not settled, settings first."""
        with self._documents_lock:
            if "settings" in due:
                due |= self._read_settings()
            known = self.known
            todo, control, pause, agents = known.todo, known.control, known.pause, known.agents
            if "plan" in due or not todo.settled:
                todo = self.todo.look()
            if "control" in due or not control.settled:
                control = self._control.look()
            if "control" in due or not pause.settled:
                pause = self._pause.look()
            hold, _ = pause_of(control, pause, known.says, self.clock())
            if "agents" in due or not agents.settled or hold != agents.hold:
                agents = self._agents.look(hold)
            self.put(todo=todo, control=control, pause=pause, agents=agents)

    def glimpse_log(self) -> None:
        """Read the end of the log."""
        with self._log_lock:
            self._use_log_path()
            self.put(log=self._tail.glimpse())

    def read_log(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Read what is new in the log; pictures come while it takes long."""
        with self._log_lock:
            self._use_log_path()
            read = self._tail.look(lambda part: self.put(log=part, further=None), stopped)
            self.put(log=read, further=self._tail.says_with(self.known.journal.lines))

    def prove_log(self) -> bool:
        """Look at the next older lines again; False when the log must be read anew."""
        with self._log_lock:
            return self._tail.prove()

    def read_conformance(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Check what is new in the log, and what stands around it."""
        from ppgp_tui.session.sources.conformance import ConformanceSource

        with self._conformance_lock:
            self._conformance = self._conformance or ConformanceSource(self.root, self.clock)
            log, path = self.known.log, self.known.settings.log
            checked = self._conformance.look(
                log,
                path,
                asked=self.check_asked,
                progress=lambda part: self.put(checked=part),
                stopped=stopped,
            )
            if checked is not None:
                self.put(checked=checked)

    def read_history(self) -> None:
        """Check what Git knows of the append-only files, if that may have changed."""
        from ppgp_tui.session.sources.history import HistorySource

        with self._history_lock:
            self._history = self._history or HistorySource(self.root)
            history = self._history.look(self.known.log, asked=self.check_asked)
            if history is not None:
                self.put(history=history)

    def read_graph(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Fold what is new in the log, once somebody wanted the graph."""
        view = self.known.log.view
        if not self.graph_wanted or view is None or not view.whole:
            return
        from ppgp_tui.session.log.graph import LogGraph

        with self._graph_lock:
            self._graph = self._graph or LogGraph(self.state)
            self.put(graph=self._graph.look(view, lambda part: self.put(graph=part), stopped))

    def ask_git(self) -> None:
        """Ask Git what may have changed."""
        from ppgp_tui.session.sources.repo import RepoSource

        with self._git_lock:
            self._repo = self._repo or RepoSource(self.root, self.clock)
            path = self.known.goal.look.path
            self.put(repo=self._repo.look(path, CANDIDATES["ACTIVE_GOAL"]))
            self._read_commits()
            self._read_code(path)

    def read_audit(self) -> None:
        """See whether an audit is under way, and how far it is."""
        from ppgp_tui.session.sources.audit import running_now

        running = running_now(self.root)
        with self._audit_lock:  # what the code is, is found out in another thread
            self.put(audit=self.known.audit._replace(running=running))

    def _read_code(self, document: str) -> None:
        """Find out what the code is, where a verdict says what it was."""
        if self.snapshot.audit.value.verdict is None:
            return
        from ppgp_tui.session.sources.audit import code_now

        code, why = code_now(self.root, document)
        with self._audit_lock:
            self.put(audit=self.known.audit._replace(code=code, why=why))

    @property
    def pi_folder(self) -> Path:
        """Where a Pi agent that works in this root keeps its sessions."""
        from ppgp_tui.session.sources.pi_session import sessions_folder

        return self._pi.folder if self._pi else sessions_folder(self.root)

    def read_pi(self) -> None:
        """Read the newest Pi session, unless the log has a plan: then nobody asks for it."""
        if self.known.says.plan is not None:
            return
        from ppgp_tui.session.sources.pi_session import PiSource

        with self._pi_lock:
            self._pi = self._pi or PiSource(self.root, self.clock)
            self.put(pi=self._pi.look())

    def read_loops(self) -> None:
        """Read what is new of the user's restart loops."""
        from ppgp_tui.session.sources.loops import LoopsSource

        with self._loops_lock:
            self._loops = self._loops or LoopsSource(self.root)
            self.put(loops=self._loops.look(self.clock()))

    def loop_files(self) -> Concern:
        """The files that tell of loops; none before they were read for the first time."""
        from ppgp_tui.session.live.watch import Concern  # a start watches nothing yet

        if self._loops is None:
            return Concern()
        from ppgp_tui.session.sources.loops import watched

        return watched(self._loops.home, self.known.loops.loops)

    def read_answers(self) -> None:
        """Read requests and answers on disk, and check the signatures of new ones."""
        from ppgp_tui.session.sources.answers import AnswersSource

        with self._answers_lock:
            self._answers = self._answers or AnswersSource(self.root, self.clock)
            self.put(answers=self._answers.look(self.known.says.asked))

    def _read_commits(self) -> None:
        """Read the versions of `todo.json` in Git where it is the only place that has the plan."""
        if self.snapshot.plan.value.source != "todo.json" or self.known.log.state == "reading":
            return
        from ppgp_tui.session.sources.plan_commits import PlanCommits

        self._commits = self._commits or PlanCommits(self.root)
        self.put(commits=self._commits.look(self.known.settings.todo))

    def read_journal(self) -> None:
        """Look for what was cut out of the log, waits beside it, or was left half done."""
        from ppgp_tui.session.sources.journal import JournalSource

        with self._journal_lock:
            self._journal = self._journal or JournalSource(self.root, self.state, self.clock)
            journal = self._journal.look(self.known.settings.log)
        if journal.lines == self.known.journal.lines:
            self.put(journal=journal)
            return
        with self._log_lock:
            self.put(journal=journal, further=self._tail.says_with(journal.lines))

    def put(self, **parts: Any) -> None:
        """Take in what is known now, and make the next picture of it if anything differs."""
        with self._picture_lock:
            self.known = self.known._replace(**parts)
            made = compose(self.root, self.known, self.snapshot, self.clock())
            if made is self.snapshot:
                return
            self.snapshot = made
        self.news.set()

    def failed(self, name: str, error: Exception) -> None:
        """Say that reading `name` failed in a way nobody foresaw."""
        text = f"reading {name} failed: {type(error).__name__}: {error}"
        mend = "it is tried again every few seconds; the last good picture stays"
        others = [problem for problem in self.known.broken if problem.path != name]
        self.put(broken=(*others, Problem("reader-failed", name, None, text, mend)))

    def healed(self, name: str) -> None:
        """Say that reading `name` works."""
        left = tuple(problem for problem in self.known.broken if problem.path != name)
        if left != self.known.broken:
            self.put(broken=left)

    def _read_settings(self) -> frozenset[str]:
        """Read the settings; the documents that are due because of them."""
        settings = load_settings(self.root, self.user_file)
        if settings == self.known.settings:
            return frozenset()
        if settings.todo != self.todo.now.path:
            self.todo = self._todo_at(settings.todo)
        self.put(settings=settings)
        return DOCUMENTS

    def _use_log_path(self) -> None:
        """Follow another log when the settings name one."""
        path = self.known.settings.log
        if path != self._tail.path:
            self._tail = LogTail(self.root, path, self.clock)
            self.put(log=LogRead(), further=None)

    def _todo_at(self, path: str) -> Document[TodoFile | None]:
        return Document(self.root, path, self.clock, lambda data: parse_todo(data, path))
