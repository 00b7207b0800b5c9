"""A real repository in which somebody worked on a goal, and the audit of it.

A case says what stands in the document, what was committed, what the log was told and who audits;
`play` builds all of that and makes the audit as the command line does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from ppgp_tui.audit import machine, trust, whole
from ppgp_tui.audit.model import AuditPlan
from ppgp_tui.session.actions import goal
from ppgp_tui.session.actions import plan as tasks
from ppgp_tui.session.engine import bound
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import now_ms
from ppgp_tui.session.settings.settings import load_settings
from tests.session.gits import Repository

DOCUMENT: Final = "docs/ACTIVE_GOAL.md"
Files = Mapping[str, str | None]
"""Texts by path; None: the file is removed."""

RETRY = "def calls(run, times=3):\n    for left in range(times, 0, -1):\n        if run():\n"
RETRY += "            return times - left + 1\n    return None\n"
COUNTER = "def keep(path, count):\n    path.write_text(str(count))\n\n\n"
COUNTER += "def kept(path):\n    return int(path.read_text())\n"
TEST_RETRY = """import unittest

from src.retry import calls


class TestRetry(unittest.TestCase):
    def test_third_call_counts(self):
        answers = iter([False, False, True])
        self.assertEqual(calls(lambda: next(answers)), 3)

    def test_it_gives_up(self):
        self.assertIsNone(calls(lambda: False))
"""
TEST_COUNTER = """import pathlib
import tempfile
import unittest

from src.counter import keep, kept


class TestCounter(unittest.TestCase):
    def test_it_survives(self):
        path = pathlib.Path(tempfile.mkdtemp()) / "count"
        keep(path, 7)
        self.assertEqual(kept(path), 7)
"""
CODE: Final[Files] = {
    "src/__init__.py": "", "src/retry.py": RETRY, "src/counter.py": COUNTER,
    "tests/__init__.py": "", "tests/test_retry.py": TEST_RETRY,
    "tests/test_counter.py": TEST_COUNTER, "README.md": "# Calls that are tried again\n",
}  # fmt: skip
RUN_RETRY: Final = "python3 -m unittest tests.test_retry"
RUN_COUNTER: Final = "python3 -m unittest tests.test_counter"
ALL: Final = "python3 -m unittest discover -s tests -t ."
DOD: Final = ("[x] A call is tried three times", "[x] The counter survives a restart")
ONE_DOD: Final = (DOD[0],)
EVIDENCE: Final = (f"DoD 1: `{RUN_RETRY}`: 2 passed", f"DoD 2: `{RUN_COUNTER}`: 1 passed")
ONE: Final = (EVIDENCE[0],)


def document(
    dod: Iterable[str] = DOD,
    evidence: Iterable[str] = EVIDENCE,
    *,
    phase: str = "HARDEN",
    invariants: Iterable[str] = (),
    frozen: Iterable[str] = (),
    goal: str = "Calls survive a timeout",
) -> str:
    """A goal document."""
    parts = [f"# Active goal\n\n## GOAL\n{goal}\n\n## PHASE\n{phase}\n"]
    parts.append("## DEFINITION_OF_DONE\n" + "".join(f"{n}. {d}\n" for n, d in enumerate(dod, 1)))
    for name, entries in (
        ("FROZEN_DECISIONS", frozen), ("INVARIANTS", invariants),
        ("VERIFICATION_EVIDENCE", evidence),
    ):  # fmt: skip
        listed = "".join(f"- {entry}\n" for entry in entries)
        if listed:
            parts.append(f"## {name}\n{listed}")
    return "\n".join(parts)


def one(dod: str, *evidence: str, **more: object) -> str:
    """A document of the retry and one condition more."""
    return document((*ONE_DOD, dod), (*ONE, *evidence), **more)  # type: ignore[arg-type]


def frozen(dod: tuple[str, ...] = DOD, **more: object) -> str:
    """What was agreed."""
    return document(tuple(one.replace("[x]", "[ ]") for one in dod), (), phase="FREEZE", **more)  # type: ignore[arg-type]


APPROVED: Final = "approved" if machine.bubblewrap()[0] else "approved_with_notes"
"""What stands in the log where nothing is noted but, on a machine without one, the sandbox."""
AGREED: Final = document(phase="FREEZE")
HARDENED: Final = document()


class Case(NamedTuple):
    """One goal with known truth."""

    name: str
    word: str
    """The verdict that is right."""
    document: str | None = HARDENED
    """As it is committed last; None: there is none."""
    files: Files = CODE
    """Committed first, with what `frozen` says."""
    frozen: str | None = AGREED
    """The document of the first commit; None: it comes with the last commit only."""
    later: tuple[Files, ...] = ()
    """What further commits change; the last one brings the document."""
    dirty: Files = MappingProxyType({})
    """What is changed and not committed."""
    git: bool = True
    goal: str | None = "Calls survive a timeout"
    """The objective in the log, claimed; None: the log knows no goal."""
    told: Callable[[Stage], None] | None = None
    """What the log is told before the claim."""
    prepared: Callable[[Stage], None] | None = None
    """What happens to the repository last of all; may change the document's words."""
    commands: tuple[tuple[str, ...], ...] = ()
    """`verify.commands`."""
    auditor: str = ""
    """Body of a Python script that has `asked`, `token`, `ids` and `say`; empty: none."""
    trusted: bool = True
    edited: Callable[[AuditPlan], AuditPlan] = lambda plan: plan
    taken: Mapping[str, str] = MappingProxyType({})
    timeout_s: int = 30
    # What must be named
    objections: tuple[str, ...] = ()
    """Each is part of one objection; without any there must be none."""
    alarms: tuple[str, ...] = ()
    """The kinds of all alarms, in order."""
    notes: tuple[str, ...] = ()
    """Each is part of one note; a verdict that is approved has none."""
    why: tuple[str, ...] = ()
    """Each is part of the verdict's reason or of one criterion's."""


