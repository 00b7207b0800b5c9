"""The demo's world: one repository in which the story happens, beat by beat."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ppgp_tui.cli.demo import document, plan, records
from ppgp_tui.cli.demo.heartbeat import Heartbeat
from ppgp_tui.cli.demo.journal import SYSTEM, Ids, Journal, Json
from ppgp_tui.cli.demo.records import Record
from ppgp_tui.cli.demo.repository import Repository
from ppgp_tui.cli.demo.story import Beat, Story
from ppgp_tui.session.process import start_of

GOAL = "docs/ACTIVE_GOAL.md"
_RUN = ".ppgp/run"
_CONTROL: Json = {
    "by": "user:demo",
    "continue": {"limit": 25, "on": False, "text": "Continue the Goal."},
    "generation": 1,
    "hold": None,
    "hold_limit_s": 28800,
    "next": "",
    "schema": 1,
    "slow": False,
    "stop": [],
}


@dataclass(frozen=True, slots=True)
class _Run:
    """An agent's open run: its id, the event that began it, its session and heartbeat."""

    id: str
    started: str
    session: str
    heartbeat: Heartbeat


class World:
    """Plays beats into files."""

    def __init__(
        self, root: Path, story: Story, *, seed: int, opened_ms: int, speed: float, pid: int
    ) -> None:
        """Make the repository and write the goal down.

        Args:
            root: An absent or empty folder.
            story: What will be played.
            seed: Decides the ids.
            opened_ms: The story's second 0.
            speed: How many times faster than told the live part goes.
            pid: The process that stands for the agents.
        """
        self._story, self._opened_ms, self._speed, self._pid = story, opened_ms, speed, pid
        self._repository = Repository(root)
        self._ids = Ids(seed)
        self._journal = Journal(root / "state/events.jsonl", self._ids)
        self._plan = plan.Plan()
        self._runs: dict[str, _Run] = {}
        self._named: dict[str, tuple[str, str]] = {}
        self._branched = False
        self._found(story.beats[0])

    def ms(self, at: float) -> int:
        """When the story's second `at` is."""
        return self._opened_ms + round(at * 1000 / (self._speed if at > 0 else 1))

    def play(self, beat: Beat) -> None:
        """Do everything the beat tells, in the order the script's head gives."""
        for name, act in self._acts().items():
            if name in beat.acts:
                act(beat, beat.acts[name])
        self._journal.flush()
        if "commit" in beat.acts:
            self._commit(beat, beat.acts["commit"])

    def _acts(self) -> dict[str, Callable[[Beat, Any], None]]:
        return {
            "start": self._start, "files": self._files, "begin": self._begin, "end": self._end,
            "plan": self._revise, "goal": self._edit, "raise": self._raise, "clear": self._clear,
            "ask": self._ask, "answer": self._answer, "check": self._check,
            "checkpoint": self._checkpoint, "rest": self._rest, "finish": self._finish,
        }  # fmt: skip

    # the ground

    def _found(self, first: Beat) -> None:
        now, write = self.ms(first.at), self._repository.write
        self._repository.begin()
        write(".ppgp/.gitignore", "run/\ngoal.json\n", now)
        write(f"{_RUN}/.gitignore", "*\n", now)
        control = json.dumps(_CONTROL, sort_keys=True, separators=(",", ":"))
        write(f"{_RUN}/control.json", control + "\n", now)
        write("state/events.jsonl", "", now)
        (self._repository.root / _RUN / "agents").mkdir()
        date = datetime.fromtimestamp(now / 1000, UTC).date().isoformat()
        self._save(self._story.document.replace("{date}", date), now)
        self._goal, owner = self._ids.new("goal"), self._story.person
        summary = document.section(self._document, "GOAL")
        kind, payload, pair = records.goal_created(
            self._goal, self._story.title, summary, owner, now
        )
        self._born = self._journal.event(
            now, ("user", owner), kind, payload, cause=None, about=self._goal, pair=pair
        )
        self._phase(first, None, observed=True)
        self._journal.flush()

    def _save(self, text: str, ts_ms: int) -> None:
        self._document = text
        self._repository.write(GOAL, text, ts_ms)

    def _record(
        self,
        beat: Beat,
        record: Record,
        *,
        actor: tuple[str, str] | None = None,
        cause: str | None = None,
    ) -> str:
        """Record what the beat's person or agent did; its own run is the cause if none is named."""
        run = self._runs.get(beat.who)
        return self._journal.event(
            self.ms(beat.at),
            actor or self._actor(beat.who),
            record.kind,
            record.payload,
            cause=cause or (run.started if run else self._born),
            about=run.id if run else self._goal,
            pair=record.pair,
        )

    def _actor(self, who: str) -> tuple[str, str]:
        return ("agent", self._runs[who].session) if who in self._runs else ("user", who)

    # runs and calls

    def _start(self, beat: Beat, task: str) -> None:
        who, now, run = beat.who, self.ms(beat.at), self._ids.new("run")
        number = self._ids.new("sess")[5:13]
        session = f"{who}-{number}"
        kind, payload, pair = records.run_started(run, self._goal, task, who, number)
        started = self._journal.event(
            now, ("agent", session), kind, payload, cause=self._born, about=run, pair=pair
        )
        facts: Json = {"root": str(self._repository.root), **self._story.agents[who]}
        facts |= {"pid": self._pid, "pid_start": start_of(self._pid)}
        heartbeat = Heartbeat(self._repository.root / _RUN / "agents", who, session, facts)
        heartbeat.state(now, "working", "SessionStart", run)
        self._runs[who] = _Run(run, started, session, heartbeat)

    def _begin(self, beat: Beat, call: str) -> None:
        self._runs[beat.who].heartbeat.begin(self.ms(beat.at), call.split(" ", 1)[0])

    def _end(self, beat: Beat, call: str) -> None:
        run = self._runs[beat.who]
        tool, _, summary = call.partition(" ")
        run.heartbeat.end(self.ms(beat.at), tool)
        record = records.tool_called(self._ids.new("call"), run.id, tool, summary)
        self._record(beat, record, actor=("tool", tool))

    def _rest(self, beat: Beat, _: bool) -> None:
        run = self._runs[beat.who]
        run.heartbeat.state(self.ms(beat.at), "idle", "Stop", run.id)

    def _finish(self, beat: Beat, outcome: str) -> None:
        run = self._runs[beat.who]
        self._record(beat, records.run_finished(run.id, outcome))
        run.heartbeat.state(self.ms(beat.at), "ended", "SessionEnd", run.id)

    # plan, document, blockers

    def _revise(self, beat: Beat, change: Json) -> None:
        run, now = self._runs[beat.who], self.ms(beat.at)
        before, self._plan = self._plan, self._plan.changed(change)
        moment = plan.Moment(now, self._actor(beat.who), run.started, run.id, self._goal)
        plan.record(self._journal, moment, before, self._plan, change["why"])
        self._repository.write(".ppgp/todo.json", self._plan.text(), now)

    def _edit(self, beat: Beat, edit: Json) -> None:
        before = text = self._document
        for number, mark in edit.get("criteria", {}).items():
            text = document.mark_criterion(text, int(number), mark)
        for name, body in edit.get("set", {}).items():
            text = document.set_section(text, name, body)
        for name, bullet in edit.get("add", {}).items():
            text = document.add_bullet(text, name, bullet)
        for name, words in edit.get("drop", {}).items():
            text = document.drop_bullet(text, name, words)
        if "phase" in edit:
            text = document.set_section(text, "PHASE", edit["phase"])
        self._save(text, self.ms(beat.at))
        if "phase" in edit:
            self._phase(beat, document.section(before, "PHASE"), observed=False)

    def _phase(self, beat: Beat, before: str | None, *, observed: bool) -> None:
        phases = before, document.section(self._document, "PHASE")
        record = records.phase_changed(self._goal, GOAL, self._document, phases, observed=observed)
        self._record(beat, record, actor=SYSTEM if observed else None)

    def _raise(self, beat: Beat, blocker: Json) -> None:
        node = self._ids.new("blk")
        event = self._record(beat, records.blocker_raised(node, blocker))
        self._named[blocker["name"]] = (node, event)

    def _clear(self, beat: Beat, cleared: Json) -> None:
        node, raised = self._named[cleared["name"]]
        self._record(beat, records.blocker_cleared(node, cleared["reason"]), cause=raised)

    # questions, checks, checkpoints

    def _ask(self, beat: Beat, ask: Json) -> None:
        node, session = self._ids.new("req"), self._runs[beat.who].session
        record = records.requested(node, ask, session, self._goal[5:], self.ms(beat.at))
        self._named[ask["name"]] = (node, self._record(beat, record))
        self._asker = beat.who

    def _answer(self, beat: Beat, name: str) -> None:
        """The person says yes; the agent that asked is told and goes on."""
        node, asked = self._named[name]
        decision = self._ids.new("dec")
        decided = self._record(beat, records.approved(decision, node, beat.who), cause=asked)
        step = {"id": node, "attempt": 1, "decision": decision}
        session, later = self._runs[self._asker].session, Beat(beat.at + 1, self._asker)
        delivered = Record("authority.delivered", {**step, "to": session})
        told = self._record(later, delivered, cause=decided)
        self._record(later, Record("authority.consumed", {**step, "by": session}), cause=told)

    def _check(self, beat: Beat, check: Json) -> None:
        record = records.check_finished(self._ids.new("eval"), self._goal, check)
        self._record(beat, record, actor=("tool", "Bash"))

    def _checkpoint(self, beat: Beat, summary: str) -> None:
        self._record(beat, records.checkpointed(GOAL, self._document, summary))

    def _files(self, beat: Beat, texts: dict[str, str]) -> None:
        for path, text in texts.items():
            self._repository.write(path, text, self.ms(beat.at))

    def _commit(self, beat: Beat, message: str) -> None:
        self._repository.commit(message, beat.who, self.ms(beat.at))
        if not self._branched:
            self._repository.branch("feat/resume")
            self._branched = True
