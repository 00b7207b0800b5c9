"""Noticing changes: by events, by looks, and by looks alone where events do not work."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.session.live import watch as watch_module
from ppgp_tui.session.live.watch import Concern, Folders, Pace, Watcher, watch_folders
from ppgp_tui.session.model import Watching
from tests.waiting import PATIENCE_S, until


class Watch:
    """A watcher over a few files, and everything it said."""

    def __init__(self, root: Path, **options: Any) -> None:
        self.root = root
        self.changed: list[str] = []
        self.told: list[str] = []
        self.said: list[Watching] = []
        options.setdefault("events", self.events)
        self.watcher = Watcher(
            root, self.concerns, self.changed.extend, self.said.append, lambda: 1000, **options
        )

    def events(self, folders: Folders, pace: Pace, stop: threading.Event) -> Iterator[set[str]]:
        for paths in watch_folders(folders, pace, stop):
            self.told.extend(paths)
            yield paths

    def listens_in(self, folder: Path) -> None:
        """Wait until events of `folder` arrive; that the watching began says less."""
        scratch = str(folder / "scratch")
        until(lambda: write(Path(scratch), "x") or scratch in self.told)

    def concerns(self) -> dict[str, Concern]:
        return {
            "goal": Concern((self.root / "docs/GOAL.md", self.root / "GOAL.md")),
            "log": Concern((self.root / "state/events.jsonl",)),
            "agents": Concern((), (self.root / ".ppgp/run/agents",)),
        }

    def notices(self, name: str, act: Callable[[], object]) -> None:
        """Wait until `name` was reported after `act`."""
        self.changed.clear()
        act()
        until(lambda: name in self.changed)

    def is_live(self) -> bool:
        return bool(self.said) and self.said[-1].mode == "live"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Watch]]:
    started = []

    def make(**options: Any) -> Watch:
        watch = Watch(tmp_path.resolve() / "root", **options)
        watch.root.mkdir(exist_ok=True)
        started.append(watch)
        watch.watcher.start()
        until(lambda: watch.said)
        return watch

    yield make
    for watch in started:
        watch.watcher.stop()
        watch.watcher.join(PATIENCE_S)


@pytest.fixture
def eventless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the regular looks only events can tell of a change."""
    monkeypatch.setattr(watch_module, "QUICK", Pace(5, 600_000))
    monkeypatch.setattr(watch_module, "CALM", Pace(5, 600_000))


def test_the_first_look_reports_everything(start: Callable[..., Watch]) -> None:
    watch = start()
    until(lambda: {"goal", "log", "agents"} <= set(watch.changed))


def test_files_written_replaced_and_deleted_are_noticed_by_events(
    start: Callable[..., Watch], eventless: None
) -> None:
    watch = start()
    watch.listens_in(watch.root)
    goal = watch.root / "GOAL.md"
    watch.notices("goal", lambda: goal.write_text("one"))
    (watch.root / "new").write_text("two")
    watch.notices("goal", lambda: (watch.root / "new").replace(goal))
    watch.notices("goal", lambda: goal.write_text("three"))
    watch.notices("goal", goal.unlink)


def test_folders_that_do_not_exist_yet_are_watched_once_they_do(
    start: Callable[..., Watch],
) -> None:
    watch = start()
    until(watch.is_live)
    watch.notices("goal", lambda: write(watch.root / "docs/GOAL.md", "one"))
    watch.notices("log", lambda: write(watch.root / "state/events.jsonl", "{}\n"))
    watch.notices("agents", lambda: write(watch.root / ".ppgp/run/agents/a.json", "{}"))
    watch.notices("agents", lambda: write(watch.root / ".ppgp/run/agents/b.calls", "x"))
    shutil.rmtree(watch.root / "docs")
    watch.notices("goal", lambda: write(watch.root / "docs/GOAL.md", "two"))


def test_a_root_deleted_and_made_again_is_followed(start: Callable[..., Watch]) -> None:
    watch = start()
    until(watch.is_live)
    shutil.rmtree(watch.root)
    until(lambda: watch.said[-1].mode == "stale")
    assert watch.said[-1].why.endswith("is gone")
    assert watch.said[-1].since_ms == 1000
    watch.notices("goal", lambda: write(watch.root / "GOAL.md", "back"))
    until(watch.is_live)
    watch.notices("goal", lambda: write(watch.root / "GOAL.md", "again"))


def test_unrelated_files_disturb_nobody(start: Callable[..., Watch], eventless: None) -> None:
    watch = start()
    watch.listens_in(watch.root)
    watch.changed.clear()
    write(watch.root / "src.py", "x")
    watch.notices("goal", lambda: write(watch.root / "GOAL.md", "x"))
    assert "log" not in watch.changed


