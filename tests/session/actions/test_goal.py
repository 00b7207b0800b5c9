"""The goal: made, revised, blocked, resumed, given up, claimed; its phase; its checkpoints."""

import hashlib
from pathlib import Path

import pytest

from ppgp_tui.pi.block_proof import BlockProof
from ppgp_tui.pi.javascript import iso_time
from ppgp_tui.session.actions import control, goal
from ppgp_tui.session.engine.bound import code_state
from tests.session.engine.desk import CLAUDE
from tests.session.engine.life import PROOF
from tests.session.engine.repository import (
    DOCUMENT,
    GOAL,
    LOG,
    TEXT,
    Repository,
    good,
    refused,
    repository,
)
from tests.session.engine.rules import graph


def status(here: Repository) -> str | None:
    state = here.json(GOAL)["goal"]
    return state and state["status"]


@pytest.fixture
def begun(here: Repository) -> Repository:
    good(goal.create(here.engine(), "Retry survives\nand says so"))
    return here


def test_a_person_makes_a_goal_and_it_is_active_at_once(begun: Repository) -> None:
    event = begun.newest("goal.created")
    assert event["actor"] == {"kind": "user", "id": "dev"}
    assert event["causation_id"] is None
    payload = event["payload"]
    assert set(payload) == {"id", "title", "summary", "status", "owner", "metadata", "pi"}
    assert (payload["title"], payload["status"]) == ("Retry survives", "InProgress")
    assert payload["metadata"] == {"ppgp": {"revision": 1}}
    assert payload["pi"]["createdAt"] == iso_time(event["ts_ms"])
    assert "objective" not in payload["pi"]
    assert status(begun) == "active"


@pytest.mark.parametrize("act", [goal.create, goal.tweak], ids=["create", "tweak"])
def test_an_agent_makes_and_revises_no_goal_by_itself(here: Repository, act) -> None:
    assert refused(act(here.engine(CLAUDE), "Mine")) == (
        "only a person may do this, not agent:claude-1"
    )


def test_there_is_one_goal_at_a_time(begun: Repository) -> None:
    assert refused(goal.create(begun.engine(), "Another")).startswith("A Goal already exists.")


def test_a_revised_goal_keeps_its_id_and_says_what_it_was(begun: Repository) -> None:
    good(goal.tweak(begun.engine(), "Retry survives a crash"))
    payload = begun.newest("goal.tweaked")["payload"]
    assert payload["goal_id"] == begun.newest("goal.created")["payload"]["id"]
    assert payload["was"].startswith("sha256:")
    assert payload["pi_revision"] == 2
    assert begun.json(GOAL)["goal"]["objective"] == "Retry survives a crash"
    assert begun.ledger().goal["revision"] == 2


def test_a_block_needs_its_whole_proof(begun: Repository) -> None:
    proof = BlockProof("No key.", "", "Every step needs it.", "The key exists.")
    assert refused(goal.block(begun.engine(CLAUDE), proof)) == (
        "set_goal_blocked requires non-empty evidence."
    )


def test_a_blocked_goal_raises_a_blocker_that_its_resumption_clears(begun: Repository) -> None:
    made = good(goal.block(begun.engine(CLAUDE), PROOF, klass="C", scope="Step A")).data
    payload = begun.newest("blocker.raised")["payload"]
    assert payload["class"] == "C"
    assert payload["blocks"] == [made["goal"]]
    assert graph(begun.events())[0][made["goal"]]["props"]["status"] == "Blocked"
    good(goal.resume(begun.engine()))
    cleared = begun.newest("blocker.cleared")
    assert cleared["causation_id"] == begun.newest("blocker.raised")["id"]
    assert begun.ledger().blockers == {}


