"""Plans for tests, and a log that holds them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from ppgp_tui.pi.plan import STATUSES, TodoState, TodoTask, state_json
from ppgp_tui.session.plan_history.gathering import RevisionLog
from ppgp_tui.session.plan_history.history import Decoded, PlanHistory
from ppgp_tui.session.plan_history.revision import Revision
from tests.session.log.writing import event

KEYS = ("T1", "T2", "T3", "T4", "T5")


def task(key: str, status: Any = "pending", subject: str = "", needs: str = "") -> TodoTask:
    return TodoTask(key, subject or f"Do {key}", status, None, tuple(needs.split()))


@st.composite
def states(draw: st.DrawFn) -> tuple[TodoTask, ...]:
    """A plan of some of five tasks, in any order."""
    keys = draw(st.lists(st.sampled_from(KEYS), unique=True))
    return tuple(
        TodoTask(
            key,
            draw(st.sampled_from((f"Do {key}", f"Do {key} well"))),
            draw(st.sampled_from(STATUSES)),
            draw(st.sampled_from((None, "at once"))),
            tuple(draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=2))),
        )
        for key in keys
    )


def history(plans: Sequence[Sequence[TodoTask]], removed: dict[int, Any] | None = None) -> Any:
    """The history of these plans, whole in memory, revisions counted from 1."""
    from ppgp_tui.session.plan_history.gathering import removals

    log, whole = RevisionLog(), [TodoState(at + 1, tuple(p)) for at, p in enumerate(plans)]
    for at, state in enumerate(whole):
        reasons = tuple(removals((removed or {}).get(at + 1)))
        revision = Revision(at + 1, at, f"event_{at}", 1000 * at, "claude", "call", reasons=reasons)
        log.add(revision, state_json(state))
    return PlanHistory(
        "log", log.now, "state/events.jsonl", states=Decoded(lambda r: state_json(whole[r.at]))
    )


def revised(number: int, revision: int, *tasks: TodoTask, **members: Any) -> bytes:
    """The line of one revision in a log; `number` makes its id and time."""
    payload = {
        "revision": revision,
        "state": state_json(TodoState(revision, tasks)),
        "removed": members.pop("removed", []),
        "origin": members.pop("origin", "call"),
        "digest": "sha256:" + f"{revision:064x}",
    }
    return event(number, "todo.revised", payload, **members)


def write_log(root: Path, *lines: bytes) -> Path:
    path = root / "state/events.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(lines))
    return path