class Played(NamedTuple):
    """How it came out."""

    stage: Stage
    plan: AuditPlan
    ended: whole.Ended
    code_before: str | None


class Stage:
    """The repository of one case, its person and its agent."""

    def __init__(self, root: Path, state: Path, case: Case) -> None:
        self.case = case
        self.root = root
        self.state = state
        self.clock = now_ms
        self.git = Repository(root, init=case.git)
        self.commits: list[str] = []
        self.names: dict[str, str] = {}
        """What stands for `{name}` in the document."""

    def engine(self, kind: str = "user") -> Engine:
        """Acts as the person or the agent."""
        settings = load_settings(self.root, self.state / "config.toml")
        settings = settings._replace(
            audit_auditor=("/usr/bin/python3", "tools/auditor.py") if self.case.auditor else (),
            audit_timeout_s=self.case.timeout_s,
        )
        actor = Actor("user", "dev") if kind == "user" else Actor("agent", "claude-0f3a")
        return Engine(self.root, actor, clock=self.clock, state=self.state, settings=settings)

    def write(self, files: Files) -> None:
        """Bring files to these texts."""
        for path, text in files.items():
            if text is None:
                (self.root / path).unlink()
            else:
                full = self.git.write(path, text)
                full.chmod(0o755 if text.startswith("#!") else 0o644)

    def commit(self, files: Files, message: str = "more") -> None:
        """Write and commit, a minute after the last commit."""
        self.write(files)
        if self.case.git:
            when = f"2026-11-30T10:{len(self.commits):02}:00Z"
            dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
            self.git.git("add", "-A")
            self.git.git("commit", "-q", "--allow-empty", "-m", message, **dates)
            self.commits.append(self.git.git("rev-parse", "HEAD").strip())

    def build(self) -> None:
        """Everything up to the moment at which somebody wants to know."""
        case = self.case
        own = {"tools/auditor.py": AUDITOR + case.auditor} if case.auditor else {}
        if case.commands:
            listed = ", ".join(str(list(one)).replace("'", '"') for one in case.commands)
            own[".ppgp/config.toml"] = f"[verify]\ncommands = [{listed}]\n"
        first = {DOCUMENT: case.frozen} if case.frozen is not None and case.document else {}
        self.commit({".gitignore": "state/\n.ppgp/\n", **case.files, **own, **first})
        if case.goal is not None:
            assert isinstance(self.engine().journal.create(), tuple)
            assert goal.create(self.engine(), case.goal).ok
        for files in case.later:
            self.commit(files)
        if case.prepared is not None:
            case.prepared(self)
        if case.document is not None:
            text = case.document
            for name, value in self.names.items():
                text = text.replace("{" + name + "}", value)
            self.commit({DOCUMENT: text})
        self.write(case.dirty)
        if case.told is not None:
            case.told(self)
        if case.goal is not None and case.git:
            claimed = goal.claim(self.engine("agent"), "all of it is done, believe me")
            assert claimed.ok, claimed

    def plans(self, *keys: str, drop: Iterable[str] = (), needs: Mapping[str, str] = {}) -> Result:
        """The agent revises its plan of tasks."""
        listed = [
            {"key": key, "subject": f"Do {key}", "status": "pending",
             **({"dependsOn": [needs[key]]} if key in needs else {})}
            for key in keys
        ]  # fmt: skip
        call: dict[str, Any] = {"tasks": listed}
        if drop:
            call["remove"] = [{"key": key, "reason": "out of scope"} for key in drop]
        result = tasks.revise(self.engine("agent"), call)
        assert result.ok, result
        return result

    def code(self) -> str | None:
        """Digest of the code as it is."""
        try:
            return bound.code_state(self.root, document_path=DOCUMENT).digest
        except bound.GitUnknownError:
            return None

    def audit(self, plan: AuditPlan | None = None, **more: Any) -> whole.Ended:
        """Make the audit as the command line does."""
        engine, case = self.engine(), self.case
        plan = plan or case.edited(whole.planned_for(engine))
        if case.trusted:
            trust.trust(whole.untrusted(engine, plan), engine.state, at_ms=1)
        return whole.make(engine, plan, taken=case.taken, **more)