def test_a_goal_given_up_takes_the_blocker_of_its_block_with_it(begun: Repository) -> None:
    good(goal.block(begun.engine(CLAUDE), PROOF))
    good(goal.abandon(begun.engine(), " enough "))
    assert begun.ledger().blockers == {}
    payload = begun.newest("goal.status_changed")["payload"]
    assert (payload["status"], payload["reason"], payload["pi"]) == ("Abandoned", "enough", None)
    assert status(begun) is None


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda engine: goal.resume(engine), "No Goal is active on this branch."),
        (lambda engine: goal.block(engine, PROOF), "No Goal is active on this branch."),
        (lambda engine: goal.abandon(engine, "x"), "No Goal is active on this branch."),
        (lambda engine: goal.tweak(engine, "x"), "No Goal is active on this branch."),
        (lambda engine: goal.create(engine, " \n"), "Goal objective requires non-empty text."),
    ],
    ids=["resume", "block", "abandon", "tweak", "blank"],
)
def test_what_pi_refuses_is_refused_in_its_words(here: Repository, act, said: str) -> None:
    assert refused(act(here.engine())) == said


def test_an_active_goal_is_not_resumed_and_a_blocked_one_not_blocked_again(
    begun: Repository,
) -> None:
    assert refused(goal.resume(begun.engine())) == "The Goal is already active."
    good(goal.block(begun.engine(CLAUDE), PROOF))
    assert refused(goal.block(begun.engine(CLAUDE), PROOF)) == ("The Goal is blocked, not active.")


def test_what_a_person_paused_only_a_person_resumes(begun: Repository) -> None:
    good(control.hold(begun.engine()))
    good(control.release(begun.engine()))
    good(control.hold(begun.engine()))
    assert "only a person may do this" in refused(goal.resume(begun.engine(CLAUDE)))
    good(goal.resume(begun.engine()))
    good(goal.block(begun.engine(CLAUDE), PROOF))
    good(goal.resume(begun.engine(CLAUDE)))


def test_giving_up_a_goal_needs_a_reason(begun: Repository) -> None:
    assert refused(goal.abandon(begun.engine(), "  ")) == (
        "abandon_goal requires a non-empty reason."
    )


# Phases ------------------------------------------------------------------------------------------


def test_a_new_phase_is_recorded_and_written_over_one_word_of_the_document(
    begun: Repository,
) -> None:
    result = good(goal.set_phase_of(begun.engine(), "harden"))
    assert result.data == {"phase": "HARDEN", "from": "EXECUTE", "document": str(DOCUMENT)}
    assert begun.read(DOCUMENT).decode() == TEXT.replace("EXECUTE", "HARDEN")
    event = begun.newest("goal.phase_changed")
    assert event["actor"]["kind"] == "user"
    assert event["payload"]["observed"] is False
    assert begun.kinds().count("goal.phase_changed") == 2, "the first was observed"
    planned = len(begun.events())
    good(goal.checkpoint(begun.engine(CLAUDE), "seen"))
    assert begun.kinds()[planned:] == ["goal.checkpointed"], "our own edit is no observation"


def test_the_phase_that_stands_is_left_alone(begun: Repository) -> None:
    assert goal.set_phase_of(begun.engine(), "EXECUTE").code == "unchanged"


@pytest.mark.parametrize(
    ("text", "phase", "said"),
    [
        (TEXT, "DONE", "'DONE' is no phase: THINK, FREEZE, EXECUTE, HARDEN, SHIP, DISTILL, CLOSED"),
        (TEXT.replace("EXECUTE", "soon"), "SHIP", "names no lifecycle phase"),
        (None, "SHIP", "there is no docs/ACTIVE_GOAL.md"),
    ],
    ids=["no phase", "no word", "no document"],
)
def test_a_phase_that_cannot_be_written_is_refused_with_what_to_do(
    memory: Path, text: str | None, phase: str, said: str
) -> None:
    here = repository(memory / "there", text)
    assert said in refused(goal.set_phase_of(here.engine(), phase))


# Claims and checkpoints --------------------------------------------------------------------------


