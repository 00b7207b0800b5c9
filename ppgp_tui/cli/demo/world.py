"""The demo's world: one repository in which the story happens, beat by beat."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ppgp_tui.cli.demo import document, plan
from ppgp_tui.cli.demo.heartbeat import Heartbeat
from ppgp_tui.cli.demo.journal import SYSTEM, Ids, Journal, Json, create, relate, update
from ppgp_tui.cli.demo.repository import Repository
from ppgp_tui.cli.demo.story import Beat, Story
from ppgp_tui.session.process import start_of

GOAL = "docs/ACTIVE_GOAL.md"
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


@dataclass(slots=True)
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
        self._commits = 0
        self._document = ""
        self._found()

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

    def _found(self) -> None:
        first = self._story.beats[0]
        now = self.ms(first.at)
        self._repository.begin()
        write = self._repository.write
        write(".ppgp/.gitignore", "run/\ngoal.json\n", now)
        write(".ppgp/run/.gitignore", "*\n", now)
        control = json.dumps(_CONTROL, sort_keys=True, separators=(",", ":"))
        write(".ppgp/run/control.json", control + "\n", now)
        write("state/events.jsonl", "", now)
        (self._repository.root / ".ppgp/run/agents").mkdir()
        self._save_document(self._story.document.replace("{date}", _date(now)), now)
        self._person = ("user", self._story.person)
        self._goal = self._ids.new("goal")
        known = {
            "title": self._story.title,
            "summary": document.section(self._document, "GOAL"),
            "status": "InProgress",
            "owner": {"kind": "user", "id": self._story.person},
            "metadata": {"ppgp": {"revision": 1}},
        }
        stamp = datetime.fromtimestamp(now / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        pi = {
            "autoContinue": True, "createdAt": stamp, "id": self._goal, "status": "active",
            "updatedAt": stamp, "usage": {"activeSeconds": 0, "tokensUsed": 0},
        }  # fmt: skip
        self._born = self._journal.event(
            now, self._person, "goal.created", {"id": self._goal, "pi": pi, **known},
            cause=None, about=self._goal, pair=[create(self._goal, "goal", known)],
        )  # fmt: skip
        self._phase(first, None, observed=True)
        self._journal.flush()

    def _save_document(self, text: str, ts_ms: int) -> None:
        self._document = text
        self._repository.write(GOAL, text, ts_ms)

    def _record(
        self,
        beat: Beat,
        kind: str,
        payload: Json,
        pair: list[Json] | None = None,
        *,
        actor: tuple[str, str] | None = None,
        cause: str | None = None,
    ) -> str:
        """Record what the beat's person or agent did; its own run is the cause if none is named."""
        run = self._runs.get(beat.who)
        return self._journal.event(
            self.ms(beat.at),
            actor or self._actor(beat.who),
            kind,
            payload,
            cause=cause or (run.started if run else self._born),
            about=run.id if run else self._goal,
            pair=pair or (),
        )

    def _actor(self, who: str) -> tuple[str, str]:
        return ("agent", self._runs[who].session) if who in self._runs else ("user", who)

    # runs and calls

    def _start(self, beat: Beat, task: str) -> None:
        who, now, run = beat.who, self.ms(beat.at), self._ids.new("run")
        number = self._ids.new("sess")[5:13]
        session = f"{who}-{number}"
        known: Json = {"agent": who, "session": number, "source": "startup"}
        started = self._journal.event(
            now, ("agent", session), "run.started",
            {"run_id": run, "task": task, "metadata": known}, cause=self._born, about=run,
            pair=[
                create(run, "run", {"task": task, "status": "started", "metadata": known}),
                relate(run, "references", self._goal),
            ],
        )  # fmt: skip
        folder = self._repository.root / ".ppgp/run/agents"
        facts: Json = {"root": str(self._repository.root), **self._story.agents[who]}
        facts |= {"pid": self._pid, "pid_start": start_of(self._pid)}
        heartbeat = Heartbeat(folder, who, session, facts)
        heartbeat.state(now, "working", "SessionStart", run)
        self._runs[who] = _Run(run, started, session, heartbeat)

    def _begin(self, beat: Beat, call: str) -> None:
        self._runs[beat.who].heartbeat.begin(self.ms(beat.at), call.split(" ", 1)[0])

    def _end(self, beat: Beat, call: str) -> None:
        run = self._runs[beat.who]
        tool, _, summary = call.partition(" ")
        run.heartbeat.end(self.ms(beat.at), tool)
        self._record(beat, "tool.called", {
            "id": self._ids.new("call"), "run_id": run.id, "tool": tool, "input_summary": summary,
            "output_summary": None, "success": True, "metadata": {},
        }, actor=("tool", tool))  # fmt: skip

    def _rest(self, beat: Beat, _: bool) -> None:
        run = self._runs[beat.who]
        run.heartbeat.state(self.ms(beat.at), "idle", "Stop", run.id)

    def _finish(self, beat: Beat, outcome: str) -> None:
        run = self._runs[beat.who]
        self._record(
            beat, "run.finished", {"run_id": run.id, "outcome": outcome, "metadata": {}},
            [update(run.id, {"status": "finished", "outcome": outcome})],
        )  # fmt: skip
        run.heartbeat.state(self.ms(beat.at), "ended", "SessionEnd", run.id)

    # plan, document, blockers

    def _revise(self, beat: Beat, change: Json) -> None:
        run, now = self._runs[beat.who], self.ms(beat.at)
        before, self._plan = self._plan, self._plan.changed(change)
        moment = plan.Moment(now, self._actor(beat.who), run.started, run.id, self._goal)
        plan.record(self._journal, moment, before, self._plan, change["why"])
        self._repository.write(".ppgp/todo.json", self._plan.text(), now)

    def _edit(self, beat: Beat, edit: Json) -> None:
        now, before, text = self.ms(beat.at), self._document, self._document
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
        self._save_document(text, now)
        if "phase" in edit:
            self._phase(beat, document.section(before, "PHASE"), observed=False)

    def _phase(self, beat: Beat, before: str | None, *, observed: bool) -> None:
        """Record the phase that the document names now."""
        text, phase = self._document, document.section(self._document, "PHASE")
        self._record(
            beat, "goal.phase_changed",
            {
                "goal_id": self._goal, "from": before, "to": phase, "observed": observed,
                "document": GOAL, "sha256": hashlib.sha256(text.encode()).hexdigest(),
                "line": text[: text.index("\n## PHASE\n")].count("\n") + 4,
            },
            [update(self._goal, {"phase": phase})],
            actor=SYSTEM if observed else None,
        )  # fmt: skip

    def _raise(self, beat: Beat, blocker: Json) -> None:
        node = self._ids.new("blk")
        klass, scope, text = blocker["class"], blocker["scope"], blocker["text"]
        blocks = [f"todo:{key}" for key in blocker["blocks"]]
        event = self._record(
            beat, "blocker.raised",
            {"id": node, "class": klass, "scope": scope, "text": text, "blocks": blocks,
             "origin": "agent"},
            [
                create(node, "observation", {
                    "title": text, "summary": text, "status": "Open",
                    "metadata": {"type": "blocker", "class": klass, "scope": scope, "until": None},
                }),
                *(relate(node, "blocks", task) for task in blocks),
            ],
        )  # fmt: skip
        self._named[blocker["name"]] = (node, event)

    def _clear(self, beat: Beat, cleared: Json) -> None:
        node, raised = self._named[cleared["name"]]
        reason = cleared["reason"]
        self._record(
            beat, "blocker.cleared", {"id": node, "reason": reason},
            [update(node, {"status": "Cleared", "status_reason": reason})], cause=raised,
        )  # fmt: skip

    # questions, checks, checkpoints

    def _ask(self, beat: Beat, ask: Json) -> None:
        node, session = self._ids.new("req"), self._runs[beat.who].session
        request = {
            "schema": 1, "id": node, "repo": self._goal[5:], "kind": "question",
            "class": ask["class"], "scope": ask["scope"], "question": ask["question"],
            "options": [], "irreversible": False, "frees": [f"todo:{key}" for key in ask["frees"]],
            "asker": {"actor": f"agent:{session}", "session": session, "cwd": "."},
            "created_ms": self.ms(beat.at),
        }  # fmt: skip
        text = json.dumps(request, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        digest = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
        about = {"type": "authority_request", "class": ask["class"], "scope": ask["scope"]}
        event = self._record(
            beat, "authority.requested", {"id": node, "request": request, "digest": digest},
            [
                create(node, "decision", {
                    "status": "Pending", "reason": ask["question"], "decided_by": None,
                    "metadata": about,
                }),
                *(relate(node, "blocks", task) for task in request["frees"]),
            ],
        )  # fmt: skip
        self._named[ask["name"]] = (node, event)
        self._asker = beat.who

    def _answer(self, beat: Beat, name: str) -> None:
        """The person says yes; the agent that asked is told and goes on."""
        node, asked = self._named[name]
        decision = self._ids.new("dec")
        known = {"type": "answer", "request": node}
        made: Json = {
            "status": "Approved", "reason": "yes",
            "decided_by": {"kind": "user", "id": beat.who},
        }  # fmt: skip
        full = {**known, "attempt": 1, "option": "yes"}
        decided = self._record(
            beat, "decision.created", {"id": decision, **made, "metadata": full},
            [
                create(decision, "decision", {**made, "metadata": known}),
                relate(node, "approved_by", decision),
                update(node, {"status": "Approved"}),
            ],
            cause=asked,
        )  # fmt: skip
        step = {"id": node, "attempt": 1, "decision": decision}
        session, later = self._runs[self._asker].session, Beat(beat.at + 1, self._asker)
        told = self._record(later, "authority.delivered", {**step, "to": session}, cause=decided)
        self._record(later, "authority.consumed", {**step, "by": session}, cause=told)

    def _check(self, beat: Beat, check: Json) -> None:
        node, status = self._ids.new("eval"), "Passed" if check["passed"] else "Failed"
        known = {
            "command": check["command"], "status": status, "score": None,
            "metadata": {"type": "check"},
        }  # fmt: skip
        self._record(
            beat, "eval.finished", {"id": node, **known},
            [create(node, "eval", known), relate(self._goal, "validated_by", node)],
            actor=("tool", "Bash"),
        )  # fmt: skip

    def _checkpoint(self, beat: Beat, summary: str) -> None:
        digest = hashlib.sha256(self._document.encode()).hexdigest()
        payload = {"document": GOAL, "sha256": digest, "summary": summary}
        self._record(beat, "goal.checkpointed", payload)

    def _files(self, beat: Beat, texts: dict[str, str]) -> None:
        for path, text in texts.items():
            self._repository.write(path, text, self.ms(beat.at))

    def _commit(self, beat: Beat, message: str) -> None:
        self._repository.commit(message, beat.who, self.ms(beat.at))
        if self._commits == 0:
            self._repository.branch("feat/resume")
        self._commits += 1


def _date(ts_ms: int) -> str:
    return datetime.fromtimestamp(ts_ms / 1000, UTC).date().isoformat()
