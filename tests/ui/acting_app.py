"""The app on a real repository: keys go in, events and files come out."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.events import Paste
from textual.pilot import Pilot

from ppgp_tui.session.live.store import LiveSession, now_ms
from ppgp_tui.ui.app.app import PpgpApp
from ppgp_tui.ui.app.doing import doer
from ppgp_tui.ui.terminal.ability import Ability
from tests.cli.acting import Place
from tests.ui.waiting import shown, until


class Acting:
    """One person's app under way."""

    def __init__(self, place: Place, app: PpgpApp, pilot: Pilot[int], clock: SkippingClock) -> None:
        self.place = place
        self.app = app
        self._pilot = pilot
        self._clock = clock

    async def press(self, *keys: str) -> None:
        """Press keys, after the screen was looked at for longer than a moment."""
        for key in keys:
            self._clock.skip(600)
            await self._pilot.press(key)

    async def at_once(self, *keys: str) -> None:
        """Press keys without looking."""
        await self._pilot.press(*keys)

    async def type(self, words: str) -> None:
        """Type words; pasted, which takes one step."""
        self.app.post_message(Paste(words))
        await self._pilot.pause()

    async def palette(self, words: str) -> None:
        await self._pilot.press("colon")
        await self.type(words)
        await self._pilot.press("enter")

    async def until(self, holds: Callable[[], Any]) -> None:
        await until(self._pilot, holds)

    async def sees(self, words: str) -> None:
        await self.until(lambda: words in self.screen)

    def state(self, request: str) -> str:
        """How the request stands in the picture on the screen."""
        inbox = self.app.seat.snapshot.inbox.value
        return next((one.state for one in inbox if one.id == request), "")

    @property
    def held(self) -> bool:
        """A pause stands in the picture on the screen."""
        return self.app.seat.snapshot.control.value.hold_id is not None

    @property
    def screen(self) -> str:
        return shown(self.app)

    @property
    def control(self) -> dict[str, Any]:
        path = self.place.root / ".ppgp/run/control.json"
        return json.loads(path.read_bytes()) if path.exists() else {}

    def answer(self, request: str, attempt: int = 1) -> dict[str, Any] | None:
        path = self.place.root / f".ppgp/run/answers/{request}.{attempt}.json"
        return json.loads(path.read_bytes()) if path.exists() else None


class SkippingClock:
    """The time of the machine, and what a test has skipped of it."""

    def __init__(self) -> None:
        self.skipped_ms = 0

    def __call__(self) -> int:
        return now_ms() + self.skipped_ms

    def skip(self, ms: int) -> None:
        self.skipped_ms += ms


@asynccontextmanager
async def acting(
    place: Place, view: str = "3", size: tuple[int, int] = (100, 40)
) -> AsyncIterator[Acting]:
    """The app in a terminal of that size, on one of its views."""
    session, clock = LiveSession(place.root), SkippingClock()
    session.open()
    app = PpgpApp(session, ability=Ability(), clock=clock, doer=doer(place.root))
    try:
        async with app.run_test(size=size) as pilot:
            of = Acting(place, app, pilot, clock)
            await pilot.press(view)
            yield of
    finally:
        if app.beside is not None:
            app.beside.finish()
        session.close()


def files(root: Path) -> dict[str, bytes]:
    """Every file below `root` outside Git."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }
