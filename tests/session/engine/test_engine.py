"""One act: what is recorded before it, what is written after it, and what its receipt says."""

import json
from pathlib import Path

import pytest

from ppgp_tui.session.actions import asking, blocker, control, goal, plan, start
from ppgp_tui.session.actions.asking import Question
from ppgp_tui.session.engine import orders
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.result import EXIT
from ppgp_tui.session.journal import now_ms
from ppgp_tui.session.live.store import LiveSession
from tests.session.engine.desk import CLAUDE, HUMAN
from tests.session.engine.repository import (
    DOCUMENT,
    GOAL,
    LOG,
    RUN,
    TEXT,
    TODO,
    Repository,
    good,
    refused,
    repository,
    task,
)
from tests.session.engine.rules import broken


@pytest.fixture
def here(memory: Path) -> Repository:
    return repository(memory / "here", TEXT)


def planned(here: Repository, *keys: str) -> None:
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task(key) for key in keys]}))


# The receipt -------------------------------------------------------------------------------------


def test_a_receipt_has_every_member_of_the_contract(here: Repository) -> None:
    said = plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}).as_json()
    assert said["events"] == [event["id"] for event in here.events()]
    assert said | {"events": [], "data": {}} == {
        "ok": True,
        "code": "done",
        "changed": True,
        "action": "todo.set",
        "message": "Todo plan updated to revision 1: 1 task.",
        "events": [],
        "recorded": "log",
        "revisions": {"goal": 0, "plan": 1, "control": 0},
        "created": [],
        "warnings": [],
        "data": {},
    }


def test_an_act_that_asks_for_what_is_so_already_is_unchanged_and_records_nothing(
    here: Repository,
) -> None:
    planned(here, "a")
    before = here.read(LOG)
    result = plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]})
    assert (result.code, result.exit_code, result.recorded) == ("unchanged", 0, "none")
    assert here.read(LOG) == before


def test_a_refused_act_says_which_revisions_stand(here: Repository) -> None:
    planned(here, "a")
    result = plan.revise(here.engine(CLAUDE), {"baseRevision": 0, "tasks": []})
    assert (result.code, result.exit_code) == ("stale", 3)
    assert result.revisions == {"goal": 0, "plan": 1, "control": 0}


def test_every_code_has_the_exit_status_of_the_contract() -> None:
    assert EXIT == {
        "done": 0, "unchanged": 0, "refused": 1, "busy": 1, "disk": 1, "not_initialised": 1,
        "usage": 2, "stale": 3, "hand_edit": 3, "expired": 3, "timeout": 4,
    }  # fmt: skip


def test_without_a_session_every_act_says_how_to_begin_one(memory: Path) -> None:
    nowhere = Repository(memory / "nowhere")
    nowhere.root.mkdir(parents=True)
    said = refused(goal.create(nowhere.engine(), "G"), "not_initialised")
    assert said == (
        "no session here: run ppgp-tui init (creates .ppgp/, .ppgp/.gitignore, state/events.jsonl)"
    )
    assert list(nowhere.root.iterdir()) == []


def test_a_text_that_is_none_is_refused_and_nothing_else_happens(here: Repository) -> None:
    before = here.read(LOG)
    for act in (
        lambda: goal.create(here.engine(), "half \ud800 a letter"),
        lambda: blocker.raise_(here.engine(CLAUDE), "\udfff", klass="B"),
        lambda: asking.ask(here.engine(CLAUDE), Question("\ud800?")),
        lambda: plan.revise(here.engine(CLAUDE), {"tasks": [task("a") | {"subject": "\ud800"}]}),
        lambda: control.hold(here.engine(), reason="\ud800"),
        lambda: goal.checkpoint(here.engine(CLAUDE), "\udc80"),
    ):
        refused(act())
    assert here.read(LOG) == before
    assert not (here.root / TODO).exists()
    assert not (here.state / orders.PAUSE).exists()


# What changed outside ----------------------------------------------------------------------------


def test_a_phase_written_into_the_document_is_recorded_before_the_next_act(
    here: Repository,
) -> None:
    good(goal.create(here.engine(), "Retry survives"))
    here.write(DOCUMENT, TEXT.replace("EXECUTE", "HARDEN"))
    planned(here, "a")
    kinds = here.kinds()
    assert kinds[:2] == ["session.started", "goal.phase_changed"]
    at = kinds.index("goal.phase_changed", 2)
    assert kinds[at : at + 3] == ["goal.phase_changed", "state.ops_applied", "todo.revised"]
    event = here.newest("goal.phase_changed")
    assert event["actor"] == {"kind": "system", "id": "ppgp-tui"}
    assert {key: event["payload"][key] for key in ("from", "to", "observed", "line")} == {
        "from": "EXECUTE",
        "to": "HARDEN",
        "observed": True,
        "line": 7,
    }


