"""Events as short readable words."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.gasp.envelope import Envelope, read_line
from ppgp_tui.gasp.telling.phrases import PHRASES, SentenceSign
from ppgp_tui.gasp.telling.sentence import sentence, short_actor
from ppgp_tui.ui.looks.look import Sign


def say(kind: str, payload: Any, names: dict[str, str] | None = None, **members: Any) -> Any:
    actor = {"actor_kind": "agent", "actor_id": "claude-0f3a9c21", **members}
    return sentence(Envelope(id="event_1", kind=kind, payload=payload, **actor), names or {})


@pytest.mark.parametrize(
    ("kind", "payload", "sign", "words"),
    [
        ("goal.created", {"title": "Resumable"}, "added", "goal: Resumable"),
        ("goal.phase_changed", {"from": "FREEZE", "to": "EXECUTE"}, "changed",
         "phase FREEZE to EXECUTE"),
        ("goal.phase_changed", {"from": None, "to": "THINK"}, "changed", "phase THINK"),
        ("goal.claimed", {"summary": "all done"}, "claimed", "claims done: all done"),
        ("goal.status_changed", {"goal_id": "g", "status": "Blocked", "reason": "no key"},
         "blocked", "goal blocked: no key"),
        ("task.created", {"id": "todo:T10", "title": "Messages"}, "added", "T10 Messages"),
        ("task.created", {"id": "task_5", "title": "Theirs"}, "added", "Theirs"),
        ("task.status_changed", {"task_id": "todo:T4", "status": "Done"}, "done", "T4 done"),
        ("todo.revised", {"revision": 14, "base_revision": 13}, "changed", "r13 to r14"),
        ("blocker.raised", {"class": "B", "text": "staging window opens at 02:00"}, "blocked",
         "B staging window opens at 02:00"),
        ("blocker.cleared", {"id": "blk_1", "reason": "it opened"}, "done",
         "cleared: blk_1, it opened"),
        ("authority.requested", {"request": {"question": "Drop it now?"}}, "for_you",
         "Drop it now?"),
        ("authority.withdrawn", {"id": "req_1", "reason": "asker_gone"}, "dropped",
         "withdrawn: req_1, asker gone"),
        ("decision.created", {"status": "Approved", "reason": "tests pass"}, "done",
         "approved: tests pass"),
        ("decision.created", {"status": "Rejected", "reason": "no"}, "failed", "rejected: no"),
        ("eval.finished", {"command": "pytest tests/batch", "status": "Passed",
                           "metadata": {"summary": "41 passed"}}, "done",
         "pytest tests/batch: 41 passed"),
        ("eval.finished", {"command": "pytest", "status": "Failed"}, "failed", "pytest: failed"),
        ("eval.finished", {"command": "ppgp-tui audit", "status": "Failed", "metadata": {
            "type": "audit", "verdict": "rejected", "why": "1 of 3 fails"}},
            "failed", "audit: rejected: 1 of 3 fails"),
        ("eval.finished", {"command": "ppgp-tui audit", "status": "Passed", "metadata": {
            "type": "audit", "verdict": "approved_with_notes", "why": "all hold", "stale": True}},
            "unknown", "audit: approved with notes, stale: all hold"),
        ("decision.created", {"status": "Approved", "reason": "all hold", "metadata": {
            "type": "verdict"}}, "done", "verified: all hold"),
        ("decision.created", {"status": "Rejected", "reason": "1 of 3 fails", "metadata": {
            "type": "verdict"}}, "failed", "claim rejected: 1 of 3 fails"),
        ("decision.created", {"status": "Approved", "reason": "accepted as it is", "metadata": {
            "type": "override"}},
            "unknown", "done without a verdict that fits, because: accepted as it is"),
        ("goal.claimed", {"summary": "all done", "dispute": "dod:2 is shown"},
            "claimed", "claims done: all done; disputes the verdict: dod:2 is shown"),
        ("run.started", {"run_id": "r", "task": "todo:T5"}, "running", "run on T5"),
        ("run.started", {"run_id": "r", "task": "session"}, "running", "session started"),
        ("run.started", {"run_id": "r", "task": "evolve day 3"}, "running", "run: evolve day 3"),
        ("run.finished", {"run_id": "r", "outcome": "loop_aborted:Bash"}, "failed",
         "session loop aborted:Bash"),
        ("tool.called", {"tool": "Edit", "input_summary": "src/batch.py"}, "running",
         "Edit src/batch.py"),
        ("tool.called", {"tool": "git", "input_summary": "commit 4e1f09c"}, "done",
         "git commit 4e1f09c"),
        ("tool.called", {"tool": "Bash", "input_summary": "ls", "success": False}, "failed",
         "Bash ls failed"),
        ("agent.held", {"session": "claude-1", "tool": "Bash"}, "held", "before Bash"),
        ("agent.released", {"waited_ms": 250_000, "outcome": "resumed"}, "held", "held 4m"),
        ("agent.released", {"waited_ms": 3_720_000, "outcome": "limit"}, "held",
         "held 1h02, limit"),
        ("human.interrupted", {"what": "stop_turn"}, "held", "stop turn"),
        ("artifact.attached", {"artifact": {"kind": "git-commit", "uri": "o/r@" + "4e" * 20}},
         "done", "git commit 4e4e4e4"),
        ("failure.observed", {"title": "task reverted"}, "failed", "failure: task reverted"),
        ("patch.status_changed", {"patch_id": "patch_1", "status": "Promoted"}, "done",
         "patch_1 promoted"),
        ("state.ops_applied", [{"CreateNode": {}}, {"CreateRelation": {}}, {"CreateNode": {}}],
         "unknown", "graph: 2 added, 1 linked"),
        ("state.ops_applied", "x", "finding", "graph changes that cannot be read"),
        ("weather.changed", {"deg": 3, "sky": "grey"}, "unknown", "weather.changed: grey"),
        ("weather.changed", None, "unknown", "weather.changed"),
        ("note", "by hand", "unknown", "note: by hand"),
    ],
)  # fmt: skip
def test_an_event_reads(kind: str, payload: Any, sign: str, words: str) -> None:
    said = say(kind, payload)
    assert (said.sign, said.words) == (sign, words)


def test_what_an_event_changed_is_told_when_it_is_known() -> None:
    names = {"event_1": "+2 ~1 /1"}
    assert say("todo.revised", {"revision": 14, "base_revision": 13}, names).words == (
        "r13 to r14: +2 ~1 /1"
    )
    moved = {"task_id": "todo:T4", "status": "Done"}
    assert (
        say("task.status_changed", moved, {"event_1": "InProgress"}).words == "T4 running to done"
    )


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("in_progress to completed", "T4 running to done"),
        ("the owner took it over", "T4 running to done: the owner took it over"),
    ],
)
def test_a_reason_that_only_says_the_change_again_is_left_out(reason: str, words: str) -> None:
    moved = {"task_id": "todo:T4", "status": "Done", "reason": reason}
    assert say("task.status_changed", moved, {"event_1": "InProgress"}).words == words


def test_a_goal_that_an_audit_looked_at_is_told_by_its_verdict() -> None:
    for verdict in ("verified by an audit", "rejected by an audit"):
        moved = {"goal_id": "goal_1", "status": "InProgress", "reason": verdict}
        assert say("goal.status_changed", moved).words == f"goal {verdict}"


def test_the_outcome_of_a_run_is_parted_from_its_title() -> None:
    payload = {"run_id": "run_1", "outcome": "no-op (nothing to do)"}
    for title, words in (
        ("tidy up (one skill)", "run: tidy up (one skill), no-op (nothing to do)"),
        ("todo:impl", "run on impl no-op (nothing to do)"),
    ):
        assert say("run.finished", payload, {"run_1": title}).words == words


def test_nodes_are_called_by_their_names() -> None:
    names = {"req_1": "Use 500 rows?", "run_1": "todo:T5", "patch_1": "Fix the counter"}
    answer = {"status": "Approved", "metadata": {"request": "req_1", "option": "yes"}}
    assert say("decision.created", answer, names).words == "Use 500 rows? yes"
    finished = {"run_id": "run_1", "outcome": "completed"}
    assert say("run.finished", finished, names).words == "run on T5 completed"
    moved = {"patch_id": "patch_1", "status": "Rejected"}
    assert say("patch.status_changed", moved, names).words == "Fix the counter rejected"


@pytest.mark.parametrize(
    ("kind", "payload", "about"),
    [
        ("todo.revised", {"revision": 2}, "plan"),
        ("task.status_changed", {"task_id": "todo:T4"}, "T4"),
        ("run.started", {"task": "todo:T5"}, "T5"),
        ("blocker.raised", {"blocks": ["todo:T11"]}, "T11"),
        ("authority.requested", {"request": {"frees": ["todo:T8"]}}, "T8"),
        ("authority.requested", {"request": {"scope": "release"}}, "release"),
        ("agent.held", {"session": "claude-0f3a9c21"}, "claude"),
        ("goal.phase_changed", {"to": "SHIP"}, "goal"),
        ("tool.called", {"tool": "Bash"}, ""),
    ],
)
def test_a_sentence_says_what_it_is_about(kind: str, payload: Any, about: str) -> None:
    assert say(kind, payload).about == about


@pytest.mark.parametrize(
    ("kind", "name", "short"),
    [
        ("agent", "claude-0f3a9c21", "claude"),
        ("agent", "pi-2026_07.31", "pi"),
        ("agent", "my-agent", "my-agent"),
        ("agent", "yoyo", "yoyo"),
        ("system", "ppgp-tui", "ppgp-tui"),
        ("user", "dev", "dev"),
        ("tool", "", "tool"),
    ],
)
def test_actors_are_short(kind: str, name: str, short: str) -> None:
    assert short_actor(kind, name) == short


def test_the_person_at_the_keyboard_is_you() -> None:
    said = say("human.interrupted", {}, {"user:dev": "you"}, actor_kind="user", actor_id="dev")
    assert said.actor == "you"


def test_a_tool_is_named_in_the_words_so_who_called_it_is_the_actor() -> None:
    call = {"tool": "Read", "input_summary": "a.py", "run_id": "run_1", "success": True}
    tool = {"actor_kind": "tool", "actor_id": "Read"}
    said = say("tool.called", call, {"by:run_1": "claude"}, **tool)
    assert (said.words, said.actor) == ("Read a.py", "claude")
    assert say("tool.called", call, {}, **tool).actor == "Read", "nobody knows who"


def test_a_damaged_line_says_so() -> None:
    said = sentence(read_line(b"{oops"), {})
    assert said.sign == "finding"
    assert said.words.startswith("damaged line: not JSON")


def test_every_sign_is_one_the_screen_can_draw() -> None:
    assert set(get_args(SentenceSign)) <= set(get_args(Sign))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)
members = st.sampled_from(
    ["id", "title", "status", "request", "metadata", "artifact", "revision", "task", "tool",
     "blocks", "uri", "kind", "question", "session", "waited_ms", "outcome"]
)  # fmt: skip


@given(
    st.sampled_from([*PHRASES, "state.ops_applied", "unknown.kind"]),
    anything | st.dictionaries(members, anything | st.dictionaries(members, anything)),
)
def test_any_payload_of_any_kind_gives_some_words(kind: str, payload: Any) -> None:
    said = say(kind, payload)
    assert said.words
    assert "\n" not in said.words or isinstance(payload, str)
