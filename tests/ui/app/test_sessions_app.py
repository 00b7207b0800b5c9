"""The app on several repositories: one is opened, one is answered in, and none blocks another."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.sessions.finding import Found
from ppgp_tui.session.sessions.lookout import Lookout
from ppgp_tui.ui.app.app import PpgpApp
from ppgp_tui.ui.app.doing import doer
from ppgp_tui.ui.seat.sessions import AllSource, ClosableSource, Others
from ppgp_tui.ui.terminal.ability import Ability
from tests.cli.acting import Place
from tests.ui.acting_app import SkippingClock
from tests.ui.waiting import shown, until
from tests.waiting import PATIENCE_S

GOAL = "# ACTIVE_GOAL\n\n## GOAL\n\nGoal of {name}\n\n## PHASE\n\nEXECUTE\n"


class Several:
    """Repositories of one person, and the app under way on them."""

    def __init__(self, folder: Path, place: Place) -> None:
        self.folder = folder
        self.place = place
        self.roots: dict[str, Path] = {}
        self.opened: list[str] = []
        self.closed: list[str] = []
        self.hang = threading.Event()
        """Until it is set, the repository called `slow` cannot be opened."""

    def make(self, name: str) -> Path:
        """A session with a goal."""
        root = self.folder / name
        (root / "docs").mkdir(parents=True)
        (root / "docs/ACTIVE_GOAL.md").write_text(GOAL.format(name=name))
        self.roots[name] = root
        assert self.place.act("init", "--root", root).code == 0
        return root

    def ask(self, name: str, question: str) -> None:
        """Ask as an agent that works there."""
        assert self.place.agent("ask", question, "--root", self.roots[name]).code == 0

    def answers(self, name: str) -> list[str]:
        folder = self.roots[name] / ".ppgp/run/answers"
        found = (
            [one for one in folder.iterdir() if one.suffix == ".json"] if folder.exists() else []
        )
        return [json.loads(one.read_bytes())["option"] for one in found]

    def others(self) -> Others:
        found = tuple(Found(str(root), "named") for root in self.roots.values())

        def lookout() -> Lookout:
            return Lookout([lambda: found], os.environ, self.clock, with_requests=True)

        def opened(root: Path) -> ClosableSource:
            if root.name == "slow":
                self.hang.wait(PATIENCE_S)
            self.opened.append(root.name)
            several, session = self, LiveSession(root)
            session.open()
            close = session.close

            def closing() -> None:
                several.closed.append(root.name)
                close()

            session.close = closing  # type: ignore[method-assign]
            return session

        return Others(lookout, opened, doer)

    clock = SkippingClock()


class Screen:
    """What a person sees and presses."""

    def __init__(self, app: PpgpApp, pilot: Pilot[int], several: Several) -> None:
        self.app, self._pilot, self._clock = app, pilot, several.clock

    @property
    def text(self) -> str:
        return shown(self.app)

    async def press(self, *keys: str) -> None:
        for key in keys:
            self._clock.skip(600)
            await self._pilot.press(key)

    async def until(self, holds: Callable[[], object]) -> None:
        await until(self._pilot, holds)

    async def sees(self, *words: str) -> None:
        await self.until(lambda: all(one in self.text for one in words))

    async def lists(self, *words: str) -> None:
        """Wait for the list, and until keys act in it: not while its order means nothing yet."""
        await self.sees(*words)
        await self.until(lambda: self.app.seat.row)


@pytest.fixture
def several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Several:
    place = Place(tmp_path, monkeypatch)
    place.allow_scripts()
    return Several(tmp_path / "src", place)


@asynccontextmanager
async def on_all(of: Several, size: tuple[int, int] = (100, 40)) -> AsyncIterator[Screen]:
    """The app on the list."""
    others = of.others()
    source = AllSource(others.lookout(), of.clock)
    app = PpgpApp(
        source, ability=Ability(), clock=of.clock, others=lambda: others,
        doer=lambda deed: source.do(deed, others.doer),
    )  # fmt: skip
    async with _running(app, of, size) as screen:
        yield screen
    source.close()


@asynccontextmanager
async def on_one(of: Several, name: str) -> AsyncIterator[Screen]:
    """The app on one of them."""
    session = LiveSession(of.roots[name])
    session.open()
    app = PpgpApp(
        session, ability=Ability(), clock=of.clock, others=of.others, doer=doer(of.roots[name])
    )
    async with _running(app, of, (100, 40)) as screen:
        yield screen
    session.close()


@asynccontextmanager
async def _running(app: PpgpApp, of: Several, size: tuple[int, int]) -> AsyncIterator[Screen]:
    try:
        async with app.run_test(size=size) as pilot:
            yield Screen(app, pilot, of)
    finally:
        of.hang.set()
        if app.beside is not None:
            app.beside.finish()
        if app.sessions is not None:
            app.sessions.finish()


async def test_an_answer_given_in_the_list_goes_to_the_engine_of_its_own_repository(
    several: Several,
) -> None:
    for name in ("a", "b"):
        several.make(name)
    several.ask("b", "Publish 0.2.0?")
    async with on_all(several) as of:
        await of.lists("Publish 0.2.0?", "Goal of a")
        await of.press("tab", "y")
        await of.sees("b: answered")
        assert (several.answers("a"), several.answers("b")) == ([], ["yes"])
        await of.sees("yes, answered")
        assert several.opened == []


async def test_an_answer_is_taken_back_in_the_list_too(several: Several) -> None:
    several.make("a")
    several.ask("a", "Publish 0.2.0?")
    async with on_all(several) as of:
        await of.lists("Publish 0.2.0?")
        await of.press("tab", "n")
        await of.sees("no, answered")
        await of.press("u")
        await of.sees("1 for you")


async def test_a_new_question_comes_up_in_the_list_by_itself(several: Several) -> None:
    several.make("a")
    async with on_all(several) as of:
        await of.sees("nothing waits for you")
        several.ask("a", "Rename the command?")
        await of.sees("Rename the command?", "1 for you")


async def test_enter_opens_a_session_w_comes_back_and_another_one_is_opened(
    several: Several,
) -> None:
    for name in ("a", "b"):
        several.make(name)
    async with on_all(several) as of:
        await of.lists("Goal of a", "Goal of b", "Sessions")
        first = "a" if of.app.seat.row.copy.endswith("/a") else "b"  # type: ignore[union-attr]
        second = {"a": "b", "b": "a"}[first]
        await of.press("enter")
        await of.sees(f"Goal of {first}", "1 session", "live")
        await of.press("w")
        await of.sees("ALL SESSIONS", f"back to {first}")
        await of.press("j", "5")
        await of.sees("Goal document", f"Goal of {second}", "live")
        await of.until(lambda: several.closed == [first])
        await of.press("escape")
        await of.sees("ALL SESSIONS", f"back to {second}")


async def test_going_back_to_the_open_session_opens_nothing_and_it_stayed_live(
    several: Several,
) -> None:
    root = several.make("a")
    async with on_one(several, "a") as of:
        await of.sees("Goal of a", "live")
        await of.press("w")
        await of.sees("ALL SESSIONS")
        path = root / "docs/ACTIVE_GOAL.md"
        path.write_text(path.read_text().replace("Goal of a", "Another goal"))
        await of.press("escape")
        await of.sees("Another goal", "1 session")
        assert several.opened == []
        await of.press("w")
        await of.lists("ALL SESSIONS")
        await of.press("enter")
        await of.sees("1 session")
        assert several.opened == []


async def test_a_session_that_was_left_is_found_again_where_it_was(several: Several) -> None:
    for name in ("a", "b"):
        several.make(name)
    async with on_one(several, "a") as of:
        await of.sees("Goal of a", "live")
        await of.press("5", "j", "j")
        row = of.app.seat.row
        assert row is not None
        await of.press("w")
        await of.lists("ALL SESSIONS", "Goal of b")
        await of.press(*_to(of, "b"), "enter")
        await of.sees("Goal of b", "1 session", "live")
        await of.press("w")
        await of.lists("ALL SESSIONS")
        await of.press(*_to(of, "a"), "enter")
        await of.sees("Goal document", "live")
        again = of.app.seat.row
        assert again is not None
        assert again.key == row.key


def _to(of: Screen, name: str) -> list[str]:
    """The keys from the top of the list to the session called so."""
    every = of.app.sessions._list.source.snapshot.sessions  # type: ignore[union-attr]
    at = next(at for at, one in enumerate(every.rows) if one.name == name)  # type: ignore[union-attr]
    return ["g", *["j"] * at]


async def test_a_session_that_does_not_open_leaves_the_list_usable(several: Several) -> None:
    for name in ("a", "slow"):
        several.make(name)
    async with on_all(several) as of:
        await of.lists("Goal of a", "Goal of slow")
        at = [row.name for row in of.app.session.snapshot.sessions.rows].index("slow")  # type: ignore[union-attr]
        await of.press("g", *["j"] * at, "enter")
        await of.sees("opening slow")
        await of.press(*(["k"] if at else ["j"]), "enter")
        await of.sees("Goal of a", "1 session")
        several.hang.set()
        await of.until(lambda: several.closed == ["slow"])
        assert "Goal of a" in of.text


async def test_a_repository_that_vanishes_is_said_and_the_others_go_on(several: Several) -> None:
    for name in ("a", "b"):
        several.make(name)
    async with on_all(several) as of:
        await of.sees("Goal of a", "Goal of b")
        shutil.rmtree(several.roots["b"])
        await of.sees("b is not read", "its folder is gone")
        several.ask("a", "Rename the command?")
        await of.sees("Rename the command?")


async def test_reading_again_looks_at_every_session(several: Several) -> None:
    several.make("a")
    async with on_all(several) as of:
        await of.sees("Goal of a")
        await of.press("ctrl+r")
        await of.sees("every file read again")


async def test_the_theme_and_density_one_chose_hold_in_every_seat(several: Several) -> None:
    several.make("a")
    async with on_one(several, "a") as of:
        await of.sees("Goal of a", "live")
        of.app.doors.use_theme("paper")
        await of.press(",", "d")
        await of.press("w")
        await of.sees("ALL SESSIONS")
        assert of.app.seat.look is not None
        assert of.app.seat.density == "roomy"
        light = of.app.seat.look
        await of.press("escape")
        await of.sees("Goal of a")
        assert of.app.seat.look is light
