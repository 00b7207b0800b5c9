"""The one picture: an immutable snapshot of everything known about a session.

Sources fill the parts, the store replaces them, and every reader (app, `show`, `status`, reports)
sees the same values. Times are Unix milliseconds. None always means unknown, never a guess.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.picture.audit_state import Audit as Audit
from ppgp_tui.session.picture.conformance import CheckLook as CheckLook
from ppgp_tui.session.picture.conformance import Conformance as Conformance
from ppgp_tui.session.picture.conformance import Finding as Finding
from ppgp_tui.session.picture.event_log import Event as Event
from ppgp_tui.session.picture.event_log import EventLog as EventLog
from ppgp_tui.session.picture.event_log import Rewritten as Rewritten
from ppgp_tui.session.picture.event_log import TornTail as TornTail
from ppgp_tui.session.picture.goal_state import Blocker as Blocker
from ppgp_tui.session.picture.goal_state import Claim as Claim
from ppgp_tui.session.picture.goal_state import GoalStatus as GoalStatus
from ppgp_tui.session.picture.goal_state import Lifecycle as Lifecycle
from ppgp_tui.session.picture.graph_look import GraphLook as GraphLook
from ppgp_tui.session.picture.handshake import Handshake as Handshake
from ppgp_tui.session.picture.human_load import LoadRecord as LoadRecord
from ppgp_tui.session.picture.loops import Loops as Loops
from ppgp_tui.session.picture.memories import Memory as Memory
from ppgp_tui.session.picture.origin import Origin as Origin
from ppgp_tui.session.picture.request import AgentState as AgentState
from ppgp_tui.session.picture.request import Answer as Answer
from ppgp_tui.session.picture.request import Option as Option
from ppgp_tui.session.picture.request import RefusedAnswer as RefusedAnswer
from ppgp_tui.session.picture.request import Request as Request
from ppgp_tui.session.picture.request import RequestState as RequestState
from ppgp_tui.session.plan_history.history import PlanHistory as PlanHistory

if TYPE_CHECKING:
    from ppgp_tui.session.picture.moment import Moment
    from ppgp_tui.session.sessions.row import AllSessions

T = TypeVar("T")

TaskStatus = Literal["pending", "in_progress", "completed"]
TaskState = Literal["done", "running", "ready", "waits", "blocked", "for_you"]
WatchMode = Literal["live", "poll", "stale", "starting"]


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """One part of the snapshot. `revision` rises only when the value differs."""

    value: T
    revision: int = 0
    origin: Origin | None = None
    stale_since_ms: int | None = None
    """Since when reading has failed; the value is the last good one."""


class Problem(NamedTuple):
    """Something wrong with a file, said so that a person can act on it."""

    code: str
    path: str
    line: int | None
    text: str
    mend: str = ""


class SourceState(NamedTuple):
    """How one kind of file is being read right now."""

    name: str
    path: str
    state: Literal["absent", "found", "reading", "unread"]
    progress: float | None = None
    """0 to 1 while `reading`."""
    seen_ms: int | None = None
    changed_ms: int | None = None
    """Modification time of the file."""
    why: str = ""
    """Why it could not be read; empty otherwise."""


class Watching(NamedTuple):
    """How changes reach us: by events, by looking every few seconds, or not at all."""

    mode: WatchMode = "starting"
    poll_s: float | None = None
    since_ms: int | None = None
    """For `stale`: when the picture stopped being live."""
    why: str = ""
    restarts: int = 0


class Task(NamedTuple):
    """One task of the plan (Pi todo, reference section 3.1) with what follows from the others."""

    key: str
    subject: str
    status: TaskStatus
    depends_on: tuple[str, ...] = ()
    description: str | None = None
    state: TaskState = "waits"
    stopped_by: str | None = None
    """For `blocked` and `for_you`: class and who, such as `C you` or `B 02:00`."""
    changed_ms: int | None = None
    """When the log last recorded a change of this task."""


class Plan(NamedTuple):
    """The current plan and where it stands in its own history."""

    source: Literal["log", "todo.json", "pi session", "none"] = "none"
    revision: int | None = None
    digest: str | None = None
    tasks: tuple[Task, ...] = ()
    hand_edit: bool = False
    """`todo.json` differs from what the log says."""
    history_count: int = 0
    changed_ms: int | None = None
    changed_by: str | None = None

    def keys_in(self, *states: TaskState) -> tuple[str, ...]:
        """Keys of the tasks in any of `states`, in plan order."""
        return tuple(task.key for task in self.tasks if task.state in states)


class Control(NamedTuple):
    """What `.ppgp/run/control.json` orders; None members where the file is silent."""

    generation: int | None = None
    hold_id: str | None = None
    held_since_ms: int | None = None
    hold_reason: str = ""
    hold_who: tuple[str, ...] = ()
    stop: tuple[str, ...] = ()
    """Sessions whose turns are to end."""
    lost: bool = False
    """A pause was ordered, and `control.json` does not say so any more."""
    handshake: tuple[Handshake, ...] = ()
    """How the pause stands with each session; empty while none is asked."""
    unclaimed_ms: int | None = None
    """When something changed in the repository while every agent was held; nobody knows by whom."""


class NoteSeen(NamedTuple):
    """A note of a person to an agent, and what became of it."""

    number: int
    text: str
    by: str
    at_ms: int | None
    delivered_ms: int | None = None
    """None: it waits for the agent's next hook point."""
    everybody: bool = False
    """Whichever agent comes first takes it."""


