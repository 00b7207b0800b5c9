"""A loop that is bound to the goal, from the command to the verdict, with a scripted agent."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.audit import whole
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from tests.audit.truth.stage import CODE, COUNTER, DOCUMENT, HARDENED
from tests.cli.acting import Place
from tests.cli.running import PROGRAM, Said
from tests.session.gits import Repository

Json = dict[str, Any]

AGENT = """\
#!/bin/sh
printf %s "$1" > "$DESK/prompt-$PPGP_ITERATION"
if [ "$PPGP_ITERATION" = 2 ]; then
    cp "$DESK/counter.py" src/counter.py
    git -c user.name=a -c user.email=a@example.invalid commit -qam "Keep the count" || exit 9
fi
exec "$PROGRAM" goal claim "everything holds, said in run $PPGP_ITERATION"
"""
"""Claims in each run that everything is done; it becomes true in the second."""


class Night:
    """A repository with a goal, and an agent that works on it in a loop."""

    def __init__(self, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
        self.place, self.root = place, place.root
        self.desk = place.root.parent / "desk"
        self.home = place.root.parent / "persist"
        self.desk.mkdir()
        for name, value in {
            "DESK": str(self.desk), "PROGRAM": str(PROGRAM), "BROOMVA_PERSIST_HOME": str(self.home),
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
        }.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        (self.desk / "agent").write_text(AGENT)
        (self.desk / "agent").chmod(0o755)
        (self.desk / "counter.py").write_text(COUNTER)
        (self.desk / "PROMPT.md").write_text("Don't stop before $(everything) holds.\n")
        self.git = Repository(self.root)
        assert place.act("init", "--gasp").code == 0
        broken = {**CODE, "src/counter.py": COUNTER.replace("str(count)", "'0'")}
        for path, text in {**broken, DOCUMENT: HARDENED}.items():
            assert text is not None
            self.git.write(path, text)
        self.git.commit()

    def wants(self) -> str:
        """A goal in the log; its id."""
        self.place.json("goal", "propose", "Calls survive a timeout", agent=True)
        return str(self.place.json("goal", "confirm")["data"]["goal"])

    def trusts(self) -> None:
        """The person has let the commands of the document run here."""
        engine = Engine(self.root, Actor("user", "dev"))
        whole.trust(engine, whole.untrusted(engine, whole.planned_for(engine)))

    def iterates(self, *words: str) -> Said:
        """The loop, as its person starts it."""
        prompt, agent = str(self.desk / "PROMPT.md"), str(self.desk / "agent")
        return self.place.start(
            "persist", "iterate", prompt, "--agent-cmd", agent, "--goal", *words
        ).end()  # fmt: skip

    def rows(self) -> list[Json]:
        """The rows of the loops' log."""
        return [json.loads(line) for line in (self.home / "state.jsonl").read_text().splitlines()]


@pytest.fixture
def night(place: Place, monkeypatch: pytest.MonkeyPatch) -> Night:
    return Night(place, monkeypatch)


def test_the_first_claim_is_rejected_and_the_second_ends_the_loop(night: Night) -> None:
    goal = night.wants()
    night.trusts()
    said = night.iterates("--success-condition", "goal-verified", "--max-iterations", "5")
    assert said.code == 0, said
    first, *_, last = night.rows()
    loop = first["loop_id"]
    assert f"persist: loop {loop} SUCCESS at iteration 2\n" in said.out

    # The loop's own log.
    assert first["extra"]["goal"] == goal
    assert first["extra"]["root"] == str(night.root)
    assert [row["to_state"] for row in night.rows()] == [
        "SPAWNED", "ITERATING", "ITERATING", "SUCCESS",
    ]  # fmt: skip
    changed = [row["extra"]["git"] for row in night.rows()[2:]]
    assert [(one["commits"], one["files"]) for one in changed] == [(0, 0), (1, 1)]
    rejected, approved = night.place.events("eval.finished")
    # Without bubblewrap the same commands ran less apart, and the verdict says so.
    word = str(approved["payload"]["metadata"]["verdict"]).replace("_", " ")
    assert word in ("approved", "approved with notes")
    assert last["extra"]["why"] == f"verdict {approved['payload']['id']} {word}"

    # The repository's log says the same.
    runs = night.place.events("run.started")
    assert [run["payload"]["metadata"]["iteration"] for run in runs] == [1, 2]
    assert {run["payload"]["metadata"]["loop"] for run in runs} == {loop}
    ends = night.place.events("run.finished")
    assert [end["payload"]["outcome"] for end in ends] == ["completed", "completed"]
    claims = night.place.events("goal.claimed")
    assert [claim["causation_id"] for claim in claims] == [run["id"] for run in runs]
    assert {claim["actor"]["id"] for claim in claims} == {f"persist-{loop}"}
    assert rejected["payload"]["metadata"]["verdict"] == "rejected"
    assert [one["payload"]["metadata"]["claim"] for one in (rejected, approved)] == [
        claim["payload"]["id"] for claim in claims
    ]
    assert night.place.events("goal.status_changed")[-1]["payload"]["status"] == "Satisfied"
    checked = night.place.act("gasp", "check", night.root)
    assert checked.code == 0, checked

    # What the agent was told.
    assert "a person starts" not in said.out
    assert said.out.count("The restart loop that you run in makes that audit") == 2
    prompts = [(night.desk / f"prompt-{number}").read_text() for number in (1, 2)]
    assert all(prompt.startswith("# BOOT PACKET") for prompt in prompts)
    assert all(prompt.endswith("Don't stop before $(everything) holds.\n") for prompt in prompts)
    objection = "The counter survives a restart: exit 1"
    assert [objection in prompt for prompt in prompts] == [False, True]


def test_without_a_goal_nothing_begins_and_nothing_is_written(night: Night) -> None:
    (night.root / DOCUMENT).unlink()
    before = night.place.snapshot()
    said = night.iterates()
    assert said.code == 1
    assert said.out == ""
    assert said.err.startswith("persist: --goal: there is no goal here")
    assert not (night.home / "state.jsonl").exists()
    assert night.place.snapshot() == before


def test_goal_verified_is_a_condition_of_loops_that_are_bound_alone(night: Night) -> None:
    said = night.place.start(
        "persist", "iterate", str(night.desk / "PROMPT.md"), "--success-condition", "goal-verified"
    ).end()
    assert said.code == 2
    assert "goal-verified needs --goal" in said.err
    assert not (night.home / "state.jsonl").exists()


def test_a_goal_that_is_verified_already_needs_no_loop(night: Night) -> None:
    night.wants()
    night.git.write("src/counter.py", COUNTER)
    night.git.commit()
    night.trusts()
    night.place.json("goal", "claim", "done", agent=True)
    assert night.place.act("audit", "--json").code == 0
    said = night.iterates("--success-condition", "goal-verified")
    assert said.code == 1
    assert "the success condition holds already (verdict eval_" in said.err
    assert not (night.home / "state.jsonl").exists()
