"""The tools, called without the wire: what each records, what it refuses, what it never tells."""

import json
import os
import shutil
from pathlib import Path

import pytest

from ppgp_tui.audit.on_claim import CLAIMED
from ppgp_tui.session.actions import control, goal
from ppgp_tui.session.engine.engine import Engine
from tests.agents.mcp.place import AGENT, Place
from tests.agents.mcp.test_stdio import PROOF, TASKS
from tests.session.engine.rules import broken

RESULT = [
    "ok", "code", "changed", "action", "message", "events", "recorded", "revisions", "created",
    "warnings", "data",
]  # fmt: skip


def with_goal(place: Place) -> Place:
    assert goal.create(place.person, "Retry survives a timeout").ok
    return place


def test_every_result_has_the_shape_of_all_doors(place: Place) -> None:
    for reply in (place.call("get_session"), place.call("todo"), place.call("resume_goal")):
        assert list(reply.result) == RESULT
        assert reply.error is not reply.result["ok"]


def test_a_proposal_becomes_a_goal_of_the_person_who_confirmed_it(place: Place) -> None:
    request = place.done("propose_goal", objective=" Retry ")["data"]["request"]
    assert "goal.created" not in place.kinds()
    place.answer(request, "yes")
    created = next(event for event in place.events() if event["kind"] == "goal.created")
    assert created["actor"] == {"kind": "user", "id": "dev"}
    assert created["payload"]["summary"] == "Retry"
    heard = place.call("get_answer", request=request)
    assert heard.text.splitlines()[1] == "The proposal is confirmed; get_session shows the Goal."
    reply = place.call("propose_goal", objective="Another")
    assert reply.text == (
        "A Goal already exists. Use tweak_goal, set_goal_blocked, abandon_goal, or complete_goal."
    )


def test_what_a_person_paused_no_agent_resumes(place: Place) -> None:
    with_goal(place)
    assert control.hold(place.person, reason="lunch").ok
    before = place.events()
    reply = place.call("resume_goal")
    assert reply.error
    assert reply.text == "only a person may do this, not agent:mcp-robot"
    assert place.events() == before
    words = place.call("get_session").text
    assert words.startswith("A person asked every agent to wait: lunch.")


def test_a_block_of_its_own_an_agent_ends(place: Place) -> None:
    with_goal(place).done("set_goal_blocked", **PROOF)
    assert "Open blocker blk_" in place.call("get_session").text
    assert place.call("set_goal_blocked", **PROOF).text == "The Goal is blocked, not active."
    place.done("resume_goal")
    assert place.done("get_session")["data"]["recorded"]["blockers"] == []
    assert broken(place.events()) == []


def test_a_claim_leaves_the_goal_open(place: Place) -> None:
    with_goal(place)
    claimed = place.done("complete_goal", summary="Done")
    assert claimed["message"] == CLAIMED
    assert place.kinds()[-2:] == ["goal.claimed", "state.ops_applied"]
    recorded = place.done("get_session")["data"]["recorded"]
    assert recorded["goal"]["label"] == "active"


def test_a_claim_about_code_nobody_can_name_is_refused(place: Place) -> None:
    with_goal(place)
    shutil.rmtree(place.root / ".git")
    reply = place.call("complete_goal", summary="Done")
    assert reply.error
    assert "cannot tell what the claim is about" in reply.text


def test_a_checkpoint_vouches_for_a_document_that_is_there(place: Place) -> None:
    assert place.done("checkpoint", summary="Counter verified")["code"] == "done"
    (place.root / "docs/ACTIVE_GOAL.md").unlink()
    assert "there is no docs/ACTIVE_GOAL.md" in place.call("checkpoint", summary="More").text


def test_the_plan_is_told_in_pis_words_and_hand_edits_beside_it(place: Place) -> None:
    place.done("todo", baseRevision=0, tasks=TASKS)
    told = place.call("get_todo")
    assert told.text == (
        "Your todo list, as you authored:\nRevision: 1\n[>] retry: Write the retry\n"
        "[ ] docs: Tell people (after: retry)"
    )
    assert place.done("todo", tasks=TASKS)["code"] == "unchanged"
    file = place.root / ".ppgp/todo.json"
    file.write_text(file.read_text().replace("Tell people", "Tell nobody"))
    edited = place.call("get_todo")
    assert edited.result["data"]["hand_edit"] is True
    assert "an edit by hand that is not recorded" in edited.text
    assert place.call("todo", baseRevision=1, tasks=[]).result["code"] == "hand_edit"