class CallSeen(NamedTuple):
    """A call of an agent, as its hooks wrote it down."""

    tool: str
    at_ms: int
    """When the newest line about it was written."""
    how: Literal["running", "held", "done", "failed", "denied"]


class Agent(NamedTuple):
    """One agent session that leaves a heartbeat."""

    session: str
    agent: str
    state: AgentState
    since_ms: int | None
    contact_ms: int | None = None
    """Last time a hook of it wrote anything."""
    last_tool: str | None = None
    model: str | None = None
    pane: str | None = None
    pid: int | None = None
    continued: int = 0
    origin: Origin | None = None
    launched: str | None = None
    """The launch it belongs to, where `ppgp-tui run` started it: then it can be frozen."""
    frozen_since_ms: int | None = None
    exit_code: int | None = None
    """How the process of that launch ended."""
    connected_ms: int | None = None
    """When its newest run began, as the log says."""
    version: str | None = None
    """Of the agent, where its hook says so."""
    mode: str | None = None
    """How it asks for permissions, in its own word."""
    held_tool: str | None = None
    """The call that waits, while it is held."""
    rests: str | None = None
    """Why its hook let the turn end, though there is a goal."""
    error: str | None = None
    """What its model refused or failed with, until it goes on."""
    strict: bool = False
    """A hook that cannot read its orders waits instead of letting it work."""
    untold: bool = False
    """Its memory was cut down, and it was not told anew yet."""
    problems: tuple[str, ...] = ()
    """What its hook could not do."""
    calls: tuple[CallSeen, ...] = ()
    """Its last calls, the newest first."""
    notes: tuple[NoteSeen, ...] = ()
    """Notes for it, the newest first."""
    memories: tuple[Memory, ...] = ()
    """When its context began anew, and what it was told then, the newest first."""


class PhaseSpan(NamedTuple):
    """Time spent in one phase, as recorded or as seen by the app."""

    phase: str
    since_ms: int
    until_ms: int | None
    backwards: bool = False
    by: str = ""
    """`KIND:ID` of the actor that recorded the change; empty where nobody did."""
    observed: bool = False
    """Nobody recorded the act: the change was seen in the document afterwards."""
    event: str = ""
    """Id of the event that says so."""


