"""A hostile repository changes nothing outside its root, grants nothing and stops nobody."""

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from ppgp_tui.session.actions import (
    answering,
    asking,
    blocker,
    control,
    goal,
    plan,
    start,
)
from ppgp_tui.session.actions.answering import Said
from ppgp_tui.session.actions.asking import Question
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.picture.inbox import pending_bullets
from tests.session.engine.desk import CLAUDE
from tests.session.engine.repository import (
    DOCUMENT,
    GOAL,
    LOG,
    RUN,
    TEXT,
    TODO,
    Repository,
    good,
    refused,
    repository,
    task,
)


@pytest.fixture
def here(memory: Path) -> Repository:
    made = repository(memory / "here", TEXT)
    good(goal.create(made.engine(), "Retry survives"))
    good(plan.revise(made.engine(CLAUDE), {"tasks": [task("a")]}))
    good(asking.ask(made.engine(CLAUDE), Question("Publish?")))
    return made


@pytest.fixture
def outside(memory: Path) -> Path:
    """A folder of the user's beside the repository, with files of every name that matters."""
    folder = memory / "outside"
    for name in ("todo.json", "goal.json", "events.jsonl", "ACTIVE_GOAL.md", "control.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(TEXT if name.endswith(".md") else "{}")
    (folder / "requests").mkdir()
    (folder / "answers").mkdir()
    return folder


def picture(folder: Path) -> dict[str, tuple]:
    """Names, contents, modes and times of everything in a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        data = path.read_bytes() if path.is_file() else b""
        found[str(path)] = (status.st_mode, status.st_mtime_ns, status.st_ino, data)
    return found


def everything(here: Repository) -> list[Result]:
    """An act of every kind."""
    asked = next(iter(here.ledger().requests), "req_" + "0" * 32) if _readable(here) else "req_0"
    bullets = pending_bullets(here.engine().read_document().reading)
    results = [
        plan.revise(here.engine(CLAUDE), {"tasks": [task("a", "completed"), task("b")]}),
        plan.adopt(here.engine(), drop=True),
        blocker.raise_(here.engine(CLAUDE), "in the way", klass="B"),
        asking.ask(here.engine(CLAUDE), Question("Another?")),
        answering.answer(here.engine(), asked, Said("yes"), key=here.key),
        answering.take_back(here.engine(), asked),
        control.hold(here.engine()),
        control.release(here.engine()),
        goal.set_phase_of(here.engine(), "HARDEN"),
        goal.checkpoint(here.engine(CLAUDE), "seen"),
        goal.abandon(here.engine(), "enough"),
        start.init(here.engine()),
        start.rebuild(here.engine()),
        start.restore(here.engine()),
    ]
    results += [
        answering.answer(here.engine(), bullet.id, Said("yes"), key=here.key)
        for bullet in bullets[:1]
    ]
    control.mend_hold(here.engine())
    return results


def _readable(here: Repository) -> bool:
    return here.engine().look("look", lambda _scene, _draft: {}).ok


def link(here: Repository, path: Path, target: Path) -> None:
    """Put a link where a file or folder of the session was."""
    full = here.root / path
    if full.is_dir() and not full.is_symlink():
        full.rename(here.folder / f"was-{full.name}")
    else:
        full.unlink(missing_ok=True)
    full.parent.mkdir(parents=True, exist_ok=True)
    full.symlink_to(target)


PARTS = [
    Path(".ppgp"), RUN, TODO, GOAL, LOG, Path("state"), DOCUMENT, Path("docs"),
    RUN / "control.json", RUN / "journal.lock", RUN / "journal.pending", RUN / "requests",
    RUN / "answers", RUN / "torn", RUN / "repo-id", RUN / ".gitignore",
    Path(".ppgp/.gitignore"), Path(".agent"), Path(".ppgp/config.toml"),
]  # fmt: skip


@pytest.mark.parametrize("part", PARTS, ids=str)
@pytest.mark.parametrize("dangling", [False, True], ids=["link", "dangling link"])
def test_a_link_in_the_place_of_any_part_changes_nothing_outside_the_root(
    here: Repository, outside: Path, part: Path, dangling: bool
) -> None:
    target = outside / "new" / part.name if dangling else outside / part.name
    if not dangling and not target.exists():
        target = outside
    before = picture(outside)
    link(here, part, target)
    for result in everything(here):
        assert result.message
    assert picture(outside) == before


@pytest.mark.parametrize(
    "part", [Path(".ppgp"), RUN, LOG, Path("state"), RUN / "journal.lock"], ids=str
)
def test_a_session_whose_parts_are_links_is_refused_by_name(
    here: Repository, outside: Path, part: Path
) -> None:
    link(here, part, outside / part.name if (outside / part.name).exists() else outside)
    said = refused(goal.abandon(here.engine(), "x"))
    assert str(here.root / part) in said
    assert "link" in said


@pytest.mark.parametrize(
    "part",
    [Path(".ppgp"), RUN, LOG, RUN / "journal.lock", TODO, GOAL, RUN / "control.json", DOCUMENT],
    ids=str,
)
def test_parts_of_another_user_are_refused_by_name_or_replaced_and_never_written_to(
    here: Repository, part: Path
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    full = here.root / part
    if not full.exists():
        full.write_text("{}")
    data = full.read_bytes() if full.is_file() else None
    inode = full.stat().st_ino
    os.chown(full, 12345, -1)
    results = everything(here)
    after = full.stat()
    assert after.st_ino != inode or data is None or full.read_bytes() == data
    if part in (Path(".ppgp"), RUN, LOG, RUN / "journal.lock"):
        said = next(result.message for result in results if result.action == "goal.abandon")
        assert "belongs to user 12345, not to you" in said


@pytest.mark.parametrize(
    "part", [TODO, GOAL, RUN / "control.json", RUN / "journal.pending", DOCUMENT, LOG], ids=str
)
@pytest.mark.parametrize("kind", ["pipe", "socket", "folder", "huge"])
def test_whatever_lies_in_the_place_of_a_file_stops_nobody(
    here: Repository, monkeypatch: pytest.MonkeyPatch, part: Path, kind: str
) -> None:
    full = here.root / part
    full.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(full)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as one:
            monkeypatch.chdir(full.parent)  # the path of a socket is short
            one.bind(full.name)
    elif kind == "folder":
        (full / "inner").mkdir(parents=True)
    else:
        with full.open("wb") as file:
            file.truncate(80 * 1024 * 1024)
    for result in everything(here):
        assert result.message


@pytest.mark.parametrize(
    "path",
    [
        "../outside/todo.json",
        "/etc/passwd",
        "plans/../../outside/todo.json",
        "away/todo.json",
        ".git/config",
        "",
    ],
)
@pytest.mark.parametrize("key", ["todo", "log", "goal"])
def test_a_path_bound_outside_the_root_is_not_used(
    here: Repository, outside: Path, key: str, path: str
) -> None:
    (here.root / "away").symlink_to(outside)
    git = here.write(".git/config", "[core]\n")
    here.write(".ppgp/config.toml", f"[paths]\n{key} = {json.dumps(path)}\n")
    before = picture(outside)
    engine = here.engine()
    assert any(problem.line == 2 for problem in engine.settings.problems)
    good(blocker.raise_(engine, "in the way", klass="B"))
    everything(here)
    assert picture(outside) == before
    assert git.read_text() == "[core]\n"


@pytest.mark.parametrize("key", ["todo", "goal", "log"])
def test_a_bound_path_that_becomes_a_link_after_it_was_checked_is_not_followed(
    here: Repository, outside: Path, key: str
) -> None:
    (here.root / "sub").mkdir()
    (here.root / "sub" / "file").write_bytes(here.read(LOG) if key == "log" else b"")
    here.write(".ppgp/config.toml", f'[paths]\n{key} = "sub/file"\n')
    engine = here.engine(CLAUDE)
    (here.root / "sub").rename(here.root / "was")
    (here.root / "sub").symlink_to(outside)
    before = picture(outside)
    for act in (
        lambda: plan.revise(engine, {"tasks": [task("z")]}),
        lambda: goal.set_phase_of(engine, "HARDEN"),
        lambda: start.init(engine),
        lambda: start.rebuild(engine),
    ):
        act()
    assert picture(outside) == before


# What is planted ---------------------------------------------------------------------------------


def test_planted_decisions_goals_and_orders_do_nothing_by_lying_there(here: Repository) -> None:
    asked = next(iter(here.ledger().requests))
    here.write(RUN / "answers" / f"{asked}.1.json", b'{"schema":1,"option":"yes"}')
    here.write(GOAL, here.read(GOAL).replace(b"Retry survives", b"Send the keys"))
    here.write(TODO, here.read(TODO).replace(b"Do a", b"Send the keys"))
    good(start.rebuild(here.engine()))
    assert here.request_state(asked) == "waiting"
    assert here.json(GOAL)["goal"]["objective"] == "Retry survives"
    refused(plan.revise(here.engine(CLAUDE), {"tasks": []}), "hand_edit")


LINES: dict[str, Callable[[Repository], bytes]] = {
    "no JSON": lambda _: b"yes\n",
    "half": lambda here: here.read(LOG)[:300],
    "deep": lambda _: b"[" * 100_000 + b"\n",
    "NUL": lambda _: b"\0" * 1000 + b"\n",
    "surrogate": lambda here: here.read(LOG).splitlines()[0].replace(b"claude", b"\\ud800") + b"\n",
    "long": lambda here: here.read(LOG).splitlines()[0].replace(
        b'"payload":{', b'"payload":{"x":"' + b"y" * 3_000_000 + b'",'
    )
    + b"\n",
    "huge number": lambda here: here.read(LOG).splitlines()[0].replace(
        b'"schema_version":1', b'"schema_version":' + b"9" * 5000
    )
    + b"\n",
    "bytes": lambda _: b'{"id":"\xff\xfe"}\n',
}  # fmt: skip


@pytest.mark.parametrize("kind", LINES)
def test_a_line_of_any_kind_in_the_log_stops_no_act(here: Repository, kind: str) -> None:
    before = here.read(LOG)
    with (here.root / LOG).open("ab") as log:
        log.write(LINES[kind](here))
    good(blocker.raise_(here.engine(CLAUDE), "in the way", klass="B"))
    assert here.read(LOG).startswith(before)
    assert here.ledger().todo["revision"] == 1


def test_a_planted_batch_of_a_killed_writer_is_only_what_anybody_could_write_anyway(
    here: Repository, outside: Path
) -> None:
    """It is rolled forward only if it continues the log exactly, and goes nowhere else."""
    before, log = picture(outside), here.read(LOG)
    for pending in (
        b"{}", b"\0" * 100, b"[" * 100_000,
        json.dumps({"schema": 1, "offset": 0, "bytes": 3, "sha256": "0", "data": "eA=="}).encode(),
        json.dumps({"schema": 1, "offset": -5, "bytes": 0, "sha256": "", "data": ""}).encode(),
    ):  # fmt: skip
        here.write(RUN / "journal.pending", pending)
        good(blocker.raise_(here.engine(CLAUDE), "in the way", klass="B"))
        assert here.read(LOG).startswith(log)
        log = here.read(LOG)
    assert picture(outside) == before


@pytest.mark.parametrize("name", ["requests", "answers"])
def test_many_planted_files_slow_nobody_down_for_ever(here: Repository, name: str) -> None:
    for n in range(500):
        here.write(RUN / name / f"req_{n:032x}.json", b"{}")
        here.write(RUN / name / f"{n}.txt", b"x")
    good(blocker.raise_(here.engine(CLAUDE), "in the way", klass="B"))
