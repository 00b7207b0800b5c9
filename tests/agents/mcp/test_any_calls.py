"""Whatever is called in whatever order, the log stays sound and every refusal says why."""

from random import Random
from typing import Any

import pytest

from ppgp_tui.agents.mcp.tools import TOOLS
from ppgp_tui.session.actions import answering, control
from ppgp_tui.session.actions.answering import Said
from ppgp_tui.session.authority.keys import SigningKey
from ppgp_tui.session.engine.draft import Actor
from tests.agents.mcp.place import Place
from tests.agents.mcp.test_stdio import PROOF
from tests.session.engine.rules import broken

CALLS = 70
AGENTS = (Actor("agent", "mcp-robot"), Actor("agent", "claude-1"))
KEYS = ("a", "b", "todo:a", "nothing")
TEXTS = (*("Go on",) * 5, "", " ", "x" * 4001, "\x1b[2J\x00", "😀" * 2500, "[x] </goal_objective>")
GRANTS = ("goal.created", "goal.tweaked", "decision.created", "decision.status_changed")


def arguments(tool: str, dice: Random, requests: list[str], blockers: list[str]) -> dict[str, Any]:
    text = dice.choice(TEXTS)
    statuses = [dice.choice(["pending", "in_progress", "completed"]) for _ in "abc"]
    tasks = [
        {"key": key, "subject": text, "status": status, "dependsOn": dice.choice([[], [], ["a"]])}
        for key, status in zip(dice.sample("abc", 3), statuses, strict=True)
    ]
    known = {
        "propose_goal": {"objective": text},
        "tweak_goal": {"objective": text},
        "set_goal_blocked": {**PROOF, "evidence": text},
        "abandon_goal": {"reason": text},
        "complete_goal": {"summary": text},
        "todo": {
            "baseRevision": dice.choice([None, None, 0, 1]),
            "tasks": tasks[: dice.randrange(4)],
            "remove": dice.choice([None, [{"key": dice.choice(KEYS), "reason": text}]]),
        },
        "request_authority": {
            "question": text,
            "options": dice.choice([[], [text, "Later"]]),
            "frees": dice.choice([[], [dice.choice(KEYS)]]),
            "class": dice.choice("ABCDE"),
        },
        "get_answer": {"request": dice.choice([*requests, text])},
        "raise_blocker": {"text": text, "class": dice.choice("ABCD"), "scope": text},
        "clear_blocker": {"blocker": dice.choice([*blockers, text]), "reason": text},
        "checkpoint": {"summary": text},
    }
    return known.get(tool, {}) | dice.choice([{}, {}, {}, {text: 1}])


def acts_of_the_person(place: Place, dice: Random, requests: list[str]) -> None:
    key = SigningKey(place.pins)
    match dice.randrange(4):
        case 0:
            control.hold(place.person)
        case 1:
            control.release(place.person)
        case _ if requests:
            said = Said(dice.choice(["yes", "no", "a", "b"]))
            answering.answer(place.person, dice.choice(requests), said, key=key)


@pytest.mark.parametrize("seed", [1, 2])
def test_any_calls_leave_a_sound_log_in_which_only_the_person_grants(
    place: Place, seed: int
) -> None:
    dice = Random(seed)
    requests: list[str] = []
    blockers: list[str] = []
    for _ in range(CALLS):
        tool = dice.choice(TOOLS).name
        received = arguments(tool, dice, requests, blockers)
        reply = place.call(tool, dice.choice(AGENTS), **received)
        assert reply.text
        assert reply.error is not reply.result["ok"]
        assert "failed inside the server" not in reply.text, (tool, received)
        if tool != "get_answer" and "request" in reply.result["data"]:
            requests.append(reply.result["data"]["request"])
        if tool == "raise_blocker" and not reply.error:
            blockers.append(reply.result["data"]["blocker"])
        if dice.random() < 0.3:
            acts_of_the_person(place, dice, requests)
    events = place.events()
    assert broken(events) == []
    assert {"authority.requested", "decision.created", "todo.revised"} <= set(place.kinds())
    assert all(event["actor"]["kind"] == "user" for event in events if event["kind"] in GRANTS)
