"""The demo's story told without waiting: every beat at the moment it has in the script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ppgp_tui.cli.demo.hands import Hands
from ppgp_tui.cli.demo.history import History
from ppgp_tui.cli.demo.story import Beat, Story, load_story
from ppgp_tui.cli.demo.world import World
from ppgp_tui.session.actions import asking
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine

OPENED_MS = 1_790_000_000_000


class Clock:
    """The time of the story."""

    def __init__(self) -> None:
        self.now_ms = OPENED_MS

    def __call__(self) -> int:
        return self.now_ms


def tell(
    root: Path, state: Path, *, seed: int = 1, until: float = 1000, pid: int | None = None
) -> World:
    """Tell the story up to that second, as if nobody ever pressed a key.

    `state` is a folder for what belongs to the root and lies outside of it.
    """
    story = load_story(seed)
    world = World(root, story, seed=seed, opened_ms=OPENED_MS, pid=pid)
    History(world).tell()
    clock = Clock()
    cast = {}
    for who, session in world.sessions.items():
        actor = Actor("agent", session.key)
        engine = Engine(root, actor, clock=clock, ids=world.ids.new, state=state)
        cast[who] = engine, Hands(world, who, engine)
    for moment, beat, begins in _moments(story):
        if moment <= until:
            clock.now_ms = world.ms(moment)
            _play(world, beat, *cast[beat.who], begins=begins)
    return world


def _moments(story: Story) -> Iterator[tuple[float, Beat, bool]]:
    """Begin and end of every live beat that has something to say while nobody answers."""
    found = []
    for beat in story.live():
        answered = "T8" in beat.names("after") or "T8" in beat.names("when_done")
        if answered or "T12" in str(beat.acts.get("plan")) or "docs/restarts.md" in str(beat.acts):
            continue
        found.append((beat.at, beat, True))
        found.append((beat.at + beat.acts.get("takes", 0), beat, False))
    return iter(sorted(found, key=lambda moment: moment[0]))


def _play(world: World, beat: Beat, engine: Engine, hands: Hands, *, begins: bool) -> None:
    heartbeat, now = world.sessions[beat.who].heartbeat, engine.clock()
    words = str(beat.acts.get("tool", "Bash"))
    if begins:
        heartbeat.begins(now, heartbeat.call(words.split(" ", 1)[0]), 0)
        return
    if ask := beat.acts.get("ask"):
        asked = asking.Question(
            ask["question"], scope=ask["scope"], why=ask["why"],
            options=tuple(ask["options"]), recommended=ask["recommended"],
            frees=tuple(ask["frees"]),
        )  # fmt: skip
        assert asking.ask(engine, asked).ok
    hands.do(beat)
    heartbeat.ends(now, heartbeat.last, 0)
    if "tool" in beat.acts:
        hands.called(words)