def test_a_refused_act_records_no_observation_either(here: Repository) -> None:
    before = here.read(LOG)
    refused(goal.create(here.engine(), "  "))
    assert here.read(LOG) == before


def test_a_document_without_a_lifecycle_word_says_nothing_about_the_phase(memory: Path) -> None:
    here = repository(memory / "here", TEXT.replace("EXECUTE", "in progress"))
    planned(here, "a")
    assert "goal.phase_changed" not in here.kinds()


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode() + b"\n- \xff\xfe broken \x80 bytes\n",
        b"\xff\xfe" + TEXT.encode("utf-16-le"),
        b"\x00" * 500,
        b"",
        TEXT.encode().replace(b"Publish", b"\xed\xa0\x80"),
        b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode(),
    ],
    ids=["bytes", "utf-16", "NUL", "empty", "surrogate", "BOM and CRLF"],
)
def test_a_document_of_any_bytes_breaks_no_act(memory: Path, data: bytes) -> None:
    here = repository(memory / "here", data, git=True)
    good(goal.create(here.engine(), "Retry survives"))
    planned(here, "a")
    good(goal.checkpoint(here.engine(CLAUDE), "looked at it"))
    good(goal.claim(here.engine(CLAUDE), "done"))
    assert here.read(DOCUMENT) == data


# Projections -------------------------------------------------------------------------------------


def test_a_deleted_projection_is_written_again_by_the_next_act(here: Repository) -> None:
    good(goal.create(here.engine(), "Retry survives"))
    planned(here, "a")
    files = {path: here.read(path) for path in (TODO, GOAL)}
    for path in files:
        (here.root / path).unlink()
    good(blocker.raise_(here.engine(CLAUDE), "in the way", klass="B"))
    assert {path: here.read(path) for path in files} == files


def test_goal_json_is_what_the_log_says_whatever_somebody_wrote_there(here: Repository) -> None:
    good(goal.create(here.engine(), "Retry survives"))
    right = here.read(GOAL)
    here.write(GOAL, right.replace(b"active", b"paused"))
    good(start.rebuild(here.engine()))
    assert here.read(GOAL) == right


def test_projections_are_written_as_pi_writes_them(here: Repository) -> None:
    good(goal.create(here.engine(), "Retry survives"))
    planned(here, "a")
    assert here.read(TODO) == (
        b'{\n  "schemaVersion": 1,\n  "revision": 1,\n  "tasks": [\n    {\n      "key": "a",\n'
        b'      "subject": "Do a",\n      "status": "pending"\n    }\n  ]\n}\n'
    )
    state = here.json(GOAL)
    assert list(state) == ["schemaVersion", "revision", "goal"]
    assert state["goal"] | here.newest("goal.created")["payload"]["pi"] == state["goal"]
    assert state["goal"]["objective"] == "Retry survives"


def test_a_plan_file_that_says_the_same_in_other_bytes_is_no_edit(here: Repository) -> None:
    planned(here, "a")
    right = here.read(TODO)
    here.write(TODO, json.dumps(json.loads(right)))
    planned(here, "a", "b")
    assert here.json(TODO)["revision"] == 2


def test_an_earlier_recorded_plan_is_no_edit_but_a_file_that_fell_behind(here: Repository) -> None:
    planned(here, "a")
    earlier = here.read(TODO)
    planned(here, "a", "b")
    right = here.read(TODO)
    here.write(TODO, earlier)
    assert plan.adopt(here.engine()).message == ".ppgp/todo.json holds no edit"
    assert here.read(TODO) == right
    here.write(TODO, earlier)
    planned(here, "a", "b", "c")
    assert here.json(TODO)["revision"] == 3


def test_a_file_that_fell_behind_is_not_called_edited_on_the_screen(
    here: Repository, own_folders: Path
) -> None:
    def hand_edit() -> bool:
        session = LiveSession(here.root, clock=lambda: now_ms() + 60_000)
        try:
            return session.read_all().plan.value.hand_edit
        finally:
            session.close()

    planned(here, "a")
    earlier = here.read(TODO)
    planned(here, "a", "b")
    assert not hand_edit()
    here.write(TODO, earlier)
    assert not hand_edit()
    here.write(TODO, earlier.replace(b"Do a", b"Do it"))
    assert hand_edit()


def test_an_unreadable_plan_file_is_kept_and_written_again(here: Repository) -> None:
    planned(here, "a")
    right = here.read(TODO)
    here.write(TODO, b'{"half')
    result = good(blocker.raise_(here.engine(CLAUDE), "in the way", klass="B"))
    assert here.read(TODO) == right
    (warning,) = result.warnings
    (kept,) = (here.root / RUN / "torn").iterdir()
    assert "was not JSON" in warning
    assert str(kept.relative_to(here.root)) in warning
    assert kept.read_bytes() == b'{"half'


