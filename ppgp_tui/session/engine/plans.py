"""Acts on the plan: a whole new plan at a base revision, or a hand-edited file adopted."""

from __future__ import annotations

from ppgp_tui.pi import mutation
from ppgp_tui.pi.mutation import Refused as TodoRefused
from ppgp_tui.pi.mutation import Unchanged
from ppgp_tui.pi.plan import DEFAULT_LIMITS, Limits, TodoState, TodoTask, read_state, state_json
from ppgp_tui.pi.plan_change import PlanChange, compare
from ppgp_tui.session.canonical import digest
from ppgp_tui.session.engine.draft import Draft, create, relate, tombstone, unrelate, update
from ppgp_tui.session.engine.folds import NO_LIMITS
from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.session.journal.results import RefusalError

_WORD = {"pending": "Open", "in_progress": "InProgress", "completed": "Done"}


def plan_of(ledger: Ledger) -> TodoState:
    """The plan as the log has it; nothing but our own valid plans get there."""
    state = read_state(ledger.todo, NO_LIMITS)
    return state if state is not None else TodoState()


def revise(
    draft: Draft, call: object, limits: Limits = DEFAULT_LIMITS, *, as_tool: bool = False
) -> Json:
    """Replace the plan by `call` = `{baseRevision?, tasks, remove?}` under Pi's rules.

    `as_tool` puts Pi's check of the tool's arguments before them. Returns `{text, state}`; a
    refusal carries Pi's own text.
    """
    before = plan_of(draft.ledger)
    rules = mutation.call_todo if as_tool else mutation.apply_call
    outcome = rules(before, call, limits)
    if isinstance(outcome, TodoRefused):
        raise RefusalError("stale" if outcome.kind == "stale_revision" else "refused", outcome.text)
    if isinstance(outcome, Unchanged):
        return {"text": outcome.text, "state": state_json(before)}
    reasons = [{"key": removal.key, "reason": removal.reason} for removal in outcome.removed]
    change = compare(before, outcome.state, outcome.removed)
    _record(draft, before, outcome.state, change, reasons, "call")
    return {"text": outcome.text, "state": state_json(outcome.state)}


def adopt(draft: Draft, edited: TodoState) -> Json:
    """Take over a plan that somebody edited by hand, as one revision after the recorded one."""
    before = plan_of(draft.ledger)
    after = TodoState(before.revision + 1, edited.tasks)
    change = compare(before, after)
    reasons = [
        {"key": removed.task.key, "reason": "removed by hand in todo.json"}
        for removed in change.removed
    ]
    _record(draft, before, after, change, reasons, "adopted")
    return {
        "text": f"Adopted the edited plan as revision {after.revision}.",
        "state": state_json(after),
    }


def _record(
    draft: Draft,
    before: TodoState,
    after: TodoState,
    change: PlanChange,
    reasons: list[Json],
    origin: str,
) -> None:
    """`todo.revised`, then each task event with its pair, then the pair of `todo.revised`."""
    on_record = set(draft.ledger.tasks_on_record)
    state = state_json(after)
    revised = draft.record(
        "todo.revised",
        {
            "revision": after.revision,
            "base_revision": before.revision,
            "state": state,
            "removed": reasons,
            "origin": origin,
            "digest": digest(state),
        },
    )
    new = [task for task in after.tasks if task.key not in on_record]
    for task in new:
        _created(draft, task, revised)
    for restated in change.restated:
        if restated.key in on_record:
            reason = f"{restated.before} to {restated.after}"
            draft.record(
                "task.status_changed",
                {
                    "task_id": node(restated.key),
                    "status": _WORD[restated.after],
                    "reason": reason,
                },
                cause=revised,
                ops=[
                    update(
                        node(restated.key),
                        {"status": _WORD[restated.after], "status_reason": reason},
                    )
                ],
            )
    ops = _rest(change, {task.key for task in new}, new, {r["key"]: r["reason"] for r in reasons})
    if ops:
        draft.pair(revised, ops)


def _created(draft: Draft, task: TodoTask, revised: str) -> None:
    goal = draft.ledger.goal
    props = {
        "title": task.subject.split("\n", 1)[0][:200],
        "summary": task.description or "",
        "status": _WORD[task.status],
        "metadata": {"key": task.key},
    }
    payload: Json = {"id": node(task.key), **props, "created_by": draft.actor.as_json()}
    ops = [create(node(task.key), "task", props)]
    if goal is not None:
        payload["goal"] = goal["id"]
        ops.append(relate(node(task.key), "serves", goal["id"]))
    draft.record("task.created", payload, cause=revised, ops=ops)


def _rest(
    change: PlanChange, new_keys: set[str], new: list[TodoTask], reasons: dict[str, str]
) -> list[Json]:
    """What the task events did not say: wording, dependencies, removals."""
    ops: list[Json] = []
    for reworded in change.reworded:
        if reworded.after.key not in new_keys:
            title = reworded.after.subject.split("\n", 1)[0][:200]
            words = {"title": title, "summary": reworded.after.description or ""}
            ops.append(update(node(reworded.after.key), words))
    for task in new:
        ops += [relate(node(task.key), "depends_on", node(key)) for key in task.depends_on]
    for rewired in change.rewired:
        if rewired.key not in new_keys:
            ops += [unrelate(node(rewired.key), "depends_on", node(key)) for key in rewired.cut]
            ops += [relate(node(rewired.key), "depends_on", node(key)) for key in rewired.tied]
    for removed in change.removed:
        key, finished = removed.task.key, removed.task.status == "completed"
        left = "completed, left the plan"
        reason = reasons.get(key) or (left if finished else "left the plan")
        if not finished:
            ops.append(update(node(key), {"status": "Abandoned"}))
        # A key that comes back is a new task; relations outlive a tombstone in GASP's fold.
        ops += [unrelate(node(key), "depends_on", node(other)) for other in removed.task.depends_on]
        ops.append(tombstone(node(key), reason))
    return ops


def node(key: str) -> str:
    """Node id of a task."""
    return f"todo:{key}"
