"""The travelling keys in the real app, on a real log; and a recording that plays."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from ppgp_tui.session.live.store import LiveSession, now_ms
from ppgp_tui.session.travel.destination import Destination
from ppgp_tui.session.travel.recording import Recording
from ppgp_tui.ui.acts.deeds import Deed
from ppgp_tui.ui.app.app import PpgpApp
from ppgp_tui.ui.app.live import LiveSource
from ppgp_tui.ui.app.replaying import begin
from ppgp_tui.ui.terminal.ability import Ability
from tests.gasp.logs import real
from tests.session.travel.logs import BEGUN, LOG, STORY, lay, line
from tests.ui.waiting import shown, until


class Watching:
    """The app under way."""

    def __init__(self, app: PpgpApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def at(self) -> int | None:
        moment = self.app.seat.snapshot.moment
        return None if moment is None else moment.at

    @property
    def screen(self) -> str:
        return shown(self.app)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def until(self, holds: Callable[[], Any]) -> None:
        await until(self.pilot, holds)

    async def is_at(self, at: int | None) -> None:
        await self.until(lambda: self.at == at)


@asynccontextmanager
async def app_on(source: LiveSource, deeds: list[Deed] | None = None) -> AsyncIterator[PpgpApp]:
    def do(deed: Deed) -> Any:
        assert deeds is not None
        deeds.append(deed)

    app = PpgpApp(source, ability=Ability(), clock=now_ms, doer=None if deeds is None else do)
    try:
        yield app
    finally:
        if app.beside is not None:
            app.beside.finish()
        source.close()  # type: ignore[attr-defined]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return lay(tmp_path.resolve() / "root", STORY)


async def test_every_travelling_key_in_the_app(root: Path) -> None:
    session = LiveSession(root)
    session.open()
    async with app_on(session) as app, app.run_test(size=(100, 30)) as pilot:
        of = Watching(app, pilot)
        await of.press("less_than_sign")
        await of.is_at(10)
        await of.until(lambda: "REPLAY" in of.screen)
        await of.press("less_than_sign", "less_than_sign")
        await of.is_at(8)
        await of.press("greater_than_sign")
        await of.is_at(9)
        await of.press("home")
        await of.is_at(0)
        await of.press("4", "T")
        await of.is_at(11)
        await of.press("less_than_sign")
        await of.is_at(10)
        await of.press("full_stop")
        await of.is_at(11)
        await of.until(lambda: app.seat.journey is not None and not app.seat.journey.playing)
        await of.press("end")
        await of.is_at(None)
        await of.until(lambda: "REPLAY" not in of.screen)


async def test_keys_that_act_do_nothing_in_the_past_and_do_again_now(root: Path) -> None:
    session, deeds = LiveSession(root), list[Deed]()
    session.open()
    async with app_on(session, deeds) as app, app.run_test(size=(100, 30)) as pilot:
        of = Watching(app, pilot)
        await of.press("less_than_sign")
        await of.is_at(10)
        await of.press("p", "y", "n", "P", "S", "F", "m", "d", "u", "r")
        await of.until(lambda: "this is the past" in of.screen)
        assert deeds == []
        await of.press("end", "p")
        await of.until(lambda: "this is the past" not in of.screen)


async def test_the_log_grows_while_one_travels(root: Path) -> None:
    session = LiveSession(root)
    session.open()
    async with app_on(session) as app, app.run_test(size=(100, 30)) as pilot:
        of = Watching(app, pilot)
        await of.press("less_than_sign", "less_than_sign")
        await of.is_at(9)
        with (root / LOG).open("ab") as log:
            log.write(line(12, "observation.created", {"id": "obs_9"}))
        await of.until(lambda: "event 10 of 13" in of.screen)
        assert of.at == 9


def recording(root: Path, lines: list[bytes], path: str = LOG) -> Recording:
    lay(root, lines)
    made = Recording(root, path, now_ms)
    made.open()
    return made


async def test_a_recording_plays_to_its_end_and_says_so(tmp_path: Path) -> None:
    source = recording(tmp_path.resolve() / "root", [line(at, "x.y", {}) for at in range(30)])
    async with app_on(source) as app:
        begin(app.seat, Destination(at=0), 100.0)
        async with app.run_test(size=(100, 30)) as pilot:
            of = Watching(app, pilot)
            await of.is_at(29)
            await of.until(lambda: "this is the last event" in of.screen)
            assert app.seat.journey is not None
            assert not app.seat.journey.playing
            await of.press("less_than_sign")
            await of.is_at(28)


async def test_a_recording_is_played_and_stopped_with_the_same_key(tmp_path: Path) -> None:
    source = recording(tmp_path.resolve() / "root", [line(at, "x.y", {}) for at in range(3000)])
    async with app_on(source) as app:
        begin(app.seat, Destination(at=0), 1.0)
        async with app.run_test(size=(100, 30)) as pilot:
            of = Watching(app, pilot)
            await of.until(lambda: app.seat.journey is not None and app.seat.journey.playing)
            await of.press("full_stop")
            assert app.seat.journey is not None
            assert not app.seat.journey.playing


async def test_a_recording_by_hand_stands_still_until_a_key(tmp_path: Path) -> None:
    source = recording(tmp_path.resolve() / "root", STORY)
    async with app_on(source) as app:
        begin(app.seat, Destination(ts_ms=BEGUN + 4500), 0)
        async with app.run_test(size=(80, 24)) as pilot:
            of = Watching(app, pilot)
            await of.is_at(4)
            await of.until(lambda: "Make it resumable" in of.screen)
            await pilot.pause(0.3)
            assert of.at == 4
            assert "7s before its end, event 5 of 12" in of.screen
            assert "replay" in of.screen.splitlines()[-1]
            await of.press("greater_than_sign")
            await of.is_at(5)
            await of.press("end", "greater_than_sign")
            await of.is_at(11)
            await of.press("p")
            assert "a replay only shows" in of.screen


async def test_a_recording_does_not_find_what_it_has_not(tmp_path: Path) -> None:
    source = recording(tmp_path.resolve() / "root", STORY)
    async with app_on(source) as app:
        begin(app.seat, Destination(event="event_nowhere"), 0)
        async with app.run_test(size=(80, 24)) as pilot:
            of = Watching(app, pilot)
            await of.is_at(0)
            await of.until(lambda: "the log does not say when that was" in of.screen)


@pytest.mark.parametrize("name", ["head400.jsonl", "tail400.jsonl"])
async def test_a_real_log_of_others_is_played(tmp_path: Path, name: str) -> None:
    lines = real(name).read_bytes().splitlines(keepends=True)
    source = recording(tmp_path.resolve() / "root", lines)
    async with app_on(source) as app:
        begin(app.seat, Destination(at=0), 0)
        async with app.run_test(size=(80, 24)) as pilot:
            of = Watching(app, pilot)
            await of.is_at(0)
            for key in ("2", "3", "4", "5", "6", "1"):
                await of.press("greater_than_sign", key)
            await of.is_at(6)
            await of.press("end")
            await of.until(lambda: of.at == app.seat.live.events.value.count - 1)


async def test_a_recording_of_a_long_log_begins_when_it_is_read(tmp_path: Path) -> None:
    lines = [line(at, "tool.called", {"text": "x" * 200}) for at in range(3000)]
    source = recording(tmp_path.resolve() / "root", lines)
    async with app_on(source) as app:
        begin(app.seat, Destination(at=2500), 0)
        async with app.run_test(size=(80, 24)) as pilot:
            of = Watching(app, pilot)
            await of.is_at(2500)
            await of.press("4")
            await of.until(lambda: "moment at 2,501" in of.screen)


async def test_a_recording_is_never_written_to(tmp_path: Path) -> None:
    root = tmp_path.resolve() / "root"
    source = recording(root, STORY)
    before = sorted((str(path), path.stat().st_mtime_ns) for path in root.rglob("*"))
    async with app_on(source) as app:
        begin(app.seat, Destination(at=0), 1000.0)
        async with app.run_test(size=(80, 24)) as pilot:
            of = Watching(app, pilot)
            await of.is_at(11)
            await of.press("4", "v", "l", "escape", "ctrl+r")
            await pilot.pause(0.2)
    assert sorted((str(path), path.stat().st_mtime_ns) for path in root.rglob("*")) == before
