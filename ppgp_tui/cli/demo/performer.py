"""One agent of the demo in real time: beats at their moment, calls as far as they are allowed.

Before each call it looks at the order to the agents, and waits while that holds it. What a person
decides changes what it does next.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from ppgp_tui.cli.demo import plan
from ppgp_tui.cli.demo.hands import Hands
from ppgp_tui.cli.demo.heartbeat import Call, Json
from ppgp_tui.cli.demo.questions import Questions
from ppgp_tui.cli.demo.story import Beat, Reply
from ppgp_tui.cli.demo.world import RUN, TODO, World
from ppgp_tui.session.canonical import is_id
from ppgp_tui.session.model import Control
from ppgp_tui.session.sources.control import parse_control
from ppgp_tui.session.sources.document import DamagedError

LOOK_S = 0.1
"""How often a waiting agent looks around."""
LOST_S = 10
"""So long a held call waits for an order that somebody deleted to be written again."""
QUIET_S = 2.0
"""An agent at work never makes less than one call in so many seconds of the story."""


@dataclass
class Performer:
    """One agent."""

    world: World
    who: str
    hands: Hands
    questions: Questions
    speed: float
    chance: Random
    """Decides the ordinary calls between the beats."""
    _answered: set[tuple[str, str, str]] = field(default_factory=set)
    _rests: bool = False
    _ended: bool = False

    async def perform(self, beats: Sequence[Beat]) -> None:
        """Play the agent's part from the story's second 0 on; then rest, and hear decisions."""
        await self._play(beats, self.world.opened_ms)
        while not self._ended:
            await self._hear()
            self._rest()
            await asyncio.sleep(LOOK_S)

    async def _play(self, beats: Sequence[Beat], origin_ms: int) -> None:
        """Play beats in order. What came late makes all that follows as much later."""
        late_ms = 0
        for beat in beats:
            told_ms = origin_ms + round(beat.at * 1000 / self.speed)
            await self._until(told_ms + late_ms, beat)
            if self._is_due(beat):
                await self._do(beat)
                takes_ms = round(beat.acts.get("takes", 0) * 1000 / self.speed)
                late_ms = max(late_ms, _now_ms() - told_ms - takes_ms)

    async def _until(self, due_ms: int, beat: Beat) -> None:
        """Wait for the beat's moment, doing ordinary work and what a person has decided."""
        while True:
            await self._hear()
            left_s = (due_ms - _now_ms()) / 1000
            if left_s * self.speed > QUIET_S:
                await self._ordinary_call()
            elif left_s > 0:
                await asyncio.sleep(min(left_s, LOOK_S))
            elif self._may_begin(beat):
                return
            else:
                self._rest()
                await asyncio.sleep(LOOK_S)

    def _may_begin(self, beat: Beat) -> bool:
        """Whether none of the tasks it comes after is still open."""
        tasks = beat.names("after")
        return not tasks or not any(plan.is_open(self._plan(), key) for key in tasks)

    def _is_due(self, beat: Beat) -> bool:
        """Whether everything stands as the beat takes for granted."""
        if beat.acts.get("unless") in self.questions.decided():
            return False
        done, open_ = beat.names("when_done"), beat.names("when_open")
        state = self._plan() if done or open_ else {}
        if done and not all(plan.is_done(state, key) for key in done):
            return False
        return not open_ or any(plan.is_open(state, key) for key in open_)

    def _plan(self) -> Json:
        state: Json = {"tasks": []}
        with suppress(OSError, ValueError):
            state = json.loads((self.world.root / TODO).read_bytes())
        return state

    # --- what a person decided ------------------------------------------------------------------

    async def _hear(self) -> None:
        """Do what new decisions ask for."""
        for name, decision in self.questions.decided().items():
            heard = (name, *decision)
            reply = self._reply(name, decision.word)
            if reply is not None and heard not in self._answered:
                self._answered.add(heard)
                await self._play(reply.with_words(decision.words).beats, _now_ms())

    def _reply(self, name: str, word: str) -> Reply | None:
        mine = (reply for reply in self.world.story.replies if reply.who == self.who)
        return next((reply for reply in mine if (reply.to, reply.word) == (name, word)), None)

    # --- calls ----------------------------------------------------------------------------------

    async def _do(self, beat: Beat) -> None:
        """One call that does what the beat tells; the call itself is what takes time."""
        words = str(beat.acts.get("tool") or ("Edit" if "files" in beat.acts else "Bash ppgp-tui"))
        call = await self._begin(words)
        if "ask" in beat.acts:
            await self.questions.ask(beat.acts["ask"], beat.acts["ask"]["waits"] / self.speed)
        await asyncio.sleep(beat.acts.get("takes", 0) / self.speed)
        self.hands.do(beat)
        self._end(call)
        if "tool" in beat.acts:
            self.hands.called(words)
        if "finish" in beat.acts:
            self._tell("ended", "SessionEnd")

    async def _ordinary_call(self) -> None:
        words = self.chance.choice(self.world.story.tools[self.who])
        call = await self._begin(words)
        await asyncio.sleep(self.chance.uniform(0.4, 1.2) / self.speed)
        self._end(call)
        self.hands.called(words)
        await asyncio.sleep(self.chance.uniform(0.2, 0.6) / self.speed)

    async def _begin(self, words: str) -> Call:
        """The next call, once the order lets it go on."""
        heartbeat = self.world.sessions[self.who].heartbeat
        call = heartbeat.call(words.split(" ", 1)[0])
        if self._rests:
            self._tell("working", "UserPromptSubmit")
        order = self._order() or Control()
        while hold := self._held_by(order):
            heartbeat.begins(_now_ms(), call, order.generation or 0, held=True)
            waits = heartbeat.holds(_now_ms(), call, hold)
            try:
                order = await self._released(hold)
            finally:
                waits.unlink(missing_ok=True)
        heartbeat.begins(_now_ms(), call, order.generation or 0)
        return call

    def _end(self, call: Call) -> None:
        order = self._order() or Control()
        self.world.sessions[self.who].heartbeat.ends(_now_ms(), call, order.generation or 0)

    async def _released(self, hold: str) -> Control:
        """Wait until that hold stands no longer; return the order that does."""
        lost_s = 0.0
        while lost_s < LOST_S:
            order = self._order()
            if order is not None and self._held_by(order) != hold:
                return order
            lost_s = lost_s + LOOK_S if order is None else 0
            await asyncio.sleep(LOOK_S)
        return Control()

    def _held_by(self, order: Control) -> str | None:
        """The hold that concerns this agent."""
        key = self.world.sessions[self.who].key
        concerned = not {"*", key}.isdisjoint(order.hold_who)
        hold = order.hold_id or ""
        return hold if concerned and is_id(hold, "hold") else None

    def _order(self) -> Control | None:
        """What agents are told; None where nobody can tell."""
        try:
            return parse_control((self.world.root / RUN / "control.json").read_bytes())
        except (OSError, DamagedError):
            return None

    # --- how it stands --------------------------------------------------------------------------

    def _rest(self) -> None:
        if not self._rests:
            self._tell("idle", "Stop")

    def _tell(self, state: str, event: str) -> None:
        session = self.world.sessions[self.who]
        session.heartbeat.state(_now_ms(), state, event, session.run)
        self._rests, self._ended = state == "idle", state == "ended"


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
