"""The demo's agent: a process that tells the history, says so, then plays the rest in real time.

Run as `python -m ppgp_tui.cli.demo.agent FOLDER [--seed N] [--speed X] [--orphan-removes PLACE]`.
It prints `ready` when the history is on disk and goes on until it is ended or its parent is gone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import time
from pathlib import Path

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
    story = load_story(chosen.seed)
    world = World(
        chosen.folder,
        story,
        seed=chosen.seed,
        opened_ms=time.time_ns() // 1_000_000,
        speed=chosen.speed,
        pid=os.getpid(),
    )
    for beat in story.history():
        world.play(beat)
    print("ready", flush=True)  # noqa: T201
    for beat in story.live():
        if not _wait_until(world.ms(beat.at), parent):
            break
        world.play(beat)
    while _wait_until(time.time_ns() // 1_000_000 + 60_000, parent):
        pass
    if chosen.orphan_removes:
        shutil.rmtree(chosen.orphan_removes, ignore_errors=True)


def _wait_until(ts_ms: int, parent: int) -> bool:
    """Wait, and say whether the process that began this one is still there."""
    while (left := ts_ms / 1000 - time.time()) > 0:
        if os.getppid() != parent:
            return False
        time.sleep(min(left, _LOOK_S))
    return os.getppid() == parent


if __name__ == "__main__":
    main()
