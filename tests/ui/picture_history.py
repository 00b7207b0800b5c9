"""The plan's history of the picture: fourteen revisions, the last but two of them looked at."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from ppgp_tui.pi.plan import TodoState, TodoTask, state_json
from ppgp_tui.session.model import Part, PlanHistory, SessionSnapshot
from ppgp_tui.session.plan_history.gathering import RevisionLog, removals
from ppgp_tui.session.plan_history.history import Decoded
from ppgp_tui.session.plan_history.revision import Revision
from ppgp_tui.session.plan_history.seen import Looked
from tests.ui import picture
from tests.ui.picture_time import LOG_PATH, ago

_WAS = {"done": "completed", "running": "in_progress"}
Plans = dict[str, TodoTask]


def _now() -> Plans:
    return {
        task.key: TodoTask(
            task.key, task.subject, task.status, task.description, task.depends_on
        )
        for task in picture.plan().tasks
    }  # fmt: skip


def _plans() -> list[Plans]:
    """The plans from r1 to r14."""
    now = _now()
    was = {key: task for key, task in now.items() if key not in ("T10", "T11")}
    was["T9"] = was["T9"]._replace(subject="Kill test at 10 points")
    was["T12"] = was["T12"]._replace(depends_on=("T9",))
    was["T13"] = TodoTask("T13", "Parallel import", "pending", None, ("T3",))
    was["T5"] = was["T5"]._replace(status="pending")
    plans = [was]
    for key in ("T4", "T8", "T3", "T7", "T2", "T6", "T1"):
        before = dict(plans[0])
        done = before[key].status == "completed"
        before[key] = before[key]._replace(
            status="pending" if done else before[key].status,
            subject=before[key].subject if done else f"{before[key].subject} soon",
        )
        plans.insert(0, before)
    for key in ("T12", "T9", "T13", "T8"):
        plans.insert(0, {name: task for name, task in plans[0].items() if name != key})
    started = {**was, "T5": was["T5"]._replace(status="in_progress")}
    return [*plans, started, now]


_BY = {10: "you", 11: "codex"}
_MINUTES = {14: 8, 13: 14, 12: 25, 11: 37, 10: 40, 9: 41}


def history() -> PlanHistory:
    """The history as the log tells it."""
    log, plans = RevisionLog(), _plans()
    states = [
        state_json(TodoState(number, tuple(plan.values()))) for number, plan in enumerate(plans, 1)
    ]
    for number, state in enumerate(states, 1):
        why = [{"key": "T13", "reason": "out of scope since FREEZE"}] if number == 14 else []
        log.add(
            Revision(
                number=number,
                at=1_000 + number,
                id=f"event_{number}",
                ts_ms=ago(minutes=_MINUTES.get(number, 120 - 5 * number)),
                by=_BY.get(number, "claude"),
                origin="call",
                digest=f"{number:016x}",
                reasons=tuple(removals(why)),
            ),
            state,
        )
    return PlanHistory(
        "log", log.now, LOG_PATH, states=Decoded(lambda revision: states[revision.at - 1_001])
    )


LOOKED = Looked(12, f"{12:016x}", ago(minutes=25))
"""The last look before this one."""


@cache
def with_history() -> SessionSnapshot:
    """The picture with its history."""
    return replace(picture.full(), history=Part(history()))
