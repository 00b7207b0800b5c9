"""Beside the screen: deeds in their order, and what was taken away is put back, nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from queue import Queue

import pytest

from ppgp_tui.session.engine.result import Code, Result
from ppgp_tui.session.model import Answer, Control, Part, Request, SessionSnapshot
from ppgp_tui.ui.acts.deeds import Deed, Flush, Hold, Init, MendFiles, MendHold, Release
from ppgp_tui.ui.app import beside
from ppgp_tui.ui.app.beside import Beside
from ppgp_tui.ui.app.care import Care
from tests.ui import picture
from tests.ui.desk import question
from tests.waiting import PATIENCE_S


class World:
    """A picture, what does deeds, and what was told."""

    def __init__(self, snapshot: SessionSnapshot) -> None:
        self.snapshot = snapshot
        self.told: Queue[tuple[Deed, Result]] = Queue()
        self.done: list[Deed] = []
        self.code: Code = "done"
        self.free = threading.Event()
        self.free.set()
        self.beside = Beside(self.do, lambda: self.snapshot, lambda *how: self.told.put(how))

    def do(self, deed: Deed) -> Result:
        assert self.free.wait(PATIENCE_S)
        self.done.append(deed)
        if isinstance(deed, Init):
            raise RuntimeError("no such thing")
        return Result("act", self.code, type(deed).__name__)

    def hears(self) -> str:
        deed, result = self.told.get(timeout=PATIENCE_S)
        return f"{type(deed).__name__}: {result.message}"


@contextmanager
def at_work(snapshot: SessionSnapshot | None = None) -> Iterator[World]:
    world = World(snapshot or picture.full())
    world.beside.start()
    yield world
    world.free.set()
    world.beside.finish()


def lost() -> SessionSnapshot:
    return replace(picture.full(), control=Part(Control(generation=3, lost=True)))


# --- deeds --------------------------------------------------------------------------------------


def test_deeds_are_done_in_the_order_they_were_asked_for() -> None:
    with at_work() as world:
        world.free.clear()
        for generation in range(5):
            world.beside.do((Hold if generation % 2 else Release)(generation))
        world.free.set()
        heard = [world.hears() for _ in range(5)]
        assert [deed.generation for deed in world.done] == [0, 1, 2, 3, 4]  # type: ignore[union-attr]
        assert heard[0] == "Release: Release"


def test_a_mistake_in_a_deed_is_told_and_the_next_one_is_done() -> None:
    with at_work() as world:
        world.beside.do(Init())
        world.beside.do(Hold(1))
        assert world.hears() == "Init: not done: RuntimeError: no such thing"
        assert world.hears() == "Hold: Hold"


def test_leaving_waits_for_what_was_sent_and_says_how_it_went() -> None:
    with at_work() as world:
        world.free.clear()
        world.code = "stale"
        world.beside.do(Hold(1))
        threading.Timer(0.1, world.free.set).start()
        assert [result.code for result in world.beside.finish()] == ["stale"]
        assert world.done == [Hold(1)]


# --- what was lost ------------------------------------------------------------------------------


def test_a_lost_order_is_given_again_and_that_is_said() -> None:
    with at_work(lost()) as world:
        world.beside.look()
        assert world.hears() == "MendHold: MendHold"
        world.snapshot = picture.full()


def test_without_a_word_from_anybody_it_is_looked_every_second() -> None:
    with at_work(lost()) as world:
        assert world.hears() == "MendHold: MendHold"


def test_what_cannot_be_put_right_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "FAILED_S", 0.0)
    with at_work(lost()) as world:
        world.code = "disk"
        for _ in range(5):
            world.beside.look()
        assert world.hears() == "MendHold: MendHold"
        world.beside.do(Hold(1))
        assert world.hears() == "Hold: Hold"
        assert world.done.count(MendHold()) >= 2
        assert world.told.empty()


def test_where_nothing_was_lost_nothing_is_done() -> None:
    with at_work() as world:
        for _ in range(3):
            world.beside.look()
        world.beside.do(Hold(1))
        world.hears()
        assert world.done == [Hold(1)]


def test_events_that_wait_for_the_log_are_tried_again() -> None:
    events = replace(picture.events(), outbox=2)
    assert list(Care().due(replace(picture.full(), events=Part(events)))) == [Flush()]


# --- files of requests --------------------------------------------------------------------------


def with_files(root: Path, *requests: Request) -> SessionSnapshot:
    return replace(picture.full(), root=root, inbox=Part(requests))


def filed(root: Path, *names: str) -> None:
    for name in names:
        path = root / ".ppgp" / "run" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")


def given() -> Request:
    said = Answer("dec_1", 1, "user:dev", option="yes")
    return question()._replace(state="answered", answer=said)


def test_a_request_file_that_was_there_and_is_gone_is_a_loss(tmp_path: Path) -> None:
    shown = with_files(tmp_path, question())
    name = f"requests/{question().id}.json"
    filed(tmp_path, name)
    care = Care()
    assert list(care.due(shown)) == []
    (tmp_path / ".ppgp/run" / name).unlink()
    assert list(care.due(shown)) == [MendFiles()]
    filed(tmp_path, name)
    assert list(care.due(shown)) == []


def test_a_deleted_folder_is_a_loss_as_long_as_somebody_waits(tmp_path: Path) -> None:
    request, answered = f"requests/{question().id}.json", f"answers/{question().id}.1.json"
    filed(tmp_path, request, answered)
    care = Care()
    assert list(care.due(with_files(tmp_path, given()))) == []
    (tmp_path / ".ppgp").rename(tmp_path / "elsewhere")
    assert list(care.due(with_files(tmp_path, given()))) == [MendFiles()]
    assert list(care.due(with_files(tmp_path, given()._replace(state="acted_on")))) == []


def test_what_was_never_here_is_no_loss(tmp_path: Path) -> None:
    care = Care()
    assert list(care.due(with_files(tmp_path, question(), given()))) == []
    assert list(care.due(with_files(tmp_path, question(), given()))) == []
    assert not (tmp_path / ".ppgp").exists()
