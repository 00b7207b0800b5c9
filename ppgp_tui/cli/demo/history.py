"""What happened before the app opens, written down at once with the times it had.

The log's lines are those the engine would have written: the same acts draft them. Only the clock
and the ids are the story's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from ppgp_tui.cli.demo import document, plan, records
from ppgp_tui.cli.demo.heartbeat import Json
from ppgp_tui.cli.demo.story import Beat
from ppgp_tui.cli.demo.world import GOAL, LOG, RUN, TODO, World
from ppgp_tui.pi.plan import Limits
from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.session.canonical import canonical
from ppgp_tui.session.engine import blockers, goals, pauses, plans, requests
from ppgp_tui.session.engine.draft import SYSTEM, Actor, Draft
from ppgp_tui.session.engine.ledger import Ledger
from ppgp_tui.session.engine.observed import record_phase
from ppgp_tui.session.engine.projections import pretty
from ppgp_tui.session.journal import line_of


class History:
    """Tells the beats before second 0."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._ledger = Ledger()
        self._lines: list[bytes] = []
        self._document = ""
        self._asked: dict[str, tuple[str, str]] = {}

    def tell(self) -> None:
        """Write all of it into the repository."""
        beats = [part for beat in self._world.story.history() for part in _parts(beat)]
        beats.sort(key=lambda beat: beat.at)
        self._found(beats[0])
        for beat in beats:
            self._play(beat)
        self._flush()

    def _play(self, beat: Beat) -> None:
        draft = self._draft(beat)
        for name, act in self._acts().items():
            if name in beat.acts:
                act(draft, beat, beat.acts[name])
        self._keep(draft)
        if "commit" in beat.acts:
            self._flush()
            self._world.commit(beat.acts["commit"], beat.who, self._world.ms(beat.at))

    def _acts(self) -> dict[str, Callable[[Draft, Beat, Any], None]]:
        return {
            "start": self._start, "files": self._files, "begin": self._begin, "end": self._end,
            "plan": self._revise, "goal": self._edit, "raise": self._raise,
            "ask": self._ask, "answer": self._answer, "check": self._check,
            "checkpoint": self._checkpoint,
        }  # fmt: skip

    def _draft(self, beat: Beat) -> Draft:
        session = self._world.sessions.get(beat.who)
        actor = Actor("agent", session.key) if session else Actor("user", beat.who)
        return Draft(self._ledger, actor, self._world.ms(beat.at), self._world.ids.new)

    def _keep(self, draft: Draft) -> None:
        self._lines += map(line_of, draft.events)

    def _flush(self) -> None:
        with (self._world.root / LOG).open("ab") as log:
            log.write(b"".join(self._lines))
        self._lines.clear()

    # the ground

    def _found(self, first: Beat) -> None:
        world, now = self._world, self._world.ms(first.at)
        write, story = world.repository.write, world.story
        write(".ppgp/.gitignore", "run/\ngoal.json\n", now)
        write(f"{RUN}/.gitignore", "*\n", now)
        write(f"{RUN}/repo-id", world.ids.new("repo")[5:], now)
        write(f"{RUN}/control.json", canonical(pauses.nothing_ordered()).decode() + "\n", now)
        write(LOG, "", now)
        (world.root / RUN / "agents").mkdir()
        date = datetime.fromtimestamp(now / 1000, UTC).date().isoformat()
        self._save(story.document.replace("{date}", date), now)
        draft = self._draft(first)
        goals.start(draft, document.section(self._document, "GOAL"))
        self._phase(draft, observed=True)
        self._keep(draft)

    def _save(self, text: str, ts_ms: int) -> None:
        self._document = text
        self._world.repository.write(GOAL, text, ts_ms)

    # runs and calls

    def _start(self, draft: Draft, beat: Beat, task: str) -> None:
        session = self._world.enter(beat.who)
        draft.actor = Actor("agent", session.key)
        number = session.key.rpartition("-")[2]
        records.run_started(draft, session.run, task, beat.who, number)
        session.heartbeat.state(draft.now_ms, "working", "SessionStart", session.run)

    def _begin(self, draft: Draft, beat: Beat, call: str) -> None:
        heartbeat = self._world.sessions[beat.who].heartbeat
        heartbeat.begins(draft.now_ms, heartbeat.call(call.split(" ", 1)[0]), 0)

    def _end(self, draft: Draft, beat: Beat, call: str) -> None:
        session = self._world.sessions[beat.who]
        tool, _, summary = call.partition(" ")
        session.heartbeat.ends(draft.now_ms, session.heartbeat.last, 0)
        records.tool_called(draft, session.run, tool, summary)

    # plan, document, blockers

    def _revise(self, draft: Draft, _: Beat, change: Json) -> None:
        plans.revise(draft, plan.call_for(self._ledger.todo, change), Limits())
        text = pretty(self._ledger.todo).decode()
        self._world.repository.write(TODO, text, draft.now_ms)

    def _edit(self, draft: Draft, _: Beat, edit: Json) -> None:
        text = document.edited(self._document, edit)
        if "phase" in edit:
            text = document.with_phase(text, edit["phase"])
        self._save(text, draft.now_ms)
        if "phase" in edit:
            self._phase(draft, observed=False)

    def _phase(self, draft: Draft, *, observed: bool) -> None:
        reading = read_goal(self._document.encode(), GOAL)
        actor = SYSTEM if observed else None
        record_phase(draft, reading, GOAL, reading.phase or "", observed=observed, actor=actor)

    def _raise(self, draft: Draft, _: Beat, blocker: Json) -> None:
        raised = blockers.raise_blocker(
            draft,
            blocker["text"],
            klass=blocker["class"],
            scope=blocker["scope"],
            blocks=[f"todo:{key}" for key in blocker["blocks"]],
        )
        self._world.blockers[blocker["name"]] = raised["blocker"]

    # questions, checks, checkpoints

    def _ask(self, draft: Draft, beat: Beat, ask: Json) -> None:
        session = self._world.sessions[beat.who].key
        request = requests.build(
            request_id=draft.new_id("req"),
            repo=(self._world.root / RUN / "repo-id").read_text(),
            question=ask["question"],
            asker={"actor": f"agent:{session}", "session": session, "cwd": "."},
            created_ms=draft.now_ms,
            scope=ask["scope"],
            frees=[f"todo:{key}" for key in ask["frees"]],
        )
        requests.ask(draft, request)
        self._asked[ask["name"]] = request["id"], beat.who

    def _answer(self, draft: Draft, beat: Beat, name: str) -> None:
        """The person says yes; a second later the agent that asked is told, and goes on."""
        request, asker = self._asked[name]
        decision = {"decision": draft.new_id("dec"), "attempt": 1, "option": "yes"}
        requests.answer(draft, request, decision)
        told = self._draft(Beat(beat.at + 1, asker))
        requests.deliver(told, request, self._world.sessions[asker].key)
        requests.consume(told, request)
        draft.events += told.events

    def _check(self, draft: Draft, _: Beat, check: Json) -> None:
        records.check_finished(draft, check)

    def _checkpoint(self, draft: Draft, _: Beat, summary: str) -> None:
        sha256 = hashlib.sha256(self._document.encode()).hexdigest()
        goals.checkpoint(draft, GOAL, sha256, summary)

    def _files(self, draft: Draft, _: Beat, texts: dict[str, str]) -> None:
        for path, text in texts.items():
            self._world.repository.write(path, text, draft.now_ms)


def _parts(beat: Beat) -> tuple[Beat, ...]:
    """A tool call begins and ends; anything else happens at once."""
    if "tool" not in beat.acts:
        return (beat,)
    begins = Beat(beat.at, beat.who, {"begin": beat.acts["tool"]})
    return begins, Beat(beat.at + beat.acts["takes"], beat.who, {"end": beat.acts["tool"]})
