"""Every claim and what became of it, whatever a log holds."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.actions.claims import told
from ppgp_tui.session.engine import goals, verdicts
from tests.session.engine.desk import CLAUDE, HUMAN, Desk

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
)
NAMES = st.sampled_from(
    ["id", "goal_id", "metadata", "type", "bound", "goal", "pi", "lastAuditRejection", "reason"]
)
KINDS = st.sampled_from(
    ["goal.created", "goal.claimed", "eval.finished", "decision.created", "goal.status_changed"]
)


def about(desk: Desk) -> dict[str, Any]:
    assert desk.ledger.goal is not None
    bound = {"contract": "c", "plan": "p", "code": "k", "commit": None, "evidence": "e"}
    return {**bound, "goal": desk.ledger.goal["id"]}


def test_objections_stand_with_the_verdict_and_a_dispute_with_its_claim() -> None:
    desk = Desk()
    desk.act(HUMAN, goals.start, "Make it resumable")
    desk.act(CLAUDE, goals.claim, "done", about(desk))
    for number, word in enumerate(("rejected", "rejected")):
        desk.act(
            HUMAN, verdicts.record, word, f"why {number}", eval_id=f"eval_{number}",
            bound=about(desk), stale=False, report=f"report {number}", report_digest="sha256:9",
            isolation="bubblewrap", auditor="codex exec", command="ppgp-tui audit",
        )  # fmt: skip
        desk.act(CLAUDE, goals.claim, "still done", about(desk), dispute=f"no {number}")
    goal = about(desk)["goal"]
    desk.act(HUMAN, verdicts.take, "enough", goal_id=goal, eval_id="eval_1")
    steps = told(desk.events)
    assert [step.kind for step in steps] == [
        "claim", "verdict", "claim", "verdict", "claim", "override",
    ]  # fmt: skip
    assert {(step.goal, step.title) for step in steps} == {(goal, "Make it resumable")}
    assert [step.objections for step in steps] == ["", "report 0", "", "report 1", "", ""]
    assert [step.dispute for step in steps] == ["", "", "no 0", "", "no 1", ""]
    assert [step.eval for step in steps] == [
        None, "eval_0", "eval_0", "eval_1", "eval_1", "eval_1",
    ]  # fmt: skip
    assert (steps[1].by, steps[1].said, steps[-1].by) == ("codex exec", "why 0", "user:dev")


@given(st.lists(st.tuples(KINDS, st.dictionaries(NAMES, JSON | st.dictionaries(NAMES, JSON)))))
def test_events_of_another_shape_tell_nothing_wrong(events: list[Any]) -> None:
    recorded = [
        {"id": f"event_{number}", "kind": kind, "payload": payload, "causation_id": "event_0"}
        for number, (kind, payload) in enumerate(events)
    ]
    for step in told(recorded):
        assert step.kind in ("claim", "verdict", "override")
        assert isinstance(step.said, str)
