"""The picture of a moment: everything the log knew up to one event, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from ppgp_tui.ppgp.reading import GoalReading, GoalSource
from ppgp_tui.session.live.composition import Known, compose
from ppgp_tui.session.log.facts import LogSays
from ppgp_tui.session.log.tail import LogRead
from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.model import (
    Agent,
    Control,
    Origin,
    Part,
    Request,
    SessionSnapshot,
)
from ppgp_tui.session.picture.moment import Moment
from ppgp_tui.session.settings.settings import Settings
from ppgp_tui.session.sources.control import CONTROL_FILE
from ppgp_tui.session.sources.document import Look
from ppgp_tui.session.sources.goal import GoalLook
from ppgp_tui.session.travel.crew import agents_then, control_then
from ppgp_tui.session.travel.gathering import Gathering


def picture(
    live: SessionSnapshot, view: LogView, path: str, gathered: Gathering
) -> SessionSnapshot:
    """The picture at the last event that `gathered` knows.

    `view` is the whole log of the picture of now, `live`, which lends what is no part of the past:
    the root, how files are read, and the graph that tells the story of all events.
    """
    index = gathered.count - 1
    now_ms = gathered.ts_ms if gathered.ts_ms is not None else 0
    says = _without_processes(gathered.says())
    past = replace(view, count=gathered.count)
    goal = goal_of(live.goal.value.path, says, gathered.title)
    known = Known(
        settings=Settings()._replace(log=path),
        goal=GoalLook(Look(goal.path, goal)),
        todo=Look("", None),
        control=Look(CONTROL_FILE, Control()),
        log=LogRead(
            state="found",
            view=past,
            says=says,
            bytes=view.lines.after(index),
            damaged=gathered.damaged,
            seen_ms=now_ms,
        ),
    )
    made = compose(live.root, known, None, now_ms)
    control = control_then(gathered.crew, says)
    agents = agents_then(gathered.crew, control, made.inbox.value, now_ms)
    names = live.events.value.names
    moment = Moment(index, len(view), gathered.ts_ms, past.event(index), view, names)
    inbox = _with_askers(made.inbox.value, agents)
    return replace(
        made,
        goal=Part(goal, 1, _goal_origin(says)),
        inbox=replace(made.inbox, value=inbox),
        control=Part(control, 1),
        agents=Part(agents, 1),
        graph=live.graph,
        problems=(),
        sources=live.sources,
        watching=live.watching,
        moment=moment,
    )


def _without_processes(says: LogSays) -> LogSays:
    """Whether the process that asked runs is known of now only."""
    requests = tuple(one._replace(asker_pid=None, asker_pid_start=None) for one in says.requests)
    return says._replace(requests=requests)


def _with_askers(requests: tuple[Request, ...], agents: tuple[Agent, ...]) -> tuple[Request, ...]:
    """The requests that waited, with how the one that asked is."""
    states = {agent.session: (agent.state, agent.since_ms) for agent in agents}
    return tuple(
        request._replace(
            asker_state=states[request.asker][0], asker_quiet_ms=states[request.asker][1]
        )
        if request.is_open and request.asker in states
        else request
        for request in requests
    )


def goal_of(path: str, says: LogSays, title: str) -> GoalReading:
    """The goal as far as the log has it; the other fields of the document are in no log.

    `title` is that of the newest goal that other writers made: it stands in for an objective.
    """
    objective = says.lifecycle.objective
    phase = says.phases[-1].phase if says.phases else None
    # As of a document: its first paragraph; all of it stands in the lifecycle.
    goal = (objective or "").strip().split("\n\n")[0] or title or None
    if goal is None and phase is None:
        return GoalReading(path, "MISSING", ())
    source: GoalSource | None = "field" if objective else "title" if goal else None
    return GoalReading(
        path, "PARTIAL", (), goal=goal, goal_source=source, phase=phase, phase_raw=phase
    )


def _goal_origin(says: LogSays) -> Origin | None:
    return says.lifecycle.origin
