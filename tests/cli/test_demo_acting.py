"""A person changes what the demo's agents do: by the hold, by answers, by decisions."""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.audit import whole
from ppgp_tui.cli.demo import performer as performing
from ppgp_tui.cli.demo.hands import Hands
from ppgp_tui.cli.demo.history import History
from ppgp_tui.cli.demo.performer import Performer
from ppgp_tui.cli.demo.questions import Questions
from ppgp_tui.cli.demo.story import Beat, load_story
from ppgp_tui.cli.demo.world import World
from ppgp_tui.session.actions import answering, closing, control
from ppgp_tui.session.actions.answering import Said
from ppgp_tui.session.authority.keys import SigningKey
from ppgp_tui.session.authority.pins import Pins
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.files.places import data_folder
from ppgp_tui.session.picture.inbox import pending_bullets
from tests.cli import legal
from tests.waiting import PATIENCE_S

SPEED = 100.0


class Stage:
    """The demo's repository after its history, its person, and its agents on demand."""

    def __init__(self, root: Path) -> None:
        now = time.time_ns() // 1_000_000
        self.world = World(root, load_story(1), seed=1, opened_ms=now)
        History(self.world).tell()
        self.person = Engine(root, Actor("user", "dana"))
        self._parts: list[asyncio.Task[None]] = []
        self._questions: list[Questions] = []

    def play(self, *beats: dict[str, Any], who: str = "claude", speed: float = SPEED) -> None:
        """Let an agent play these beats from now on."""
        key = self.world.sessions[who].key
        engine = Engine(self.world.root, Actor("agent", key))
        questions = Questions(self.world, key)
        agent = Performer(
            self.world, who, Hands(self.world, who, engine), questions, speed, random.Random(1)
        )
        self.world.opened_ms = time.time_ns() // 1_000_000
        told = [Beat(beat.get("at", 0), who, beat) for beat in beats]
        self._questions.append(questions)
        self._parts.append(asyncio.create_task(agent.perform(told)))

    async def until(self, holds: Callable[[], Any]) -> None:
        """Let the agents go on until it holds."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            for part in self._parts:
                if part.done():
                    part.result()
            assert time.monotonic() < end, self.plan()
            await asyncio.sleep(0.02)

    async def end(self) -> None:
        for part in self._parts:
            part.cancel()
        await asyncio.gather(*self._parts, return_exceptions=True)
        for questions in self._questions:
            await questions.end()

    # what there is to see

    def file(self, path: str) -> Path:
        return self.world.root / path

    def document(self) -> str:
        return self.file("docs/ACTIVE_GOAL.md").read_text()

    def plan(self) -> dict[str, str]:
        """Status of every task by its key."""
        tasks = json.loads(self.file(".ppgp/todo.json").read_text())["tasks"]
        return {task["key"]: task["status"] for task in tasks}

    def events(self, kind: str) -> list[dict[str, Any]]:
        log = legal.events(self.file("state/events.jsonl").read_bytes())
        return [event for event in log if event["kind"] == kind]

    def calls(self, who: str = "claude") -> list[list[str]]:
        key = self.world.sessions[who].key
        text = self.file(f".ppgp/run/agents/{key}.calls").read_text()
        return [line.split(" ") for line in text.splitlines()]

    def held(self) -> list[Path]:
        folder = self.file(".ppgp/run/held")
        return sorted(folder.glob("*.json")) if folder.exists() else []

    def state(self, who: str = "claude") -> str:
        key = self.world.sessions[who].key
        said = json.loads(self.file(f".ppgp/run/agents/{key}.json").read_text())
        return str(said["state"])

    # what the person does

    def holds(self) -> str:
        result = control.hold(self.person)
        assert result.code == "done"
        return str(result.data["hold"]["id"])

    def releases(self) -> None:
        assert control.release(self.person).code == "done"

    def answers(self, request: str, option: str | None = None, text: str | None = None) -> None:
        key = SigningKey(Pins(data_folder(), self.world.root))
        result = answering.answer(self.person, request, Said(option, text), key=key)
        assert result.ok, result

    def bullet(self, words: str) -> str:
        """Id of the pending entry of the document that contains `words`."""
        pending = pending_bullets(self.person.read_document().reading)
        return next(bullet.id for bullet in pending if words in bullet.item.text)

    def asked(self) -> str:
        """Id of the newest question."""
        asked = [event["payload"]["request"] for event in self.events("authority.requested")]
        return next(str(one["id"]) for one in reversed(asked) if one["kind"] == "question")


@pytest.fixture
async def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    made = Stage(tmp_path / "importer")
    try:
        yield made
    finally:
        await made.end()


def beats_of(who: str) -> Sequence[dict[str, Any]]:
    return [{"at": b.at, **b.acts} for b in load_story(1).live() if b.who == who]


def the_question() -> dict[str, Any]:
    return next(beat for beat in beats_of("claude") if "ask" in beat)


CHECKPOINT = {"checkpoint": "went on"}


# the hold


async def test_a_held_agent_waits_before_its_next_call_and_goes_on_when_released(
    stage: Stage,
) -> None:
    hold = stage.holds()
    before = len(stage.events("tool.called"))
    stage.play({"tool": "Bash make", "takes": 0}, CHECKPOINT)
    await stage.until(stage.held)
    (waiting,) = stage.held()
    session = stage.world.sessions["claude"].key
    said = json.loads(waiting.read_text())
    call = said["tool_use_id"]
    assert waiting.name == f"{hold}.{session}.{os.getpid()}.json"
    assert {**said, "since_ms": 0, "pid_start": 0} == {
        "schema": 1, "hold": hold, "session": session, "tool": "Bash", "tool_use_id": call,
        "pid": os.getpid(), "pid_start": 0, "since_ms": 0,
    }  # fmt: skip
    assert stage.calls()[-1][1:] == ["pre", "1", "held", call, "-", "Bash"]
    await asyncio.sleep(0.3)
    assert len(stage.events("tool.called")) == before

    stage.releases()
    await stage.until(
        lambda: stage.events("goal.checkpointed")[-1]["payload"]["summary"] == "went on"
    )
    assert stage.held() == []
    assert ["pre", "2", "go", call, "-", "Bash"] in [line[1:] for line in stage.calls()]
    assert len(stage.events("tool.called")) == before + 1


async def test_a_hold_of_somebody_else_concerns_nobody_here(stage: Stage) -> None:
    stage.holds()
    path = stage.file(".ppgp/run/control.json")
    order = json.loads(path.read_text())
    order["hold"]["who"] = [stage.world.sessions["codex"].key]
    path.write_text(json.dumps(order))
    stage.play({"tool": "Bash make", "takes": 0})
    await stage.until(lambda: stage.state() == "idle")
    assert stage.held() == []


async def test_a_lost_order_is_waited_for_and_then_is_no_order(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(performing, "LOST_S", 0.5)
    stage.holds()
    stage.play({"tool": "Bash make", "takes": 0})
    await stage.until(stage.held)
    order = stage.file(".ppgp/run/control.json")
    kept = order.read_bytes()
    order.unlink()
    await asyncio.sleep(0.2)
    order.write_bytes(kept)
    await asyncio.sleep(0.6)
    assert len(stage.held()) == 1
    order.unlink()
    await stage.until(lambda: not stage.held())


async def test_a_second_hold_in_place_of_the_first_is_waited_for_too(stage: Stage) -> None:
    first = stage.holds()
    stage.play({"tool": "Bash make", "takes": 0})
    await stage.until(stage.held)
    order = stage.file(".ppgp/run/control.json")
    second = "hold_" + "2" * 32
    order.write_text(order.read_text().replace(first, second))
    await stage.until(lambda: [path.name.split(".")[0] for path in stage.held()] == [second])


# questions


async def test_an_answered_question_decides_what_is_done_next(stage: Stage) -> None:
    stage.play({**the_question(), "at": 0}, speed=1)
    await stage.until(lambda: len(stage.events("authority.requested")) == 2)
    await stage.until(lambda: stage.file(f".ppgp/run/requests/{stage.asked()}.json").exists())
    stage.answers(stage.asked(), "b")
    await stage.until(lambda: stage.plan().get("T14") == "in_progress")
    assert "the import stops and pages an operator, says the owner" in stage.document()
    assert stage.events("authority.delivered")[-1]["payload"]["id"] == stage.asked()
    assert stage.events("authority.consumed")[-1]["payload"]["id"] == stage.asked()


@pytest.mark.parametrize(
    ("option", "text", "decided"),
    [
        ("a", None, "A torn checkpoint is skipped and its batch is redone, says the owner."),
        (None, "ask me\nfirst", "Torn checkpoints, in the owner's words: ask me first"),
    ],
)
async def test_without_an_answer_it_does_other_work_and_takes_the_answer_later(
    stage: Stage, option: str | None, text: str | None, decided: str
) -> None:
    asking = {**the_question(), "at": 0}
    stage.play({**asking, "ask": {**asking["ask"], "waits": 1}}, CHECKPOINT)
    await stage.until(lambda: stage.state() == "idle")
    assert stage.events("goal.checkpointed")[-1]["payload"]["summary"] == "went on"
    assert stage.plan()["T13"] == "pending"
    stage.answers(stage.asked(), option, text)
    await stage.until(lambda: stage.plan()["T13"] == "completed")
    assert f"- {decided}\n" in stage.document()


# decisions in the document


async def test_a_yes_in_the_document_lets_the_task_be_done(stage: Stage) -> None:
    stage.play()
    stage.answers(stage.bullet("old cursor column"), "yes")
    await stage.until(lambda: stage.plan()["T8"] == "completed")
    assert "- [x] The old cursor column is gone\n" in stage.document()
    assert stage.file("migrations/0007_drop_cursor.up.sql").exists()
    assert stage.events("blocker.cleared")[-1]["payload"]["reason"] == "the owner said yes"


async def test_a_no_takes_the_task_out_of_the_plan_with_its_reason(stage: Stage) -> None:
    stage.play({"after": ["T8"]}, CHECKPOINT)
    stage.answers(stage.bullet("old cursor column"), "no")
    await stage.until(
        lambda: stage.events("goal.checkpointed")[-1]["payload"]["summary"] == "went on"
    )
    assert "T8" not in stage.plan()
    removed = stage.events("todo.revised")[-1]["payload"]["removed"]
    assert removed == [{"key": "T8", "reason": "the owner keeps the old cursor column"}]
    assert "- [ ] The old cursor column is gone\n" in stage.document()


async def test_words_that_it_cannot_understand_are_asked_about_again(stage: Stage) -> None:
    stage.play()
    stage.answers(stage.bullet("old cursor column"), text="when the moon is full")
    await stage.until(lambda: "yes or no? Scope: T8. claude cannot tell" in stage.document())
    stage.answers(stage.bullet("when the moon is full"), "yes")
    await stage.until(lambda: stage.plan()["T8"] == "completed")


async def test_a_soak_script_is_written_only_when_it_is_allowed(stage: Stage) -> None:
    stage.play(*beats_of("codex")[2:3], who="codex")
    await stage.until(lambda: "soak script of our own for" in stage.document())
    stage.answers(stage.bullet("soak script"), "yes")
    await stage.until(lambda: stage.file("scripts/soak.py").exists())


# the end


async def test_the_goal_is_claimed_only_when_every_criterion_is_met(stage: Stage) -> None:
    stage.play(*beats_of("claude"))
    stage.play(*beats_of("codex"), who="codex")
    await stage.until(lambda: stage.plan()["T11"] == "completed")
    await stage.until(lambda: stage.state() == "idle")
    assert stage.events("goal.claimed") == []
    stage.answers(stage.bullet("old cursor column"), "yes")
    await stage.until(lambda: stage.plan()["T8"] == "completed")
    stage.answers(stage.asked(), "b")
    await stage.until(lambda: stage.events("goal.claimed"))
    await stage.until(lambda: stage.state() == "idle")
    assert set(stage.plan().values()) == {"completed"}
    assert "- [ ]" not in stage.document()
    assert "\n## REMAINING\n\nNone.\n" in stage.document()
    assert legal.faults(stage.file("state/events.jsonl").read_bytes()) == []
    _is_verified_by_real_checks_and_what_the_person_takes(stage.person)


def _is_verified_by_real_checks_and_what_the_person_takes(person: Engine) -> None:
    plan = whole.planned_for(person)
    assert plan.alarms == ()
    whole.trust(person, whole.untrusted(person, plan))
    first = whole.make(person, plan).verdict
    assert first is not None
    judged = {one.criterion.id: one.outcome for one in first.judged}
    left = [one for one, outcome in judged.items() if outcome != "pass"]
    assert left == ["invariant:1", "frozen:1", "frozen:2"], first
    assert (first.word, first.stale) == ("inconclusive", False)
    taken = whole.make(person, plan, taken=dict.fromkeys(left, "I have read the code")).verdict
    assert taken is not None
    assert taken.word == "approved_with_notes"
    assert closing.close(person, keep_document=True).ok


async def test_what_a_person_made_impossible_is_said_and_the_story_goes_on(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    todo = stage.file(".ppgp/todo.json")
    todo.write_text(todo.read_text().replace("Kill the import", "Do not kill the import"))
    goal = stage.file("docs/ACTIVE_GOAL.md")
    goal.write_text(goal.read_text().replace("## COMPLETED", "## WHAT IS DONE"))
    stage.play({"plan": {"status": {"T10": "in_progress"}}}, {"goal": {"add": {"COMPLETED": "-"}}},
               {"clear": {"name": "no such", "reason": "x"}}, CHECKPOINT)  # fmt: skip
    await stage.until(lambda: stage.state() == "idle")
    assert stage.events("goal.checkpointed")[-1]["payload"]["summary"] == "went on"
    said = capsys.readouterr().err
    assert "todo.set: .ppgp/todo.json was edited by hand" in said
    assert "docs/ACTIVE_GOAL.md: there is no section COMPLETED" in said
