"""The graph of a log: folded on demand, kept up with new lines, never of another log."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.gasp.folding.fold import Fold
from ppgp_tui.gasp.tracing.lineage import find, lineage
from ppgp_tui.session.log.graph import Folded, LogGraph
from ppgp_tui.session.log.tail import LogTail
from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.picture.graph_look import GraphLook
from tests.session.log.writing import event

LOG = "events.jsonl"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / LOG


@pytest.fixture
def tail(tmp_path: Path) -> LogTail:
    return LogTail(tmp_path, LOG, lambda: 5_000, settle_s=0)


def ops(number: int, *made: dict[str, Any], cause: int | None = None) -> bytes:
    cause_id = None if cause is None else f"event_{cause:032x}"
    return event(number, "state.ops_applied", list(made), causation_id=cause_id)


def node(number: int) -> dict[str, Any]:
    return {
        "CreateNode": {"id": f"task_{number}", "kind": "task", "props": {"title": f"T{number}"}}
    }


def view_of(tail: LogTail) -> LogView:
    view = tail.look().view
    assert view is not None
    return view


def nodes(look: GraphLook) -> list[str]:
    assert look.folded is not None
    with look.folded.reading() as inside:
        return list(inside.graph.nodes)


def test_a_log_is_folded_and_kept_up_with(tail: LogTail, log: Path) -> None:
    graph = LogGraph()
    log.write_bytes(ops(1, node(1)) + b"\n" + event(2))
    look = graph.look(view_of(tail))
    assert (look.state, look.lines, look.nodes, look.version) == ("folded", 2, 1, 1)
    with log.open("ab") as file:
        file.write(ops(3, node(2), node(3)))
    later = graph.look(view_of(tail))
    assert nodes(later) == ["task_1", "task_2", "task_3"]
    assert later.folded is look.folded
    assert later != look


def test_a_log_that_was_rewritten_is_folded_anew(tail: LogTail, log: Path) -> None:
    graph = LogGraph()
    log.write_bytes(ops(1, node(1)))
    graph.look(view_of(tail))
    log.write_bytes(ops(1, node(5)))
    assert nodes(graph.look(view_of(tail))) == ["task_5"]


def test_a_file_that_moves_under_the_fold_gives_no_graph_of_half_of_it(
    tail: LogTail, log: Path
) -> None:
    graph = LogGraph()
    log.write_bytes(ops(1, node(1)) + ops(2, node(2)))
    view = view_of(tail)
    log.write_bytes(ops(1, node(3)))
    assert graph.look(view) == GraphLook("folding")
    assert nodes(graph.look(view_of(tail))) == ["task_3"]


def test_operations_that_cannot_be_read_end_the_graph_and_say_where(
    tail: LogTail, log: Path
) -> None:
    log.write_bytes(
        ops(1, node(1)) + event(2, "state.ops_applied", {"no": "list"}) + ops(3, node(3))
    )
    look = LogGraph().look(view_of(tail))
    assert nodes(look) == ["task_1"]
    assert look.lines == 3
    assert look.why.startswith("line 2 (event event_00000000000000000000000000000002): invalid")


def test_operations_on_nothing_are_counted(tail: LogTail, log: Path) -> None:
    log.write_bytes(ops(1, {"UpdateNode": {"id": "nobody", "props": {}}}))
    assert LogGraph().look(view_of(tail)).skipped == 1


def test_lines_that_are_no_events_change_no_index(tail: LogTail, log: Path) -> None:
    log.write_bytes(b"\xff\xfe\n[1,2\n" + ops(3, node(1)))
    look = LogGraph().look(view_of(tail))
    assert (look.lines, nodes(look)) == (3, ["task_1"])
    assert look.folded is not None
    with look.folded.reading() as inside:
        thing = find(inside.links, "task_1")
        assert thing is not None
        assert lineage(inside.things, thing).thing.event == 2


def test_readers_never_see_a_line_half_taken_in(tail: LogTail, log: Path) -> None:
    """Every event makes two nodes: whoever reads counts an even number of them."""
    log.write_bytes(b"".join(ops(n, node(2 * n), node(2 * n + 1)) for n in range(3_000)))
    view, graph, folded = view_of(tail), LogGraph(), threading.Event()
    odd: list[int] = []
    seen: set[int] = set()

    def read(inside: Folded) -> None:
        while not folded.is_set():
            with inside.reading() as now:
                count = len(now.graph.nodes)
            seen.add(count)
            if count % 2 or count > 2 * 3_000:
                odd.append(count)

    first = graph.look(view, stopped=lambda: True).folded
    assert first is not None
    reader = threading.Thread(target=read, args=(first,))
    reader.start()
    try:
        whole = graph.look(view)
    finally:
        folded.set()
        reader.join()
    assert (odd, whole.nodes) == ([], 6_000)
    assert len(seen) > 1


def test_the_graph_is_that_of_a_fold_of_the_whole_file(tail: LogTail, log: Path) -> None:
    data = b"".join(ops(n, node(n % 50)) + event(1_000 + n) for n in range(500))
    graph, look = LogGraph(), GraphLook()
    for end in range(0, len(data), 7_001):
        log.write_bytes(data[:end])
        look = graph.look(view_of(tail))
    log.write_bytes(data)
    look = graph.look(view_of(tail))
    fold = Fold()
    fold.take(data)
    assert look.folded is not None
    with look.folded.reading() as inside:
        assert inside.graph.as_json() == fold.graph.as_json()