def play(case: Case, folder: Path) -> Played:
    """Build the repository of `case` in `folder` and make its audit."""
    stage = Stage(folder / "root", folder / "state", case)
    stage.state.mkdir(parents=True)
    stage.root.mkdir(exist_ok=True)
    stage.build()
    before = stage.code()
    ended = stage.audit()
    return Played(stage, ended.plan, ended, before)


APPROVES: Final = 'say("approved", true())'
"""The body of an auditor that approves everything, with true quotes."""
AUDITOR: Final = """import json, re, sys

asked = sys.stdin.read()
token = re.search(r"BEGIN VERDICT (\\w+)", asked)[1]
ids = re.search(r'"criteria" holds each id once: (.*?)\\.\\n', asked)[1].split(", ")
TRUE = [("src/retry.py", "for left in range(times, 0, -1):"),
        ("src/counter.py", "path.write_text(str(count))")]


def passing(one, path, text):
    return {"id": one, "outcome": "pass", "why": "seen", "quotes": [{"path": path, "text": text}]}


def failing(one, why="it is not there"):
    return {"id": one, "outcome": "fail", "why": why, "quotes": []}


def true():
    return [passing(one, *TRUE[n % 2]) for n, one in enumerate(ids)]


def say(verdict, criteria, tag=None, token=token, **more):
    said = {"verdict": verdict, "criteria": criteria, **more}
    tags = {"approved": "<approved/>", "rejected": "<disapproved/>"}
    print(f"BEGIN VERDICT {token}")
    print(json.dumps(said, indent=1))
    print(f"END VERDICT {token}")
    print(tags.get(verdict, "") if tag is None else tag)


"""
