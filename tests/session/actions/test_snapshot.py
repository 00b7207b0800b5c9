"""Writing a snapshot: of the whole lines there are, verified, and never in a wrong place."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ppgp_tui.gasp.folding import snapshot as snapshots
from ppgp_tui.gasp.folding.fold import Fold
from ppgp_tui.session.actions import snapshot
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result

LOG = "state/events.jsonl"
FIXTURE = Path(__file__).parents[2] / "data" / "gasp" / "fixture.json"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "repository"
    (made / "state").mkdir(parents=True)
    (made / LOG).write_text(json.loads(FIXTURE.read_text())[LOG])
    return made


def take(root: Path, **options: bool) -> Result:
    return snapshot.snapshot(Engine(root, Actor("user", "dev")), **options)


def line(event_id: str) -> bytes:
    event = {
        "id": event_id, "schema_version": 1, "ts_ms": 1, "actor": {"kind": "user", "id": "dev"},
        "kind": "session.started", "payload": {}, "causation_id": None, "correlation_id": None,
    }  # fmt: skip
    return json.dumps(event).encode() + b"\n"


def test_it_holds_the_fold_of_the_log_and_is_named_after_its_last_event(root: Path) -> None:
    result = take(root)
    assert (result.code, result.created) == ("done", ("snapshots/event_10/graph.json",))
    log, data = (root / LOG).read_bytes(), (root / result.created[0]).read_bytes()
    snapshots.verify(data, log)
    fold = Fold()
    fold.take(log)
    assert json.loads(data)["graph"] == fold.graph.as_json()
    assert json.loads(data)["integrity"]["line_count"] == 10
    assert "may be deleted" in result.message


def test_a_second_one_of_the_same_event_changes_nothing(root: Path) -> None:
    take(root)
    before = (root / "snapshots/event_10/graph.json").stat()
    result = take(root)
    assert (result.code, result.created) == ("unchanged", ())
    assert (root / "snapshots/event_10/graph.json").stat() == before


def test_an_unfinished_last_line_is_left_out(root: Path) -> None:
    with (root / LOG).open("ab") as log:
        log.write(b'{"id":"event_11"')
    assert take(root).created == ("snapshots/event_10/graph.json",)


def test_a_dry_run_writes_nothing(root: Path) -> None:
    result = take(root, dry_run=True)
    assert (result.code, result.data["event"]) == ("unchanged", "event_10")
    assert "would create snapshots/event_10/graph.json" in result.message
    assert not (root / "snapshots").exists()


@pytest.mark.parametrize(
    "event_id", ["../../x", "..", ".", "", "/etc/x", "a/b", "-rf", "a\0b", "x" * 300, ".git"]
)
def test_an_event_id_that_is_no_name_makes_no_folder(root: Path, event_id: str) -> None:
    (root / LOG).write_bytes(line("fine") + line(event_id))
    result = take(root)
    assert result.code == "refused"
    assert sorted(path.name for path in root.iterdir()) == ["state"]
    assert sorted(path.name for path in root.parent.iterdir()) == ["repository"]


@pytest.mark.parametrize("text", [b"", b"\n\n", b'{"id":"event_1"'])
def test_a_log_without_an_event_has_nothing_to_keep(root: Path, text: bytes) -> None:
    (root / LOG).write_bytes(text)
    assert take(root).code == "refused"
    assert not (root / "snapshots").exists()


def test_a_log_that_does_not_fold_is_named_with_its_line(root: Path) -> None:
    event = json.loads(line("event_x"))
    event |= {"kind": "state.ops_applied", "payload": 5}
    (root / LOG).write_bytes(line("fine") + json.dumps(event).encode() + b"\n")
    result = take(root)
    assert result.code == "refused"
    assert "line 2" in result.message


@pytest.mark.parametrize("damage", [b"garbage", b"{}", b"[1]", b'{"id":"x"}', b"\xff"])
def test_a_log_with_a_line_that_is_no_event_has_no_snapshot(root: Path, damage: bytes) -> None:
    lines = (root / LOG).read_bytes().splitlines(keepends=True)
    (root / LOG).write_bytes(b"".join([*lines[:3], damage + b"\n", *lines[3:]]))
    result = take(root)
    assert result.code == "refused"
    assert f"{LOG}:4: corrupt event" in result.message
    assert not (root / "snapshots").exists()


def test_without_a_log_it_says_how_to_begin(tmp_path: Path) -> None:
    result = take(tmp_path)
    assert result.code == "not_initialised"
    assert "ppgp-tui init" in result.message


def test_a_wrong_one_that_lies_there_is_not_overwritten(root: Path) -> None:
    path = root / "snapshots" / "event_10" / "graph.json"
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    result = take(root)
    assert result.code == "refused"
    assert "delete its folder" in result.message
    assert path.read_text() == "{}"


@pytest.mark.parametrize("where", ["snapshots", "snapshots/event_10"])
def test_nothing_is_written_through_a_link(root: Path, tmp_path: Path, where: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / where).parent.mkdir(exist_ok=True)
    (root / where).symlink_to(outside)
    assert take(root).code == "refused"
    assert list(outside.iterdir()) == []


def test_a_pipe_in_its_place_does_not_hold_it_up(root: Path) -> None:
    path = root / "snapshots" / "event_10" / "graph.json"
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    assert take(root).code == "refused"


def test_killed_at_any_moment_there_is_a_whole_one_or_none(root: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from ppgp_tui.session.actions import snapshot\n"
        "from ppgp_tui.session.engine.draft import Actor\n"
        "from ppgp_tui.session.engine.engine import Engine\n"
        "engine = Engine(Path(sys.argv[1]), Actor('user', 'dev'))\n"
        "print('ready', flush=True)\n"
        "snapshot.snapshot(engine)\n"
    )
    log = b"".join(line(f"event_{number}") for number in range(3000))
    (root / LOG).write_bytes(log)
    path = root / "snapshots" / "event_2999" / "graph.json"
    for number in range(10):
        child = subprocess.Popen([sys.executable, "-c", program, str(root)], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(number * 0.005)
        child.send_signal(signal.SIGKILL)
        child.wait()
        if path.exists():
            snapshots.verify(path.read_bytes(), log)
            path.unlink()
    assert take(root).code == "done"
