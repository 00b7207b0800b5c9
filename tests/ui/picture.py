"""A made-up session to draw: the importer example of the screens, at a frozen moment.

`full()` is the whole picture, `empty()` a repository with nothing in it. Everything is a value, so
a test takes one and replaces the part it is about.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from ppgp_tui.ppgp.reading import Finding, GoalReading
from ppgp_tui.session.model import (
    Agent,
    Audit,
    Control,
    Events,
    Loops,
    Option,
    Origin,
    Part,
    Plan,
    Repo,
    Request,
    SessionSnapshot,
    SourceState,
    Task,
    TaskState,
    TaskStatus,
    Watching,
)
from tests.ui.picture_goal import document, goal
from tests.ui.picture_log import EVENT_COUNT, ListLog, appended, events, log
from tests.ui.picture_time import GOAL_PATH, LOG_PATH, NOW, PLAN_PATH, ROOT, ago, clock

__all__ = [
    "EVENT_COUNT", "GOAL_PATH", "LOG_PATH", "NOW", "PLAN_PATH", "ROOT", "ListLog", "agents", "ago",
    "answered", "clock", "document", "empty", "events", "full", "goal", "grown", "log", "plan",
    "plan_origin",
    "requests",
]  # fmt: skip


def plan() -> Plan:
    """Revision 14: twelve tasks, one running, one ready, two stopped, one for a person."""
    return Plan(
        source="log",
        revision=14,
        digest="sha256:" + "1e" * 32,
        tasks=(
            _task("T1", "Map the import pipeline", "done", (), ago(minutes=70)),
            _task("T2", "Choose checkpoint format", "done", ("T1",), ago(minutes=58)),
            _task("T3", "Add checkpoint table", "done", ("T2",), ago(minutes=41)),
            _task("T4", "Golden files of old imports", "done", ("T1",), ago(minutes=37)),
            _task("T5", "Write checkpoint per batch", "running", ("T3",), ago(seconds=12)),
            _task("T6", "Resume from last checkpoint", "waits", ("T5",), None),
            _task("T7", "Make row writes idempotent", "ready", ("T3",), ago(minutes=8)),
            _task(
                "T8",
                "Drop old cursor column",
                "blocked",
                ("T3", "T4"),
                ago(minutes=6),
                "C you",
                "Nothing reads import_cursor.pos since T3.",
            ),
            _task("T9", "Kill test at 50 points", "waits", ("T6", "T7"), None),
            _task(
                "T10", "Progress and resume messages", "for_you", ("T2",), ago(minutes=2), "C you"
            ),
            _task(
                "T11", "Soak run on staging copy", "blocked", ("T8", "T9"), ago(minutes=22),
                "B 02:00",
            ),
            _task("T12", "Write the runbook", "waits", ("T10", "T11"), None),
        ),
        history_count=14,
        changed_ms=ago(minutes=8),
        changed_by="claude",
    )  # fmt: skip


def plan_origin() -> Origin:
    """Where the plan was read."""
    return Origin(PLAN_PATH, 7, 140, ago(seconds=12))


def _task(
    key: str,
    subject: str,
    state: TaskState,
    depends_on: tuple[str, ...],
    changed_ms: int | None,
    stopped_by: str | None = None,
    description: str | None = None,
) -> Task:
    status: TaskStatus = "pending"
    if state == "done":
        status = "completed"
    elif state in ("running", "blocked") and key != "T11":
        status = "in_progress"
    return Task(key, subject, status, depends_on, description, state, stopped_by, changed_ms)


def requests() -> tuple[Request, ...]:
    """Two decisions that wait, the one that frees most first."""
    return (
        Request(
            id="req_" + "17" * 16,
            state="waiting",
            digest="sha256:9c41e0" + "5a" * 29,
            kind="document",
            klass="C",
            question="Drop the old cursor column now?",
            scope="T8",
            why="Nothing reads import_cursor.pos since T3. Dropping it frees the lock on big "
            "tables. A dropped column cannot come back.",
            evidence="src/importer/cursor.py:41\ndocs/ACTIVE_GOAL.md:88",
            options=(
                Option("a", "Drop it in this release"),
                Option("b", "Drop it next release"),
                Option("c", "Keep it"),
            ),
            recommended="b",
            irreversible=True,
            frees=("T8", "T11", "T12"),
            asker="claude",
            asker_state="working",
            created_ms=ago(minutes=6),
            origin=Origin(GOAL_PATH, 85, seen_ms=ago(seconds=12)),
        ),
        Request(
            id="req_" + "18" * 16,
            state="waiting",
            digest="sha256:" + "2d" * 32,
            kind="document",
            klass="C",
            question="Run the soak script on the staging copy?",
            scope="T10",
            frees=("T10", "T12"),
            asker="codex",
            asker_state="waiting_for_you",
            asker_quiet_ms=ago(minutes=2),
            created_ms=ago(minutes=2),
            origin=Origin(GOAL_PATH, 86, seen_ms=ago(seconds=12)),
        ),
    )


def answered() -> tuple[Request, ...]:
    """Four requests that are over, one for each way to end."""
    origin = Origin(LOG_PATH, 1100, 512_000, NOW)

    def over(number: int, state: str, question: str, minutes: int) -> Request:
        return Request(
            id="req_" + f"{number:02d}" * 16,
            state=state,  # type: ignore[arg-type]
            digest="sha256:" + "3c" * 32,
            kind="ask",
            klass="C",
            question=question,
            asker="claude",
            created_ms=ago(minutes=minutes),
            origin=origin,
        )

    return (
        over(11, "acted_on", "Use 500 rows per batch?", 40),
        over(12, "delivered", "Touch the schema file?", 52),
        over(13, "withdrawn", "Install a profiler?", 55),
        over(14, "expired", "Restart the worker?", 61),
    )


def agents() -> tuple[Agent, ...]:
    """claude works, codex asks, pi has ended its turn."""
    return (
        Agent(
            session="claude-5f1e",
            agent="claude",
            state="working",
            since_ms=ago(minutes=9),
            contact_ms=ago(seconds=12),
            last_tool="Edit src/importer/batch.py",
            model="opus",
            pane="%3",
            pid=4101,
            continued=6,
            origin=Origin(".ppgp/run/agents/claude-5f1e.json", 1, 0, ago(seconds=12)),
        ),
        Agent(
            session="codex-77a2",
            agent="codex",
            state="waiting_for_you",
            since_ms=ago(minutes=2),
            contact_ms=ago(minutes=2),
            last_tool="Bash ./soak.sh",
            pane="%5",
            pid=4177,
            continued=2,
            origin=Origin(".ppgp/run/agents/codex-77a2.json", 1, 0, ago(minutes=2)),
        ),
        Agent(
            session="pi-4c2",
            agent="pi",
            state="idle",
            since_ms=ago(minutes=31),
            contact_ms=ago(minutes=31),
            origin=Origin(".ppgp/run/agents/pi-4c2.json", 1, 0, ago(minutes=31)),
        ),
    )


@cache
def full() -> SessionSnapshot:
    """Everything at once: the importer session 62 minutes into EXECUTE."""
    seen = ago(seconds=12)
    return SessionSnapshot(
        root=ROOT,
        at_ms=NOW,
        goal=Part(goal(), 3, Origin(GOAL_PATH, 1, 0, seen)),
        plan=Part(plan(), 14, Origin(PLAN_PATH, 1, 0, seen)),
        inbox=Part(requests(), 2, Origin(GOAL_PATH, 84, seen_ms=seen)),
        control=Part(Control(generation=12), 1, Origin(".ppgp/run/control.json", 1, 0, seen)),
        agents=Part(agents(), 9),
        events=Part(events(), 1_204, Origin(LOG_PATH, 1_204, 220 * 1_203, seen)),
        repo=Part(
            Repo(
                git=True,
                branch="feat/resume",
                head="4e1f09c" + "0" * 33,
                dirty=3,
                ahead=2,
                behind=0,
                commits_since_goal=1,
                goal_line_ms={26 + number: ago(minutes=41 - number) for number in range(1, 8)},
            ),
            5,
        ),
        loops=Part(Loops()),
        audit=Part(Audit()),
        sources=(
            SourceState("goal", GOAL_PATH, "found", seen_ms=seen, changed_ms=ago(minutes=2)),
            SourceState("plan", PLAN_PATH, "found", seen_ms=seen, changed_ms=ago(minutes=8)),
            SourceState("events", LOG_PATH, "found", seen_ms=seen, changed_ms=seen),
        ),
        watching=Watching("live", since_ms=ago(minutes=20)),
        roles=(
            ("CONSTITUTION", "AGENTS.md"),
            ("ROADMAP", "docs/ROADMAP.md"),
            ("MEMORY", None),
            ("ACTIVE_GOAL", GOAL_PATH),
        ),
    )


def empty() -> SessionSnapshot:
    """A repository with no goal, no plan and no log."""
    return SessionSnapshot(
        root=ROOT,
        at_ms=NOW,
        goal=Part(
            GoalReading(
                path=GOAL_PATH,
                health="MISSING",
                reasons=(Finding("missing", f"no goal document: looked for {GOAL_PATH}", None),),
            )
        ),
        plan=Part(Plan()),
        inbox=Part(()),
        control=Part(Control()),
        agents=Part(()),
        events=Part(Events()),
        repo=Part(Repo(git=True, branch="main", head="77a2c1e" + "0" * 33, dirty=0)),
        loops=Part(Loops()),
        audit=Part(Audit()),
        sources=(
            SourceState("goal", GOAL_PATH, "absent", seen_ms=NOW),
            SourceState("events", LOG_PATH, "absent", seen_ms=NOW),
            SourceState("plan", PLAN_PATH, "absent", seen_ms=NOW),
        ),
        watching=Watching("live", since_ms=NOW),
        roles=(("CONSTITUTION", None), ("ROADMAP", None), ("MEMORY", None), ("ACTIVE_GOAL", None)),
    )


def grown(snapshot: SessionSnapshot, by: int) -> SessionSnapshot:
    """The same session after `by` more events arrived."""
    more = appended(snapshot.events.value, by)
    part = replace(snapshot.events, value=more, revision=snapshot.events.revision + by)
    return replace(snapshot, events=part)
