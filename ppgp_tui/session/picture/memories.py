"""What an agent can have forgotten: at each start and each compaction, what it was told anew.

An agent knows of goal, plan and constraints what it was told last. Each time its context begins
anew, this is compared with what stands then, and it is said whether anything was told. Pure; from
the log alone (`run.started`, `context.compacted`), in which a hook leaves digests, never texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.members import text, whole
from ppgp_tui.session.picture.origin import Origin

Happened = Literal["started", "resumed", "cleared", "compacted"]
Change = Literal["first", "same", "changed", "unknown"]
"""Against what the agent was told before; `first`: it was told nothing before."""

KEPT: Final = 8
"""Of each session."""
_SESSIONS_KEPT: Final = 200
_HAPPENED: Final[Mapping[str, Happened]] = {
    "resume": "resumed", "fork": "resumed", "clear": "cleared",
}  # fmt: skip


class Facts(NamedTuple):
    """What stood at one moment; empty texts and None where nobody recorded it."""

    goal: str = ""
    """Id and objective; empty without a goal."""
    revision: int | None = None
    """Of the plan."""
    plan: str = ""
    """Digest of the plan."""
    contract: str = ""
    """Digest of what was agreed: done when, invariants, what is frozen."""
    whole: str = ""
    """Digest over all three."""


class Memory(NamedTuple):
    """One moment at which an agent's context began anew."""

    session: str
    happened: Happened
    at_ms: int | None
    trigger: str
    """In the agent's own word: who or what brought it about; empty where it was not said."""
    goal: Change
    plan: Change
    constraints: Change
    plan_before: int | None
    plan_after: int | None
    told: bool | None
    """Whether the boot packet was given; None: nobody recorded that."""
    characters: int | None
    """Of the packet."""
    same_session: bool = True
    """The facts before are those that this session was told; else an earlier one of that agent."""
    origin: Origin | None = None
    nothing: bool = False
    """Neither goal nor plan was recorded, so there was nothing to tell."""

    @property
    def stands_out(self) -> bool:
        """The agent goes on without having been told what stands now."""
        return self.told is False and not self.nothing


class MemoryLog:
    """The gathering; lines come in the order of the log."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Memory, ...]] = {}
        self._knows: dict[str, Facts] = {}
        self._agent_knows: dict[str, Facts] = {}

    def started(
        self, session: str, said: Mapping[str, Any], ts_ms: int | None, now: Facts, origin: Origin
    ) -> None:
        """A run of a session began (`run.started`); one that no hook tells of is left out."""
        about = said.get("metadata")
        if not isinstance(about, dict) or not session:
            return
        source = text(about.get("source"))
        told = about.get("told")
        injected = text(about.get("injected"))
        if not source or source == "persist":  # an iteration; its sessions tell for themselves
            return
        happened = _HAPPENED.get(source, "started")
        if not isinstance(told, dict):
            known = injected or None  # an empty one was left out of the record in any case
            self._add(session, happened, ts_ms, source, now, known, None, origin)
            return
        now = now._replace(contract=text(told.get("contract")), whole=text(told.get("facts")))
        size = whole(told.get("characters"))
        self._add(session, happened, ts_ms, source, now, injected, size, origin)

    def compacted(
        self, session: str, said: Mapping[str, Any], ts_ms: int | None, now: Facts, origin: Origin
    ) -> None:
        """The memory of a session was cut down (`context.compacted`)."""
        if not session:
            return
        told = said.get("told")
        told = told if isinstance(told, dict) else {}
        injected = said.get("injected")
        now = now._replace(contract=text(told.get("contract")), whole=text(said.get("after")))
        self._add(
            session,
            "compacted",
            ts_ms,
            text(said.get("trigger")),
            now,
            injected if isinstance(injected, str) else None,
            whole(told.get("characters")),
            origin,
        )

    def found(self) -> Mapping[str, tuple[Memory, ...]]:
        """What is known of each session, the newest first."""
        return dict(self._found)

    def _add(
        self,
        session: str,
        happened: Happened,
        ts_ms: int | None,
        trigger: str,
        now: Facts,
        injected: str | None,
        characters: int | None,
        origin: Origin,
    ) -> None:
        agent = session.partition("-")[0]
        before = self._knows.get(session)
        same_session = before is not None
        if before is None:
            before = self._agent_knows.get(agent)
        told = None if injected is None else bool(injected)
        memory = Memory(
            session=session,
            happened=happened,
            at_ms=ts_ms,
            trigger=trigger,
            goal=_compared(before, now, "goal"),
            plan=_compared(before, now, "plan"),
            constraints=_constraints(before, now),
            plan_before=before.revision if before else None,
            plan_after=now.revision,
            told=told,
            characters=characters if told else None,
            same_session=same_session,
            origin=origin,
            nothing=not now.goal and now.revision is None,
        )
        self._found[session] = (memory, *self._found.pop(session, ()))[:KEPT]
        if told is not False:
            self._knows[session] = self._agent_knows[agent] = now
        for kept in (self._found, self._knows):
            if len(kept) > _SESSIONS_KEPT:
                del kept[next(iter(kept))]


def _compared(before: Facts | None, now: Facts, name: Literal["goal", "plan"]) -> Change:
    if before is None:
        return "first"
    return "same" if getattr(before, name) == getattr(now, name) else "changed"


def _constraints(before: Facts | None, now: Facts) -> Change:
    """By their own digest; else by that over all three, where the other two tell it."""
    if before is None:
        return "first"
    if before.contract and now.contract:
        return "same" if before.contract == now.contract else "changed"
    if before.whole and now.whole:
        if before.whole == now.whole:
            return "same"
        if (before.goal, before.plan) == (now.goal, now.plan):
            return "changed"
    return "unknown"


_WORDS: Final[Mapping[Happened, str]] = {
    "started": "new session", "resumed": "resumed", "cleared": "cleared", "compacted": "compacted",
}  # fmt: skip


def memory_line(memory: Memory) -> str:
    """`new session, nothing injected`; `compacted: goal same, plan r13 → r14, …`."""
    happened = _WORDS[memory.happened]
    changes, told = memory_words(memory)
    if memory.told is False and memory.nothing:
        return f"{happened}, there was nothing to tell"
    if memory.stands_out:
        return f"{happened}, {told}" if memory.goal == "first" else f"{happened}, {told}: {changes}"
    return f"{happened}: {changes}, {told}"


def memory_words(memory: Memory) -> tuple[str, str]:
    """What happened to the facts, and what the agent was told, each as one phrase.

    `goal same, plan r13 → r14, constraints same` and `boot packet injected (4,212 characters)`.
    """
    return ", ".join(filter(None, _facts(memory))), _told(memory)


def _facts(memory: Memory) -> tuple[str, ...]:
    if memory.goal == "first":
        plan = "no plan" if memory.plan_after is None else f"plan r{memory.plan_after}"
        return ("told nothing before", plan)
    return (f"goal {memory.goal}", _plan(memory), f"constraints {memory.constraints}")


def _plan(memory: Memory) -> str:
    before, after = memory.plan_before, memory.plan_after
    if memory.plan == "same":
        return "plan same" if after is None else f"plan r{after} same"
    said = ["none" if one is None else f"r{one}" for one in (before, after)]
    return f"plan {said[0]} → {said[1]}"


def _told(memory: Memory) -> str:
    if memory.told is None:
        return "whether it was told anything is not recorded"
    if not memory.told:
        return "nothing injected"
    size = "" if memory.characters is None else f" ({memory.characters:,} characters)"
    return f"boot packet injected{size}"
