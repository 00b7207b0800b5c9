"""The demo's agents: a process that tells the history, says so, then acts in real time.

It also starts the demo's restart loop, and ends it.

Run as `python -m ppgp_tui.cli.demo.agent FOLDER [--seed N] [--speed X] [--orphan-removes PLACE]`.
It prints `ready` when the history is on disk and goes on until it is ended or its parent is gone.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path

from ppgp_tui.cli.demo import looping
from ppgp_tui.cli.demo.history import History
from ppgp_tui.cli.demo.story import load_story
from ppgp_tui.cli.demo.world import World

_LOOK_S = 0.5
"""How often the parent is looked for."""


def main() -> None:
    """Play the story into the folder named on the command line."""
    reader = argparse.ArgumentParser(prog="ppgp_tui.cli.demo.agent")
    reader.add_argument("folder", type=Path)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--speed", type=float, default=1.0)
    reader.add_argument("--orphan-removes", type=Path, metavar="PLACE")
    chosen = reader.parse_args()
    parent = os.getppid()
    opened_ms = time.time_ns() // 1_000_000
    world = World(chosen.folder, load_story(chosen.seed), seed=chosen.seed, opened_ms=opened_ms)
    History(world).tell()
    print("ready", flush=True)  # noqa: T201
    loop = looping.start(world.root, chosen.speed)
    try:
        asyncio.run(_perform(world, chosen.speed, chosen.seed, parent))
    finally:
        loop.terminate()  # it may not have said yet that there is a loop
        looping.end(world.root)
        loop.wait()
    if os.getppid() != parent and chosen.orphan_removes:
        shutil.rmtree(chosen.orphan_removes, ignore_errors=True)


async def _perform(world: World, speed: float, seed: int, parent: int) -> None:
    """Let every agent play its part until the process is told to end or its parent is gone."""
    # Imported here: the history is on the screen before anybody acts.
    from ppgp_tui.cli.demo.hands import Hands
    from ppgp_tui.cli.demo.performer import Performer
    from ppgp_tui.cli.demo.questions import Questions
    from ppgp_tui.session.engine.draft import Actor
    from ppgp_tui.session.engine.engine import Engine

    over = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, over.set)
    everyone = []
    for who, session in world.sessions.items():
        engine = Engine(world.root, Actor("agent", session.key))
        everyone.append(
            Performer(
                world,
                who,
                Hands(world, who, engine),
                Questions(world, session.key),
                speed,
                random.Random(f"{who} {seed}"),
            )
        )
    beats = list(world.story.live())
    parts = [
        asyncio.create_task(one.perform([beat for beat in beats if beat.who == one.who]))
        for one in everyone
    ]
    try:
        while not over.is_set() and os.getppid() == parent:
            for part in parts:
                if part.done():
                    part.result()  # a mistake of ours ends the demo, with its trace in the log
            with suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), _LOOK_S)
    finally:
        for part in parts:
            part.cancel()
        await asyncio.gather(*parts, return_exceptions=True)
        for one in everyone:
            await one.questions.end()


if __name__ == "__main__":
    main()