def test_what_a_link_leads_to_is_watched_where_it_lies(
    start: Callable[..., Watch], eventless: None
) -> None:
    watch = start()
    watch.listens_in(watch.root)
    write(watch.root / "deep/down/real.md", "one")
    watch.notices("goal", lambda: (watch.root / "GOAL.md").symlink_to("deep/down/real.md"))
    watch.listens_in(watch.root / "deep/down")
    watch.notices("goal", lambda: write(watch.root / "deep/down/real.md", "two"))


def test_a_lost_event_costs_seconds_and_not_the_truth(
    start: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    def deaf(_: Folders, pace: Pace, stop: threading.Event) -> Iterator[set[str]]:
        while not stop.wait(0.01):
            yield set()

    watch = start(events=deaf)
    watch.notices("goal", lambda: write(watch.root / "GOAL.md", "x"))


def test_where_events_do_not_work_it_looks_by_itself_and_says_so(
    start: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_module, "deaf_mount", lambda _: "nfs4")
    watch = start(poll_s=lambda: 0.01, events=never)
    assert watch.said[-1] == Watching(
        "poll", 0.01, None, "nfs4 does not tell of changes made elsewhere"
    )
    for text in ("one", "two"):
        watch.notices("goal", lambda text=text: write(watch.root / "GOAL.md", text))


def never(*_: object) -> Iterator[set[str]]:
    raise AssertionError("events were asked for")


@pytest.mark.parametrize("dying", ["raise", "end"])
def test_a_watcher_that_dies_is_replaced_by_looks_and_started_again(
    start: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch, dying: str
) -> None:
    monkeypatch.setattr(watch_module, "_RETRY_S", (0.3, 0.3))
    lives: list[threading.Event] = []

    def mortal(folders: Folders, pace: Pace, stop: threading.Event) -> Iterator[set[str]]:
        killed = threading.Event()
        lives.append(killed)
        for paths in watch_folders(folders, Pace(5, 10), stop):
            yield paths
            if killed.is_set():
                if dying == "raise":
                    raise OSError("OS file watch limit reached")
                return

    watch = start(poll_s=lambda: 0.01, events=mortal)
    until(watch.is_live)
    lives[-1].set()
    (polling, *_) = until(lambda: [said for said in watch.said if said.mode == "poll"])
    assert polling.restarts == 1
    assert polling.why.startswith("events stopped: ")
    watch.notices("goal", lambda: write(watch.root / "GOAL.md", "while polling"))
    until(watch.is_live)
    assert watch.said[-1].restarts == 1
    watch.notices("goal", lambda: write(watch.root / "GOAL.md", "live again"))


def test_a_watch_limit_of_the_system_is_survived(
    start: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    def limited(*_: object) -> Iterator[set[str]]:
        raise OSError("OS file watch limit reached")

    watch = start(poll_s=lambda: 0.01, events=limited)
    until(lambda: watch.said[-1].mode == "poll")
    assert "watch limit" in watch.said[-1].why
    watch.notices("goal", lambda: write(watch.root / "GOAL.md", "x"))


def test_a_second_write_within_one_tick_of_the_clock_is_seen(
    start: Callable[..., Watch],
) -> None:
    """Same inode, size and times: what an event-less look cannot tell apart."""
    watch = start(poll_s=lambda: 0.01)
    watch.watcher.stop()
    watch.watcher.join(PATIENCE_S)
    goal = watch.root / "GOAL.md"
    goal.write_text("one")
    os.utime(goal, ns=(0, time.time_ns() + 10**12))  # this moment, however long a look takes
    watch.watcher._look()
    watch.changed.clear()
    watch.watcher._look()
    assert "goal" in watch.changed
    os.utime(goal, ns=(0, 1_000_000_001))
    watch.watcher._look()
    watch.changed.clear()
    watch.watcher._look()
    assert watch.changed == []


def test_the_pace_is_calm_when_nothing_happens(
    start: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_module, "BUSY_S", 0.2)
    paces: list[Pace] = []

    def noting(folders: Folders, pace: Pace, stop: threading.Event) -> Iterator[set[str]]:
        paces.append(pace)
        return watch_folders(folders, pace, stop)

    watch = start(events=noting)
    until(lambda: paces and paces[-1] == watch_module.CALM)
    paces.clear()
    watch.notices("goal", lambda: write(watch.root / "GOAL.md", "x"))
    until(lambda: watch_module.QUICK in paces)


def write(path: Path, text: str) -> None:
    """Write the file, in a folder made for it where there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
