"""What an audit objects to comes back to the agent that claimed, and it goes on with the goal."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from ppgp_tui.audit import whole
from ppgp_tui.session.actions import goal
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from tests.agents.hook.scene import DOCUMENT, Heard, Scene

OPEN = "The counter is on disk"
NOBODY_CAN_CHECK = """\
# Goal

## GOAL
Retry survives a timeout

## DEFINITION_OF_DONE
- [x] Production has run it for a week

## VERIFICATION_EVIDENCE
- DoD 1: the dashboard of production showed it.

## NEXT_EXECUTABLE_ACTION
Tell the person.
"""


def key(scene: Scene, agent: str = "claude") -> str:
    return f"{agent}-{scene.payload(agent, 'Stop')['session_id']}"


def claims(scene: Scene, by: str = "", *, document: str = DOCUMENT) -> None:
    """The agent (or `by`) claims the goal of that document; everything is committed."""
    scene.writes(document)
    scene.wants()
    subprocess.run(
        "git add -A && git -c user.name=a -c user.email=a@b commit -qm first",
        shell=True, cwd=scene.root, check=True,
    )  # fmt: skip
    engine = Engine(scene.root, Actor("agent", by or key(scene)))
    assert goal.claim(engine, "it is done").ok


def audit(scene: Scene) -> str:
    """An audit of checks alone; what it came to."""
    ended = whole.make(scene.person, whole.planned_for(scene.person))
    assert ended.result.ok, ended.result
    assert ended.verdict is not None
    return ended.verdict.word


def rejected(scene: Scene, by: str = "") -> None:
    claims(scene, by)
    assert audit(scene) == "rejected"


def stop(scene: Scene, answer: str = "All done.", agent: str = "claude") -> Heard:
    return scene.hook(agent, scene.payload(agent, "Stop", last_assistant_message=answer))


def prompt(scene: Scene, agent: str = "claude") -> Heard:
    return scene.hook(agent, scene.payload(agent, "UserPromptSubmit"))


def context(heard: Heard) -> str:
    return str(heard.specific.get("additionalContext", ""))


@pytest.mark.parametrize("agent", ["claude", "codex"])
@pytest.mark.parametrize("name", ["PreToolUse-Bash", "PostToolUse-Bash", "UserPromptSubmit"])
def test_the_objections_reach_the_claimant_at_its_next_hook_point_once(
    scene: Scene, agent: str, name: str
) -> None:
    rejected(scene, key(scene, agent))
    said = context(scene.hook(agent, scene.payload(agent, name)))
    assert said.startswith("The completion audit rejected the claim")
    assert OPEN in said
    assert "dispute" in said
    assert ".ppgp/audits/eval_" in said
    assert context(scene.hook(agent, scene.payload(agent, name))) == ""


def test_nobody_pretends_that_a_person_interrupted(scene: Scene) -> None:
    rejected(scene)
    assert "operator" not in context(prompt(scene))
    said: list[Any] = [event["payload"]["what"] for event in scene.events("human.interrupted")]
    assert said == ["prompt"]


def test_another_session_is_not_told(scene: Scene) -> None:
    prompt(scene)
    rejected(scene)
    assert context(prompt(scene, "codex")) == ""
    assert OPEN in context(prompt(scene))


def test_what_a_person_claimed_is_told_to_whoever_comes_next(scene: Scene) -> None:
    claims(scene)
    assert goal.claim(scene.person, "I say it is done").ok
    audit(scene)
    assert OPEN in context(prompt(scene, "codex"))


def test_when_the_claimant_has_ended_whoever_comes_next_is_told(scene: Scene) -> None:
    prompt(scene)
    claims(scene)
    over = scene.payload("claude", "Stop", hook_event_name="SessionEnd", reason="exit")
    scene.hook("claude", over)
    assert scene.told(key(scene))["state"] == "ended"
    audit(scene)
    assert OPEN in context(prompt(scene, "codex"))


def test_a_turn_that_ends_becomes_another_round_with_the_objections(scene: Scene) -> None:
    prompt(scene)
    rejected(scene)
    heard = stop(scene)
    assert heard.said["decision"] == "block"
    assert OPEN in heard.said["reason"]
    again = stop(scene, "I mended it.")
    assert again.said["reason"].startswith("Continue the Goal.")


def test_it_goes_on_though_every_task_is_done(scene: Scene) -> None:
    prompt(scene)
    scene.plans(("counter", "completed"))
    rejected(scene)
    stop(scene)
    again = stop(scene, "I looked at it.")
    assert again.said["reason"].endswith("Next: what the last audit objected to")


def test_a_claim_rests_until_its_verdict_and_a_newer_one_rests_again(scene: Scene) -> None:
    prompt(scene)
    claims(scene)
    assert stop(scene).is_silent
    assert scene.told(key(scene))["rests"] == "the goal is claimed and waits for its audit"
    audit(scene)
    assert OPEN in stop(scene, "Well.").said["reason"]
    (scene.root / "more.py").write_text("MORE = True\n")
    assert goal.claim(Engine(scene.root, Actor("agent", key(scene))), "now it is").ok
    assert stop(scene, "Now it is.").is_silent


def test_what_an_audit_cannot_decide_is_left_to_the_person(scene: Scene) -> None:
    prompt(scene)
    claims(scene, document=NOBODY_CAN_CHECK)
    assert audit(scene) == "inconclusive"
    assert stop(scene).is_silent
    assert scene.told(key(scene))["rests"] == "the audit could not decide: a person has to"


def test_a_newer_verdict_takes_back_objections_that_nobody_heard(scene: Scene) -> None:
    rejected(scene)
    scene.writes(DOCUMENT.replace("- [ ]", "- [x]"))
    assert goal.claim(Engine(scene.root, Actor("agent", key(scene))), "now it is").ok
    assert audit(scene) == "inconclusive"
    assert context(prompt(scene)) == ""


def test_a_stale_verdict_tells_the_agent_nothing(scene: Scene) -> None:
    claims(scene)
    plan = whole.planned_for(scene.person)
    (scene.root / "more.py").write_text("MORE = True\n")
    ended = whole.make(scene.person, plan)
    assert ended.verdict is not None
    assert (ended.verdict.word, ended.verdict.stale) == ("rejected", True)
    assert context(prompt(scene)) == ""


@pytest.mark.parametrize("source", ["startup", "compact"])
def test_the_boot_packet_says_it_while_the_rejection_stands(scene: Scene, source: str) -> None:
    rejected(scene)
    prompt(scene)
    heard = scene.hook("claude", scene.payload("claude", "SessionStart", source=source))
    assert "### LAST CLAIM\nlast audit rejected the claim: Verdict: rejected." in context(heard)
    assert OPEN in context(heard)


def told_at_the_start(scene: Scene) -> str:
    return context(scene.hook("claude", scene.payload("claude", "SessionStart")))


def last_claim(scene: Scene) -> list[str]:
    """What the boot packet says of it, by line."""
    return told_at_the_start(scene).split("### LAST CLAIM\n")[1].split("\n\n")[0].splitlines()


def test_the_boot_packet_says_what_an_audit_could_not_decide_and_why(scene: Scene) -> None:
    claims(scene, document=NOBODY_CAN_CHECK)
    assert audit(scene) == "inconclusive"
    first, second = last_claim(scene)
    assert first.startswith("the last audit could not decide: give evidence and claim again")
    assert second.startswith("- cannot be checked: Production has run it for a week: ")
    (scene.root / "more.py").write_text("MORE = True\n")
    assert last_claim(scene)[1] == second, "what it lacks is told while the agent mends it"


def test_of_many_criteria_the_boot_packet_names_some_and_where_the_others_are(
    scene: Scene,
) -> None:
    many = "\n".join(f"- [x] Production has run part {n} for a week" for n in range(12))
    one = "- [x] Production has run it for a week"
    claims(scene, document=NOBODY_CAN_CHECK.replace(one, many))
    assert audit(scene) == "inconclusive"
    _, *lines = last_claim(scene)
    assert sum(line.startswith("- cannot be checked: ") for line in lines) == 8
    assert lines[-1].startswith("- and 4 more: .ppgp/audits/eval_")


def test_a_report_that_was_changed_since_tells_nothing(scene: Scene) -> None:
    claims(scene, document=NOBODY_CAN_CHECK)
    assert audit(scene) == "inconclusive"
    (report,) = (scene.root / ".ppgp/audits").glob("*/report.json")
    report.write_text(report.read_text().replace("Production", "Nobody"))
    assert "Nobody has run" not in told_at_the_start(scene)
    assert last_claim(scene)[1].endswith("what the log says is all that counts")


def test_an_older_rejection_stands_behind_what_the_last_audit_came_to(scene: Scene) -> None:
    rejected(scene)
    scene.writes(DOCUMENT.replace("- [ ]", "- [x]"))
    assert goal.claim(Engine(scene.root, Actor("agent", key(scene))), "now it is").ok
    waits = last_claim(scene)
    assert waits[0] == "claimed, no verdict yet: now it is"
    assert waits[1].startswith("last audit rejected the claim")
    assert audit(scene) == "inconclusive"
    lines = last_claim(scene)
    assert lines[0].startswith("the last audit could not decide")
    assert lines[1].startswith("- cannot be checked: ")
    (older,) = [line for line in lines if "rejected" in line]
    assert (
        older
        == "an earlier audit rejected an earlier claim: Verdict: rejected. "
        + (waits[1].partition("Verdict: rejected. ")[2])
    )


def test_a_verified_goal_settles_when_the_run_that_claimed_ends_its_turn(scene: Scene) -> None:
    prompt(scene)
    approved(scene)
    assert stop(scene, "The goal is done.").is_silent
    assert scene.ledger()["goal"] is None
    assert scene.events("goal.status_changed")[-1]["payload"]["status"] == "Satisfied"


def test_a_verified_goal_whose_code_moved_is_not_settled(scene: Scene) -> None:
    prompt(scene)
    approved(scene)
    (scene.root / "more.py").write_text("MORE = True\n")
    stop(scene, "The goal is done.")
    assert scene.ledger()["goal"] is not None


def approved(scene: Scene) -> None:
    """The person takes what no check can show, and the goal is verified."""
    claims(scene, document=NOBODY_CAN_CHECK)
    plan = whole.planned_for(scene.person)
    ended = whole.make(scene.person, plan, taken={"dod:1": "I saw it"})
    assert ended.verdict is not None
    assert ended.verdict.word == "approved_with_notes"