@dataclass(frozen=True, slots=True)
class Events:
    """The log as far as it has been read."""

    log: EventLog | None = None
    count: int = 0
    bytes: int = 0
    last: Event | None = None
    torn: TornTail | None = None
    rewritten: Rewritten | None = None
    cut: int | None = None
    """Recorded events that something took out of the log; None until that was looked at."""
    cut_ms: int | None = None
    """Time of the newest of them."""
    outbox: int | None = None
    """Recorded events that wait until the log is free."""
    uncommitted: int | None = None
    """Lines that are in no commit of HEAD; None without Git."""
    phases: tuple[PhaseSpan, ...] = ()
    pulse: tuple[int, ...] = ()
    """Events in each of the last minutes, oldest first."""
    per_hour: int | None = None
    names: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Short words for ids in the log, for `ppgp_tui.gasp.telling.sentence.sentence`."""


class Repo(NamedTuple):
    """The Git side of the root; None members where there is no Git or no commit yet."""

    git: bool = False
    branch: str | None = None
    detached: bool = False
    head: str | None = None
    dirty: int | None = None
    """Changed and untracked paths."""
    ahead: int | None = None
    behind: int | None = None
    commits_since_goal: int | None = None
    """Commits made since the goal document last changed in one."""
    other_goals: tuple[str, ...] = ()
    """`ref:path (last change DATE)` of goals on other refs; never switched to."""
    goal_line_ms: Mapping[int, int] = MappingProxyType({})
    """For committed lines of the goal document: when they were last changed."""
    touched_ms: int | None = None
    """When HEAD's commit was made or a changed file was written, whichever was later."""


@dataclass(frozen=True, slots=True)
class SessionSnapshot:
    """Everything known at one moment."""

    root: Path
    at_ms: int
    goal: Part[GoalReading]
    plan: Part[Plan]
    inbox: Part[tuple[Request, ...]]
    control: Part[Control]
    agents: Part[tuple[Agent, ...]]
    events: Part[Events]
    repo: Part[Repo]
    loops: Part[Loops]
    audit: Part[Audit]
    lifecycle: Part[Lifecycle] = Part(Lifecycle())
    recorded_blockers: Part[tuple[Blocker, ...]] = Part(())
    """Those of the log, also the ones that the goal document says as well."""
    conformance: Part[Conformance] = Part(Conformance())
    graph: Part[GraphLook] = Part(GraphLook())
    load: Part[LoadRecord] = Part(LoadRecord())
    """Who waited for whom, as the log says (`human_load`)."""
    history: Part[PlanHistory] = Part(PlanHistory())
    """The revisions of the plan, and where they come from."""
    continue_limit: int | None = None
    """How often agents may go on by themselves; None where that is switched off."""
    problems: tuple[Problem, ...] = ()
    sources: tuple[SourceState, ...] = ()
    watching: Watching = field(default_factory=Watching)
    roles: tuple[tuple[str, str | None], ...] = ()
    """PPGP roles (CONSTITUTION, ROADMAP, MEMORY, ACTIVE_GOAL) and the path that plays each."""
    sessions: AllSessions | None = None
    """For a picture of all sessions: their rows. None in the picture of one session."""
    moment: Moment | None = None
    """Where in the past this picture stands; None: it is of now."""

    def part_revisions(self) -> dict[str, int]:
        """Revision of every part, for telling which parts differ between two snapshots."""
        return {
            name: getattr(self, name).revision
            for name in (
                "goal",
                "plan",
                "inbox",
                "control",
                "agents",
                "events",
                "repo",
                "loops",
                "audit",
                "lifecycle",
                "recorded_blockers",
                "conformance",
                "graph",
                "load",
                "history",
            )
        }


class Session(Protocol):
    """What the app needs of a session: a picture now, and word of every newer one."""

    @property
    def snapshot(self) -> SessionSnapshot:
        """The newest picture."""
        ...

    def document(self) -> bytes:
        """The goal document's bytes as last read; empty when there is none."""
        ...

    def want_graph(self) -> None:
        """Have the log's graph folded and kept up from now on; returns at once."""
        ...