def test_dropping_work_needs_its_reason(place: Place) -> None:
    place.done("todo", tasks=TASKS)
    reply = place.call("todo", baseRevision=1, tasks=TASKS[:1])
    assert reply.text == (
        'Existing unfinished Todo "docs" was omitted without an explicit removal reason.'
    )
    gone = [{"key": "docs", "reason": "Nobody reads them"}]
    assert place.done("todo", baseRevision=1, tasks=TASKS[:1], remove=gone)["code"] == "done"
    assert broken(place.events()) == []


def test_a_question_carries_all_that_the_person_is_shown(place: Place) -> None:
    place.done("todo", tasks=TASKS)
    asked = place.done(
        "request_authority",
        question="Publish 0.2.0?",
        options=["Now", "Later"],
        recommended="b",
        scope="the release",
        why="Only the owner may.",
        evidence="All tests pass.",
        irreversible=True,
        frees=["docs"],
        expiresInSeconds=3600,
        **{"class": "D"},
    )["data"]
    file = place.root / f".ppgp/run/requests/{asked['request']}.json"
    request = json.loads(file.read_text())
    assert request["options"] == [{"key": "a", "label": "Now"}, {"key": "b", "label": "Later"}]
    assert request["frees"] == ["todo:docs"]
    assert request["expires_ms"] - request["created_ms"] in range(3_590_000, 3_600_001)
    assert request["asker"]["session"] == AGENT.id
    assert "pid" not in request["asker"]
    shown = {"class", "scope", "why", "evidence", "recommended", "irreversible"}
    assert shown <= set(request)


def test_when_the_log_cannot_be_written_the_client_is_told_and_no_path_outside(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = Path(os.environ["XDG_STATE_HOME"]) / "ppgp-tui"
    state.parent.mkdir(exist_ok=True)
    state.write_text("in the way")
    reply = place.call("raise_blocker", text="Shop is down", **{"class": "B"})
    assert "(the user's state folder)" in reply.text
    assert str(place.folder) not in json.dumps(reply.result)

    def fails(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(place.folder / "secret"))

    monkeypatch.setattr(Engine, "perform", fails)
    reply = place.call("raise_blocker", text="Shop is down", **{"class": "B"})
    assert reply.error
    assert "PermissionError: permission denied" in reply.text
    assert str(place.folder) not in json.dumps(reply.result)


# After a rejection -------------------------------------------------------------------------------


def rejected(place: Place) -> Place:
    """A goal whose claim an audit rejected: the document itself says that it is open."""
    from ppgp_tui.audit import whole

    with_goal(place)
    place.done("complete_goal", summary="All of it.")
    ended = whole.make(place.person, whole.planned_for(place.person))
    assert ended.verdict is not None
    assert ended.verdict.word == "rejected"
    return place


def test_a_client_is_told_why_its_claim_was_rejected(place: Place) -> None:
    rejected(place)
    assert "last audit rejected the claim: Verdict: rejected." in place.desk.picture.boot_text()
    session = place.call("get_session").text
    assert "Completion: last audit rejected the claim: Verdict: rejected." in session
    assert "A timeout is retried." in session


def test_the_same_claim_is_refused_with_the_objections_unless_it_disputes_them(
    place: Place,
) -> None:
    rejected(place)
    again = place.call("complete_goal", summary="All of it, really.")
    assert again.error
    assert "A timeout is retried." in again.text
    place.done("complete_goal", summary="All of it.", dispute="tests/retry shows it")
    claim = [event for event in place.events() if event["kind"] == "goal.claimed"][-1]["payload"]
    assert claim["dispute"] == "tests/retry shows it"
    assert broken(place.events()) == []


@pytest.mark.parametrize("dispute", [7, None, "x" * 4_001])
def test_a_dispute_is_text_of_some_length(place: Place, dispute: object) -> None:
    reply = place.call("complete_goal", summary="All of it.", dispute=dispute)
    assert (reply.error, reply.result["code"]) == (True, "usage")
    assert "dispute: must be text of at most 4000 characters" in reply.text


def test_no_tool_starts_changes_or_decides_an_audit() -> None:
    from ppgp_tui.agents.mcp.tools import TOOLS

    names = {tool.name for tool in TOOLS}
    assert [name for name in names if "audit" in name or "close" in name or "trust" in name] == []
