"""Take the pictures in `screenshots/` from the running app; `make screenshots`.

The app looks at the demo's repository, told up to one fixed second with a clock that stands still,
so the same code gives the same pictures. Words after the command take only the scenes so named.
"""
# ruff: noqa: T201 - printing is what it is for

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from textual.pilot import Pilot

from ppgp_tui.cli.crew import CREW
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.ui.app.app import PpgpApp
from ppgp_tui.ui.sharing.svg import svg
from ppgp_tui.ui.terminal.ability import Ability
from tests.screenshots.scenes import IN_README, SCENES, Shot, shots
from tests.screenshots.world import World

FOLDER = Path(__file__).parents[2] / "screenshots"
PLACE = Path("/tmp/ppgp-tui-screenshots")
"""Where the repositories are meanwhile: it is in some pictures, so it is always the same."""
AT_ONCE = 2
"""Pictures taken at the same time."""
STILL = 4
"""So often in a row the screen must be the same."""
PATIENCE_S = 30.0


def picture_of(world: World, shot: Shot) -> str:
    """The picture of one scene, as SVG."""
    return asyncio.run(take(world, shot))


async def take(world: World, shot: Shot) -> str:
    """Open the app, go to the scene, and draw what it shows."""
    of = shot.scene.of
    world.look_for_loops(there=shot.scene.loops)
    session = world.session(of)
    app = PpgpApp(
        session, clock=lambda: world.now_ms(of), ability=Ability(), theme=shot.theme,
        doer=world.doer(of), crew=CREW,
        others=world.others() if shot.scene.every else None,
    )  # fmt: skip
    app.seat.ribbon = shot.scene.ribbon
    try:
        async with app.run_test(size=shot.size) as pilot:
            while session.snapshot.watching.mode == "starting" or is_asking(session):
                await pilot.pause(0.02)
            for key in shot.scene.keys:
                await press(app, pilot, key)
            for letter in shot.scene.types:
                await pilot.press(letter)
            await settled(app, pilot, shot.scene.until)
            return svg(app.canvas.lines, app.seat.look, f"ppgp-tui, {shot.name}")
    finally:
        session.close()


def is_asking(session: LiveSession) -> bool:
    """Whether it is not known yet if the newest verdict still fits."""
    audit = session.snapshot.audit.value
    return audit.verdict is not None and audit.stale is None


async def press(app: PpgpApp, pilot: Pilot[int], key: str) -> None:
    """Press a key, or put the cursor on a task, and wait for what it leads to."""
    if key.startswith("@"):
        app.seat.stay.lists["plan.list"].go_to(f"task:{key[1:]}")
        app.seat.stay.focus = "plan.list"
        app.doors.look_again()
    else:
        await pilot.press(key)
    await settled(app, pilot)


async def settled(app: PpgpApp, pilot: Pilot[int], until: str = "") -> None:
    """Wait until the screen says `until` and stands still; fail where it never does."""
    still, before, end = 0, "", time.monotonic() + PATIENCE_S
    while still < STILL:
        await pilot.pause(0.04)
        now = "\n".join(line.text for line in app.canvas.lines)
        still = still + 1 if now == before and until in now else 0
        before = now
        if time.monotonic() > end:
            raise TimeoutError(f"never saw {until!r} on a screen that stands still:\n{now}")


def save(shot: Shot, picture: str) -> None:
    """Save one picture, as PNG too where the README shows it."""
    file = FOLDER / f"{shot.name}.svg"
    file.write_text(picture, "utf-8")
    if shot.name in IN_README and (convert := shutil.which("rsvg-convert")):
        zoom = str(2 if shot.size[0] < 60 else 1.4)
        png = file.with_suffix(".png")
        subprocess.run([convert, f"--zoom={zoom}", file, "--output", png], check=True)
    print(file.relative_to(FOLDER.parent))


def main(wanted: list[str]) -> None:
    """Take all pictures, or those of the scenes that are wanted."""
    FOLDER.mkdir(exist_ok=True)
    unknown = {*wanted} - {scene.name for scene in SCENES} - {"ribbon"}
    if unknown:
        sys.exit(f"there is no scene {', '.join(sorted(unknown))}")
    shutil.rmtree(PLACE, ignore_errors=True)
    world = World(PLACE)
    chosen = [shot for shot in shots() if not wanted or shot.scene.name in wanted]
    with world.audit_under_way(), ProcessPoolExecutor(AT_ONCE) as pool:
        for shot, drawn in zip(chosen, pool.map(partial(picture_of, world), chosen), strict=True):
            save(shot, drawn)
    shutil.rmtree(PLACE)
    if not wanted:
        taken = {f"{shot.name}.svg" for shot in shots()} | {f"{name}.png" for name in IN_README}
        for old in FOLDER.iterdir():
            if old.name not in taken:
                old.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