def test_whatever_lies_where_the_plan_belongs_is_moved_aside(here: Repository) -> None:
    (here.root / TODO / "inner").mkdir(parents=True)
    result = good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    assert here.json(TODO)["revision"] == 1
    assert "what lay there is in .ppgp/run/torn/" in result.warnings[0]


def test_a_projection_that_cannot_be_written_does_not_undo_the_act(here: Repository) -> None:
    (here.root / GOAL / "inner").mkdir(parents=True)
    result = good(goal.create(here.engine(), "Retry survives"))
    assert result.recorded == "log"
    (warning,) = result.warnings
    assert warning.startswith(".ppgp/goal.json could not be written: ")


# Causes, correlation, actors ---------------------------------------------------------------------


def test_without_any_cause_the_batch_begins_with_a_session(here: Repository) -> None:
    (here.root / DOCUMENT).unlink()
    planned(here, "a")
    first, second = here.events()[:2]
    assert (first["kind"], first["causation_id"]) == ("session.started", None)
    assert first["actor"] == {"kind": "system", "id": "ppgp-tui"}
    assert (second["kind"], second["causation_id"]) == ("todo.revised", first["id"])
    assert second["correlation_id"] is None


def test_the_goal_is_the_cause_and_the_correlation_once_there_is_one(here: Repository) -> None:
    made = good(goal.create(here.engine(), "Retry survives")).data["goal"]
    planned(here, "a")
    event = here.newest("todo.revised")
    assert event["causation_id"] == here.newest("goal.created")["id"]
    assert event["correlation_id"] == made
    assert event["actor"] == {"kind": "agent", "id": "claude-1"}


def test_inside_a_run_the_run_is_cause_and_correlation_of_its_own_session_only(
    here: Repository,
) -> None:
    good(goal.create(here.engine(), "Retry survives"))
    begun = here.engine(CLAUDE).perform(
        "run",
        lambda _, draft: {
            "event": draft.record(
                "run.started", {"run_id": "run_1", "task": "s"}, correlation="run_1"
            )
        },
    )
    planned(here, "a")
    assert here.newest("todo.revised")["causation_id"] == begun.data["event"]
    assert here.newest("state.ops_applied")["correlation_id"] == "run_1"
    good(blocker.raise_(here.engine(Actor("agent", "codex-2")), "x", klass="B"))
    raised = here.newest("blocker.raised")
    assert raised["causation_id"] == here.newest("goal.created")["id"]
    assert raised["correlation_id"] == here.newest("goal.created")["payload"]["id"]


def test_two_acts_of_everybody_never_share_an_id(here: Repository) -> None:
    planned(here, "a", "b", "c")
    good(goal.create(here.engine(HUMAN), "Retry survives"))
    ids = [event["id"] for event in here.events()]
    assert len(ids) == len(set(ids))


# While another program holds the log -------------------------------------------------------------


@pytest.fixture
def leased(here: Repository) -> Repository:
    good(goal.create(here.engine(), "Retry survives"))
    lease = {"worker_id": "other", "pid": 1, "expires_at_ms": here.now_ms + 3_600_000}
    here.write(".agent/lease", json.dumps(lease))
    return here


def test_an_act_waits_beside_the_log_and_takes_effect_at_once(leased: Repository) -> None:
    before = leased.read(LOG)
    result = good(control.hold(leased.engine()))
    assert (result.code, result.recorded) == ("done", "outbox")
    assert leased.read(LOG) == before
    assert leased.json(RUN / "control.json")["hold"] is not None
    assert leased.json(GOAL)["goal"]["status"] == "paused"
    planned(leased, "a")
    planned(leased, "a", "b")
    assert leased.json(TODO)["revision"] == 2
    good(control.release(leased.engine()))
    assert leased.json(RUN / "control.json")["hold"] is None
    assert leased.json(GOAL)["goal"]["status"] == "active"
    assert leased.read(LOG) == before


def test_what_waited_is_appended_unchanged_and_first_when_the_log_is_free(
    leased: Repository,
) -> None:
    before = len(leased.events())
    results = [
        good(control.hold(leased.engine())),
        good(plan.revise(leased.engine(CLAUDE), {"tasks": [task("a")]})),
        good(asking.ask(leased.engine(CLAUDE), Question("Publish?"))),
    ]
    (leased.root / ".agent/lease").unlink()
    last = good(blocker.raise_(leased.engine(CLAUDE), "in the way", klass="B"))
    ids = [event["id"] for event in leased.events()][before:]
    assert ids == [event for result in (*results, last) for event in result.events]
    assert broken(leased.events()) == []
    assert not (leased.root / ".agent/lease").exists()


def test_a_lease_that_has_run_out_is_taken_over(leased: Repository) -> None:
    leased.now_ms += 7_200_000
    assert good(control.hold(leased.engine())).recorded == "log"
