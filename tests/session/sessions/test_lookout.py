"""Many rows kept fresh: nothing that hangs or fails holds up the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from ppgp_tui.session.sessions import lookout as module
from ppgp_tui.session.sessions.finding import Found
from ppgp_tui.session.sessions.looking import Looker
from ppgp_tui.session.sessions.lookout import NOT_ENDED, Lookout
from ppgp_tui.session.sessions.row import SessionRow
from tests.session.sessions.repositories import Repositories, asked, log, row
from tests.session.status.reading import NOW
from tests.waiting import PATIENCE_S, until


class Stub(Looker):
    """Looks by calling a function."""

    def __init__(self, look: Callable[[], SessionRow | None]) -> None:
        self._call = look
        self.more = False
        self.row = None

    def look(self) -> SessionRow | None:
        self.row = self._call()
        return self.row

    def forget(self) -> None:
        pass


@contextmanager
def looking(looks: dict[str, Callable[[], SessionRow | None]], **more: object) -> Iterator[Lookout]:
    places = tuple(Found(path, "known") for path in looks)
    made = Lookout(
        [lambda: places], {}, lambda: NOW, looker=lambda found: Stub(looks[found.path]), **more
    )  # type: ignore[arg-type]
    made.start()
    try:
        yield made
    finally:
        made.stop()


def test_repositories_and_worktrees_are_listed_by_what_they_need(here: Repositories) -> None:
    root = here.make("importer")
    fix = here.worktree(root, "fix")
    docs = here.make("docs")
    log(docs, asked())
    found = (Found(str(root), "here"), Found(str(docs), "named"))
    made = Lookout([lambda: found], here.environ, lambda: NOW)
    made.start()
    made.settle(PATIENCE_S)
    made.stop()
    first = made.rows()[0]
    assert (first.name, first.by) == ("docs", "named")
    assert {one.root for one in made.rows()} == {str(root), str(fix), str(docs)}


def test_a_root_found_twice_is_listed_once(here: Repositories) -> None:
    root = here.make("importer")
    found = (Found(str(root), "here"), Found(str(root / "docs"), "named"))
    made = Lookout([lambda: found], here.environ, lambda: NOW)
    made.start()
    made.settle(PATIENCE_S)
    made.stop()
    assert [one.by for one in made.rows()] == ["here"]


def test_a_root_that_hangs_says_so_and_blocks_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLOW_S", 0.2)
    monkeypatch.setattr(module, "PACE_S", 0.05)
    free = threading.Event()
    hung = {f"/nfs/{at}": partial(_hang, free, f"/nfs/{at}") for at in range(8)}
    looks = {**hung, "/src/a": lambda: row("/src/a", run="working")}
    with looking(looks) as made:
        made.settle(PATIENCE_S)
        by_root = {one.root: one for one in made.rows()}
        assert by_root["/src/a"].group == "working"
        assert {by_root[path].problem for path in hung} == {NOT_ENDED}
        assert threading.active_count() < 8 + module.AT_WORK + 20
        free.set()
        until(lambda: not any(one.problem for one in made.rows()))


def _hang(free: threading.Event, path: str) -> SessionRow:
    free.wait(PATIENCE_S)
    return row(path)


def test_a_reader_that_fails_is_said_of_its_root_alone() -> None:
    def fails() -> SessionRow:
        raise ValueError("odd bytes")

    with looking({"/src/a": fails, "/src/b": lambda: row("/src/b")}) as made:
        made.settle(PATIENCE_S)
        by_root = {one.root: one.problem for one in made.rows()}
    assert by_root == {"/src/a": "ValueError: odd bytes", "/src/b": ""}


def test_a_search_that_fails_is_said_and_the_others_go_on() -> None:
    def fails() -> tuple[Found, ...]:
        raise OSError("no such thing")

    place = (Found("/src/a", "known"),)
    made = Lookout(
        [fails, lambda: place], {}, lambda: NOW, looker=lambda _: Stub(lambda: row("/src/a"))
    )
    made.start()
    made.settle(PATIENCE_S)
    made.stop()
    assert (made.problems, [one.root for one in made.rows()]) == (("no such thing",), ["/src/a"])


def test_a_change_is_told_and_what_stays_the_same_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PACE_S", 0.02)
    monkeypatch.setattr(module, "SLOWEST_S", 0.05)
    now: list[SessionRow] = [row("/src/a")]
    looked: list[int] = []

    def look() -> SessionRow:
        looked.append(1)
        return now[0]

    with looking({"/src/a": look}) as made:
        until(lambda: len(looked) > 5 and not made.early)
        version = made.version
        until(lambda: len(looked) > 10)
        assert made.version == version
        now[0] = row("/src/a", needs=1)
        until(lambda: made.version == version + 1)
        assert made.rows()[0].group == "needs_you"


def test_a_quiet_root_is_looked_at_ever_more_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PACE_S", 0.05)
    monkeypatch.setattr(module, "SLOWEST_S", 60.0)
    looked: list[float] = []

    def look() -> SessionRow:
        looked.append(time.monotonic())
        return row("/src/a")

    def is_seldom() -> bool:
        gaps = [after - before for before, after in pairwise(looked)]
        return len(gaps) > 6 and sum(gaps[-3:]) > 2 * sum(gaps[:3])

    with looking({"/src/a": look}):
        until(is_seldom)


def test_fifty_repositories_are_listed_by_a_handful_of_threads(here: Repositories) -> None:
    roots = [here.folder / f"many/{at}" for at in range(50)]
    for root in roots:
        (root / ".ppgp").mkdir(parents=True)
    found = tuple(Found(str(root), "known") for root in roots)
    before = threading.active_count()
    most: list[int] = []
    made = Lookout([lambda: found], here.environ, lambda: NOW)
    made.start(lambda: most.append(threading.active_count() - before))
    made.settle(PATIENCE_S)
    made.stop()
    assert {Path(one.root) for one in made.rows()} == set(roots)
    assert max(most) <= module.AT_WORK + 3
