"""Take the pictures in `screenshots/` from the running app; `make screenshots`.

The app looks at the demo's repository, told up to one fixed second with a clock that stands still,
so the same code gives the same pictures.
"""
# ruff: noqa: T201 - printing is what it is for

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from ppgp_tui.cli.crew import CREW
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.store import LiveSession
from ppgp_tui.ui.app import PpgpApp
from ppgp_tui.ui.terminal.ability import Ability
from ppgp_tui.ui.views import VIEWS
from tests.cli.telling import OPENED_MS, tell

FOLDER = Path(__file__).parents[2] / "screenshots"
SIZES = ((48, 24), (80, 24), (120, 40), (160, 50))
THEMES = ("harbor", "paper")
SECOND = 22.0
"""When two decisions and a question wait, blockers of three classes stand, and both agents work."""

EVER_ALIVE = 1
"""The process that stands for the agents: the one that always runs and always has this number."""

IN_README = (
    "session-48-harbor",
    "session-120-harbor",
    "plan-80-paper",
    "events-120-harbor",
    "request-80-harbor",
    "lineage-120-harbor",
    "agents-80-harbor",
)
"""Pictures that are also saved as PNG."""

_HOSTS = re.compile(r"@font-face \{.*?\}\s*|<!-- Generated.*?-->\s*", re.DOTALL)


async def take(root: Path, size: tuple[int, int], theme: str) -> None:
    """Save every view, an opened request and a lineage, at one size in one theme."""
    now_ms = OPENED_MS + round(SECOND * 1000)
    session = LiveSession(root, clock=lambda: now_ms)
    session.read_all()
    app = PpgpApp(
        session, clock=lambda: now_ms, ability=Ability(), theme=theme,
        doer=lambda _: Result("look", "unchanged", ""), crew=CREW,
    )  # fmt: skip
    try:
        async with app.run_test(size=size) as pilot:
            while session.snapshot.watching.mode == "starting":
                await pilot.pause(0.05)
            for number, view in enumerate(VIEWS, 1):
                if number > 1:
                    await pilot.press(str(number))
                await pilot.pause(0.2)
                save(f"{view.name}-{size[0]}-{theme}", app.export_screenshot(title="ppgp-tui"))
            await pilot.press("3", "enter")
            await pilot.pause(0.2)
            save(f"request-{size[0]}-{theme}", app.export_screenshot(title="ppgp-tui"))
            await pilot.press("escape", "4", "j", "j", "l")
            await pilot.pause(0.5)
            save(f"lineage-{size[0]}-{theme}", app.export_screenshot(title="ppgp-tui"))
    finally:
        session.close()


def save(name: str, svg: str) -> None:
    """Save one picture that asks no other host for its fonts and keeps every blank."""
    file = FOLDER / f"{name}.svg"
    kept = _HOSTS.sub("", svg).replace("<text ", '<text xml:space="preserve" ')
    file.write_text(kept, "utf-8")
    if name in IN_README and (convert := shutil.which("rsvg-convert")):
        subprocess.run(
            [convert, "--width=1400", file, "--output", file.with_suffix(".png")], check=True
        )
    print(file.relative_to(FOLDER.parent))


def main() -> None:
    """Take all pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        root = Path(place).resolve() / "importer"
        with contextlib.chdir("/"):  # where the asker works is in the pictures
            tell(root, Path(place) / "state", until=SECOND, pid=EVER_ALIVE)
        for size in SIZES:
            for theme in THEMES:
                asyncio.run(take(root, size, theme))


if __name__ == "__main__":
    main()
