"""The kept graph: used only for the very log it is of, and never wrong whatever became of it."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.gasp.tracing.lineage import find, lineage, unlinked
from ppgp_tui.session.log import graph as graph_module
from ppgp_tui.session.log import graph_cache
from ppgp_tui.session.log.graph import LogGraph
from ppgp_tui.session.log.graph_cache import NAME, load
from ppgp_tui.session.log.tail import LogTail
from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.picture.graph_look import GraphLook
from tests.session.log.writing import event

LOG = "events.jsonl"


@pytest.fixture(autouse=True)
def keep_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_module, "KEEP_EVERY", 1)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / LOG
    path.write_bytes(life(1, 60))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "own"


def life(first: int, count: int) -> bytes:
    """Runs with tasks, links, updates and calls, and lines that are no events."""
    return b"".join(map(_step, range(first, first + count)))


def _step(number: int) -> bytes:
    cause = f"event_{number - 1:032x}"
    task = {"id": f"task_{number}", "kind": "task", "props": {"title": f"Task {number} \N{ROCKET}"}}
    link = {"from": f"task_{number}", "rel": "serves", "to": f"task_{number - 6}", "props": {}}
    match number % 6:
        case 0:
            return event(number, "run.started", {"run_id": f"run_{number}", "task": "t"})
        case 1:
            return event(number, "task.created", task["props"] | {"id": task["id"]})
        case 2:
            made = [{"CreateNode": task}, {"CreateRelation": link}]
            return event(number, "state.ops_applied", made, causation_id=cause)
        case 3:
            late = {"UpdateNode": {"id": f"task_{number - 1}", "props": {"status": "Done"}}}
            return event(number, "state.ops_applied", [late])
        case 4:
            return b"\n\xff no event\n"
        case _:
            return event(number, "tool.called", correlation_id=f"run_{number - 5}")


def view_of(log: Path) -> LogView:
    """The log as a new process would read it."""
    view = LogTail(log.parent, log.name, lambda: 0, settle_s=0).look().view
    assert view is not None
    return view


def fold(log: Path, folder: Path | None) -> GraphLook:
    return LogGraph(folder).look(view_of(log))


def all_of(look: GraphLook) -> Any:
    """Everything anybody can ask of a graph."""
    assert look.folded is not None
    with look.folded.reading() as inside:
        ids = [*inside.graph.nodes, *(f"event_{n:032x}" for n in range(0, 200, 7)), "", "run_6"]
        things = {one: find(inside.links, one) for one in ids}
        found = (thing for thing in things.values() if thing is not None)
        return (
            look._replace(folded=None),
            inside.graph.as_json(),
            things,
            [lineage(inside.things, thing) for thing in found],
            list(unlinked(inside.things)),
            [(g.number, g.run, g.first, g.last, g.count) for g in inside.story.groups],
            [list(inside.story.events(group)) for group in inside.story.groups],
            inside.skipped,
        )


def test_what_was_kept_is_what_a_fold_gives_and_goes_on_with_new_lines(
    log: Path, folder: Path
) -> None:
    fold(log, folder)
    assert load(folder, view_of(log)) is not None
    assert all_of(fold(log, folder)) == all_of(fold(log, None))
    with log.open("ab") as file:
        file.write(life(61, 60))
    kept = load(folder, view_of(log))
    assert kept is not None
    assert kept[1].events < len(view_of(log))
    assert all_of(fold(log, folder)) == all_of(fold(log, None))


def test_only_the_user_may_read_it(log: Path, folder: Path) -> None:
    fold(log, folder)
    assert (folder / NAME).stat().st_mode & 0o777 == 0o600


def test_a_short_log_leaves_nothing_behind(
    log: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_module, "KEEP_EVERY", 1_000_000)
    fold(log, folder)
    assert not folder.exists()


# Logs that it is not of


def test_the_same_bytes_in_another_file_are_another_log(log: Path, folder: Path) -> None:
    fold(log, folder)
    copy = log.with_name("copy")
    copy.write_bytes(log.read_bytes())
    copy.replace(log)
    assert load(folder, view_of(log)) is None


@pytest.mark.parametrize("far", [0, 2])
def test_a_log_rewritten_in_place_with_the_same_size_is_folded_anew(
    log: Path, folder: Path, far: int
) -> None:
    """Also far away from the offset, where the 64 KiB before it are the same."""
    log.write_bytes(life(1, 1_200))
    fold(log, folder)
    data = log.read_bytes()
    at = data.index(b"Task", far * len(data) // 3)
    with log.open("r+b") as file:
        file.seek(at)
        file.write(b"Mask")
    assert load(folder, view_of(log)) is None
    assert all_of(fold(log, folder)) == all_of(fold(log, None))


def test_a_log_that_was_cut_is_folded_anew(log: Path, folder: Path) -> None:
    fold(log, folder)
    os.truncate(log, log.read_bytes().rfind(b"\n", 0, -1) + 1)
    assert load(folder, view_of(log)) is None


def test_a_log_that_cannot_be_folded_is_not_kept(log: Path, folder: Path) -> None:
    with log.open("ab") as file:
        file.write(event(99, "state.ops_applied", {"no": "list"}))
    fold(log, folder)
    assert not (folder / NAME).exists()


# Caches that are not sound


def test_a_cache_made_by_other_code_is_not_used(
    log: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold(log, folder)
    monkeypatch.setattr(graph_cache, "_code", lambda: "another")
    assert load(folder, view_of(log)) is None


def test_a_cache_that_ends_early_is_not_used(log: Path, folder: Path) -> None:
    fold(log, folder)
    whole = (folder / NAME).read_bytes()
    for size in (*range(0, 2_000, 97), len(whole) // 2, len(whole) - 1):
        (folder / NAME).write_bytes(whole[:size])
        assert load(folder, view_of(log)) is None, size


@settings(max_examples=40)
@given(where=st.floats(0, 1), byte=st.integers(0, 255))
def test_no_damaged_byte_gives_another_graph(
    log: Path, folder: Path, where: float, byte: int
) -> None:
    if not (folder / NAME).exists():
        fold(log, folder)
        (folder / "sound").write_bytes((folder / NAME).read_bytes())
    whole = (folder / "sound").read_bytes()
    at = int(where * (len(whole) - 1))
    (folder / NAME).write_bytes(whole[:at] + bytes([byte]) + whole[at + 1 :])
    assert all_of(fold(log, folder)) == all_of(fold(log, None))


def test_what_is_no_part_of_a_graph_is_never_brought_to_life(
    log: Path, folder: Path, tmp_path: Path
) -> None:
    class Trap:
        def __reduce__(self) -> Any:
            return os.mkdir, (str(tmp_path / "sprung"),)

    fold(log, folder)
    line, _, _ = (folder / NAME).read_bytes().partition(b"\n")
    parts = pickle.dumps(Trap(), 5)
    import hashlib

    head = json.loads(line) | {"parts": hashlib.sha256(parts).hexdigest()}
    (folder / NAME).write_bytes(json.dumps(head).encode() + b"\n" + parts)
    assert load(folder, view_of(log)) is None
    assert not (tmp_path / "sprung").exists()


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(log: Path, tmp_path: Path) -> None:
    (tmp_path / "own").write_text("a file")
    assert fold(log, tmp_path / "own").state == "folded"


_KEEPS = textwrap.dedent("""
    import sys
    from pathlib import Path
    from ppgp_tui.session.log import graph, graph_cache
    from ppgp_tui.session.log.tail import LogTail
    graph.KEEP_EVERY = 1
    log, folder = Path(sys.argv[1]), Path(sys.argv[2])
    view = LogTail(log.parent, log.name, lambda: 0).look().view
    made = graph.LogGraph(folder)
    look = made.look(view)
    print("kept once", flush=True)
    while True:
        graph_cache.store(folder, view, made._feed.position, look.folded.kept())
""")


def test_a_writer_killed_at_any_moment_leaves_a_sound_cache(log: Path, folder: Path) -> None:
    log.write_bytes(life(1, 1_200))
    whole = all_of(fold(log, None))
    for turn in range(2):
        writer = subprocess.Popen(
            [sys.executable, "-c", _KEEPS, str(log), str(folder)], stdout=subprocess.PIPE
        )
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"kept once\n"
        time.sleep(0.006 * turn)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        assert load(folder, view_of(log)) is not None
        assert all_of(fold(log, folder)) == whole


def test_two_that_write_at_once_leave_a_sound_cache(log: Path, folder: Path) -> None:
    log.write_bytes(life(1, 1_200))
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _KEEPS, str(log), str(folder)], stdout=subprocess.PIPE
        )
        for _ in range(2)
    ]
    try:
        for writer in writers:
            assert writer.stdout is not None
            writer.stdout.readline()
        for _ in range(5):
            assert load(folder, view_of(log)) is not None
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()
            assert writer.stdout is not None
            writer.stdout.close()
