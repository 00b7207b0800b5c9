"""Which history belongs to the plan that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppgp_tui.pi.plan import TodoState, state_json
from ppgp_tui.session.plan_history.gathering import step_between, tasks_by_key
from ppgp_tui.session.plan_history.history import PlanHistory, States, decoded, log_states
from ppgp_tui.session.plan_history.revision import Revision, Revisions

if TYPE_CHECKING:
    from ppgp_tui.session.log.plans import RecordedPlan
    from ppgp_tui.session.model import Plan
    from ppgp_tui.session.picture.event_log import EventLog
    from ppgp_tui.session.sources.document import Look
    from ppgp_tui.session.sources.todo import TodoFile


def history_now(
    plan: Plan,
    recorded: RecordedPlan | None,
    log: EventLog | None,
    path: str,
    todo: Look[TodoFile | None],
    pi: PlanHistory,
    commits: PlanHistory,
) -> PlanHistory:
    """The history of `plan`: of the log in `path`, of a Pi session, or of the file in Git."""
    if plan.source == "log" and recorded is not None and log is not None:
        states = _newest_known(log_states(log), recorded)
        history = PlanHistory("log", recorded.history, path, states=states)
        return with_file(history, todo) if plan.hand_edit else history
    if plan.source == "pi session":
        return pi
    if plan.source == "todo.json" and todo.value is not None:
        return with_file(commits, todo)
    return PlanHistory()


def with_file(known: PlanHistory, todo: Look[TodoFile | None]) -> PlanHistory:
    """The history in log or Git, and behind it the file as it is where neither has that plan."""
    file = todo.value
    if file is None:
        return known
    digest = (file.digest or "").removeprefix("sha256:")[:16]
    last = known.revisions[-1] if len(known) else None
    if last is not None and digest and last.digest == digest:
        return known
    state = TodoState(file.reading.revision or 0, file.reading.tasks)
    before = known.state(len(known) - 1) or TodoState()
    step = step_between(_tasks(before), _tasks(state))
    own = Revision(
        number=file.reading.revision,
        at=-1,
        id="",
        ts_ms=todo.changed_ms,
        by="",
        origin="file",
        digest=digest,
        added=len(step.added),
        changed=len(step.changed),
        removed=len(step.removed),
        reordered=step.reordered,
        keys=step.keys,
        brief=step.brief if last is not None else "as it is now",
    )

    def states(revision: Revision) -> TodoState | None:
        return state if revision.origin == "file" else known.states(revision)

    return PlanHistory(
        source=known.source if last is not None else "file",
        revisions=Revisions([*known.revisions, own], known.revisions.older),
        where=known.where or todo.path,
        note=known.note,
        states=states,
    )


def _tasks(state: TodoState) -> dict[str, object]:
    return tasks_by_key(state_json(state))


def _newest_known(states: States, recorded: RecordedPlan) -> States:
    """The newest plan is at hand, also while its line waits beside the log."""
    newest = recorded.history[-1] if recorded.history else None

    def known(revision: Revision) -> TodoState | None:
        if revision is newest or revision == newest:
            return decoded(recorded.state)
        return states(revision)

    return known