def test_a_claim_says_what_exactly_is_claimed(memory: Path) -> None:
    here = repository(memory / "there", TEXT, git=True)
    made = good(goal.create(here.engine(), "Retry survives")).data["goal"]
    here.write("src/retry.py", "pass\n")
    good(goal.claim(here.engine(CLAUDE), "It survives."))
    payload = here.newest("goal.claimed")["payload"]
    assert set(payload["bound"]) == {
        "contract", "plan", "code", "commit", "evidence", "goal",
    }  # fmt: skip
    assert payload["bound"]["goal"] == made
    assert payload["bound"]["commit"] == here.git("rev-parse", "HEAD").strip()
    assert here.ledger().claims[-1]["summary"] == "It survives."


def bound_now(here: Repository) -> dict:
    good(goal.claim(here.engine(CLAUDE), "done"))
    return here.newest("goal.claimed")["payload"]["bound"]


def test_a_claim_is_about_code_contract_and_plan_and_not_about_the_log(memory: Path) -> None:
    here = repository(memory / "there", TEXT, git=True)
    good(goal.create(here.engine(), "Retry survives"))
    first = bound_now(here)
    good(control.hold(here.engine()))
    here.git("add", "-A")
    here.git("commit", "--quiet", "-m", "Log")
    again = bound_now(here)
    assert {**again, "commit": None} == {**first, "commit": None}
    here.write("new.py", "x = 1\n")
    assert bound_now(here)["code"] != first["code"]
    here.write(DOCUMENT, TEXT.replace("the counter", "no counter"))
    assert bound_now(here)["contract"] != first["contract"]


def test_the_code_is_the_same_committed_or_not(memory: Path) -> None:
    here = repository(memory / "there", git=True)
    here.write("a.py", "x = 1\n")
    here.write("späß\n.py", "y = 2\n")
    here.write('"quoted".py', "z = 3\n")
    (here.root / "link").symlink_to("a.py")
    (here.root / "run.sh").write_text("true\n")
    (here.root / "run.sh").chmod(0o755)
    loose = code_state(here.root, document_path=str(DOCUMENT)).digest
    here.git("add", "-A")
    here.git("commit", "--quiet", "-m", "All")
    assert code_state(here.root, document_path=str(DOCUMENT)).digest == loose
    (here.root / "run.sh").chmod(0o644)
    assert code_state(here.root, document_path=str(DOCUMENT)).digest != loose


def test_the_settings_of_a_hostile_repository_run_nothing_when_the_code_is_looked_at(
    memory: Path,
) -> None:
    here = repository(memory / "there", git=True)
    ran = memory / "ran"
    program = here.write("evil.sh", f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    here.git("config", "core.fsmonitor", str(program))
    code_state(here.root, document_path=str(DOCUMENT))
    assert not ran.exists()


def test_a_claim_without_git_is_refused(begun: Repository) -> None:
    said = refused(goal.claim(begun.engine(CLAUDE), "done"))
    assert "cannot tell what the claim is about" in said


def test_a_checkpoint_names_the_very_bytes_of_the_document(begun: Repository) -> None:
    good(goal.checkpoint(begun.engine(CLAUDE), "all of it"))
    payload = begun.newest("goal.checkpointed")["payload"]
    assert payload == {
        "document": str(DOCUMENT),
        "sha256": hashlib.sha256(begun.read(DOCUMENT)).hexdigest(),
        "summary": "all of it",
    }


def test_a_checkpoint_needs_a_document_and_a_word(begun: Repository) -> None:
    before = begun.read(LOG)
    assert "a checkpoint says what was verified" in refused(
        goal.checkpoint(begun.engine(CLAUDE), " ")
    )
    (begun.root / DOCUMENT).unlink()
    assert "there is no docs/ACTIVE_GOAL.md" in refused(
        goal.checkpoint(begun.engine(CLAUDE), "seen")
    )
    assert begun.read(LOG) == before
